/*
 * Runs the load path alone for a while and prints what it moved and what it cost, for
 * bench_load.sh. Writes only to regular files and loop devices, which the script made.
 *
 *     load_driver TARGET io_uring|libaio read|write BLOCK_BYTES DEPTH SECONDS REGION_BYTES [random]
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../own_permit.h"
#include "conductor/load.h"
#include "throttlog/clock.h"
#include "throttlog/text.h"

#define LOOP_MAJOR 7

static double cpu_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static int open_target(const char *path, bool write)
{
	struct stat st;
	int fd = open(path, (write ? O_RDWR : O_RDONLY) | O_DIRECT | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st))
		return -1;
	if (S_ISREG(st.st_mode) || (S_ISBLK(st.st_mode) && major(st.st_rdev) == LOOP_MAJOR))
		return fd;
	close(fd);
	return -1;
}

static int run(const struct engine_ops *ops, const struct engine_config *config, double seconds)
{
	struct load_snapshot before, after;
	struct sample s;
	struct load *l = NULL;
	char why[200];
	double cpu, dt;
	int64_t start;
	int err;

	if (load_start(&l, ops, config, why, sizeof(why))) {
		fprintf(stderr, "load_driver: %s\n", why);
		return 1;
	}
	/* Start and first faults are no part of it, as fio's ramp_time. */
	clock_sleep_until(clock_now_ns() + 500 * NS_PER_MS);
	cpu = cpu_s();
	load_take(l, &before);
	start = clock_now_ns();
	clock_sleep_until(start + (int64_t)(seconds * 1e9));
	load_take(l, &after);
	dt = (double)(clock_now_ns() - start) / 1e9;
	cpu = cpu_s() - cpu;
	load_snapshot_sample(&before, &after, dt, &s);
	printf("%.1f MB/s %.4f cpu_s/GiB %.0f us p99 %.1f queue %llu errors\n", s.mb_s,
	       cpu / (s.bytes / 1073741824.0), s.lat_p99_us, s.queue_avg,
	       (unsigned long long)after.errors);
	if (load_status(l, &err) == LOAD_ENDED)
		fprintf(stderr, "load_driver: ended with error %d\n", err);
	return load_stop(l, 5 * NS_PER_S) ? 1 : 0;
}

int main(int argc, char **argv)
{
	static struct write_permit permit;
	const struct engine_ops *ops = NULL;
	struct engine_config config = {.align_bytes = 4096, .seed = 1};
	uint64_t block, depth;
	double seconds;
	char why[200] = "";

	if (argc < 8 || !text_to_size(argv[4], &block) || !text_to_u64(argv[5], &depth) ||
	    !text_to_double(argv[6], &seconds) || !text_to_size(argv[7], &config.region_bytes)) {
		fprintf(stderr, "usage: see the source\n");
		return 2;
	}
	config.op = strcmp(argv[3], "write") == 0 ? OP_WRITE : OP_READ;
	config.fd = open_target(argv[1], config.op == OP_WRITE);
	config.block_bytes = (uint32_t)block;
	config.queue_depth = (unsigned)depth;
	config.random = argc > 8;
	if (config.fd < 0 || engine_choose(argv[2], &ops, why, sizeof(why))) {
		fprintf(stderr, "load_driver: cannot use %s: %s\n", argv[1], why);
		return 1;
	}
	permit.fd = config.fd;
	config.permit = &permit;
	return run(ops, &config, seconds);
}
