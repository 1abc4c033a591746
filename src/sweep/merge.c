// merge.c - the shards of a sweep in one table.
#include "base/file.h"
#include "sweep/file.h"
#include "sweep/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct merging {
    sweep_file *files;
    const char *const *paths;
    int file_count;
    int *owner; // of each run: number of the file + 1; 0: none
    mc_sweep_merged *report;
    mc_error *error;
} merging;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the sweep");
}

// "3, 17-20, ..." of the runs for which has() is true; *count of them.
static void list_runs(const bool *has, int run_count, char *out, size_t size, int *count)
{
    size_t used = 0;
    out[0] = '\0';
    *count = 0;
    for (int run = 0, last; run < run_count; run = last + 1) {
        last = run;
        if (!has[run])
            continue;
        while (last + 1 < run_count && has[last + 1])
            last++;
        *count += last - run + 1;
        if (used + 40 > size)
            continue;
        used += (size_t)snprintf(out + used, size - used, last > run ? "%s%d-%d" : "%s%d",
                                 used ? ", " : "", run, last);
        if (used + 40 > size)
            snprintf(out + used, size - used, ", ...");
    }
}

static mc_status check_head(const merging *m, int file)
{
    sweep_plan first = m->files[0].plan, other = m->files[file].plan;
    first.shard = first.shard_count = other.shard = other.shard_count = 1;
    char *a = sweep_plan_head(&first, false), *b = sweep_plan_head(&other, false);
    mc_status status = a && b ? MC_OK : no_memory(m->error);
    if (status == MC_OK && strcmp(a, b) != 0)
        status = mc_error_set(m->error, MC_BAD_INPUT, m->paths[file], 0, 0,
                              "belongs to another sweep than %s: scenario, axes or version differ",
                              m->paths[0]);
    free(a);
    free(b);
    return status;
}

static mc_status take_file(merging *m, int file, bool *twice)
{
    const sweep_file *f = &m->files[file];
    for (int run = 0; run < f->plan.run_count; run++) {
        if (f->offset[run] == 0)
            continue;
        if (m->owner[run] == 0) {
            m->owner[run] = file + 1;
            continue;
        }
        const sweep_file *g = &m->files[m->owner[run] - 1];
        if (f->length[run] != g->length[run] ||
            memcmp(f->text + f->offset[run], g->text + g->offset[run], (size_t)f->length[run]) != 0)
            return mc_error_set(m->error, MC_BAD_INPUT, m->paths[file], 0, 0,
                                "run %d differs from that in %s; one of the two files is wrong",
                                run, m->paths[m->owner[run] - 1]);
        twice[run] = true;
    }
    return MC_OK;
}

// The table may have been there, with rows of its own.
static bool has_same_row(const sweep_journal *j, int run, const sweep_file *f)
{
    const size_t length = (size_t)f->length[run];
    char *there = j->length[run] == f->length[run] ? malloc(length) : NULL;
    const bool same = there && file_read_at(j->fd, there, length, j->offset[run]) &&
                      memcmp(there, f->text + f->offset[run], length) == 0;
    free(there);
    return same;
}

static mc_status write_table(merging *m, const char *table, bool *missing)
{
    sweep_plan plan = m->files[0].plan;
    plan.shard = plan.shard_count = 1;
    sweep_journal j;
    mc_status status = sweep_journal_open(&j, table, &plan, m->error);
    if (status != MC_OK)
        return status;
    for (int run = 0; run < plan.run_count && status == MC_OK; run++) {
        const sweep_file *f = m->owner[run] ? &m->files[m->owner[run] - 1] : NULL;
        if (f && j.offset[run] != 0 && !has_same_row(&j, run, f))
            status = mc_error_set(m->error, MC_BAD_INPUT, table, 0, 0,
                                  "run %d differs from that in %s; one of the two is wrong", run,
                                  m->paths[m->owner[run] - 1]);
        else if (f && j.offset[run] == 0)
            status = sweep_journal_add(&j, run, f->text + f->offset[run], f->length[run], m->error);
        missing[run] = j.offset[run] == 0;
    }
    if (status == MC_OK && !j.complete)
        status = sweep_journal_sort(&j, &plan, m->error);
    sweep_journal_close(&j);
    return status;
}

static mc_status merge(merging *m, const char *table)
{
    mc_status status = MC_OK;
    for (int k = 0; k < m->file_count && status == MC_OK; k++) {
        status = sweep_file_read(&m->files[k], m->paths[k], m->error);
        if (status == MC_OK && k > 0)
            status = check_head(m, k);
    }
    if (status != MC_OK)
        return status;
    const size_t runs = (size_t)m->files[0].plan.run_count;
    bool *marks = calloc(2 * runs, sizeof *marks);
    m->owner = calloc(runs, sizeof *m->owner);
    if (!m->owner || !marks)
        status = no_memory(m->error);
    for (int k = 0; k < m->file_count && status == MC_OK; k++)
        status = take_file(m, k, marks);
    if (status == MC_OK)
        status = write_table(m, table, marks + runs);
    if (status == MC_OK) {
        mc_sweep_merged *r = m->report;
        r->runs = (int)runs;
        list_runs(marks, (int)runs, r->twice_list, sizeof r->twice_list, &r->twice);
        list_runs(marks + runs, (int)runs, r->missing_list, sizeof r->missing_list, &r->missing);
    }
    free(marks);
    free(m->owner);
    return status;
}

mc_status mc_sweep_merge(const char *const *files, int file_count, const char *table,
                         mc_sweep_merged *merged, mc_error *error)
{
    mc_error own;
    mc_sweep_merged unused;
    merging m = {.paths = files,
                 .file_count = file_count,
                 .report = merged ? merged : &unused,
                 .error = error ? error : &own};
    if (file_count < 1)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "no tables to merge");
    m.files = calloc((size_t)file_count, sizeof *m.files);
    if (!m.files)
        return no_memory(m.error);
    const mc_status status = merge(&m, table);
    for (int k = 0; k < file_count; k++)
        sweep_file_free(&m.files[k]);
    free(m.files);
    return status;
}
