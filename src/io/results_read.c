// results_read.c - the reading half of results files, by HDF5.
//
// A table is a chain of pieces, one a file, as in results.c. Files stay open until the end; there
// is one a segment, and few event tables overflow.
#include "io/results_read.h"

#include "base/arena.h"
#include "base/assert.h"
#include "io/hdf5_quiet.h"
#include "io/hdf5_strings.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TABLE_MOST = 1000,
    FILE_MOST = 10000,      // segments
    NAME_MOST = 128,        // bytes of the name of a table
    COLUMN_MOST = 1 << 20,  // of a row without vehicles, or of one vehicle
    BLOCK_BYTES = 16 << 20, // of rows read together where the file has no opinion
    BLOCK_BYTES_MOST = 64 << 20,
    CHUNK_BYTES_MOST = 1 << 30,
};
static const char format_known[] = "motorcade results 1";

typedef struct piece {
    hid_t dataset;
    int64_t first, row_count; // rows of the table that are here
    const char *path;
} piece;

typedef struct table {
    results_shape shape;
    piece *pieces;
    int piece_count;
} table;

typedef struct text {
    const char *name, *value;
} text;

struct results_reader {
    arena memory;
    char *path;
    hid_t *files;
    int file_count, segment_count;
    table *tables;
    int table_count;
    text *texts;
    int text_count;
    bool complete;
};

// ---- what can be wrong ----

static mc_status damaged(const hdf5_quiet *q, const char *path, const char *what, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "%s; the file is damaged: %s", what,
                        q->reason[0] ? q->reason : "HDF5 gives no reason");
}

static mc_status no_memory(const char *path, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
}

// Room for one more element of the array *list, which keeps its bytes; arenas do not grow.
static bool grow(void *list, int count, size_t size)
{
    if (count & (count - 1)) // there is room up to the next power of two
        return true;
    void *array = NULL;
    memcpy(&array, list, sizeof array);
    array = reallocarray(array, count > 0 ? 2 * (size_t)count : 1, size);
    if (array)
        memcpy(list, &array, sizeof array);
    return array != NULL;
}

static int64_t read_integer(hid_t file, const char *name, int64_t otherwise)
{
    int64_t value = otherwise;
    if (H5Aexists(file, name) > 0) {
        const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
        const hid_t space = H5Aget_space(attribute);
        if (H5Sget_simple_extent_npoints(space) != 1 ||
            H5Aread(attribute, H5T_NATIVE_INT64, &value) < 0)
            value = otherwise;
        H5Sclose(space);
        H5Aclose(attribute);
    }
    return value;
}

typedef struct listing {
    results_reader *reader;
    const char *path;
    mc_status status;
    mc_error *error;
} listing;

static mc_status too_long(const char *path, const char *name, double bytes, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                        "the texts of its attribute \"%.60s\" have %.0f MB; at most %d MB are read",
                        name, ceil(bytes / (1 << 20)), HDF5_TEXT_MOST >> 20);
}

static herr_t take_text(hid_t file, const char *name, const H5A_info_t *info, void *context)
{
    (void)info;
    listing *l = context;
    results_reader *r = l->reader;
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    int64_t count;
    double long_by;
    const char **value = hdf5_strings(&r->memory, attribute, true, 1, &count, &long_by);
    H5Aclose(attribute);
    if (long_by > 0.0) {
        l->status = too_long(l->path, name, long_by, l->error);
        return 1; // enough
    }
    if (!value)
        return 0; // a number
    const char *copy = arena_copy_text(&r->memory, name, strlen(name));
    if (!copy || !grow(&r->texts, r->text_count, sizeof *r->texts))
        return -1;
    r->texts[r->text_count++] = (text){copy, value[0]};
    return 0;
}

const char *results_reader_text(const results_reader *reader, const char *name)
{
    for (int i = 0; i < reader->text_count; i++)
        if (strcmp(reader->texts[i].name, name) == 0)
            return reader->texts[i].value;
    return NULL;
}

// ---- files ----

// What the system and the first bytes say, before HDF5 is asked.
static mc_status check_file(const char *path, mc_error *error)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool known = fd >= 0 && fstat(fd, &status) == 0;
    const int reason = errno;
    if (fd >= 0)
        close(fd);
    if (!known)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "cannot be read: %s",
                            strerror(reason));
    if (!S_ISREG(status.st_mode))
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "cannot be read: it is %s",
                            S_ISDIR(status.st_mode) ? "a folder" : "not a file");
    if (status.st_size == 0)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "is empty; expected a results file (run.h5)");
    return MC_OK;
}

// Opens a file that must be one of ours.
static mc_status open_file(const char *path, hid_t *file, mc_error *error)
{
    const mc_status status = check_file(path, error);
    if (status != MC_OK)
        return status;
    hdf5_quiet q;
    hdf5_quiet_begin(&q);
    const htri_t is_hdf5 = H5Fis_hdf5(path);
    *file = is_hdf5 > 0 ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : H5I_INVALID_HID;
    hdf5_quiet_end(&q);
    if (is_hdf5 <= 0)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "is not an HDF5 file; expected a results file (run.h5)");
    if (*file < 0)
        return damaged(&q, path,
                       strncmp(q.reason, "truncated file", 14) == 0
                           ? "cannot be read: it was cut short"
                           : "cannot be read",
                       error);
    return MC_OK;
}

static mc_status keep_file(results_reader *r, const char *path, hid_t *file, mc_error *error)
{
    const mc_status status = open_file(path, file, error);
    if (status != MC_OK)
        return status;
    if (!grow(&r->files, r->file_count, sizeof *r->files)) {
        H5Fclose(*file);
        return no_memory(path, error);
    }
    r->files[r->file_count++] = *file;
    return MC_OK;
}

// "run.h5", word, 3 -> "run.word.0003.h5"; without a word "run.0003.h5". As results.c names them.
static char *file_name(arena *memory, const char *path, const char *word, int number)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    dot = dot && dot > name ? dot : path + strlen(path);
    const size_t size = strlen(path) + (word ? strlen(word) : 0) + 32;
    char *made = arena_alloc(memory, size);
    if (made)
        snprintf(made, size, "%.*s%s%s.%04d%s", (int)(dot - path), path, word ? "." : "",
                 word ? word : "", number, dot);
    return made;
}

// ---- tables ----

static bool is_table_name(const char *name)
{
    static const char *const companions[] = {"_rows_valid", "_columns", "_units", "_doc"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof companions / sizeof companions[0]; i++) {
        const size_t n = strlen(companions[i]);
        if (length > n && strcmp(name + length - n, companions[i]) == 0)
            return false;
    }
    return length > 0 && length < NAME_MOST && !strchr(name, '/');
}

// A dataset whose bytes are in this very file. A file may come from anyone, and HDF5 would read any
// other file that it names: by a link, as external storage, as source of a virtual dataset.
// *out is negative when it is a group.
static mc_status open_own(hid_t file, const char *name, const char *path, hid_t *out,
                          mc_error *error)
{
    H5L_info_t link;
    *out = H5I_INVALID_HID;
    if (H5Lget_info(file, name, &link, H5P_DEFAULT) < 0)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "\"%s\" cannot be read; the file is damaged", name);
    if (link.type != H5L_TYPE_HARD)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "\"%s\" is a link to another place or file; a results file must hold "
                            "its own tables",
                            name);
    *out = H5Dopen2(file, name, H5P_DEFAULT);
    if (*out < 0)
        return MC_OK;
    const hid_t how = H5Dget_create_plist(*out);
    const bool outside = H5Pget_external_count(how) != 0;
    const H5D_layout_t layout = H5Pget_layout(how);
    H5Pclose(how);
    if (!outside && (layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED || layout == H5D_COMPACT))
        return MC_OK;
    H5Dclose(*out);
    *out = H5I_INVALID_HID;
    return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                        "\"%s\" keeps its values in other files (%s); a results file must hold "
                        "its own tables",
                        name, outside ? "external storage" : "a virtual dataset");
}

// Dimensions of a dataset of numbers; 0: it is something else.
static int table_rank(hid_t dataset, hsize_t shape[3])
{
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const H5T_class_t class = H5Tget_class(type);
    int rank = H5Sget_simple_extent_ndims(space);
    if ((class != H5T_FLOAT && class != H5T_INTEGER) || rank < 2 || rank > 3 ||
        H5Sget_simple_extent_dims(space, shape, NULL) < 0)
        rank = 0;
    H5Tclose(type);
    H5Sclose(space);
    return rank;
}

// Whether the rows can be there: what the file holds of them against what they take. Rows that were
// declared and never written cost nothing in the file, and all memory when they are read.
static mc_status check_stored(const char *name, hid_t dataset, int64_t rows, const char *path,
                              mc_error *error)
{
    hsize_t shape[3] = {0, 1, 1}, chunk[3] = {1, 1, 1};
    const int rank = table_rank(dataset, shape);
    const hid_t type = H5Dget_type(dataset), how = H5Dget_create_plist(dataset);
    const double each = (double)H5Tget_size(type);
    const double wanted = (double)rows * (double)shape[1] * (rank == 3 ? (double)shape[2] : 1.0);
    const bool chunked = H5Pget_layout(how) == H5D_CHUNKED && H5Pget_chunk(how, rank, chunk) > 0;
    const bool filtered = chunked && H5Pget_nfilters(how) > 0;
    const double stored = fmin((double)H5Dget_storage_size(dataset), hdf5_file_bytes(dataset));
    H5Pclose(how);
    H5Tclose(type);
    if (wanted * each > stored * (filtered ? HDF5_SHRINK_MOST : 1.0))
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "table \"%s\" says it has %lld rows, which take %.3g bytes, but the "
                            "file holds only %.3g bytes of it",
                            name, (long long)rows, wanted * each, stored);
    const double chunk_bytes =
        (double)chunk[0] * (double)chunk[1] * (rank == 3 ? (double)chunk[2] : 1.0) * each;
    if (chunked && chunk_bytes > CHUNK_BYTES_MOST)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "table \"%s\" has chunks of %.3g bytes; at most %d are read", name,
                            chunk_bytes, CHUNK_BYTES_MOST);
    return MC_OK;
}

// Rows of a piece that are right: <table>_rows_valid, within what the dataset has.
static mc_status valid_rows(hid_t file, const char *name, hid_t rows_of, hsize_t declared,
                            const char *path, int64_t *rows, mc_error *error)
{
    char count_name[NAME_MOST + 16];
    snprintf(count_name, sizeof count_name, "%s_rows_valid", name);
    *rows = declared > INT64_MAX ? INT64_MAX : (int64_t)declared;
    if (H5Lexists(file, count_name, H5P_DEFAULT) > 0) {
        int64_t valid = 0;
        hid_t dataset;
        const mc_status status = open_own(file, count_name, path, &dataset, error);
        if (status != MC_OK)
            return status;
        const hid_t space = H5Dget_space(dataset);
        if (H5Sget_simple_extent_npoints(space) != 1 ||
            H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &valid) < 0)
            valid = 0;
        H5Sclose(space);
        H5Dclose(dataset);
        *rows = valid < 0 ? 0 : valid < *rows ? valid : *rows;
    }
    return check_stored(name, rows_of, *rows, path, error);
}

// Names, units or docs: the attribute, or the dataset beside the table, or nothing. NULL: *error.
static const char **read_part(results_reader *r, hid_t file, hid_t dataset, const char *table_name,
                              const char *part, int64_t wanted, mc_error *error)
{
    char name[NAME_MOST + 16];
    int64_t count = 0;
    double long_by;
    const char **out = NULL;
    snprintf(name, sizeof name, "%s_%s", table_name, part);
    if (H5Aexists(dataset, part) > 0) {
        const hid_t attribute = H5Aopen(dataset, part, H5P_DEFAULT);
        out = hdf5_strings(&r->memory, attribute, true, COLUMN_MOST, &count, &long_by);
        H5Aclose(attribute);
        if (long_by > 0.0) {
            too_long(r->path, part, long_by, error);
            return NULL;
        }
    } else if (H5Lexists(file, name, H5P_DEFAULT) > 0) {
        hid_t strings;
        if (open_own(file, name, r->path, &strings, error) != MC_OK)
            return NULL;
        out = hdf5_strings(&r->memory, strings, false, COLUMN_MOST, &count, &long_by);
        H5Dclose(strings);
    }
    if (out && count == wanted)
        return out;
    out = arena_alloc(&r->memory, (size_t)wanted * sizeof *out);
    for (int64_t i = 0; out && i < wanted; i++) {
        out[i] = "";
        if (strcmp(part, "columns") == 0) {
            char number[32];
            snprintf(number, sizeof number, "c%lld", (long long)i + 1);
            out[i] = arena_copy_text(&r->memory, number, strlen(number));
            if (!out[i])
                out = NULL;
        }
    }
    if (!out)
        no_memory(r->path, error);
    return out;
}

// Rows read together: those of the chunks, if they are not too large.
static int64_t block_rows(hid_t dataset, int rank, const hsize_t shape[3])
{
    const double row_bytes = 8.0 * (double)shape[1] * (rank == 3 ? (double)shape[2] : 1.0);
    double rows = BLOCK_BYTES / row_bytes;
    const hid_t how = H5Dget_create_plist(dataset);
    hsize_t chunk[3];
    if (H5Pget_layout(how) == H5D_CHUNKED && H5Pget_chunk(how, rank, chunk) == rank &&
        (double)chunk[0] * row_bytes <= BLOCK_BYTES_MOST)
        rows = (double)chunk[0];
    H5Pclose(how);
    return rows < 1.0 ? 1 : rows > 65536.0 ? 65536 : (int64_t)rows;
}

static mc_status add_piece(table *t, hid_t dataset, int64_t rows, const char *path, mc_error *error)
{
    if (!grow(&t->pieces, t->piece_count, sizeof *t->pieces))
        return no_memory(path, error);
    t->pieces[t->piece_count++] = (piece){dataset, t->shape.row_count, rows, path};
    t->shape.row_count += rows;
    return MC_OK;
}

static mc_status describe_table(results_reader *r, hid_t file, hid_t dataset, const char *name,
                                results_shape *s, mc_error *error)
{
    s->name = arena_copy_text(&r->memory, name, strlen(name));
    if (!s->name)
        return no_memory(r->path, error);
    const struct {
        const char *part;
        const char *const **to;
    } parts[] = {{"columns", &s->columns}, {"units", &s->units}, {"doc", &s->docs}};
    for (int i = 0; i < 3; i++) {
        *parts[i].to = read_part(r, file, dataset, name, parts[i].part, s->column_count, error);
        if (!*parts[i].to)
            return error->code;
    }
    return MC_OK;
}

// A dataset below the root of the first file becomes a table, if it is one.
static mc_status take_table(results_reader *r, hid_t file, const char *name, mc_error *error)
{
    hid_t dataset;
    mc_status status = open_own(file, name, r->path, &dataset, error);
    if (status != MC_OK || dataset < 0)
        return status;
    hsize_t shape[3] = {0, 0, 0};
    const int rank = table_rank(dataset, shape);
    const hsize_t columns = rank == 3 ? shape[2] : shape[1];
    const hsize_t vehicles = rank == 3 ? shape[1] : 0;
    if (rank == 0 || columns < 1 || columns > COLUMN_MOST || (rank == 3 && vehicles < 1) ||
        vehicles > INT32_MAX || r->table_count >= TABLE_MOST) {
        H5Dclose(dataset);
        return MC_OK;
    }
    table t = {.shape = {.column_count = (int64_t)columns, .vehicle_count = (int64_t)vehicles}};
    int64_t rows;
    status = valid_rows(file, name, dataset, shape[0], r->path, &rows, error);
    if (status == MC_OK)
        status = describe_table(r, file, dataset, name, &t.shape, error);
    if (status == MC_OK && !grow(&r->tables, r->table_count, sizeof *r->tables))
        status = no_memory(r->path, error);
    if (status == MC_OK) {
        t.shape.block_rows = block_rows(dataset, rank, shape);
        status = add_piece(&t, dataset, rows, r->path, error);
    }
    if (status != MC_OK) {
        H5Dclose(dataset);
        return status;
    }
    r->tables[r->table_count++] = t;
    return MC_OK;
}

static herr_t take_link(hid_t file, const char *name, const H5L_info_t *info, void *context)
{
    listing *l = context;
    (void)info;
    if (is_table_name(name))
        l->status = take_table(l->reader, file, name, l->error);
    return l->status == MC_OK ? 0 : 1;
}

// The table's rows in one more file, whose shape must be the same.
static mc_status take_more(table *t, hid_t file, const char *path, mc_error *error)
{
    if (H5Lexists(file, t->shape.name, H5P_DEFAULT) <= 0)
        return MC_OK;
    hid_t dataset;
    mc_status status = open_own(file, t->shape.name, path, &dataset, error);
    if (status != MC_OK)
        return status;
    hsize_t shape[3] = {0, 0, 0};
    const int rank = dataset >= 0 ? table_rank(dataset, shape) : 0;
    const bool same = rank == (t->shape.vehicle_count > 0 ? 3 : 2) &&
                      shape[rank - 1] == (hsize_t)t->shape.column_count &&
                      (rank == 2 || shape[1] == (hsize_t)t->shape.vehicle_count);
    int64_t rows = 0;
    if (!same)
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                              "table \"%s\" has not the vehicles and columns it has in the first "
                              "file of the run",
                              t->shape.name);
    if (status == MC_OK)
        status = valid_rows(file, t->shape.name, dataset, shape[0], path, &rows, error);
    if (status == MC_OK)
        status = add_piece(t, dataset, rows, path, error);
    if (status != MC_OK)
        H5Dclose(dataset);
    return status;
}

// ---- a run of several files ----

static mc_status open_segment(results_reader *r, int number, bool *there, mc_error *error)
{
    const char *path = file_name(&r->memory, r->path, NULL, number);
    *there = path && access(path, F_OK) == 0;
    if (!path)
        return no_memory(r->path, error);
    if (!*there)
        return MC_OK;
    hid_t file;
    mc_status status = keep_file(r, path, &file, error);
    if (status == MC_OK && read_integer(file, "segment", 0) != number)
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                              "does not say that it is segment %d of %s", number, r->path);
    for (int i = 0; i < r->table_count && status == MC_OK; i++)
        status = take_more(&r->tables[i], file, path, error);
    r->segment_count += status == MC_OK;
    return status;
}

// declared: number of segments, 0: not known, all that are there.
static mc_status open_segments(results_reader *r, int64_t declared, mc_error *error)
{
    mc_status status = MC_OK;
    bool there = true;
    const int64_t most = declared > 0 && declared < FILE_MOST ? declared : FILE_MOST;
    for (int k = 1; k < most && there && status == MC_OK; k++) {
        status = open_segment(r, k, &there, error);
        if (status == MC_OK && !there && declared > 0)
            status = mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                                  "the run has %lld segments, and %s is missing",
                                  (long long)declared, file_name(&r->memory, r->path, NULL, k));
    }
    return status;
}

static mc_status open_overflow(results_reader *r, int index, mc_error *error)
{
    mc_status status = MC_OK;
    for (int k = 1; k < FILE_MOST && status == MC_OK; k++) {
        const char *path = file_name(&r->memory, r->path, r->tables[index].shape.name, k);
        if (!path)
            return no_memory(r->path, error);
        if (access(path, F_OK) != 0)
            return MC_OK;
        hid_t file;
        status = keep_file(r, path, &file, error);
        if (status == MC_OK)
            status = take_more(&r->tables[index], file, path, error);
    }
    return status;
}

static mc_status check_head(const results_reader *r, hid_t file, mc_error *error)
{
    const char *format = results_reader_text(r, "format");
    const int64_t segment = read_integer(file, "segment", 0);
    if (!format)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "is HDF5 but no results file of Motorcade: the root has no text "
                            "\"format\"");
    if (strcmp(format, format_known) != 0)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "has the format \"%.100s\"; this version reads \"%s\"", format,
                            format_known);
    if (segment != 0)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "is segment %lld of a run; give the first file, the one without a "
                            "number",
                            (long long)segment);
    return MC_OK;
}

static mc_status open_all(results_reader *r, hdf5_quiet *q, mc_error *error)
{
    hid_t file;
    mc_status status = keep_file(r, r->path, &file, error);
    if (status != MC_OK)
        return status;
    hdf5_quiet_begin(q);
    hsize_t at = 0;
    r->segment_count = 1;
    listing l = {r, r->path, MC_OK, error};
    if (H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, &at, take_text, &l) < 0)
        status = damaged(q, r->path, "its texts cannot be read", error);
    status = status == MC_OK ? l.status : status;
    if (status == MC_OK)
        status = check_head(r, file, error);
    at = 0;
    if (status == MC_OK && H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, &at, take_link, &l) < 0)
        status = damaged(q, r->path, "its tables cannot be listed", error);
    status = status == MC_OK ? l.status : status;
    r->complete = status == MC_OK && read_integer(file, "complete", 1) != 0;
    if (status == MC_OK)
        status = open_segments(r, read_integer(file, "segment_count", 1), error);
    for (int i = 0; i < r->table_count && status == MC_OK && !r->complete; i++)
        status = open_overflow(r, i, error);
    hdf5_quiet_end(q);
    return status;
}

results_reader *results_reader_open(const char *path, mc_error *error)
{
    results_reader *r = calloc(1, sizeof *r);
    if (r)
        r->path = arena_copy_text(&r->memory, path, strlen(path));
    if (!r || !r->path) {
        no_memory(path, error);
        free(r);
        return NULL;
    }
    hdf5_quiet q;
    if (open_all(r, &q, error) == MC_OK)
        return r;
    results_reader_free(r);
    return NULL;
}

void results_reader_free(results_reader *reader)
{
    if (!reader)
        return;
    for (int i = 0; i < reader->table_count; i++) {
        for (int k = 0; k < reader->tables[i].piece_count; k++)
            H5Dclose(reader->tables[i].pieces[k].dataset);
        free(reader->tables[i].pieces);
    }
    for (int i = 0; i < reader->file_count; i++)
        H5Fclose(reader->files[i]);
    free(reader->files);
    free(reader->tables);
    free(reader->texts);
    arena_free(&reader->memory);
    free(reader);
}

bool results_reader_complete(const results_reader *reader)
{
    return reader->complete;
}

int results_reader_segments(const results_reader *reader)
{
    return reader->segment_count;
}

int results_reader_table_count(const results_reader *reader)
{
    return reader->table_count;
}

const results_shape *results_reader_table(const results_reader *reader, int index)
{
    mc_assert(index >= 0 && index < reader->table_count);
    return &reader->tables[index].shape;
}

int results_reader_find(const results_reader *reader, const char *name)
{
    for (int i = 0; i < reader->table_count; i++)
        if (strcmp(reader->tables[i].shape.name, name) == 0)
            return i;
    return -1;
}

int64_t results_shape_find(const results_shape *shape, const char *column)
{
    for (int64_t i = 0; i < shape->column_count; i++)
        if (strcmp(shape->columns[i], column) == 0)
            return i;
    return -1;
}

// ---- reading ----

// Rows of one piece: `count` rows from `row` of the piece on.
static bool read_piece(const piece *p, const table *t, const results_part *part, int64_t row,
                       int64_t count, int64_t stride, double *out)
{
    const bool vehicles = t->shape.vehicle_count > 0;
    const int rank = vehicles ? 3 : 2;
    const hsize_t start[3] = {(hsize_t)row, (hsize_t)(vehicles ? part->vehicle : part->column),
                              (hsize_t)part->column};
    const hsize_t step[3] = {(hsize_t)stride, 1, 1};
    const hsize_t size[3] = {(hsize_t)count,
                             (hsize_t)(vehicles ? part->vehicle_count : part->column_count),
                             (hsize_t)part->column_count};
    const hid_t space = H5Dget_space(p->dataset), memory = H5Screate_simple(rank, size, NULL);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, step, size, NULL) >= 0 &&
                      H5Dread(p->dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return good;
}

mc_status results_read(results_reader *reader, int index, const results_part *part, double *out,
                       mc_error *error)
{
    mc_assert(index >= 0 && index < reader->table_count);
    const table *t = &reader->tables[index];
    const results_shape *s = &t->shape;
    const int64_t stride = part->row_stride > 0 ? part->row_stride : 1;
    const int64_t width = part->column_count * (s->vehicle_count > 0 ? part->vehicle_count : 1);
    if (part->row_count == 0 || width == 0)
        return MC_OK;
    mc_assert(part->row >= 0 && part->row + (part->row_count - 1) * stride < s->row_count);
    mc_assert(part->column >= 0 && part->column + part->column_count <= s->column_count);
    mc_assert(part->vehicle >= 0 && part->vehicle + part->vehicle_count <= s->vehicle_count);
    hdf5_quiet q;
    hdf5_quiet_begin(&q);
    mc_status status = MC_OK;
    for (int64_t k = 0, i = 0; k < part->row_count && status == MC_OK; i++) {
        const piece *p = &t->pieces[i];
        const int64_t row = part->row + k * stride - p->first;
        if (row >= p->row_count)
            continue;
        const int64_t there = (p->row_count - row + stride - 1) / stride;
        const int64_t count = there < part->row_count - k ? there : part->row_count - k;
        if (!read_piece(p, t, part, row, count, stride, out + k * width)) {
            char what[NAME_MOST + 64];
            snprintf(what, sizeof what, "rows of table \"%s\" cannot be read", s->name);
            status = damaged(&q, p->path, what, error);
        }
        k += count;
    }
    hdf5_quiet_end(&q);
    return status;
}
