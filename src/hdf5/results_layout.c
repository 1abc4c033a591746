// results_layout.c - making results files with HDF5.
//
// HDF5 answers a call on a bad id with a negative number and no harm. So a function makes all its
// objects in a row, checks them together, and closes them all: no ladder of error exits.
#include "hdf5/results_layout.h"

#include "hdf5/disk.h"
#include "hdf5/quiet.h"
#include "hdf5/text.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 8,           // of everything, so that a count never straddles a page
    ATTRIBUTE_BYTES = 60000, // of texts in one attribute, which HDF5 bounds at 64 kB
    STRING_CHUNK = 4096,     // strings in one chunk of a string dataset,
    STRING_BYTES = 1 << 20,  // and their bytes, unless one needs more
    CHUNK_VALUES = 1 << 15,  // doubles in one chunk of a packed table: 256 kB
    CHUNK_ROWS = 4096,       // at most
    DEFLATE_LEVEL = 1,       // on doubles higher levels cost time and gain next to nothing
};
#define BLOCK_BYTES ((int64_t)16 << 20) // rows held while packing, unless one row needs more
static const char format_text[] = "motorcade results 2", format_word[] = "motorcade results ";

bool results_layout_size(const results_table *table, int64_t row_count, int64_t *row_bytes,
                         int64_t *bytes)
{
    const int64_t vehicles = table->vehicle_count > 0 ? table->vehicle_count : 1;
    int64_t values = 0;
    return !__builtin_mul_overflow(vehicles, table->column_count, &values) &&
           !__builtin_mul_overflow(values, (int64_t)sizeof(double), row_bytes) &&
           !__builtin_mul_overflow(*row_bytes, row_count, bytes) && *bytes < INT64_C(1) << 62;
}

// ---- a file being made ----

typedef struct session {
    hdf5_quiet quiet;
    hid_t file, access;
    hdf5_disk disk;
} session;

static void session_begin(session *s)
{
    *s = (session){.file = H5I_INVALID_HID, .access = H5I_INVALID_HID};
    hdf5_quiet_begin(&s->quiet);
}

static void session_end(session *s)
{
    hdf5_quiet_end(&s->quiet);
}

static bool session_create(session *s, const char *name, int fd)
{
    s->disk.fd = fd;
    s->access = hdf5_disk_access(&s->disk);
    H5Pset_alignment(s->access, 1, ALIGNMENT);
    s->file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, s->access);
    return s->file >= 0;
}

static bool session_good(const session *s)
{
    return s->quiet.reason[0] == '\0' && s->disk.failure == 0;
}

static void session_close(session *s)
{
    H5Fclose(s->file);
    hdf5_disk_end(&s->disk, s->access);
}

static mc_status session_error(const session *s, mc_error *error, const char *name,
                               const char *what)
{
    return mc_error_set(error, MC_IO, name, 0, 0, "%s: %s", what,
                        s->disk.failure      ? strerror(s->disk.failure)
                        : s->quiet.reason[0] ? s->quiet.reason
                                             : "no memory left");
}

// ---- strings and small numbers ----

// A string of fixed length. HDF5 also has strings of variable length, but a wrong bit in their
// references crashes every program that reads them by the HDF5 library.
static hid_t string_type(size_t size)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_cset(type, H5T_CSET_UTF8);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
}

static bool write_attribute(hid_t object, const char *name, hid_t type, hid_t space,
                            const void *data)
{
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = H5Awrite(attribute, type, data) >= 0;
    return H5Aclose(attribute) >= 0 && good;
}

static bool write_number(hid_t object, const char *name, int64_t value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const bool good = write_attribute(object, name, H5T_NATIVE_INT64, space, &value);
    H5Sclose(space);
    return good;
}

typedef enum column_part { PART_NAME, PART_UNIT, PART_DOC, PART_COUNT } column_part;
static const char *const part_names[PART_COUNT] = {"columns", "units", "doc"};

static const char *part_of(const results_column *column, column_part part)
{
    const char *text = part == PART_NAME   ? column->name
                       : part == PART_UNIT ? column->unit
                                           : column->doc;
    return text ? text : "";
}

static size_t longest(const char *const *texts, int64_t count)
{
    size_t size = 1; // HDF5 has no strings of no bytes
    for (int64_t i = 0; i < count; i++) {
        const size_t length = strlen(texts[i]);
        size = length > size ? length : size;
    }
    return size;
}

// Strings side by side, each with `size` bytes.
static void lay_out(const char *const *texts, int64_t count, size_t size, char *out)
{
    memset(out, 0, (size_t)count * size);
    for (int64_t i = 0; i < count; i++)
        memcpy(out + (size_t)i * size, texts[i], strlen(texts[i]));
}

static bool fits_attribute(const char *const *texts, int64_t count)
{
    return count <= ATTRIBUTE_BYTES && longest(texts, count) <= ATTRIBUTE_BYTES / (size_t)count;
}

// The texts as an attribute they fit in; one text is not an array.
static bool write_texts(hid_t object, const char *name, const char *const *texts, int64_t count,
                        bool array)
{
    char block[ATTRIBUTE_BYTES];
    const size_t size = longest(texts, count);
    const hsize_t shape = (hsize_t)count;
    lay_out(texts, count, size, block);
    const hid_t space = array ? H5Screate_simple(1, &shape, NULL) : H5Screate(H5S_SCALAR);
    const hid_t type = string_type(size);
    const bool good = write_attribute(object, name, type, space, block);
    H5Tclose(type);
    H5Sclose(space);
    return good;
}

// The texts as a dataset, compressed: names that differ by a number take next to no room.
static bool write_strings(hid_t file, const char *name, const char *const *texts,
                          int64_t text_count)
{
    const size_t size = longest(texts, text_count);
    const hsize_t count = (hsize_t)text_count;
    hsize_t chunk = size < STRING_BYTES / STRING_CHUNK ? STRING_CHUNK
                    : size < STRING_BYTES              ? STRING_BYTES / size
                                                       : 1;
    chunk = chunk < count ? chunk : count;
    char *block = malloc(size * chunk);
    if (!block)
        return false;
    const hid_t type = string_type(size), space = H5Screate_simple(1, &count, NULL);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, 1, &chunk);
    H5Pset_deflate(how, DEFLATE_LEVEL);
    const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    bool good = dataset >= 0;
    for (hsize_t first = 0; good && first < count; first += chunk) {
        const hsize_t n = count - first < chunk ? count - first : chunk;
        lay_out(texts + first, (int64_t)n, size, block);
        const hid_t memory = H5Screate_simple(1, &n, NULL);
        good = H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &n, NULL) >= 0 &&
               H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, block) >= 0;
        H5Sclose(memory);
    }
    free(block);
    good = H5Dclose(dataset) >= 0 && good;
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

// A text of the file; one that is too long for an attribute is a list of one.
static bool write_text(hid_t file, const char *name, const char *text)
{
    return fits_attribute(&text, 1) ? write_texts(file, name, &text, 1, false)
                                    : write_strings(file, name, &text, 1);
}

static bool write_part(hid_t file, hid_t dataset, const results_table *table, column_part part)
{
    const char **texts = calloc((size_t)table->column_count, sizeof *texts);
    char name[256];
    snprintf(name, sizeof name, "%s_%s", table->name, part_names[part]);
    for (int64_t i = 0; texts && i < table->column_count; i++)
        texts[i] = part_of(&table->columns[i], part);
    const bool good =
        texts && (fits_attribute(texts, table->column_count)
                      ? write_texts(dataset, part_names[part], texts, table->column_count, true)
                      : write_strings(file, name, texts, table->column_count));
    free(texts);
    return good;
}

static bool write_columns(hid_t file, hid_t dataset, const results_table *table)
{
    bool good = true;
    for (int part = 0; good && part < PART_COUNT; part++)
        good = write_part(file, dataset, table, (column_part)part);
    return good;
}

// ---- the file ----

static bool write_head(hid_t file, const results_head *head)
{
    bool good = write_text(file, "format", format_text) &&
                write_number(file, "complete", head->complete) &&
                write_number(file, "segment", head->segment) &&
                write_number(file, "segment_count", head->segment_count);
    for (int i = 0; good && i < head->text_count; i++)
        good = write_text(file, head->texts[i].name, head->texts[i].text);
    for (int i = 0; good && i < head->list_count; i++)
        good = write_strings(file, head->lists[i].name, (const char *const *)head->lists[i].words,
                             head->lists[i].count);
    return good;
}

// The shape of a table: its rank, 2 or 3.
static int table_shape(const results_place *place, hsize_t shape[3])
{
    const results_table *table = place->table;
    int rank = 0;
    shape[rank++] = (hsize_t)place->row_count;
    if (table->vehicle_count > 0)
        shape[rank++] = (hsize_t)table->vehicle_count;
    shape[rank++] = (hsize_t)table->column_count;
    return rank;
}

// A dataset in one piece, allocated now and not written to. *offset: its place in the file.
static hid_t declare_dataset(hid_t file, const char *name, hid_t type, hid_t space, int64_t *offset)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(how, H5D_CONTIGUOUS);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER); // the file stays sparse
    const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    const haddr_t place = H5Dget_offset(dataset);
    if (dataset >= 0 && (place == HADDR_UNDEF || place % ALIGNMENT != 0)) {
        H5Dclose(dataset);
        return H5I_INVALID_HID;
    }
    *offset = (int64_t)place;
    return dataset;
}

static void count_name(const results_table *table, char name[256])
{
    snprintf(name, 256, "%s_rows_valid", table->name);
}

static bool declare_count(hid_t file, results_place *place)
{
    char name[256];
    count_name(place->table, name);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t count = declare_dataset(file, name, H5T_NATIVE_INT64, space, &place->count_offset);
    H5Sclose(space);
    return count >= 0 && H5Dclose(count) >= 0;
}

static bool declare_rows(hid_t file, results_place *place)
{
    hsize_t shape[3];
    const int rank = table_shape(place, shape);
    const hid_t space = H5Screate_simple(rank, shape, NULL);
    const hid_t rows =
        declare_dataset(file, place->table->name, H5T_NATIVE_DOUBLE, space, &place->rows_offset);
    const bool good = rows >= 0 && write_columns(file, rows, place->table);
    H5Sclose(space);
    return H5Dclose(rows) >= 0 && good;
}

mc_status results_layout_declare(int fd, const char *name, const results_head *head,
                                 results_place *places, int place_count, mc_error *error)
{
    session s;
    session_begin(&s);
    bool good = session_create(&s, name, fd) && write_head(s.file, head);
    for (int i = 0; good && i < place_count; i++) // all in front, where they share a page
        good = declare_count(s.file, &places[i]);
    for (int i = 0; good && i < place_count; i++)
        good = declare_rows(s.file, &places[i]);
    session_close(&s); // here the file gets its size
    session_end(&s);
    return good && session_good(&s) ? MC_OK : session_error(&s, error, name, "cannot be created");
}

// ---- packing ----

// Long in time, narrow across: a reader wants histories, and neighbours in time look alike. The
// rows of one chunk are also what is held in memory, over the whole width.
static void chunk_shape(const results_place *place, int64_t row_bytes, int rank,
                        const hsize_t shape[3], hsize_t chunk[3])
{
    int64_t rows = BLOCK_BYTES / row_bytes;
    rows = rows > CHUNK_ROWS ? CHUNK_ROWS : rows;
    rows = rows > place->row_count ? place->row_count : rows;
    rows = rows < 1 ? 1 : rows;
    chunk[0] = (hsize_t)rows;
    hsize_t left = CHUNK_VALUES / chunk[0]; // values of one row in the chunk
    for (int i = rank - 1; i > 0; i--) {    // all quantities of a vehicle, then more vehicles
        chunk[i] = left < 1 ? 1 : left < shape[i] ? left : shape[i];
        left /= chunk[i];
    }
}

static hid_t pack_dataset(hid_t file, const char *name, int rank, const hsize_t shape[3],
                          const hsize_t chunk[3])
{
    const hid_t space = H5Screate_simple(rank, shape, NULL);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (shape[0] > 0) { // HDF5 has no chunks of nothing
        H5Pset_chunk(how, rank, chunk);
        H5Pset_shuffle(how);
        H5Pset_deflate(how, DEFLATE_LEVEL);
    }
    const hid_t dataset =
        H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
    return dataset;
}

static bool write_rows(hid_t dataset, int rank, hsize_t first, const hsize_t block[3],
                       const double *values)
{
    const hsize_t start[3] = {first, 0, 0};
    const hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(rank, block, NULL);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
                      H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return good;
}

static bool write_count(hid_t file, const results_place *place)
{
    char name[256];
    count_name(place->table, name);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t dataset =
        H5Dcreate2(file, name, H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool good =
        H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &place->row_count) >= 0;
    H5Sclose(space);
    return H5Dclose(dataset) >= 0 && good;
}

static mc_status pack_table(const session *s, const char *name, const results_place *place,
                            int index, results_source *source, void *context, mc_error *error)
{
    int64_t row_bytes = 0, bytes = 0;
    if (!results_layout_size(place->table, place->row_count, &row_bytes, &bytes))
        return mc_error_set(error, MC_IO, name, 0, 0, "too large to be compressed");
    hsize_t shape[3] = {0, 0, 0}, chunk[3] = {1, 1, 1};
    const int rank = table_shape(place, shape);
    chunk_shape(place, row_bytes, rank, shape, chunk);
    double *values = malloc((size_t)row_bytes * chunk[0]);
    if (!values)
        return mc_error_set(error, MC_NO_MEMORY, name, 0, 0, "no memory left");
    const hid_t dataset = pack_dataset(s->file, place->table->name, rank, shape, chunk);
    bool good = dataset >= 0 && write_columns(s->file, dataset, place->table) &&
                write_count(s->file, place);
    mc_status status = MC_OK; // of the source
    for (hsize_t first = 0; good && status == MC_OK && first < shape[0]; first += chunk[0]) {
        const hsize_t left = shape[0] - first;
        const hsize_t block[3] = {left < chunk[0] ? left : chunk[0], shape[1], shape[2]};
        status = source(context, index, (int64_t)first, (int64_t)block[0], values, error);
        if (status == MC_OK) // and not on and on when the disk is full
            good = write_rows(dataset, rank, first, block, values) && session_good(s);
    }
    free(values);
    good = H5Dclose(dataset) >= 0 && good;
    if (status == MC_OK && !good)
        status = session_error(s, error, name, "cannot be compressed");
    return status;
}

mc_status results_layout_pack(int fd, const char *name, const results_head *head,
                              const results_place *places, int place_count, results_source *source,
                              void *context, mc_error *error)
{
    session s;
    session_begin(&s);
    mc_status status = MC_OK;
    bool good = session_create(&s, name, fd) && write_head(s.file, head);
    for (int i = 0; good && status == MC_OK && i < place_count; i++)
        status = pack_table(&s, name, &places[i], i, source, context, error);
    session_close(&s);
    session_end(&s);
    if (status == MC_OK && !(good && session_good(&s)))
        status = session_error(&s, error, name, "cannot be compressed");
    return status;
}

bool results_layout_is_ours(const char *path)
{
    mc_error unused;
    hdf5_file f;
    if (hdf5_bytes_open(&f, path, &unused) != MC_OK)
        return false;
    arena memory = {0};
    bool is_hdf5;
    uint64_t address;
    hdf5_object root;
    hdf5_texts text = {0};
    if (hdf5_object_root(&f, &is_hdf5, &address) && hdf5_object_read(&f, &memory, address, &root)) {
        const hdf5_attribute *a = hdf5_object_attribute(&root, "format");
        if (a)
            hdf5_text_attribute(&f, &memory, a, 1, &text);
    }
    const bool ours = text.words && strncmp(text.words[0], format_word, strlen(format_word)) == 0;
    arena_free(&memory);
    hdf5_bytes_close(&f);
    return ours;
}
