/* What can be said on the control socket. */
#ifndef RIG_WORDS_H
#define RIG_WORDS_H

#include <stddef.h>

struct rig;

#define ANSWER_BYTES 4096

struct control_word {
	const char *name, *arguments, *help;
	/* NULL, or what is wrong. `answer` holds ANSWER_BYTES and is empty. */
	const char *(*run)(struct rig *r, char *const *argv, char *answer);
};

extern const struct control_word control_words[];
extern const size_t control_words_count;

#endif
