/* JSON through json-c. */
#include "throttlog/json.h"

#include <json-c/json.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "throttlog/alloc.h"
#include "throttlog/text.h"

static struct json_object *raw(struct json *j)
{
	return (struct json_object *)j;
}

static struct json *add(struct json *parent, const char *key, struct json_object *value)
{
	if (key)
		json_object_object_add(raw(parent), key, value);
	else
		json_object_array_add(raw(parent), value);
	return (struct json *)value;
}

struct json *json_new_object(void)
{
	return (struct json *)json_object_new_object();
}

void json_free(struct json *root)
{
	json_object_put(raw(root));
}

void json_add_number(struct json *parent, const char *key, double value, int decimals)
{
	char text[400];

	if (!isfinite(value)) {
		json_add_null(parent, key);
		return;
	}
	text_format(text, sizeof(text), "%.*f", decimals, value);
	if (strchr(text, '.')) {
		size_t n = strlen(text);

		while (text[n - 1] == '0')
			text[--n] = '\0';
		if (text[n - 1] == '.')
			text[n - 1] = '\0';
	}
	if (strcmp(text, "-0") == 0)
		strcpy(text, "0");
	add(parent, key, json_object_new_double_s(value, text));
}

void json_add_string(struct json *parent, const char *key, const char *value)
{
	add(parent, key, value ? json_object_new_string(value) : NULL);
}

void json_add_bool(struct json *parent, const char *key, bool value)
{
	add(parent, key, json_object_new_boolean(value));
}

void json_add_null(struct json *parent, const char *key)
{
	add(parent, key, NULL);
}

struct json *json_add_object(struct json *parent, const char *key)
{
	return add(parent, key, json_object_new_object());
}

struct json *json_add_array(struct json *parent, const char *key)
{
	return add(parent, key, json_object_new_array());
}

char *json_text(const struct json *root, bool pretty)
{
	/* json-c reads without const. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	struct json_object *o = (struct json_object *)(uintptr_t)root;
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE |
		    (pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : 0);
	const char *text = json_object_to_json_string_ext(o, flags);

	return xasprintf("%s%s", text, pretty ? "\n" : "");
}
