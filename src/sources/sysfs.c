/* Small reads from /sys and /proc, under a root that tests can move. */
#include "throttlog/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "throttlog/text.h"

static const char *root = "";

void sysfs_set_root(const char *r)
{
	root = r ? r : "";
}

const char *sysfs_root(void)
{
	return root;
}

__attribute__((format(printf, 3, 0))) static int build(char *buf, size_t size, const char *format,
						       va_list args)
{
	int n = text_format(buf, size, "%s", root), m;

	if (n < 0 || (size_t)n >= size)
		return -ENAMETOOLONG;
	m = text_vformat(buf + n, size - (size_t)n, format, args);
	return m < 0 || (size_t)m >= size - (size_t)n ? -ENAMETOOLONG : 0;
}

int sysfs_path(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int err;

	va_start(args, format);
	err = build(buf, size, format, args);
	va_end(args);
	return err;
}

/* An attribute gives all it has in one read. */
static int read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	buf[0] = '\0';
	if (fd < 0)
		return -errno;
	n = read(fd, buf, size - 1);
	if (n < 0) {
		int err = -errno;

		close(fd);
		return err;
	}
	close(fd);
	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	text_clean(buf);
	return 0;
}

__attribute__((format(printf, 3, 0))) static int read_built(char *buf, size_t size,
							    const char *format, va_list args)
{
	char path[PATH_MAX];
	int err = build(path, sizeof(path), format, args);

	buf[0] = '\0';
	return err ? err : read_file(path, buf, size);
}

int sysfs_text(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int err;

	va_start(args, format);
	err = read_built(buf, size, format, args);
	va_end(args);
	return err;
}

int sysfs_number(double *out, const char *format, ...)
{
	char text[64];
	va_list args;
	int err;

	va_start(args, format);
	err = read_built(text, sizeof(text), format, args);
	va_end(args);
	if (err)
		return err;
	return text_to_double(text, out) ? 0 : -EINVAL;
}

bool sysfs_exists(const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	int err;

	va_start(args, format);
	err = build(path, sizeof(path), format, args);
	va_end(args);
	return err == 0 && access(path, F_OK) == 0;
}

int sysfs_real(char *buf, size_t size, const char *format, ...)
{
	char path[PATH_MAX], *real;
	va_list args;
	int err;

	va_start(args, format);
	err = build(path, sizeof(path), format, args);
	va_end(args);
	buf[0] = '\0';
	if (err)
		return err;
	real = realpath(path, NULL);
	if (!real)
		return -errno;
	if (strlen(real) < size)
		memcpy(buf, real, strlen(real) + 1);
	else
		err = -ENAMETOOLONG;
	free(real);
	return err;
}

static int not_hidden(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

int sysfs_each(const char *dir, int (*visit)(const char *entry, void *data), void *data)
{
	char path[PATH_MAX];
	struct dirent **list;
	int n, result = sysfs_path(path, sizeof(path), "%s", dir);

	if (result)
		return result;
	n = scandir(path, &list, not_hidden, versionsort);
	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		if (result == 0)
			result = visit(list[i]->d_name, data);
		free(list[i]);
	}
	free(list);
	return result;
}
