/* Opening a slot: target, guard, engine, sensors, and the preamble of its log. */
#include <errno.h>
#include <linux/fs.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "slot.h"
#include "throttlog/clock.h"
#include "throttlog/diag.h"
#include "throttlog/guard.h"
#include "throttlog/sim.h"
#include "throttlog/text.h"

#define WHY 600

/* Writing so much takes the fastest drives seconds. */
#define WARMING_BYTES (UINT64_C(8) << 30)

static int status_of(int err)
{
	if (err == -EPERM || err == -EACCES || err == -EBUSY || err == -EROFS)
		return STATUS_REFUSED;
	return err == -EINVAL ? STATUS_USAGE : STATUS_FAILED;
}

static void print_note(const char *line)
{
	diag_note("%s", line);
}

/* What is loaded: the size of an existing file, of a block device, or of the simulated drive. */
static uint64_t target_bytes(const struct slot *s)
{
	struct stat st;
	uint64_t bytes = 0;

	if (s->target.kind == TARGET_SIM)
		return sim_capacity(s->target.sim);
	if (fstat(s->fd, &st))
		return 0;
	if (S_ISBLK(st.st_mode))
		return ioctl(s->fd, BLKGETSIZE64, &bytes) ? 0 : bytes;
	return (uint64_t)st.st_size;
}

/* O_DIRECT needs offsets and sizes in logical blocks. */
static uint32_t alignment(const struct slot *s)
{
	int logical = 512;
	struct stat st;

	if (s->target.kind == TARGET_SIM || fstat(s->fd, &st))
		return 512;
	if (S_ISBLK(st.st_mode))
		return ioctl(s->fd, BLKSSZGET, &logical) ? 512 : (uint32_t)logical;
	/* The file system's block suits every device below it. */
	return st.st_blksize > 512 && st.st_blksize <= 65536 ? 4096 : 512;
}

/* Block size and region against the target. Prints and returns a status. */
static int check_region(struct slot *s)
{
	struct engine_config *e = &s->engine_config;
	uint64_t total = target_bytes(s);
	char have[32], want[32];

	e->align_bytes = alignment(s);
	if (e->block_bytes % e->align_bytes) {
		diag_error("block size %u does not fit %s: take a multiple of its logical block of "
			   "%u bytes",
			   e->block_bytes, s->target.name, e->align_bytes);
		return STATUS_USAGE;
	}
	text_size(have, sizeof(have), total);
	if (s->config->region_bytes > total) {
		text_size(want, sizeof(want), s->config->region_bytes);
		diag_error("region of %s is larger than %s (%s): take a smaller --region", want,
			   s->target.name, have);
		return STATUS_USAGE;
	}
	e->region_bytes = s->config->region_bytes ? s->config->region_bytes : total;
	e->region_bytes -= e->region_bytes % e->block_bytes;
	if (!e->region_bytes) {
		text_size(want, sizeof(want),
			  s->config->region_bytes ? s->config->region_bytes : total);
		diag_error("%s has room for less than one block: %s, block size %u; take %s",
			   s->target.name, want, e->block_bytes,
			   s->config->region_bytes ? "a larger --region or a smaller --bs"
						   : "a smaller --bs");
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}

static int refuse(const char *why, int err)
{
	diag_error("%s", why);
	return status_of(err);
}

/* Asks for the serial on the terminal. False: not typed. */
static bool ask_serial(const struct slot *s, char *line, size_t size)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return false;
	fprintf(stderr, "This destroys all data on %s (%s). Type %s to go on: ", s->target.node,
		s->target.drive.model, guard_confirm_name(&s->target));
	if (!fgets(line, (int)size, stdin))
		return false;
	line[strcspn(line, "\n")] = '\0';
	return true;
}

static int open_device(struct slot *s, char *why)
{
	struct guard_request request = {.destructive = s->config->destructive,
					.confirm = s->config->confirm};
	char typed[80];

	if (!op_list_has(&s->legs, OP_WRITE))
		return guard_open_read(&s->target, &s->fd, why, WHY);
	if (request.destructive && !request.confirm && ask_serial(s, typed, sizeof(typed))) {
		request.confirm = typed;
		request.typed = true;
	}
	return guard_open_write(&s->target, &request, &s->fd, &s->permit, why, WHY);
}

/*
 * A new file has no data to read yet: reading it would not touch the drive. Writes it once, with
 * the same data as a write load.
 */
static int fill_file(struct slot *s, char *why)
{
	struct engine_config fill = s->engine_config;
	struct load_snapshot *now = &s->after;
	struct load *load;
	char size[32];
	int err;

	text_size(size, sizeof(size), fill.region_bytes);
	diag_note("writing %s to a new file in %s before it can be read%s", size, s->target.node,
		  fill.region_bytes >= WARMING_BYTES
		      ? "; that warms the drive: a --baseline of some minutes cools it again"
		      : "");
	fill.op = OP_WRITE;
	fill.block_bytes = 131072;
	if (fill.region_bytes < fill.block_bytes)
		fill.block_bytes = s->engine_config.block_bytes;
	fill.random = false;
	err = load_start(&load, s->ops, &fill, why, WHY);
	if (err)
		return err;
	do {
		clock_sleep_until(clock_now_ns() + 20 * NS_PER_MS);
		load_take(load, now);
	} while (load_status(load, &err) != LOAD_ENDED && now->bytes < fill.region_bytes);
	if (load_stop(load, 10 * NS_PER_S) && !err)
		err = -EBUSY;
	if (!err && fsync(s->fd))
		err = -errno;
	if (err)
		text_format(why, WHY, "cannot write the file to be read in %s: %s", s->target.node,
			    DIAG_ERRNO(err));
	return err;
}

static int open_target(struct slot *s, char *why)
{
	bool new_file = s->target.kind == TARGET_FILE && !s->target.exists;
	uint64_t bytes = s->config->region_bytes;
	int err = 0;

	if (s->target.kind == TARGET_BLOCK) {
		err = open_device(s, why);
	} else if (new_file) {
		err = guard_create_file(&s->target, &bytes, &s->fd, &s->permit, why, WHY);
	} else if (s->target.kind == TARGET_FILE && op_list_has(&s->legs, OP_WRITE)) {
		text_format(why, WHY,
			    "%s exists and is never written: name a new file or a directory",
			    s->target.name);
		err = -EPERM;
	} else if (s->target.kind == TARGET_FILE) {
		err = guard_open_read(&s->target, &s->fd, why, WHY);
	}
	return err;
}

/* A protocol that writes where it may leaves the write legs out where it may not. */
static void leave_out_writes(struct slot *s)
{
	const struct config *c = s->config;
	bool block = s->target.kind == TARGET_BLOCK && !c->destructive;
	bool file = s->target.kind == TARGET_FILE && s->target.exists;
	struct op_list legs = {0};

	if (!c->may_skip_write || (!block && !file))
		return;
	for (unsigned i = 0; i < s->legs.n; i++)
		if (s->legs.op[i] != OP_WRITE)
			legs.op[legs.n++] = s->legs.op[i];
	s->legs = legs;
	diag_note("%s: protocol %s without its write leg: %s", s->target.name, c->protocol,
		  block ? "writing destroys data and needs --destructive"
			: "a file that exists is never written");
}

static int open_load(struct slot *s)
{
	const struct config *c = s->config;
	char why[WHY] = "";
	int err, status;

	err = s->target.kind == TARGET_SIM ? 0
					   : engine_choose(c->engine, &s->ops, why, sizeof(why));
	if (err)
		return refuse(why, err);
	if (*why)
		diag_note("%s", why);
	if (s->target.kind == TARGET_SIM)
		engine_choose("sim", &s->ops, why, sizeof(why));
	err = open_target(s, why);
	if (err)
		return refuse(why, err);
	s->engine_config = (struct engine_config){.op = s->legs.op[0],
						  .random = c->random,
						  .block_bytes = (uint32_t)c->block_bytes,
						  .queue_depth = c->queue_depth,
						  .fd = s->fd,
						  .seed = c->seed,
						  .permit = s->permit,
						  .sim = s->target.sim,
						  .counters = &s->counters,
						  .start_paused = true};
	status = check_region(s);
	if (status)
		return status;
	if (s->permit && op_list_has(&s->legs, OP_READ)) {
		bool paused = s->engine_config.start_paused;

		s->engine_config.start_paused = false;
		err = fill_file(s, why);
		s->engine_config.start_paused = paused;
		if (err)
			return refuse(why, err);
	}
	if (s->target.kind == TARGET_SIM)
		return STATUS_DONE;
	why[0] = '\0';
	err = load_start(&s->load, s->ops, &s->engine_config, why, sizeof(why));
	if (err)
		return refuse(why, err);
	if (*why)
		diag_note("%s", why);
	return STATUS_DONE;
}

static void fill_columns(struct slot *s)
{
	bool *can = s->sd->can;

	for (size_t i = 0; i < s->n_sensors; i++)
		for (int f = 0; f < FIELD_COUNT; f++)
			can[f] |= s->sensors[i]->can[f];
	if (s->n_sensors)
		can[FIELD_POLL_MS] = true;
}

/* The block layer's counters must match the row's interval: read at the tick, not by the poller. */
static void take_block_sensor(struct slot *s)
{
	for (size_t i = 0; i < s->n_sensors; i++)
		if (strcmp(s->sensors[i]->ops->name, "block") == 0) {
			s->at_tick = s->sensors[i];
			s->sensors[i] = s->sensors[--s->n_sensors];
			return;
		}
}

static void fill_preamble(struct slot *s)
{
	struct run *run = &s->sd->run;
	const struct config *c = s->config;
	const char *name = s->target.name;
	struct utsname uts;

	run->schema = LOG_SCHEMA;
	snprintf(run->tool, sizeof(run->tool), "throttlog %s", THROTTLOG_VERSION);
	run->drive = s->target.drive;
	run->load.legs = s->legs;
	run->load.op = s->legs.op[0]; /* OP_NONE where there is none */
	if (s->ops) {
		snprintf(run->load.pattern, sizeof(run->load.pattern), "%s",
			 c->random ? "random" : "sequential");
		run->load.block_bytes = (uint32_t)c->block_bytes;
		run->load.queue_depth = c->queue_depth;
		snprintf(run->load.engine, sizeof(run->load.engine), "%s", s->ops->name);
		run->load.region_bytes = s->engine_config.region_bytes;
	}
	run->interval_s = c->interval_s;
	run->ambient_c = c->ambient_c;
	if (c->note)
		text_copy_clean(run->note, sizeof(run->note), c->note, strlen(c->note));
	plan_text(&s->plan, run->phases, sizeof(run->phases));
	if (s->target.kind == TARGET_SIM) {
		/* Its own time and place, so that the same seed gives the same log. */
		snprintf(run->host, sizeof(run->host), "simulated");
	} else if (uname(&uts) == 0) {
		text_copy_clean(run->host, sizeof(run->host), uts.nodename, sizeof(uts.nodename));
		text_copy_clean(run->kernel, sizeof(run->kernel), uts.release, sizeof(uts.release));
	}
	/* The drive is watched, not the file on it. */
	if (!s->legs.n && s->target.kind == TARGET_FILE && s->target.disk[0])
		name = s->target.disk;
	snprintf(s->sd->label, sizeof(s->sd->label), "%.79s",
		 run->drive.model[0] ? run->drive.model : name);
}

/* The stop temperature: the user's, else the drive's CCTEMP. */
static void choose_stop_temp(struct slot *s)
{
	double wanted = s->config->stop_temp_c;

	s->stop_c = isnan(wanted) ? s->target.drive.limits.cctemp_c : wanted;
	if (isinf(s->stop_c))
		s->stop_c = (double)NAN;
}

int slot_open(struct slot *s, const struct config *config, const char *name,
	      struct session_drive *sd)
{
	char why[WHY] = "";
	int err, status;

	s->config = config;
	s->sd = sd;
	s->fd = -1;
	s->online = online_new();
	s->hot_before_c = s->over_c = s->finish_s = (double)NAN;
	rest_clear(&s->rest);
	s->legs = config->legs;
	s->asked_s = s->aen_s = s->reset_s = -INFINITY;
	for (int f = 0; f < FIELD_COUNT; f++)
		s->latest[f] = (double)NAN;
	run_clear(&sd->run);
	sd->answer_age_s = sd->phase_left_s = sd->throttle_s = (double)NAN;
	err = target_resolve(name, &s->target, why, sizeof(why));
	/* A load makes a file that is not there; to watch one is a slip of the fingers. */
	if (!err && !s->legs.n && s->target.kind == TARGET_FILE && !s->target.exists &&
	    !s->target.directory) {
		err = -ENOENT;
		text_format(why, sizeof(why), "cannot open %s: %s", name, DIAG_ERRNO(ENOENT));
	}
	if (err)
		return refuse(why, err);
	if (s->target.kind == TARGET_SIM)
		sim_seed(s->target.sim, config->seed);
	if (s->legs.n) {
		leave_out_writes(s);
		status = open_load(s);
		if (status)
			return status;
	}
	s->target.events = config->events;
	s->n_sensors = sensors_open(&s->target, s->sensors, SENSORS_OPEN_MAX, print_note);
	fill_columns(s);
	take_block_sensor(s);
	choose_stop_temp(s);
	s->plan = (struct plan){.baseline_s = s->ops ? config->baseline_s : 0,
				.time_s = config->time_s,
				/* A row between two loads keeps them apart. */
				.rest_s = fmax(config->rest_s, config->interval_s),
				.cooldown_s = s->ops ? config->cooldown_s : 0,
				.legs = s->legs.n ? s->legs.n : 1};
	plan_start(&s->plan);
	fill_preamble(s);
	s->phase = sd->phase = s->plan.phase;
	return STATUS_DONE;
}
