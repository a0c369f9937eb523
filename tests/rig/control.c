/* The control socket and its client. */
#include "control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "rig.h"
#include "throttlog/alloc.h"
#include "throttlog/diag.h"
#include "throttlog/text.h"
#include "words.h"

#define LINE_BYTES 512
#define WORDS_MAX  8

struct client {
	int fd; /* -1: none */
	char line[LINE_BYTES];
	size_t bytes;
};

struct control {
	int listener;
	char *path;
	struct client client[CONTROL_CLIENTS];
};

static int address(struct sockaddr_un *out, const char *path)
{
	*out = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(out->sun_path))
		return -ENAMETOOLONG;
	memcpy(out->sun_path, path, strlen(path));
	return 0;
}

int control_open(struct control **out, const char *path)
{
	struct sockaddr_un at;
	struct control *c;
	int err = address(&at, path);
	int fd = err ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (err)
		return err;
	unlink(path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof(at)) || listen(fd, CONTROL_CLIENTS)) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	c = xzalloc(sizeof(*c));
	c->listener = fd;
	c->path = xstrdup(path);
	for (size_t i = 0; i < CONTROL_CLIENTS; i++)
		c->client[i].fd = -1;
	*out = c;
	return 0;
}

void control_close(struct control *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < CONTROL_CLIENTS; i++)
		if (c->client[i].fd >= 0)
			close(c->client[i].fd);
	close(c->listener);
	unlink(c->path);
	free(c->path);
	free(c);
}

size_t control_polls(const struct control *c, struct pollfd *polls)
{
	size_t n = 0;

	if (!c)
		return 0;
	polls[n++] = (struct pollfd){.fd = c->listener, .events = POLLIN};
	for (size_t i = 0; i < CONTROL_CLIENTS; i++)
		if (c->client[i].fd >= 0)
			polls[n++] = (struct pollfd){.fd = c->client[i].fd, .events = POLLIN};
	return n;
}

static void answer(const struct client *client, const char *text)
{
	/* A few lines always fit into the socket's buffer; who does not read loses them. */
	(void)!send(client->fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void run_line(struct client *client, struct rig *r)
{
	char *argv[WORDS_MAX + 1] = {NULL}, *rest = client->line, *word;
	char text[ANSWER_BYTES] = "", last[256];
	const char *wrong = "there is no such word";
	size_t n = 0;

	while (n < WORDS_MAX && (word = strsep(&rest, " \t\r")))
		if (*word)
			argv[n++] = word;
	if (n == 0)
		return;
	for (size_t i = 0; i < control_words_count; i++)
		if (strcmp(control_words[i].name, argv[0]) == 0) {
			wrong = control_words[i].run(r, argv, text);
			break;
		}
	answer(client, text);
	text_format(last, sizeof(last), wrong ? "error: %s\n" : "ok\n", wrong);
	answer(client, last);
}

static void serve_client(struct client *client, struct rig *r)
{
	char *end;
	ssize_t n = recv(client->fd, client->line + client->bytes,
			 sizeof(client->line) - 1 - client->bytes, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		close(client->fd);
		client->fd = -1;
		return;
	}
	client->bytes += (size_t)n;
	client->line[client->bytes] = '\0';
	while ((end = strchr(client->line, '\n'))) {
		size_t used = (size_t)(end + 1 - client->line);

		*end = '\0';
		run_line(client, r);
		client->bytes -= used;
		memmove(client->line, client->line + used, client->bytes + 1);
	}
	if (client->bytes == sizeof(client->line) - 1)
		client->bytes = 0; /* no line is that long */
}

void control_serve(struct control *c, struct rig *r)
{
	int fd = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	for (size_t i = 0; i < CONTROL_CLIENTS; i++) {
		if (fd >= 0 && c->client[i].fd < 0) {
			c->client[i] = (struct client){.fd = fd};
			fd = -1;
		}
		if (c->client[i].fd >= 0)
			serve_client(&c->client[i], r);
	}
	if (fd >= 0)
		close(fd);
}

static int print_answer(int fd)
{
	char line[LINE_BYTES];
	FILE *f = fdopen(fd, "r");
	int status = 1;

	if (!f)
		return 1;
	while (fgets(line, sizeof(line), f)) {
		if (strcmp(line, "ok\n") == 0) {
			status = 0;
			break;
		}
		if (strncmp(line, "error: ", 7) == 0) {
			fputs(line, stderr);
			break;
		}
		fputs(line, stdout);
	}
	fclose(f);
	return status;
}

int control_send(const char *path, char *const *words)
{
	char line[LINE_BYTES] = "";
	struct sockaddr_un at;
	int err = address(&at, path);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	size_t n = 0;

	if (err == 0 && (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof(at))))
		err = errno;
	if (err) {
		diag_error("cannot reach %s: %s", path, DIAG_ERRNO(err));
		if (fd >= 0)
			close(fd);
		return 1;
	}
	for (; *words && n < sizeof(line); words++)
		n += (size_t)text_format(line + n, sizeof(line) - n, "%s%s", n ? " " : "", *words);
	if (n + 1 < sizeof(line))
		line[n++] = '\n';
	if (write(fd, line, n) != (ssize_t)n) {
		diag_error("cannot write to %s", path);
		close(fd);
		return 1;
	}
	return print_answer(fd);
}

void control_help(void)
{
	for (size_t i = 0; i < control_words_count; i++)
		printf("  %-9s %-31s %s\n", control_words[i].name, control_words[i].arguments,
		       control_words[i].help);
}
