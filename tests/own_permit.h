/*
 * A write permit of the tests' own, so that engines can be tested without the write guard. Weak:
 * it stands in for the guard's definition, in this program only.
 */
#ifndef TESTS_OWN_PERMIT_H
#define TESTS_OWN_PERMIT_H

#include <stdatomic.h>
#include <stddef.h>

#include "throttlog/permit.h"

struct write_permit {
	int fd;
	atomic_bool revoked;
	atomic_uint asked; /* how often it was tested */
};

__attribute__((weak)) bool write_permit_allows(const struct write_permit *permit, int fd)
{
	if (!permit)
		return false;
	atomic_fetch_add(&((struct write_permit *)(uintptr_t)permit)->asked, 1);
	return permit->fd == fd && !atomic_load(&permit->revoked);
}

#endif
