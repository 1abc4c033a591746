// sweep.c - the sweep's thread.
#include "studio/hub/sweep.h"

#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/mail.h"
#include "studio/hub/message.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static json_t *place_json(const sweep *s, int run)
{
    const mc_sweep_axis *axes;
    const int count = mc_sweep_axes(s->grid, &axes);
    json_t *list = json_array();
    int place[MC_SWEEP_AXIS_MAX];
    for (int k = count - 1; k >= 0; k--) { // the last axis changes fastest
        place[k] = run % axes[k].count;
        run /= axes[k].count;
    }
    for (int k = 0; k < count; k++)
        json_array_append_new(list, json_integer(place[k]));
    return list;
}

static json_t *cell_json(const sweep *s, const mc_sweep_row *row)
{
    json_t *cell = json_object(), *values = json_object();
    for (int f = 0; f < MC_FIGURE_COUNT; f++)
        if (mc_figure_table[f].over != MC_FIGURE_OVER_NONE)
            json_put(values, mc_figure_table[f].name, json_value(row->value[f]));
    json_put(cell, "i", place_json(s, row->run));
    json_put(cell, "run", json_integer(row->run));
    json_put(cell, "ended", json_string(row->ended));
    json_put(cell, "failed", json_value(row->failed));
    json_put(cell, "values", values);
    return cell;
}

// Rows of the journal that were not told yet.
static void tell_cells(sweep *s, const mc_sweep_counts *counts, const char *error)
{
    json_t *cells = json_array(), *out = json_object();
    mc_error unused;
    mc_sweep_table *table = mc_sweep_table_load(s->table, &unused);
    for (int k = 0; table && k < table->row_count; k++) {
        const mc_sweep_row *row = &table->rows[k];
        if (row->run < 0 || row->run >= s->runs || s->told[row->run])
            continue;
        s->told[row->run] = true;
        json_array_append_new(cells, cell_json(s, row));
    }
    mc_sweep_table_free(table);
    const int done = counts->found + counts->done;
    json_put(out, "kind", json_string("cells"));
    json_put(out, "sweep", json_integer(s->number));
    json_put(out, "done", json_integer(done));
    json_put(out, "runs", json_integer(s->runs));
    json_put(out, "left", json_integer(s->runs - done));
    json_put(out, "over", json_boolean(atomic_load(&s->over)));
    if (error)
        json_put(out, "reason", json_string(error));
    json_put(out, "cells", cells);
    mail_broadcast(s->h, message_text(out), NULL);
}

static void progress(void *context, double runs)
{
    (void)runs;
    sweep *s = context;
    const double now = hub_now();
    if (now - s->last < 0.25)
        return;
    s->last = now;
    const mc_sweep_counts counts = mc_sweep_count(s->grid);
    tell_cells(s, &counts, NULL);
}

static bool stopped(void *context)
{
    sweep *s = context;
    return atomic_load(&s->stop);
}

static void *sweep_thread(void *context)
{
    sweep *s = context;
    mc_error error = {0};
    setpriority(PRIO_PROCESS, (id_t)gettid(), 10); // of this thread alone
    const mc_watch watch = {s, stopped, progress};
    const mc_status status = mc_sweep_play(s->grid, &watch, &error);
    const mc_sweep_counts counts = mc_sweep_count(s->grid);
    atomic_store(&s->over, true);
    tell_cells(s, &counts,
               status == MC_OK            ? NULL
               : status == MC_INTERRUPTED ? "stopped"
                                          : error.text);
    return NULL;
}

bool sweep_start(sweep *s)
{
    return pthread_create(&s->thread, NULL, sweep_thread, s) == 0;
}

void sweep_free(sweep *s)
{
    mc_sweep_close(s->grid);
    unlink(s->table);
    free(s->path);
    free(s->text);
    for (int k = 0; k < s->vary_count; k++)
        free(s->vary[k]);
    free(s->set);
    free(s->told);
    free(s);
}

void sweep_end(hub *h)
{
    sweep *s = h->sweep;
    if (!s)
        return;
    atomic_store(&s->stop, true);
    pthread_join(s->thread, NULL);
    sweep_free(s);
    h->sweep = NULL;
}
