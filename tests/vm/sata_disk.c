/*
 * A SATA drive for the kernel's drivetemp, which refuses QEMU's: a SCSI disk of ours behind
 * target_core_user and tcm_loop that says in VPD page 89h what ATA drive it is, and answers SMART
 * READ DATA. Usage: sata_disk /dev/uioN BYTES FILE; FILE holds its temperature, °C, at each moment.
 *
 * Layout of the shared memory: Documentation/target/tcmu-design.rst. SCSI: SPC-4, SBC-3, SAT-3;
 * ATA: ACS-3 (IDENTIFY words, SMART data structure).
 */
#undef _GNU_SOURCE /* <fcntl.h> would define struct iovec, as the kernel's header does */

#include <errno.h>
#include <fcntl.h>
#include <linux/target_core_user.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GOOD            0x00
#define CHECK_CONDITION 0x02
#define BLOCK           512u
#define ANSWER_MAX      1024u

static uint8_t *area; /* mailbox, ring and data, shared with the kernel */
static uint64_t capacity;
static const char *temperature_file;

static void be16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void be32(uint8_t *p, uint32_t v)
{
	be16(p, v >> 16);
	be16(p + 2, v & 0xffff);
}

static void le16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static void blanks(uint8_t *p, const char *s, size_t n)
{
	memset(p, ' ', n);
	memcpy(p, s, strlen(s) < n ? strlen(s) : n);
}

/* Strings of ATA have the two bytes of each word swapped. */
static void ata_string(uint8_t *p, const char *s, size_t n)
{
	blanks(p, s, n);
	for (size_t i = 0; i + 1 < n; i += 2) {
		uint8_t first = p[i];

		p[i] = p[i + 1];
		p[i + 1] = first;
	}
}

/* IDENTIFY DEVICE. Word 93 is 0 for SATA, which is what QEMU's drive lacks. */
static void identify(uint8_t *id)
{
	memset(id, 0, 512);
	le16(id, 0x0040);
	ata_string(id + 20, "TLHOT0001", 20);
	ata_string(id + 46, "1.0", 8);
	ata_string(id + 54, "TL-SATA-M2 with a temperature", 40);
	le16(id + 2 * 49, 0x0300); /* LBA, DMA */
	le16(id + 2 * 53, 0x0006);
	le16(id + 2 * 60, (unsigned)(capacity / BLOCK) & 0xffff);
	le16(id + 2 * 61, (unsigned)(capacity / BLOCK) >> 16);
	le16(id + 2 * 76, 0x0008); /* 6 Gb/s */
	le16(id + 2 * 80, 0x03f0); /* up to ACS-3 */
	le16(id + 2 * 82, 0x0001); /* SMART: there, */
	le16(id + 2 * 83, 0x4000);
	le16(id + 2 * 84, 0x4000);
	le16(id + 2 * 85, 0x0001); /* and switched on */
	le16(id + 2 * 87, 0x4000);
	le16(id + 2 * 217, 0x0001); /* does not rotate */
}

static unsigned temperature_c(void)
{
	char text[16] = "";
	int fd = open(temperature_file, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	return n > 0 ? (unsigned)strtoul(text, NULL, 10) : 0;
}

/* SMART READ DATA with one attribute: 194, the temperature in the first byte of its raw value. */
static void smart_data(uint8_t *page)
{
	uint8_t sum = 0;

	memset(page, 0, 512);
	le16(page, 0x0010);
	page[2] = 194;
	page[5] = page[6] = 100;
	page[7] = (uint8_t)temperature_c();
	for (int i = 0; i < 511; i++)
		sum = (uint8_t)(sum + page[i]);
	page[511] = (uint8_t)-sum;
}

/* Returns the length of the answer, 0 where there is no such page. */
static size_t vital_page(unsigned page, uint8_t *out)
{
	static const uint8_t pages[] = {0x00, 0x80, 0x83, 0x89, 0xb1};
	size_t n = 0;

	out[1] = (uint8_t)page;
	switch (page) {
	case 0x00:
		n = sizeof(pages);
		memcpy(out + 4, pages, n);
		break;
	case 0x80:
		n = 20;
		blanks(out + 4, "TLHOT0001", n);
		break;
	case 0x83: /* one designator: vendor's, ASCII */
		n = 4 + 17;
		out[4] = 2;
		out[5] = 1;
		out[7] = 17;
		blanks(out + 8, "ATA     TLHOT0001", 17);
		break;
	case 0x89:
		n = 568;
		blanks(out + 8, "throttlg", 8);
		blanks(out + 16, "SAT of a test", 16);
		blanks(out + 32, "1", 4);
		out[36] = 0x34; /* signature: a register FIS, device to host */
		out[56] = 0xec; /* the command whose answer follows */
		identify(out + 60);
		break;
	case 0xb1:
		n = 60;
		be16(out + 4, 1);
		break;
	default:
		return 0;
	}
	be16(out + 2, (unsigned)n);
	return n + 4;
}

static size_t inquiry(const uint8_t *cdb, uint8_t *out)
{
	if (cdb[1] & 1)
		return vital_page(cdb[2], out);
	out[2] = 6; /* SPC-4 */
	out[3] = 2;
	out[4] = 31;
	blanks(out + 8, "ATA", 8);
	blanks(out + 16, "TL-SATA-M2 with a temperature", 16);
	blanks(out + 32, "1.0", 4);
	return 36;
}

static size_t read_capacity(bool long_form, uint8_t *out)
{
	uint32_t last = (uint32_t)(capacity / BLOCK - 1);

	be32(out + (long_form ? 4 : 0), last);
	be32(out + (long_form ? 8 : 4), BLOCK);
	return long_form ? 32 : 8;
}

/* Puts the answer where the kernel wants it; `answer` NULL: zeros, all there is room for. */
static void hand_over(const struct tcmu_cmd_entry *e, const uint8_t *answer, size_t n)
{
	for (uint32_t i = 0; i < e->req.iov_cnt; i++) {
		struct iovec v;

		memcpy(&v, &e->req.iov[i], sizeof(v));
		if (!answer) {
			memset(area + (size_t)v.iov_base, 0, v.iov_len);
			continue;
		}
		if (v.iov_len > n)
			v.iov_len = n;
		memcpy(area + (size_t)v.iov_base, answer, v.iov_len);
		answer += v.iov_len;
		n -= v.iov_len;
	}
}

static uint8_t serve(const struct tcmu_cmd_entry *e, const uint8_t *cdb)
{
	static uint8_t answer[ANSWER_MAX];
	size_t n = 0;

	memset(answer, 0, sizeof(answer));
	switch (cdb[0]) {
	case 0x00: /* TEST UNIT READY */
	case 0x1b: /* START STOP UNIT */
	case 0x35: /* SYNCHRONIZE CACHE */
	case 0x2a: /* WRITE: into nothing */
	case 0x8a:
		return GOOD;
	case 0x28: /* READ */
	case 0x88:
		hand_over(e, NULL, 0);
		return GOOD;
	case 0x12:
		n = inquiry(cdb, answer);
		break;
	case 0x1a: /* MODE SENSE: no pages */
		answer[0] = 3;
		n = 4;
		break;
	case 0x25:
		n = read_capacity(false, answer);
		break;
	case 0x9e:
		n = (cdb[1] & 0x1f) == 0x10 ? read_capacity(true, answer) : 0;
		break;
	case 0x85: /* ATA PASS-THROUGH(16): SMART READ DATA, IDENTIFY DEVICE */
		n = 512;
		if (cdb[14] == 0xb0 && cdb[4] == 0xd0)
			smart_data(answer);
		else if (cdb[14] == 0xec)
			identify(answer);
		else
			n = 0;
		break;
	default:
		break;
	}
	hand_over(e, answer, n);
	return n ? GOOD : CHECK_CONDITION;
}

static void finish(struct tcmu_cmd_entry *e, uint8_t status)
{
	memset(&e->rsp, 0, sizeof(e->rsp));
	e->rsp.scsi_status = status;
	if (status != CHECK_CONDITION)
		return;
	/* Fixed format: illegal request, invalid command operation code. */
	e->rsp.sense_buffer[0] = 0x70;
	e->rsp.sense_buffer[2] = 0x05;
	e->rsp.sense_buffer[7] = 10;
	e->rsp.sense_buffer[12] = 0x20;
}

static void serve_all(struct tcmu_mailbox *box)
{
	while (box->cmd_tail != __atomic_load_n(&box->cmd_head, __ATOMIC_ACQUIRE)) {
		struct tcmu_cmd_entry *e = (void *)(area + box->cmdr_off + box->cmd_tail);
		uint32_t length = tcmu_hdr_get_len(e->hdr.len_op);

		if (tcmu_hdr_get_op(e->hdr.len_op) == TCMU_OP_CMD)
			finish(e, serve(e, area + e->req.cdb_off));
		else if (tcmu_hdr_get_op(e->hdr.len_op) != TCMU_OP_PAD)
			e->hdr.uflags |= TCMU_UFLAG_UNKNOWN_OP;
		__atomic_store_n(&box->cmd_tail, (box->cmd_tail + length) % box->cmdr_size,
				 __ATOMIC_RELEASE);
	}
}

static size_t map_size(const char *uio)
{
	char path[128], text[32] = "";
	const char *name = strrchr(uio, '/');
	int fd;
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/class/uio/%s/maps/map0/size", name ? name + 1 : uio);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n > 0 ? (size_t)strtoull(text, NULL, 0) : 0;
}

int main(int argc, char **argv)
{
	uint32_t count;
	size_t size;
	int fd;

	if (argc != 4)
		return 2;
	capacity = strtoull(argv[2], NULL, 10);
	temperature_file = argv[3];
	fd = open(argv[1], O_RDWR | O_CLOEXEC);
	size = map_size(argv[1]);
	if (fd < 0 || size == 0)
		return 1;
	area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (area == MAP_FAILED)
		return 1;
	for (;;) {
		serve_all((struct tcmu_mailbox *)(void *)area);
		count = 0;
		/* Tells the kernel that answers are there, then waits for commands. */
		if (write(fd, &count, sizeof(count)) < 0 || read(fd, &count, sizeof(count)) < 0)
			if (errno != EINTR)
				return 1;
	}
}
