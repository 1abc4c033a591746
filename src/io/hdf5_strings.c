// hdf5_strings.c - strings of attributes and datasets, measured before they are read.
#include "io/hdf5_strings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct text_room { // memory for strings of variable length, which may share their bytes
    arena *memory;
    size_t left;
} text_room;

static void *room_take(size_t size, void *context)
{
    text_room *room = context;
    if (size > room->left)
        return NULL;
    room->left -= size;
    return arena_alloc(room->memory, size);
}

static void room_keep(void *unused, void *context)
{
    (void)unused, (void)context; // the arena frees it
}

// Fixed: into raw. Variable: into the arena, with pointers in raw.
static bool read_texts(arena *memory, hid_t dataset, hid_t type, bool variable, void *raw)
{
    text_room room = {memory, HDF5_TEXT_MOST};
    const hid_t how = H5Pcreate(H5P_DATASET_XFER);
    if (variable)
        H5Pset_vlen_mem_manager(how, room_take, &room, room_keep, &room);
    const bool good = H5Dread(dataset, type, H5S_ALL, H5S_ALL, how, raw) >= 0;
    H5Pclose(how);
    return good;
}

double hdf5_file_bytes(hid_t object)
{
    hsize_t size = 0;
    const hid_t file = H5Iget_file_id(object);
    H5Fget_filesize(file, &size);
    H5Fclose(file);
    return (double)size;
}

// Whether n strings can be there at all: an attribute has all its bytes in the file, a dataset may
// be deflated.
static bool strings_stored(hid_t object, bool is_attribute, double n, double size)
{
    const double whole = hdf5_file_bytes(object);
    const double most =
        is_attribute ? whole : fmin((double)H5Dget_storage_size(object), whole) * HDF5_SHRINK_MOST;
    return n * size <= fmin(most, HDF5_TEXT_MOST);
}

// ---- how long they are ----

// Between a file and memory HDF5 converts. This leaves what stands in the file as it is: of a
// string of variable length the number of its bytes and where they are.
static herr_t leave(hid_t from, hid_t to, H5T_cdata_t *how, size_t count, size_t stride,
                    size_t back_stride, void *buffer, void *back, hid_t transfer)
{
    (void)from, (void)to, (void)count, (void)stride, (void)back_stride;
    (void)buffer, (void)back, (void)transfer;
    if (how->command == H5T_CONV_INIT)
        how->need_bkg = H5T_BKG_NO;
    return 0;
}

// A type for what stands in the file, with the conversion above, which HDF5 then knows for good.
static hid_t stored_type(hid_t attribute, hid_t type)
{
    size_t address = 0, length = 0;
    const hid_t file = H5Iget_file_id(attribute), made = H5Fget_create_plist(file);
    H5Pget_sizes(made, &address, &length);
    H5Pclose(made);
    H5Fclose(file);
    const hid_t stored = H5Tcreate(H5T_OPAQUE, 8 + address); // length, address of a heap, index
    H5Tset_tag(stored, "motorcade: a string as it stands in the file");
    H5T_conv_t known = NULL;
    H5T_cdata_t *unused;
    H5E_BEGIN_TRY
    {
        known = H5Tfind(type, stored, &unused);
    }
    H5E_END_TRY
    if (known != leave)
        H5Tregister(H5T_PERS_SOFT, "motorcade_leave", type, stored, leave);
    return stored;
}

double hdf5_variable_bytes(hid_t attribute)
{
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const hid_t stored = stored_type(attribute, type);
    const size_t each = H5Tget_size(stored);
    double bytes = NAN;
    // They stand in the attribute itself, so there are no more than the file has room for.
    unsigned char *raw = NULL;
    if (n >= 0 && (double)n * (double)each <= hdf5_file_bytes(attribute))
        raw = calloc((size_t)n + 1, each);
    if (raw && H5Aread(attribute, stored, raw) >= 0) {
        bytes = (double)n;
        for (hssize_t i = 0; i < n; i++) {
            const unsigned char *one = raw + (size_t)i * each; // 32 bits, the least first
            bytes += (double)one[0] + 256.0 * one[1] + 65536.0 * one[2] + 16777216.0 * one[3];
        }
    }
    free(raw);
    H5Tclose(stored);
    H5Sclose(space);
    H5Tclose(type);
    return bytes;
}

// ---- reading ----

const char **hdf5_strings(arena *memory, hid_t object, bool is_attribute, int64_t limit,
                          int64_t *count, double *long_by)
{
    const hid_t type = is_attribute ? H5Aget_type(object) : H5Dget_type(object);
    const hid_t space = is_attribute ? H5Aget_space(object) : H5Dget_space(object);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const htri_t variable = H5Tis_variable_str(type);
    const size_t size = H5Tget_size(type);
    const char **out = NULL;
    *count = 0;
    *long_by = 0.0;
    if (is_attribute && variable > 0 && n >= 1 && n <= limit) {
        const double bytes = hdf5_variable_bytes(object);
        *long_by = bytes <= HDF5_TEXT_MOST ? 0.0 : bytes; // or not known
    }
    if (*long_by == 0.0 && H5Tget_class(type) == H5T_STRING && variable >= 0 && n >= 1 &&
        n <= limit && size > 0 && strings_stored(object, is_attribute, (double)n, (double)size)) {
        const hid_t memory_type = H5Tcopy(H5T_C_S1);
        H5Tset_size(memory_type, variable ? H5T_VARIABLE : size + 1); // room for the end
        H5Tset_cset(memory_type, H5Tget_cset(type));
        const size_t each = variable ? sizeof(char *) : size + 1;
        char *raw = calloc((size_t)n, each);
        const bool good =
            raw && (is_attribute ? H5Aread(object, memory_type, raw) >= 0
                                 : read_texts(memory, object, memory_type, variable > 0, raw));
        out = good ? arena_alloc(memory, (size_t)n * sizeof *out) : NULL;
        for (hssize_t i = 0; out && i < n; i++) {
            const char *one = raw + (size_t)i * each;
            if (variable)
                memcpy(&one, raw + (size_t)i * each, sizeof one);
            out[i] = one ? arena_copy_text(memory, one, strlen(one)) : "";
            out[i] = out[i] ? out[i] : "";
        }
        if (good && variable && is_attribute)
            H5Dvlen_reclaim(memory_type, space, H5P_DEFAULT, raw);
        free(raw);
        H5Tclose(memory_type);
        *count = out ? n : 0;
    }
    H5Sclose(space);
    H5Tclose(type);
    return out;
}
