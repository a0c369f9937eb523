/* The one file that uses libnvme: 1.3 to 1.16 and 3.x behind the same functions. */
#include "nvme_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <libnvme.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "throttlog/alloc.h"
#include "throttlog/diag.h"

#ifdef HAVE_LIBNVME3

struct nvme_dev {
	struct libnvme_global_ctx *ctx;
	struct libnvme_transport_handle *handle;
};

static int shim_open(struct nvme_dev **out, const char *name)
{
	struct nvme_dev *d = xzalloc(sizeof(*d));
	int err = -ENOMEM;

	d->ctx = libnvme_create_global_ctx();
	if (d->ctx)
		err = libnvme_open(d->ctx, name, O_RDONLY, &d->handle);
	if (err) {
		if (d->ctx)
			libnvme_free_global_ctx(d->ctx);
		free(d);
		return err;
	}
	*out = d;
	return 0;
}

static void shim_close(struct nvme_dev *d)
{
	libnvme_close(d->handle);
	libnvme_free_global_ctx(d->ctx);
	free(d);
}

static int shim_identify(struct nvme_dev *d, void *buf)
{
	struct libnvme_passthru_cmd command;

	nvme_init_identify_ctrl(&command, buf);
	return libnvme_exec_admin_passthru(d->handle, &command);
}

static int shim_get_log_at(struct nvme_dev *d, uint8_t page, uint8_t action, uint64_t offset,
			   void *buf, uint32_t bytes)
{
	struct libnvme_passthru_cmd command;

	nvme_init_get_log(&command, NVME_NSID_ALL, (enum nvme_cmd_get_log_lid)page, NVME_CSI_NVM,
			  buf, bytes);
	command.cdw10 |= (uint32_t)(action & 0x7f) << 8;
	nvme_init_get_log_lpo(&command, offset);
	return libnvme_get_log(d->handle, &command, false, NVME_LOG_PAGE_PDU_SIZE);
}

static int shim_get_feature(struct nvme_dev *d, uint8_t feature, uint32_t cdw11, uint32_t *value)
{
	struct libnvme_passthru_cmd command;
	int err;

	nvme_init_get_features(&command, feature, NVME_GET_FEATURES_SEL_CURRENT);
	command.cdw11 = cdw11;
	err = libnvme_exec_admin_passthru(d->handle, &command);
	if (err == 0)
		*value = (uint32_t)command.result;
	return err;
}

static int shim_set_feature(struct nvme_dev *d, uint8_t feature, uint32_t cdw11)
{
	struct libnvme_passthru_cmd command;

	nvme_init_set_features(&command, feature, false);
	command.cdw11 = cdw11;
	return libnvme_exec_admin_passthru(d->handle, &command);
}

#else

struct nvme_dev {
	int fd;
};

/* 1.x says -1 and sets errno, or gives the status. */
static int result_of(int r)
{
	return r < 0 ? (errno ? -errno : -EIO) : r;
}

static int shim_open(struct nvme_dev **out, const char *name)
{
	int fd = nvme_open(name);

	if (fd < 0)
		return errno ? -errno : -EIO;
	/* The library leaves it open across exec. */
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	*out = xzalloc(sizeof(**out));
	(*out)->fd = fd;
	return 0;
}

static void shim_close(struct nvme_dev *d)
{
	close(d->fd);
	free(d);
}

static int shim_identify(struct nvme_dev *d, void *buf)
{
	errno = 0;
	return result_of(nvme_identify_ctrl(d->fd, buf));
}

/* nvme_get_log() and not nvme_get_log_page(): 1.3's ignores its descriptor. */
static int shim_get_log_at(struct nvme_dev *d, uint8_t page, uint8_t action, uint64_t offset,
			   void *buf, uint32_t bytes)
{
	struct nvme_get_log_args args = {
	    .args_size = sizeof(args),
	    .fd = d->fd,
	    .log = buf,
	    .len = bytes,
	    .lpo = offset,
	    .lsp = action,
	    .lid = (enum nvme_cmd_get_log_lid)page,
	    .nsid = NVME_NSID_ALL,
	    .csi = NVME_CSI_NVM,
	};

	errno = 0;
	return result_of(nvme_get_log(&args));
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the table's type; the library writes there */
static int shim_get_feature(struct nvme_dev *d, uint8_t feature, uint32_t cdw11, uint32_t *value)
{
	struct nvme_get_features_args args = {
	    .args_size = sizeof(args),
	    .fd = d->fd,
	    .result = value,
	    .sel = NVME_GET_FEATURES_SEL_CURRENT,
	    .cdw11 = cdw11,
	    .fid = feature,
	};

	errno = 0;
	return result_of(nvme_get_features(&args));
}

static int shim_set_feature(struct nvme_dev *d, uint8_t feature, uint32_t cdw11)
{
	struct nvme_set_features_args args = {
	    .args_size = sizeof(args),
	    .fd = d->fd,
	    .cdw11 = cdw11,
	    .fid = feature,
	};

	errno = 0;
	return result_of(nvme_set_features(&args));
}

#endif

static int shim_get_log(struct nvme_dev *d, uint8_t page, void *buf, uint32_t bytes)
{
	return shim_get_log_at(d, page, 0, 0, buf, bytes);
}

const struct nvme_transport nvme_libnvme = {
    .open = shim_open,
    .identify = shim_identify,
    .get_log = shim_get_log,
    .get_feature = shim_get_feature,
    .close = shim_close,
    .get_log_at = shim_get_log_at,
    .set_feature = shim_set_feature,
};

void *nvme_buffer_new(void)
{
	long page = sysconf(_SC_PAGESIZE);
	size_t bytes = page > NVME_BUFFER_BYTES ? (size_t)page : NVME_BUFFER_BYTES;
	void *buf;

	if (posix_memalign(&buf, bytes, bytes))
		diag_fatal("out of memory");
	memset(buf, 0, bytes);
	return buf;
}
