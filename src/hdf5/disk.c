// disk.c - the callbacks HDF5 asks of a file driver.
#include "hdf5/disk.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

typedef struct open_file {
    H5FD_t common; // HDF5's part; must be the first
    hdf5_disk *disk;
    haddr_t allocated; // end of what HDF5 has allocated
    haddr_t size;      // end of what has been written
} open_file;

// HDF5 opens twice, first to look and then to create; the descriptor is the same.
static H5FD_t *disk_open(const char *name, unsigned flags, hid_t access, haddr_t max)
{
    (void)name, (void)max;
    hdf5_disk *const *disk = H5Pget_driver_info(access);
    struct stat status;
    open_file *file = disk && *disk ? calloc(1, sizeof *file) : NULL;
    if (!file)
        return NULL;
    file->disk = *disk;
    if (((flags & H5F_ACC_TRUNC) && ftruncate(file->disk->fd, 0) != 0) ||
        fstat(file->disk->fd, &status) != 0) {
        free(file);
        return NULL;
    }
    file->size = (haddr_t)status.st_size;
    return &file->common;
}

static herr_t disk_close(H5FD_t *file)
{
    free(file);
    return 0;
}

static herr_t disk_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    if (flags)
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
                 H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
                 H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t disk_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const open_file *)file)->allocated;
}

static herr_t disk_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((open_file *)file)->allocated = address;
    return 0;
}

static haddr_t disk_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const open_file *)file)->size;
}

// What was never written reads as zeros.
static herr_t disk_read(H5FD_t *common, H5FD_mem_t type, hid_t transfer, haddr_t address,
                        size_t size, void *data)
{
    (void)type, (void)transfer;
    const open_file *file = (const open_file *)common;
    const size_t there = address >= file->size         ? 0
                         : size < file->size - address ? size
                                                       : (size_t)(file->size - address);
    memset((char *)data + there, 0, size - there);
    return file_read_at(file->disk->fd, data, there, (int64_t)address) ? 0 : -1;
}

static herr_t disk_write(H5FD_t *common, H5FD_mem_t type, hid_t transfer, haddr_t address,
                         size_t size, const void *data)
{
    (void)type, (void)transfer;
    open_file *file = (open_file *)common;
    if (file->disk->failure == 0 && !file_write_at(file->disk->fd, data, size, (int64_t)address))
        file->disk->failure = errno;
    if (address + size > file->size)
        file->size = address + size;
    return 0;
}

// Gives the file the size HDF5 has in mind; here a declared file gets its rows.
static herr_t disk_truncate(H5FD_t *common, hid_t transfer, hbool_t closing)
{
    (void)transfer, (void)closing;
    open_file *file = (open_file *)common;
    if (file->disk->failure == 0 && ftruncate(file->disk->fd, (off_t)file->allocated) != 0)
        file->disk->failure = errno;
    file->size = file->allocated;
    return 0;
}

static const H5FD_class_t disk_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, // in the range left for private drivers
#endif
    .name = "motorcade_disk",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(hdf5_disk *),
    .open = disk_open,
    .close = disk_close,
    .query = disk_query,
    .get_eoa = disk_get_eoa,
    .set_eoa = disk_set_eoa,
    .get_eof = disk_get_eof,
    .read = disk_read,
    .write = disk_write,
    .truncate = disk_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t hdf5_disk_access(hdf5_disk *disk)
{
    disk->failure = 0;
    disk->driver = H5FDregister(&disk_class);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (H5Pset_driver(access, disk->driver, &disk) < 0) {
        hdf5_disk_end(disk, access);
        return H5I_INVALID_HID;
    }
    return access;
}

void hdf5_disk_end(hdf5_disk *disk, hid_t access)
{
    H5Pclose(access);
    H5FDunregister(disk->driver);
}
