// results_read.c - the reading half of results files.
//
// A table is a chain of pieces, one per file, as in results.c. Files stay open until the end; there
// is one per segment, and few event tables overflow. The HDF5 library has no part in it:
// object.h and table.h read the format, so that no file can do harm.
#include "hdf5/results_read.h"

#include "base/arena.h"
#include "base/assert.h"
#include "hdf5/group.h"
#include "hdf5/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TABLE_MAX = 1000,
    FILE_MAX = 10000,       // segments
    NAME_MAX_BYTES = 128,   // of the name of a table
    COLUMN_MAX = 1 << 20,   // of a row without vehicles, or of one vehicle
    BLOCK_BYTES = 16 << 20, // of rows read together where the file has no opinion
    BLOCK_BYTES_MAX = 64 << 20,
    SHRINK_MAX = 1100, // deflate makes nothing smaller than 1/1032
};
static const char *const formats_known[] = {"motorcade results 1", "motorcade results 2"};
enum { FORMATS = sizeof formats_known / sizeof formats_known[0] };

typedef struct source { // one file
    hdf5_file file;
    const char *path;
    hdf5_object root;
    hdf5_link *links;
    int link_count;
} source;

typedef struct piece {
    hdf5_table values;
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

typedef struct word_list {
    const char *name;
    const char **words;
    int64_t count;
} word_list;

struct results_reader {
    arena memory;
    char *path;
    source **files;
    int file_count, segment_count;
    table *tables;
    int table_count;
    text *texts;
    int text_count;
    word_list *lists;
    int list_count;
    int format;
    bool complete;
};

// ---- what can be wrong ----

static mc_status damaged(const source *file, const char *what, mc_error *error)
{
    return mc_error_set(error, file->file.out_of_memory ? MC_NO_MEMORY : MC_BAD_INPUT, file->path,
                        0, 0, "%s%s: %s", what, file->file.foreign ? "" : "; the file is damaged",
                        file->file.reason ? file->file.reason : "it says what cannot be");
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

// A number of the root.
static int64_t read_integer(const source *file, const char *name, int64_t otherwise)
{
    const hdf5_attribute *a = hdf5_object_attribute(&file->root, name);
    if (!a || a->type.class != HDF5_INTEGER || a->space.count != 1)
        return otherwise;
    const double value = hdf5_value(&a->type, a->data);
    return fabs(value) < 0x1p62 ? (int64_t)value : otherwise;
}

static mc_status too_long(const char *path, const char *name, uint64_t bytes, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                        "the texts of its attribute \"%.60s\" have %.0f MB; expected at most %d MB",
                        name, ceil((double)bytes / (1 << 20)), HDF5_TEXT_MAX >> 20);
}

static mc_status add_text(results_reader *r, const char *name, const char *value, mc_error *error)
{
    if (!grow(&r->texts, r->text_count, sizeof *r->texts))
        return no_memory(r->path, error);
    r->texts[r->text_count++] = (text){name, value};
    return MC_OK;
}

// The attributes of the root that are texts.
static mc_status take_texts(results_reader *r, source *file, mc_error *error)
{
    for (int i = 0; i < file->root.attribute_count; i++) {
        const hdf5_attribute *a = &file->root.attributes[i];
        hdf5_texts value;
        if (!hdf5_text_attribute(&file->file, &r->memory, a, 1, &value))
            return damaged(file, "its texts cannot be read", error);
        if (value.too_long > 0)
            return too_long(file->path, a->name, value.too_long, error);
        if (value.words && add_text(r, a->name, value.words[0], error) != MC_OK)
            return error->code;
    }
    return MC_OK;
}

const char *results_reader_text(const results_reader *reader, const char *name)
{
    for (int i = 0; i < reader->text_count; i++)
        if (strcmp(reader->texts[i].name, name) == 0)
            return reader->texts[i].value;
    for (int i = 0; i < reader->list_count; i++)
        if (strcmp(reader->lists[i].name, name) == 0 && reader->lists[i].count == 1)
            return reader->lists[i].words[0];
    return NULL;
}

int results_reader_format(const results_reader *reader)
{
    return reader->format;
}

// A list of one word is also a text: one that is too long for an attribute stands so.
static mc_status add_list(results_reader *r, const char *name, const char **words, int64_t count,
                          mc_error *error)
{
    if (!grow(&r->lists, r->list_count, sizeof *r->lists))
        return no_memory(r->path, error);
    r->lists[r->list_count++] = (word_list){name, words, count};
    return MC_OK;
}

// Lines of a text; an empty end is none.
static const char **split_lines(arena *memory, const char *whole, int64_t *count)
{
    size_t lines = 1;
    for (const char *c = whole; *c; c++)
        lines += *c == '\n';
    char *copy = arena_copy_text(memory, whole, strlen(whole));
    const char **out = copy ? arena_alloc(memory, lines * sizeof *out) : NULL;
    *count = 0;
    for (char *line = copy; out && line && (*line || (size_t)*count + 1 < lines);) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        const size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\r')
            line[length - 1] = '\0';
        out[(*count)++] = line;
        line = end ? end + 1 : NULL;
    }
    return out;
}

const char *const *results_reader_list(results_reader *reader, const char *name, int64_t *count)
{
    for (int i = 0; i < reader->list_count; i++)
        if (strcmp(reader->lists[i].name, name) == 0) {
            *count = reader->lists[i].count;
            return reader->lists[i].words;
        }
    const char *lines = reader->format == 1 ? results_reader_text(reader, name) : NULL;
    *count = 0;
    return lines ? split_lines(&reader->memory, lines, count) : NULL;
}

// ---- files ----

// Opens a file that must be one of ours, and reads what is in its root.
static mc_status open_source(results_reader *r, source *file, mc_error *error)
{
    const mc_status status = hdf5_bytes_open(&file->file, file->path, error);
    if (status != MC_OK)
        return status;
    hdf5_file *f = &file->file;
    bool is_hdf5 = true;
    uint64_t root;
    if (!hdf5_object_root(f, &is_hdf5, &root)) {
        if (!is_hdf5)
            return mc_error_set(error, MC_BAD_INPUT, file->path, 0, 0,
                                "is not an HDF5 file; expected a results file (run.h5)");
        return damaged(file,
                       strcmp(f->reason, "truncated file") == 0 ? "cannot be read: it is truncated"
                                                                : "cannot be read",
                       error);
    }
    return hdf5_object_read(f, &r->memory, root, &file->root) &&
                   hdf5_group_links(f, &r->memory, &file->root, &file->links, &file->link_count)
               ? MC_OK
               : damaged(file, "cannot be read", error);
}

static mc_status keep_file(results_reader *r, const char *path, source **file, mc_error *error)
{
    *file = arena_alloc(&r->memory, sizeof **file);
    if (!*file || !grow(&r->files, r->file_count, sizeof *r->files))
        return no_memory(path, error);
    **file = (source){.file = {.fd = -1}, .path = path};
    r->files[r->file_count++] = *file;
    return open_source(r, *file, error);
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
    return length > 0 && length < NAME_MAX_BYTES && !strchr(name, '/');
}

// A dataset whose bytes are in this very file. A file may come from anyone, and must not make us
// read any other that it names: by a link, as external storage, as source of a virtual dataset.
// *out has no values when it is a group.
static mc_status open_own(results_reader *r, source *file, const hdf5_link *link, hdf5_object *out,
                          mc_error *error)
{
    if (link->elsewhere)
        return mc_error_set(error, MC_BAD_INPUT, file->path, 0, 0,
                            "\"%s\" is a link to another place or file; a results file must hold "
                            "its own tables",
                            link->name);
    if (!hdf5_object_read(&file->file, &r->memory, link->address, out)) {
        char what[NAME_MAX_BYTES + 64];
        snprintf(what, sizeof what, "\"%.*s\" cannot be read", NAME_MAX_BYTES, link->name);
        return damaged(file, what, error);
    }
    if (out->layout == HDF5_EXTERNAL || out->layout == HDF5_VIRTUAL)
        return mc_error_set(
            error, MC_BAD_INPUT, file->path, 0, 0,
            "\"%s\" keeps its values in other files (%s); a results file must "
            "hold its own tables",
            link->name, out->layout == HDF5_EXTERNAL ? "external storage" : "a virtual dataset");
    return MC_OK;
}

// Dimensions of a dataset of numbers; 0: it is something else.
static int table_rank(const hdf5_object *dataset)
{
    const bool numbers = dataset->type.class == HDF5_FLOAT || dataset->type.class == HDF5_INTEGER;
    return dataset->layout != HDF5_NO_DATA && numbers && dataset->space.rank >= 2
               ? dataset->space.rank
               : 0;
}

// Whether the rows can be there: what the file holds of them against what they take. Rows that were
// declared and never written cost nothing in the file, and all memory when they are read.
static mc_status check_stored(const source *file, const char *name, const hdf5_table *values,
                              int64_t rows, mc_error *error)
{
    const double expected = (double)rows * (double)values->shape[1] * (double)values->shape[2] *
                            (double)values->type.size;
    const double stored = fmin((double)values->stored, (double)file->file.size);
    if (expected > stored * (values->filter_count > 0 ? SHRINK_MAX : 1.0))
        return mc_error_set(error, MC_BAD_INPUT, file->path, 0, 0,
                            "table \"%s\" says it has %lld rows, which take %.3g bytes, but the "
                            "file holds only %.3g bytes of it",
                            name, (long long)rows, expected, stored);
    if (rows > 0 && !hdf5_table_whole(values))
        return mc_error_set(error, MC_BAD_INPUT, file->path, 0, 0,
                            "table \"%s\" has not all its rows; the file is damaged", name);
    return MC_OK;
}

// Rows of a piece that are right: <table>_rows_valid, within what the dataset has.
static mc_status valid_rows(results_reader *r, source *file, const char *name,
                            const hdf5_table *values, int64_t *rows, mc_error *error)
{
    char count_name[NAME_MAX_BYTES + 16];
    snprintf(count_name, sizeof count_name, "%s_rows_valid", name);
    *rows = (int64_t)values->shape[0];
    const hdf5_link *link = hdf5_group_find(file->links, file->link_count, count_name);
    if (link) {
        hdf5_object object;
        const mc_status status = open_own(r, file, link, &object, error);
        if (status != MC_OK)
            return status;
        double valid = 0.0;
        const hdf5_part one = {
            .row_count = 1, .row_stride = 1, .middle_count = 1, .column_count = 1};
        hdf5_table count = {0};
        if (object.space.count == 1 && object.type.class == HDF5_INTEGER &&
            (!hdf5_table_open(&count, &file->file, &object) ||
             !hdf5_table_read(&count, &one, &valid))) {
            hdf5_table_close(&count);
            return damaged(file, "the number of its rows cannot be read", error);
        }
        hdf5_table_close(&count);
        *rows = valid < 0.0 ? 0 : valid < (double)*rows ? (int64_t)valid : *rows;
    }
    return check_stored(file, name, values, *rows, error);
}

// What columns are called that have no names; no units, no docs.
static const char **numbered_names(results_reader *r, const char *part, int64_t expected,
                                   mc_error *error)
{
    const char **out = arena_alloc(&r->memory, (size_t)expected * sizeof *out);
    for (int64_t i = 0; out && i < expected; i++) {
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

// Names, units or docs: the attribute, or the dataset beside the table, or nothing. NULL: *error.
static const char **read_part(results_reader *r, source *file, const hdf5_object *dataset,
                              const char *table_name, const char *part, int64_t expected,
                              mc_error *error)
{
    char name[NAME_MAX_BYTES + 16];
    hdf5_texts texts = {0};
    snprintf(name, sizeof name, "%s_%s", table_name, part);
    const hdf5_attribute *a = hdf5_object_attribute(dataset, part);
    const hdf5_link *link = a ? NULL : hdf5_group_find(file->links, file->link_count, name);
    bool good = true;
    if (a)
        good = hdf5_text_attribute(&file->file, &r->memory, a, COLUMN_MAX, &texts);
    if (a && texts.too_long > 0) {
        too_long(r->path, part, texts.too_long, error);
        return NULL;
    }
    if (link) {
        hdf5_object object;
        if (open_own(r, file, link, &object, error) != MC_OK)
            return NULL;
        good = hdf5_text_dataset(&file->file, &r->memory, &object, COLUMN_MAX, &texts);
    }
    if (!good) {
        damaged(file, "the names of its columns cannot be read", error);
        return NULL;
    }
    return texts.words && texts.count == expected ? texts.words
                                                  : numbered_names(r, part, expected, error);
}

// Rows read together: those of the chunks, if they are not too large.
static int64_t block_rows(const hdf5_table *values)
{
    const double row_bytes = 8.0 * (double)values->shape[1] * (double)values->shape[2];
    double rows = BLOCK_BYTES / row_bytes;
    if (values->layout == HDF5_CHUNKED && (double)values->chunk[0] * row_bytes <= BLOCK_BYTES_MAX)
        rows = (double)values->chunk[0];
    return rows < 1.0 ? 1 : rows > 65536.0 ? 65536 : (int64_t)rows;
}

// The rows of a dataset in one more file of the table; they are the table's then.
static mc_status add_piece(table *t, const hdf5_table *values, int64_t rows, const char *path,
                           mc_error *error)
{
    if (!grow(&t->pieces, t->piece_count, sizeof *t->pieces))
        return no_memory(path, error);
    t->pieces[t->piece_count++] = (piece){*values, t->shape.row_count, rows, path};
    t->shape.row_count += rows;
    return MC_OK;
}

static mc_status describe_table(results_reader *r, source *file, const hdf5_object *dataset,
                                const char *name, results_shape *s, mc_error *error)
{
    s->name = name;
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

static mc_status take_list(results_reader *r, source *file, const char *name,
                           const hdf5_object *object, mc_error *error)
{
    hdf5_texts texts;
    if (!hdf5_text_dataset(&file->file, &r->memory, object, COLUMN_MAX, &texts))
        return damaged(file, "its lists of texts cannot be read", error);
    return texts.words ? add_list(r, name, texts.words, texts.count, error) : MC_OK;
}

static mc_status table_damaged(const source *file, const char *name, mc_error *error)
{
    char what[NAME_MAX_BYTES + 64];
    snprintf(what, sizeof what, "table \"%s\" cannot be read", name);
    return damaged(file, what, error);
}

// A dataset below the root of the first file becomes a table or a list, if it is one.
static mc_status take_table(results_reader *r, source *file, const hdf5_link *link, mc_error *error)
{
    const char *name = link->name;
    hdf5_object object;
    mc_status status = open_own(r, file, link, &object, error);
    if (status != MC_OK)
        return status;
    if (object.layout != HDF5_NO_DATA && object.space.rank == 1 &&
        (object.type.class == HDF5_STRING || object.type.class == HDF5_VARIABLE))
        return take_list(r, file, name, &object, error);
    const int rank = table_rank(&object);
    const uint64_t columns = object.space.shape[rank == 3 ? 2 : 1];
    const uint64_t vehicles = rank == 3 ? object.space.shape[1] : 0;
    if (rank == 0 || columns < 1 || columns > COLUMN_MAX || (rank == 3 && vehicles < 1) ||
        vehicles > INT32_MAX || r->table_count >= TABLE_MAX)
        return MC_OK;
    table t = {.shape = {.column_count = (int64_t)columns, .vehicle_count = (int64_t)vehicles}};
    hdf5_table values;
    int64_t rows;
    if (!hdf5_table_open(&values, &file->file, &object))
        status = table_damaged(file, name, error);
    if (status == MC_OK)
        status = valid_rows(r, file, name, &values, &rows, error);
    if (status == MC_OK)
        status = describe_table(r, file, &object, name, &t.shape, error);
    if (status == MC_OK && !grow(&r->tables, r->table_count, sizeof *r->tables))
        status = no_memory(r->path, error);
    if (status == MC_OK) {
        t.shape.block_rows = block_rows(&values);
        status = add_piece(&t, &values, rows, r->path, error);
    }
    if (status != MC_OK) {
        hdf5_table_close(&values);
        return status;
    }
    r->tables[r->table_count++] = t;
    return MC_OK;
}

// The table's rows in one more file, whose shape must be the same.
static mc_status take_more(results_reader *r, table *t, source *file, mc_error *error)
{
    const char *name = t->shape.name;
    const hdf5_link *link = hdf5_group_find(file->links, file->link_count, name);
    if (!link)
        return MC_OK;
    hdf5_object object;
    mc_status status = open_own(r, file, link, &object, error);
    if (status != MC_OK)
        return status;
    const int rank = table_rank(&object);
    const bool same = rank == (t->shape.vehicle_count > 0 ? 3 : 2) &&
                      object.space.shape[rank - 1] == (uint64_t)t->shape.column_count &&
                      (rank == 2 || object.space.shape[1] == (uint64_t)t->shape.vehicle_count);
    if (!same)
        return mc_error_set(
            error, MC_BAD_INPUT, file->path, 0, 0,
            "table \"%s\" differs in vehicles or columns from the first file of the "
            "run",
            name);
    hdf5_table values;
    int64_t rows = 0;
    if (!hdf5_table_open(&values, &file->file, &object))
        status = table_damaged(file, name, error);
    if (status == MC_OK)
        status = valid_rows(r, file, name, &values, &rows, error);
    if (status == MC_OK)
        status = add_piece(t, &values, rows, file->path, error);
    if (status != MC_OK)
        hdf5_table_close(&values);
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
    source *file;
    mc_status status = keep_file(r, path, &file, error);
    if (status == MC_OK && read_integer(file, "segment", 0) != number)
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "is not marked as segment %d of %s",
                              number, r->path);
    for (int i = 0; i < r->table_count && status == MC_OK; i++)
        status = take_more(r, &r->tables[i], file, error);
    r->segment_count += status == MC_OK;
    return status;
}

// declared: number of segments; 0: unknown, all that exist.
static mc_status open_segments(results_reader *r, int64_t declared, mc_error *error)
{
    mc_status status = MC_OK;
    bool there = true;
    const int64_t max = declared > 0 && declared < FILE_MAX ? declared : FILE_MAX;
    for (int k = 1; k < max && there && status == MC_OK; k++) {
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
    for (int k = 1; k < FILE_MAX && status == MC_OK; k++) {
        const char *path = file_name(&r->memory, r->path, r->tables[index].shape.name, k);
        if (!path)
            return no_memory(r->path, error);
        if (access(path, F_OK) != 0)
            return MC_OK;
        source *file;
        status = keep_file(r, path, &file, error);
        if (status == MC_OK)
            status = take_more(r, &r->tables[index], file, error);
    }
    return status;
}

static mc_status check_head(results_reader *r, const source *file, mc_error *error)
{
    const char *format = results_reader_text(r, "format");
    const int64_t segment = read_integer(file, "segment", 0);
    if (!format)
        return mc_error_set(
            error, MC_BAD_INPUT, r->path, 0, 0,
            "is HDF5 but not a results file of Motorcade: the root has no text \"format\"");
    for (int k = 0; k < FORMATS; k++)
        if (strcmp(format, formats_known[k]) == 0)
            r->format = k + 1;
    if (r->format == 0)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "has the format \"%.100s\"; this version reads \"%s\" and earlier",
                            format, formats_known[FORMATS - 1]);
    if (segment != 0)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "is segment %lld of a run; give the first file, the one without a "
                            "number",
                            (long long)segment);
    return MC_OK;
}

static mc_status open_all(results_reader *r, mc_error *error)
{
    source *file;
    mc_status status = keep_file(r, r->path, &file, error);
    if (status != MC_OK)
        return status;
    r->segment_count = 1;
    status = take_texts(r, file, error);
    if (status == MC_OK)
        status = check_head(r, file, error);
    for (int i = 0; i < file->link_count && status == MC_OK; i++)
        if (is_table_name(file->links[i].name))
            status = take_table(r, file, &file->links[i], error);
    r->complete = status == MC_OK && read_integer(file, "complete", 1) != 0;
    if (status == MC_OK)
        status = open_segments(r, read_integer(file, "segment_count", 1), error);
    for (int i = 0; i < r->table_count && status == MC_OK && !r->complete; i++)
        status = open_overflow(r, i, error);
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
    if (open_all(r, error) == MC_OK)
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
            hdf5_table_close(&reader->tables[i].pieces[k].values);
        free(reader->tables[i].pieces);
    }
    for (int i = 0; i < reader->file_count; i++)
        hdf5_bytes_close(&reader->files[i]->file);
    free(reader->files);
    free(reader->tables);
    free(reader->texts);
    free(reader->lists);
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

static mc_status rows_damaged(const piece *p, const char *name, mc_error *error)
{
    return mc_error_set(error, p->values.file->out_of_memory ? MC_NO_MEMORY : MC_BAD_INPUT, p->path,
                        0, 0, "rows of table \"%s\" cannot be read; the file is damaged: %s", name,
                        p->values.file->reason);
}

mc_status results_read(results_reader *reader, int index, const results_part *part, double *out,
                       mc_error *error)
{
    mc_assert(index >= 0 && index < reader->table_count);
    table *t = &reader->tables[index];
    const results_shape *s = &t->shape;
    const int64_t stride = part->row_stride > 0 ? part->row_stride : 1;
    const int64_t width = part->column_count * (s->vehicle_count > 0 ? part->vehicle_count : 1);
    if (part->row_count == 0 || width == 0)
        return MC_OK;
    mc_assert(part->row >= 0 && part->row + (part->row_count - 1) * stride < s->row_count);
    mc_assert(part->column >= 0 && part->column + part->column_count <= s->column_count);
    mc_assert(part->vehicle >= 0 && part->vehicle + part->vehicle_count <= s->vehicle_count);
    mc_status status = MC_OK;
    for (int64_t k = 0, i = 0; k < part->row_count && status == MC_OK; i++) {
        piece *p = &t->pieces[i];
        const int64_t row = part->row + k * stride - p->first;
        if (row >= p->row_count)
            continue;
        const int64_t there = (p->row_count - row + stride - 1) / stride;
        const int64_t count = there < part->row_count - k ? there : part->row_count - k;
        const hdf5_part expected = {
            .row = (uint64_t)row,
            .row_count = (uint64_t)count,
            .row_stride = (uint64_t)stride,
            .middle = (uint64_t)(s->vehicle_count > 0 ? part->vehicle : 0),
            .middle_count = (uint64_t)(s->vehicle_count > 0 ? part->vehicle_count : 1),
            .column = (uint64_t)part->column,
            .column_count = (uint64_t)part->column_count,
        };
        p->values.file->reason = NULL; // another table may be good
        if (!hdf5_table_read(&p->values, &expected, out + k * width))
            status = rows_damaged(p, s->name, error);
        k += count;
    }
    return status;
}
