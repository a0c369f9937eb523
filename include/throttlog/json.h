/*
 * Builds JSON through json-c. NAN becomes null. Values are added to objects and arrays that own
 * them; only the root is freed.
 */
#ifndef THROTTLOG_JSON_H
#define THROTTLOG_JSON_H

#include <stdbool.h>
#include <stddef.h>

struct json;

struct json *json_new_object(void);
void json_free(struct json *root);

/*
 * Each adds one value to `parent`: under `key` if it is an object, at the end (key NULL) if it is
 * an array. `decimals` rounds; trailing zeros are dropped.
 */
void json_add_number(struct json *parent, const char *key, double value, int decimals);
void json_add_string(struct json *parent, const char *key, const char *value /* NULL: null */);
void json_add_bool(struct json *parent, const char *key, bool value);
void json_add_null(struct json *parent, const char *key);
/* The new child belongs to `parent`. */
struct json *json_add_object(struct json *parent, const char *key);
struct json *json_add_array(struct json *parent, const char *key);

/* The text, ending in a newline when pretty; the caller frees it. */
char *json_text(const struct json *root, bool pretty);

#endif
