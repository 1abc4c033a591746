// file.c - rows of a journal, and the public table made of them.
#include "sweep/file.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_LENGTH = 10 }; // of ",01234567\n"

static mc_status no_memory(const char *path, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory for the sweep");
}

// ---- rows ----

static int count_values(const char *row, int length)
{
    bool quoted = false;
    int count = 1;
    for (int k = 0; k < length - 1; k++) {
        quoted ^= row[k] == '"';
        count += row[k] == ',' && !quoted;
    }
    return quoted ? -1 : count;
}

unsigned sweep_row_check(const char *row, int length)
{
    const unsigned long long hash = bytes_hash(BYTES_HASH_START, row, (size_t)length);
    return (unsigned)(hash ^ hash >> 32);
}

// Whether a whole row ends in its check. What else is wrong with it does not matter then.
static bool is_checked(const char *row, int length)
{
    char check[CHECK_LENGTH + 1];
    if (length < CHECK_LENGTH)
        return false;
    const int own = length - CHECK_LENGTH;
    snprintf(check, sizeof check, ",%08x\n", sweep_row_check(row, own));
    return memcmp(row + own, check, CHECK_LENGTH) == 0;
}

// The run of a whole row: its number, the values of its axes, as many values as there are columns.
static int run_of_row(const sweep_plan *p, const char *row, int length)
{
    char start[SWEEP_START_SIZE];
    long run = 0;
    int digits = 0;
    while (digits < 7 && row[digits] >= '0' && row[digits] <= '9')
        run = 10 * run + (row[digits++] - '0');
    if (digits == 0 || row[digits] != ',' || !sweep_plan_has(p, (int)run))
        return -1;
    const int known = sweep_plan_start(p, (int)run, start);
    if (known >= length || memcmp(row, start, (size_t)known) != 0 ||
        memchr(row, '\0', (size_t)length) || count_values(row, length) != sweep_column_count(p) ||
        !is_checked(row, length))
        return -1;
    return (int)run;
}

static int line_of(const sweep_file *f, size_t at)
{
    int line = 1;
    for (size_t k = 0; k < at; k++)
        line += f->text[k] == '\n';
    return line;
}

// bad: place of the first line that is not a row; good rows after it show that the file was not
// just truncated.
static mc_status read_rows(sweep_file *f, size_t head, const char *path, mc_error *error)
{
    size_t bad = 0;
    for (size_t at = head; at < f->size;) {
        const char *end = memchr(f->text + at, '\n', f->size - at);
        const size_t length = end ? (size_t)(end + 1 - f->text) - at : f->size - at;
        const int run =
            end && length < 100000 ? run_of_row(&f->plan, f->text + at, (int)length) : -1;
        if (run < 0 && bad == 0)
            bad = at;
        if (run >= 0 && bad != 0)
            return mc_error_set(
                error, MC_BAD_INPUT, path, line_of(f, bad), 0,
                "this is not a row of the sweep, or it was changed: its checksum does "
                "not match; remove the line to repeat its run");
        if (run >= 0 && f->offset[run] != 0)
            return mc_error_set(error, MC_BAD_INPUT, path, line_of(f, at), 0,
                                "run %d is listed twice; remove one of the lines", run);
        if (run >= 0) {
            f->offset[run] = at;
            f->length[run] = (int)length;
            f->row_count++;
            f->good = at + length;
        }
        at += length;
    }
    if (f->complete && (bad != 0 || f->row_count != sweep_plan_share(&f->plan)))
        return mc_error_set(error, MC_BAD_INPUT, path, bad ? line_of(f, bad) : 0, 0,
                            "the table was changed: it has %d of %d runs; call it a journal in its "
                            "first line to repeat the others",
                            f->row_count, sweep_plan_share(&f->plan));
    return MC_OK;
}

mc_status sweep_file_read(sweep_file *f, const char *path, mc_error *error)
{
    *f = (sweep_file){0};
    size_t head;
    mc_status status = file_read(&f->memory, path, 0, &f->text, &f->size, error);
    if (status == MC_OK)
        status = sweep_plan_read(&f->plan, f->text, path, &head, &f->complete, error);
    if (status != MC_OK)
        return status;
    const size_t runs = (size_t)f->plan.run_count;
    f->offset = arena_alloc(&f->memory, runs * sizeof *f->offset);
    f->length = arena_alloc(&f->memory, runs * sizeof *f->length);
    if (!f->offset || !f->length)
        return no_memory(path, error);
    f->good = head;
    return read_rows(f, head, path, error);
}

void sweep_file_free(sweep_file *f)
{
    sweep_plan_free(&f->plan);
    arena_free(&f->memory);
}

// ---- the public table ----

char *sweep_next_value(char **row)
{
    char *from = *row, *to = from;
    if (!from)
        return NULL;
    bool quoted = false;
    char *at = from;
    for (; *at && *at != '\n' && (quoted || *at != ','); at++) {
        if (*at != '"')
            *to++ = *at;
        else if (quoted && at[1] == '"')
            *to++ = *at++;
        else
            quoted = !quoted;
    }
    *row = *at == ',' ? at + 1 : NULL;
    *to = '\0';
    return from;
}

typedef struct table {
    mc_sweep_table face; // first
    sweep_file file;
} table;

// Numbers as sweep_number writes them.
static bool to_number(const char *text, double *value)
{
    if (!text)
        return false;
    if (strcmp(text, "nan") == 0)
        return (*value = NAN, true);
    if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0)
        return (*value = *text == '-' ? -INFINITY : INFINITY, true);
    return text_to_double(text, value);
}

static bool read_row(const sweep_file *f, int run, mc_sweep_row *out)
{
    char *rest = f->text + f->offset[run];
    out->run = run;
    sweep_next_value(&rest);
    for (int k = 0; k < f->plan.axis_count; k++) {
        sweep_next_value(&rest);
        out->axis[k] = sweep_plan_value(&f->plan, run, k);
    }
    out->ended = sweep_next_value(&rest);
    bool good = to_number(sweep_next_value(&rest), &out->failed);
    for (int k = 0; k < MC_FIGURE_COUNT; k++) {
        out->value[k] = NAN;
        if (sweep_figure_of_run((mc_figure_id)k))
            good = good && to_number(sweep_next_value(&rest), &out->value[k]);
    }
    return good;
}

static mc_status read_table(table *t, const char *path, mc_error *error)
{
    sweep_file *f = &t->file;
    const mc_status status = sweep_file_read(f, path, error);
    if (status != MC_OK)
        return status;
    mc_sweep_row *rows = arena_alloc(&f->memory, (size_t)f->row_count * sizeof *rows);
    if (!rows)
        return no_memory(path, error);
    for (int run = 0, k = 0; run < f->plan.run_count; run++) {
        if (f->offset[run] == 0)
            continue;
        if (!read_row(f, run, &rows[k++]))
            return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                                "a value in the row of run %d is not a number", run);
    }
    t->face = (mc_sweep_table){
        .title = f->plan.title,
        .axes = f->plan.axes,
        .axis_count = f->plan.axis_count,
        .random = f->plan.random,
        .run_count = f->plan.run_count,
        .complete = f->complete,
        .shard = f->plan.shard,
        .shard_count = f->plan.shard_count,
        .rows = rows,
        .row_count = f->row_count,
    };
    return MC_OK;
}

mc_sweep_table *mc_sweep_table_load(const char *path, mc_error *error)
{
    table *t = calloc(1, sizeof *t);
    if (!t) {
        no_memory(path, error);
        return NULL;
    }
    if (read_table(t, path, error) == MC_OK)
        return &t->face;
    sweep_file_free(&t->file);
    free(t);
    return NULL;
}

void mc_sweep_table_free(mc_sweep_table *face)
{
    if (!face)
        return;
    table *t = (table *)face;
    sweep_file_free(&t->file);
    free(t);
}
