// results.c - rows wait, are written in place, counted; the clean end packs them.
//
// A table is a chain of pieces, one per file: where its rows and its count are and how many rows it
// holds. Rows go to the last piece. Sampled tables get their next piece together, in the next
// segment; an event table gets its own, in an overflow file.
#include "hdf5/results.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/file.h"
#include "hdf5/results_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct raw_file {
    char *path;
    int fd; // -1 when nothing is written to it any more
} raw_file;

typedef struct piece {
    int file; // index into results.files
    int64_t rows_offset, count_offset;
    int64_t capacity; // rows declared
    int64_t written;  // rows in the file, and counted there
} piece;

typedef struct table {
    results_table declared; // names live in the arena
    bool optional;          // left out of the finished file when it has no rows
    int64_t row_bytes;
    piece *pieces;
    int piece_count;
    char *waiting; // waiting_capacity rows
    int64_t waiting_count, waiting_capacity;
} table;

typedef enum results_state { DECLARING, WRITING, FINISHED } results_state;

struct results {
    char *path;
    arena memory;
    results_state state;
    table *tables;
    int table_count;
    results_text *texts;
    int text_count;
    results_list *lists; // words live in the arena
    int list_count;
    raw_file *files;
    int file_count;
    int *segments; // index into files
    int segment_count;

    // From here on shared with the clock thread, under the lock, as are the tables' pieces and
    // waiting rows while the state is WRITING.
    pthread_mutex_t lock;
    pthread_cond_t wake; // to stop the thread
    pthread_t thread;
    bool stopping;
    int64_t waiting_bytes;
    double flushed_at; // s, monotonic clock
    mc_error error;    // the first failure of a write
};

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static mc_status memory_error(const results *r, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, r->path, 0, 0, "no memory left");
}

// Makes room for one more element of the array *list; false when there is no memory. The pointer is
// copied as bytes: its type is not known here.
static bool grow(void *list, int count, size_t size)
{
    void *array = NULL;
    memcpy(&array, list, sizeof array);
    array = reallocarray(array, (size_t)count + 1, size);
    if (array)
        memcpy(list, &array, sizeof array);
    return array != NULL;
}

// ---- declaring ----

results *results_new(const char *path, mc_error *error)
{
    results *r = calloc(1, sizeof *r);
    if (r)
        r->path = strdup(path);
    if (!r || !r->path) {
        free(r);
        mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
        return NULL;
    }
    pthread_mutex_init(&r->lock, NULL);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&r->wake, &clock);
    pthread_condattr_destroy(&clock);
    return r;
}

static bool is_word(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return text && text[0] && strchr(letters, text[0]) && text[strspn(text, all)] == '\0';
}

// A name that a companion of a table in the file could have.
static bool is_reserved(const char *name)
{
    static const char *const endings[] = {"_rows_valid", "_columns", "_units", "_doc"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t n = strlen(endings[i]);
        if (length > n && strcmp(name + length - n, endings[i]) == 0)
            return true;
    }
    return false;
}

static mc_status check_table(const results *r, const results_table *t, mc_error *error)
{
    if (!is_word(t->name) || strlen(t->name) > 100 || is_reserved(t->name))
        return mc_error_set(
            error, MC_BAD_INPUT, r->path, 0, 0,
            "\"%s\" is not a valid table name: expected a letter, then letters, digits and '_', at "
            "most 100, not ending in _rows_valid, _columns, _units or _doc",
            t->name ? t->name : "");
    for (int i = 0; i < r->table_count; i++)
        if (strcmp(r->tables[i].declared.name, t->name) == 0)
            return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0, "there are two tables \"%s\"",
                                t->name);
    if (t->column_count < 1 || t->row_count < 1 || t->vehicle_count < 0)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "table \"%s\" has %lld rows, %lld columns, %lld vehicles; expected at "
                            "least one row and one column",
                            t->name, (long long)t->row_count, (long long)t->column_count,
                            (long long)t->vehicle_count);
    int64_t row_bytes = 0, bytes = 0;
    if (!results_layout_size(t, t->row_count, &row_bytes, &bytes))
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "table \"%s\" with %lld rows is larger than any file can be", t->name,
                            (long long)t->row_count);
    return MC_OK;
}

static size_t text_size(const char *text)
{
    return text ? strlen(text) + 1 : 1;
}

static const char *keep_text(char **room, const char *text)
{
    char *kept = *room;
    const size_t size = text_size(text);
    memcpy(kept, text ? text : "", size);
    *room += size;
    return kept;
}

// All columns in two blocks: 240,000 of them are not rare.
static bool keep_table(arena *memory, results_table *kept, const results_table *t)
{
    size_t size = text_size(t->name);
    for (int64_t i = 0; i < t->column_count; i++)
        size += text_size(t->columns[i].name) + text_size(t->columns[i].unit) +
                text_size(t->columns[i].doc);
    char *room = arena_alloc(memory, size);
    results_column *columns = arena_alloc(memory, (size_t)t->column_count * sizeof *columns);
    if (!room || !columns)
        return false;
    *kept = *t;
    kept->name = keep_text(&room, t->name);
    kept->columns = columns;
    for (int64_t i = 0; i < t->column_count; i++) {
        columns[i].name = keep_text(&room, t->columns[i].name);
        columns[i].unit = keep_text(&room, t->columns[i].unit);
        columns[i].doc = keep_text(&room, t->columns[i].doc);
    }
    return true;
}

mc_status results_add_table(results *r, const results_table *t, int *index, mc_error *error)
{
    mc_assert(r->state == DECLARING);
    const mc_status status = check_table(r, t, error);
    if (status != MC_OK)
        return status;
    table added = {.piece_count = 0};
    int64_t bytes = 0;
    results_layout_size(t, t->row_count, &added.row_bytes, &bytes);
    added.waiting_capacity = (RESULTS_WAIT_BYTES + added.row_bytes - 1) / added.row_bytes;
    if (!keep_table(&r->memory, &added.declared, t) ||
        !grow(&r->tables, r->table_count, sizeof *r->tables))
        return memory_error(r, error);
    added.waiting = malloc((size_t)(added.waiting_capacity * added.row_bytes));
    if (!added.waiting)
        return memory_error(r, error);
    *index = r->table_count;
    r->tables[r->table_count++] = added;
    return MC_OK;
}

void results_leave_out_empty(results *r, int index)
{
    mc_assert(r->state == DECLARING && r->tables[index].declared.events);
    r->tables[index].optional = true;
}

mc_status results_set_text(results *r, const char *name, const char *text, mc_error *error)
{
    static const char *const own[] = {"format", "complete", "segment", "segment_count"};
    bool taken = !is_word(name);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        taken = taken || strcmp(name, own[i]) == 0;
    if (taken)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "\"%s\" is not a valid name for a text of a results file",
                            name ? name : "");
    int i = 0;
    while (i < r->text_count && strcmp(r->texts[i].name, name) != 0)
        i++;
    char *kept = strdup(text);
    if (kept && i < r->text_count) {
        free(r->texts[i].text);
        r->texts[i].text = kept;
        return MC_OK;
    }
    char *kept_name = strdup(name);
    if (!kept || !kept_name || !grow(&r->texts, r->text_count, sizeof *r->texts)) {
        free(kept);
        free(kept_name);
        return memory_error(r, error);
    }
    r->texts[r->text_count++] = (results_text){kept_name, kept};
    return MC_OK;
}

mc_status results_set_list(results *r, const char *name, const char *const *words, int64_t count,
                           mc_error *error)
{
    if (!is_word(name) || strlen(name) > 100 || is_reserved(name))
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "\"%s\" is not a valid name for a list of a results file",
                            name ? name : "");
    if (count < 1)
        return MC_OK;
    results_list list = {.name = arena_copy_text(&r->memory, name, strlen(name)),
                         .words = arena_alloc(&r->memory, (size_t)count * sizeof *list.words),
                         .count = count};
    bool good = list.name && list.words && grow(&r->lists, r->list_count, sizeof *r->lists);
    for (int64_t i = 0; good && i < count; i++) {
        list.words[i] = arena_copy_text(&r->memory, words[i], strlen(words[i]));
        good = list.words[i] != NULL;
    }
    if (!good)
        return memory_error(r, error);
    int at = 0;
    while (at < r->list_count && strcmp(r->lists[at].name, name) != 0)
        at++;
    r->lists[at] = list;
    r->list_count += at == r->list_count;
    return MC_OK;
}

// ---- files ----

// "out/run.h5", "motion", 3 -> "out/run.motion.0003.h5"; word NULL: "out/run.0003.h5".
static char *numbered_path(const char *path, const char *word, int number)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash) || dot == (slash ? slash + 1 : path))
        dot = path + strlen(path);
    char *made = NULL;
    if (asprintf(&made, "%.*s%s%s.%04d%s", (int)(dot - path), path, word ? "." : "",
                 word ? word : "", number, dot) < 0)
        return NULL;
    return made;
}

static mc_status check_space(const char *path, const results_place *places, int place_count,
                             mc_error *error)
{
    int64_t total = 1 << 20; // names, texts
    for (int i = 0; i < place_count; i++) {
        int64_t row_bytes = 0, bytes = 0;
        if (!results_layout_size(places[i].table, places[i].row_count, &row_bytes, &bytes) ||
            __builtin_add_overflow(total, bytes, &total))
            return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                                "the tables together are larger than any file can be");
    }
    const int64_t space = file_free_space(path);
    if (space >= 0 && total > space)
        return mc_error_set(error, MC_IO, path, 0, 0,
                            "the results need %.3f GB, but only %.3f GB are free on that disk; "
                            "record less often, fewer columns or a shorter time",
                            1e-9 * (double)total, 1e-9 * (double)space);
    return MC_OK;
}

// Makes a file with the rows of places declared and puts it into place under path, which it takes
// over. *index: the new entry of r->files.
static mc_status make_file(results *r, char *path, int64_t segment, results_place *places,
                           int place_count, int *index, mc_error *error)
{
    if (!path || !grow(&r->files, r->file_count, sizeof *r->files)) {
        free(path);
        return memory_error(r, error);
    }
    file_draft draft = {.fd = -1};
    mc_status status = file_draft_open(&draft, path, error);
    if (status == MC_OK && draft.in_place)
        status = mc_error_set(error, MC_IO, path, 0, 0, "is not a regular file, as HDF5 requires");
    if (status == MC_OK)
        status = check_space(draft.target, places, place_count, error);
    const results_head head = {.texts = r->texts,
                               .text_count = r->text_count,
                               .lists = r->lists,
                               .list_count = r->list_count,
                               .segment = segment};
    if (status == MC_OK)
        status = results_layout_declare(draft.fd, path, &head, places, place_count, error);
    const int64_t none = 0; // holes read as 0, but this number must be right
    for (int i = 0; status == MC_OK && i < place_count; i++)
        if (!file_write_at(draft.fd, &none, sizeof none, places[i].count_offset))
            status =
                mc_error_set(error, MC_IO, path, 0, 0, "cannot be written: %s", strerror(errno));
    const int fd = status == MC_OK ? fcntl(draft.fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (status == MC_OK && fd < 0)
        status = mc_error_set(error, MC_IO, path, 0, 0, "cannot be opened: %s", strerror(errno));
    draft.hasty = r->file_count > 0; // a sync would stop the run for a second
    if (status == MC_OK)
        status = file_draft_commit(&draft, error);
    else
        file_draft_abandon(&draft);
    if (status != MC_OK) {
        if (fd >= 0)
            close(fd);
        free(path);
        return status;
    }
    *index = r->file_count;
    r->files[r->file_count++] = (raw_file){path, fd};
    return MC_OK;
}

static piece *last_piece(const table *t)
{
    return &t->pieces[t->piece_count - 1];
}

// Closes files that no table writes to any more: a long run has more segments than descriptors.
static void close_unused(results *r)
{
    for (int i = 0; i < r->file_count; i++) {
        bool used = false;
        for (int k = 0; k < r->table_count; k++)
            used = used || (r->tables[k].piece_count > 0 && last_piece(&r->tables[k])->file == i);
        if (!used && r->files[i].fd >= 0) {
            close(r->files[i].fd);
            r->files[i].fd = -1;
        }
    }
}

// The next file, with the next piece of each of the chosen tables. Nothing may be waiting for them.
static mc_status add_pieces(results *r, char *path, int64_t segment, const int *chosen, int count,
                            mc_error *error)
{
    results_place *places = calloc((size_t)count, sizeof *places);
    bool room = places != NULL;
    for (int i = 0; i < count && room; i++) {
        table *t = &r->tables[chosen[i]];
        mc_assert(t->waiting_count == 0);
        int64_t rows = t->declared.row_count;
        if (t->declared.events && t->piece_count > 0) // twice the last, within reason
            rows = last_piece(t)->capacity << (last_piece(t)->capacity < INT64_C(1) << 40);
        places[i] = (results_place){.table = &t->declared, .row_count = rows};
        room = grow(&t->pieces, t->piece_count, sizeof *t->pieces);
    }
    if (!room) {
        free(path);
        free(places);
        return memory_error(r, error);
    }
    int file = 0;
    const mc_status status = make_file(r, path, segment, places, count, &file, error);
    for (int i = 0; status == MC_OK && i < count; i++) {
        table *t = &r->tables[chosen[i]];
        t->pieces[t->piece_count++] =
            (piece){file, places[i].rows_offset, places[i].count_offset, places[i].row_count, 0};
    }
    free(places);
    close_unused(r);
    return status;
}

// The next segment: all sampled tables, and in the first one the event tables too.
static mc_status add_segment(results *r, mc_error *error)
{
    int *chosen = calloc((size_t)r->table_count, sizeof *chosen);
    if (!chosen || !grow(&r->segments, r->segment_count, sizeof *r->segments)) {
        free(chosen);
        return memory_error(r, error);
    }
    int count = 0;
    for (int i = 0; i < r->table_count; i++)
        if (r->segment_count == 0 || !r->tables[i].declared.events)
            chosen[count++] = i;
    char *path =
        r->segment_count == 0 ? strdup(r->path) : numbered_path(r->path, NULL, r->segment_count);
    const mc_status status = add_pieces(r, path, r->segment_count, chosen, count, error);
    free(chosen);
    if (status == MC_OK)
        r->segments[r->segment_count++] = r->file_count - 1;
    return status;
}

// ---- writing ----

// Rows first, counts after them, so that a count never includes missing rows.
static mc_status flush_rows(results *r)
{
    for (int i = 0; i < r->table_count; i++) {
        const table *t = &r->tables[i];
        const piece *p = last_piece(t);
        if (t->waiting_count > 0 && !file_write_at(r->files[p->file].fd, t->waiting,
                                                   (size_t)(t->waiting_count * t->row_bytes),
                                                   p->rows_offset + p->written * t->row_bytes))
            return mc_error_set(&r->error, MC_IO, r->files[p->file].path, 0, 0,
                                "cannot be written: %s", strerror(errno));
    }
    for (int i = 0; i < r->table_count; i++) {
        table *t = &r->tables[i];
        piece *p = last_piece(t);
        const int64_t count = p->written + t->waiting_count;
        if (t->waiting_count > 0 &&
            !file_write_at(r->files[p->file].fd, &count, sizeof count, p->count_offset))
            return mc_error_set(&r->error, MC_IO, r->files[p->file].path, 0, 0,
                                "cannot be written: %s", strerror(errno));
        p->written = count;
        t->waiting_count = 0;
    }
    r->waiting_bytes = 0;
    r->flushed_at = seconds_now();
    return MC_OK;
}

static void flush_if_due(results *r)
{
    if (r->waiting_bytes > 0 && r->error.code == MC_OK &&
        (r->waiting_bytes >= RESULTS_WAIT_BYTES ||
         seconds_now() - r->flushed_at >= RESULTS_WAIT_SECONDS))
        flush_rows(r);
}

static void *watch_clock(void *context)
{
    results *r = context;
    pthread_mutex_lock(&r->lock);
    while (!r->stopping) {
        flush_if_due(r);
        struct timespec until; // half the wait: no row is older than one and a half
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += (long)(0.5e9 * RESULTS_WAIT_SECONDS);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&r->wake, &r->lock, &until);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

// The thread takes no signals: they are the program's.
static int start_thread(results *r)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int number = pthread_create(&r->thread, NULL, watch_clock, r);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return number;
}

static void stop_thread(results *r)
{
    pthread_mutex_lock(&r->lock);
    r->stopping = true;
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
}

// Removes path.0001, path.0002, ... of an earlier run, the last one first.
static void remove_numbered(const char *path, const char *word)
{
    int count = 0;
    char *name = NULL;
    while ((name = numbered_path(path, word, count + 1)) && results_layout_is_ours(name)) {
        free(name);
        count++;
    }
    free(name);
    for (; count > 0 && (name = numbered_path(path, word, count)); count--) {
        unlink(name);
        free(name);
    }
}

mc_status results_create(results *r, mc_error *error)
{
    mc_assert(r->state == DECLARING);
    if (r->table_count == 0)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0, "no table to record");
    const mc_status status = add_segment(r, error);
    if (status != MC_OK)
        return status;
    remove_numbered(r->path, NULL);
    for (int i = 0; i < r->table_count; i++)
        if (r->tables[i].declared.events)
            remove_numbered(r->path, r->tables[i].declared.name);
    r->flushed_at = seconds_now();
    const int number = start_thread(r);
    if (number != 0)
        return mc_error_set(error, MC_NO_MEMORY, r->path, 0, 0, "cannot start a thread: %s",
                            strerror(number));
    r->state = WRITING;
    return MC_OK;
}

// The table's last piece is full: all that waits is written, then the next file made.
static mc_status roll_over(results *r, int index)
{
    table *t = &r->tables[index];
    if (flush_rows(r) != MC_OK)
        return r->error.code;
    if (!t->declared.events)
        return add_segment(r, &r->error);
    return add_pieces(r, numbered_path(r->path, t->declared.name, t->piece_count), 0, &index, 1,
                      &r->error);
}

mc_status results_write(results *r, int index, const double *row, mc_error *error)
{
    mc_assert(r->state == WRITING && index >= 0 && index < r->table_count);
    pthread_mutex_lock(&r->lock);
    table *t = &r->tables[index];
    const piece *p = last_piece(t);
    if (r->error.code == MC_OK && p->written + t->waiting_count == p->capacity)
        roll_over(r, index);
    if (r->error.code == MC_OK) {
        memcpy(t->waiting + t->waiting_count * t->row_bytes, row, (size_t)t->row_bytes);
        t->waiting_count++;
        r->waiting_bytes += t->row_bytes;
        flush_if_due(r); // a table with a full buffer has RESULTS_WAIT_BYTES by itself
    }
    const mc_status status = r->error.code;
    if (status != MC_OK && error)
        *error = r->error;
    pthread_mutex_unlock(&r->lock);
    return status;
}

mc_status results_flush(results *r, mc_error *error)
{
    mc_assert(r->state == WRITING);
    pthread_mutex_lock(&r->lock);
    if (r->error.code == MC_OK)
        flush_rows(r);
    const mc_status status = r->error.code;
    if (status != MC_OK && error)
        *error = r->error;
    pthread_mutex_unlock(&r->lock);
    return status;
}

// ---- the clean end ----

typedef struct pack_context {
    results *r;
    const int *chosen; // tables of this segment
    int segment;
} pack_context;

// count rows of a piece from its row first on. Files closed long ago are opened for the moment.
static mc_status read_piece(const results *r, const table *t, const piece *p, int64_t first,
                            int64_t count, char *out, mc_error *error)
{
    const raw_file *file = &r->files[p->file];
    const int fd = file->fd >= 0 ? file->fd : open(file->path, O_RDONLY | O_CLOEXEC);
    mc_status status = MC_OK;
    errno = fd < 0 ? errno : 0;
    if (fd < 0 || !file_read_at(fd, out, (size_t)(count * t->row_bytes),
                                p->rows_offset + first * t->row_bytes))
        status = mc_error_set(error, MC_IO, file->path, 0, 0, "cannot be read back: %s",
                              errno ? strerror(errno) : "it is truncated");
    if (fd >= 0 && fd != file->fd)
        close(fd);
    return status;
}

static mc_status read_back(void *context, int place_index, int64_t first, int64_t count,
                           double *values, mc_error *error)
{
    const pack_context *c = context;
    const table *t = &c->r->tables[c->chosen[place_index]];
    // An event table is all its pieces, a sampled one the piece of this segment.
    const int from = t->declared.events ? 0 : c->segment;
    const int to = t->declared.events ? t->piece_count : c->segment + 1;
    char *out = (char *)values;
    mc_status status = MC_OK;
    for (int i = from; i < to && count > 0 && status == MC_OK; i++) {
        const piece *p = &t->pieces[i];
        if (first < p->written) {
            const int64_t here = p->written - first < count ? p->written - first : count;
            status = read_piece(c->r, t, p, first, here, out, error);
            out += here * t->row_bytes;
            count -= here;
            first += here;
        }
        first -= p->written;
    }
    return status;
}

static mc_status pack_segment(results *r, int segment, mc_error *error)
{
    int *chosen = calloc((size_t)r->table_count, sizeof *chosen);
    results_place *places = calloc((size_t)r->table_count, sizeof *places);
    int count = 0;
    for (int i = 0; chosen && places && i < r->table_count; i++) {
        const table *t = &r->tables[i];
        results_place place = {.table = &t->declared};
        if (!t->declared.events)
            place.row_count = t->pieces[segment].written;
        for (int k = 0; t->declared.events && k < t->piece_count; k++)
            place.row_count += t->pieces[k].written;
        if (t->declared.events && (segment > 0 || (t->optional && place.row_count == 0)))
            continue;
        places[count] = place;
        chosen[count++] = i;
    }
    mc_status status = chosen && places ? MC_OK : memory_error(r, error);
    const char *path = r->files[r->segments[segment]].path;
    file_draft draft = {.fd = -1};
    if (status == MC_OK)
        status = file_draft_open(&draft, path, error);
    if (status == MC_OK) {
        const results_head head = {.texts = r->texts,
                                   .text_count = r->text_count,
                                   .lists = r->lists,
                                   .list_count = r->list_count,
                                   .segment = segment,
                                   .segment_count = r->segment_count,
                                   .complete = true};
        pack_context context = {r, chosen, segment};
        status = !draft.in_place
                     ? results_layout_pack(draft.fd, path, &head, places, count, read_back,
                                           &context, error)
                     : mc_error_set(error, MC_IO, path, 0, 0, "is no longer a regular file");
        if (status == MC_OK)
            status = file_draft_commit(&draft, error);
        else
            file_draft_abandon(&draft);
    }
    free(places);
    free(chosen);
    return status;
}

static void remove_overflow(const results *r)
{
    for (int i = 0; i < r->table_count; i++)
        for (int k = 1; r->tables[i].declared.events && k < r->tables[i].piece_count; k++)
            unlink(r->files[r->tables[i].pieces[k].file].path);
}

mc_status results_finish(results *r, mc_error *error)
{
    mc_assert(r->state == WRITING);
    stop_thread(r);
    r->state = FINISHED;
    r->error.code = MC_OK; // another try: there may be room again
    mc_status status = flush_rows(r);
    if (status != MC_OK && error)
        *error = r->error;
    // The first segment comes last: when it is complete everything is.
    for (int i = r->segment_count - 1; i >= 0 && status == MC_OK; i--)
        status = pack_segment(r, i, error);
    if (status == MC_OK)
        remove_overflow(r);
    return status;
}

void results_free(results *r)
{
    if (!r)
        return;
    if (r->state == WRITING) {
        stop_thread(r);
        flush_rows(r);
    }
    for (int i = 0; i < r->table_count; i++) {
        free(r->tables[i].pieces);
        free(r->tables[i].waiting);
    }
    for (int i = 0; i < r->text_count; i++) {
        free(r->texts[i].name);
        free(r->texts[i].text);
    }
    for (int i = 0; i < r->file_count; i++) {
        if (r->files[i].fd >= 0)
            close(r->files[i].fd);
        free(r->files[i].path);
    }
    free(r->tables);
    free(r->texts);
    free(r->lists);
    free(r->files);
    free(r->segments);
    free(r->path);
    arena_free(&r->memory);
    pthread_cond_destroy(&r->wake);
    pthread_mutex_destroy(&r->lock);
    free(r);
}
