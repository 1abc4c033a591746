// happened.c - events and collisions of a run, read from its file.
#include "report/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static mc_status no_memory(const report_run *r, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, r->record.path, 0, 0, "no memory left");
}

// ---- events ----

static int event_order(const void *p, const void *q)
{
    const report_event *a = p, *b = q;
    if (a->t != b->t)
        return a->t < b->t ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

// Copies of the kinds with blanks for '_'.
static const char **kind_words(arena *memory, const char *const *kinds, int count)
{
    const char **out = arena_alloc(memory, (size_t)count * sizeof *out + 8);
    for (int k = 0; k < count && out; k++) {
        char *copy = arena_copy_text(memory, kinds[k], strlen(kinds[k]));
        if (!copy)
            return NULL;
        for (char *c = copy; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        out[k] = copy;
    }
    return out;
}

static report_event event_of(const report_happened *h, const recorded_event *e, int row)
{
    static const char unknown[] = "event of an unknown kind";
    return (report_event){.t = e->t,
                          .number = e->kind,
                          .kind = e->kind >= 0 ? h->kinds[e->kind] : unknown,
                          .words = e->kind >= 0 ? h->kind_words[e->kind] : unknown,
                          .vehicle = e->vehicle,
                          .value = e->value,
                          .order = row};
}

static mc_status read_events(report_run *r, mc_error *error)
{
    report_happened *h = &r->happened;
    recorded_list events;
    mc_status status = recorded_list_read(&r->record, "events", &events, error);
    if (status == MC_OK && recorded_list_time(&events) >= 0) {
        int64_t kind_count;
        h->has_events = true;
        h->kinds = results_reader_list(r->record.file, "event_kinds", &kind_count);
        h->kind_count = (int)kind_count;
        h->kind_words = kind_words(&r->record.memory, h->kinds, h->kind_count);
        h->events = calloc((size_t)events.row_count + 1, sizeof *h->events);
        status = h->events && h->kind_words ? MC_OK : no_memory(r, error);
        for (int64_t i = 0; i < events.row_count && status == MC_OK; i++) {
            recorded_event e;
            if (recorded_event_at(&r->record, &events, i, kind_count, &e))
                h->events[h->event_count++] = event_of(h, &e, (int)i);
            else
                h->left_out++;
        }
        if (status == MC_OK)
            qsort(h->events, (size_t)h->event_count, sizeof *h->events, event_order);
    }
    h->left_out += events.left_out;
    recorded_list_free(&events);
    return status;
}

// ---- collisions ----

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static mc_status list_energies(report_run *r, const results_shape *s, mc_error *error)
{
    report_happened *h = &r->happened;
    h->energies = calloc((size_t)s->column_count + 1, sizeof *h->energies);
    if (!h->energies)
        return no_memory(r, error);
    for (int64_t i = 0; i < s->column_count; i++) {
        const char *name = s->columns[i];
        if (strcmp(s->units[i], "J") == 0)
            h->energies[h->energy_count++] =
                (report_energy){.name = name,
                                .doc = s->docs[i],
                                .when = ends_with(name, "_before")  ? ENERGY_BEFORE
                                        : ends_with(name, "_after") ? ENERGY_AFTER
                                                                    : ENERGY_SUM,
                                .column = i,
                                .less = -1};
    }
    // What the impacts themselves took, where the file has no parts of it.
    const int64_t before = results_shape_find(s, "energy_before");
    const int64_t after = results_shape_find(s, "energy_after");
    bool parts = false;
    for (int k = 0; k < h->energy_count; k++)
        parts = parts || h->energies[k].when == ENERGY_SUM;
    if (!parts && before >= 0 && after >= 0)
        h->energies[h->energy_count++] = (report_energy){
            "lost", "before less after, of all micro-impacts", ENERGY_SUM, before, after};
    return MC_OK;
}

// Which collision an impact belongs to: of its pair, and its time within.
static int collision_at(const report_happened *h, const mc_impact *impact)
{
    int low = 0, high = h->collision_count; // those before `high` began by then
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (h->collisions[middle].first <= impact->time)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = low - 1; i >= 0; i--)
        if (h->collisions[i].a == impact->a && h->collisions[i].b == impact->b)
            return i;
    return -1;
}

// Energies of the collisions. In the file impacts are in the order of time.
static mc_status add_energies(report_run *r, const recorded_list *list, const mc_impact *impacts,
                              const int64_t *rows, int count, mc_error *error)
{
    report_happened *h = &r->happened;
    const size_t n = (size_t)h->collision_count * (size_t)h->energy_count;
    h->energy = calloc(n > 0 ? n : 1, sizeof *h->energy);
    if (!h->energy)
        return no_memory(r, error);
    for (size_t i = 0; i < n; i++)
        h->energy[i] = NAN;
    for (int i = 0; i < count; i++) {
        const int c = collision_at(h, &impacts[i]);
        for (int k = 0; k < h->energy_count && c >= 0; k++) {
            double v = recorded_list_at(list, rows[i], h->energies[k].column);
            if (h->energies[k].less >= 0)
                v -= recorded_list_at(list, rows[i], h->energies[k].less);
            double *e = &h->energy[c * h->energy_count + k];
            if (isnan(*e) || h->energies[k].when == ENERGY_AFTER)
                *e = v;
            else if (h->energies[k].when == ENERGY_SUM)
                *e += v;
        }
    }
    return MC_OK;
}

static mc_status take_impacts(report_run *r, const recorded_list *list, mc_error *error)
{
    report_happened *h = &r->happened;
    mc_impact *impacts = calloc((size_t)list->row_count + 1, sizeof *impacts);
    int64_t *row_of = calloc((size_t)list->row_count + 1, sizeof *row_of);
    int count = 0;
    mc_status status =
        impacts && row_of ? list_energies(r, list->shape, error) : no_memory(r, error);
    for (int64_t i = 0; i < list->row_count && status == MC_OK; i++) {
        row_of[count] = i;
        if (recorded_impact(&r->record, list, i, &impacts[count]))
            count++;
        else
            h->left_out++;
    }
    h->impact_count = count;
    if (status == MC_OK)
        status = mc_collisions_from_impacts(impacts, count, MC_COLLISIONS_QUIET, &h->collisions,
                                            &h->collision_count, error);
    if (status == MC_OK)
        status = add_energies(r, list, impacts, row_of, count, error);
    free(impacts);
    free(row_of);
    return status;
}

static mc_status read_impacts(report_run *r, mc_error *error)
{
    recorded_list list;
    mc_status status = recorded_list_read(&r->record, "impacts", &list, error);
    r->happened.has_impacts = recorded_list_time(&list) >= 0;
    r->happened.left_out += list.left_out;
    if (status == MC_OK && r->happened.has_impacts && list.row_count > 0)
        status = take_impacts(r, &list, error);
    recorded_list_free(&list);
    return status;
}

mc_status report_happened_read(report_run *r, mc_error *error)
{
    const mc_status status = read_events(r, error);
    return status == MC_OK ? read_impacts(r, error) : status;
}
