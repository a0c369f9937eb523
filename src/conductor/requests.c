/* What the view asks of the conductor: quit, pause, marks, a picture, suspension. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conductor_private.h"
#include "outputs.h"
#include "throttlog/diag.h"

static void notice(struct conductor *c, const char *what, const char *object)
{
	snprintf(c->session.notice, sizeof(c->session.notice), "%s%.200s", what, object);
	c->session.notices++;
}

static void pause_all(struct conductor *c)
{
	bool any = false;

	for (size_t i = 0; i < c->session.n; i++)
		any |= c->slots[i].paused;
	for (size_t i = 0; i < c->session.n; i++)
		slot_pause(&c->slots[i], !any);
}

static void mark_all(struct conductor *c, const char *text)
{
	for (size_t i = 0; i < c->session.n; i++)
		slot_note(&c->slots[i], EVENT_MARK, (double)NAN, text);
	notice(c, "marked: ", text);
}

static void *make_picture(void *arg)
{
	struct conductor *c = arg;

	c->picture_error = outputs_picture(&c->session, c->config, c->picture_path);
	atomic_store(&c->picture_done, true);
	return NULL;
}

/* The log's rows so far, drawn by a thread: nothing slow happens in the loop. */
static void start_picture(struct conductor *c)
{
	size_t base = strlen(c->session.drive[0].png) - strlen(".png");

	if (c->picture_started && !atomic_load(&c->picture_done)) {
		notice(c, "a picture is being written already", "");
		return;
	}
	conductor_wait_picture(c);
	snprintf(c->picture_path, sizeof(c->picture_path), "%.*s-at-%.0fs.png",
		 (int)(base > 4000 ? 4000 : base), c->session.drive[0].png, c->session.elapsed_s);
	atomic_store(&c->picture_done, false);
	c->picture_started = pthread_create(&c->picture_thread, NULL, make_picture, c) == 0;
	notice(c, "writing picture ", c->picture_path);
}

void conductor_wait_picture(struct conductor *c)
{
	if (!c->picture_started)
		return;
	pthread_join(c->picture_thread, NULL);
	c->picture_started = false;
	if (c->picture_error)
		diag_error("cannot write %s: %s", c->picture_path, DIAG_ERRNO(c->picture_error));
}

void conductor_check_picture(struct conductor *c)
{
	if (!c->picture_started || !atomic_load(&c->picture_done))
		return;
	conductor_wait_picture(c);
	if (c->picture_error == EEXIST)
		notice(c, "there is already ", c->picture_path);
	else
		notice(c,
		       c->picture_error ? "cannot write " : "picture written: ", c->picture_path);
}

/* The load does not run on behind a view that nobody sees. */
void conductor_suspend(struct conductor *c)
{
	for (size_t i = 0; i < c->n_open; i++)
		slot_suspend(&c->slots[i], true);
	if (c->view)
		c->view->ops->suspend(c->view);
	kill(getpid(), SIGSTOP);
	for (size_t i = 0; i < c->n_open; i++)
		slot_suspend(&c->slots[i], false);
}

/* A replay can be paused and quit; the log that it shows stays as it is. */
static void handle_replay(struct conductor *c, const struct request *r)
{
	if (r->kind == REQUEST_QUIT)
		c->quit = true;
	else if (r->kind == REQUEST_PAUSE)
		c->session.drive[0].paused = !c->session.drive[0].paused;
	else if (r->kind == REQUEST_SUSPEND)
		conductor_suspend(c);
}

static void handle(struct conductor *c, const struct request *r)
{
	if (c->session.replay) {
		handle_replay(c, r);
		return;
	}
	switch (r->kind) {
	case REQUEST_NONE:
		break;
	case REQUEST_QUIT:
		c->quit = true;
		break;
	case REQUEST_PAUSE:
		pause_all(c);
		break;
	case REQUEST_MARK:
		mark_all(c, r->text);
		break;
	case REQUEST_PICTURE:
		start_picture(c);
		break;
	case REQUEST_SUSPEND:
		conductor_suspend(c);
		break;
	}
}

void conductor_requests(struct conductor *c)
{
	struct request r;

	do {
		memset(&r, 0, sizeof(r));
		c->view->ops->input(c->view, &c->session, &r);
		handle(c, &r);
		/* A view whose terminal is gone asks to quit for ever. */
	} while (r.kind != REQUEST_NONE && !c->quit);
}
