// request_past.c - questions to the history: rows, exact states, curves, tracks, events.
#include "studio/requests.h"

#include "studio/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The contacts of a world as they are now; to be freed.
static frame_contact *copy_contacts(world *w, int *count)
{
    pthread_mutex_lock(&w->lock);
    const size_t n = (size_t)w->impact_count;
    frame_contact *out = malloc((n + 1) * sizeof *out);
    *count = out ? (int)n : 0;
    if (out && n)
        memcpy(out, w->contacts, n * sizeof *out);
    pthread_mutex_unlock(&w->lock);
    return out;
}

// ---- rows ----

enum {
    MESSAGE_USUAL = 1 << 18,   // bytes of frames that go together
    ROWS_BYTES_MOST = 8 << 20, // of one answer: more could not wait for the page beside the rest
};

static void send_frames(request *r, frame_buffer *buffer)
{
    message *m = buffer->size ? message_frames(buffer) : NULL;
    if (m)
        hub_send(r->page, m);
}

// Evenly thinned, both ends included.
static int thinned(int k, int shown, int count)
{
    return shown < 2 ? 0 : (int)((long long)k * (count - 1) / (shown - 1));
}

// As many of the rows as may go in one answer.
static int rows_that_fit(const history_view *view, int first, int count, int shown,
                         const frame_wish *wish)
{
    double bytes = 0.0;
    for (int k = 0; k < shown; k++) {
        const history_row row = history_view_row(view, first + thinned(k, shown, count));
        bytes += (double)frame_most(&row, wish);
    }
    return bytes > ROWS_BYTES_MOST ? (int)fmax(1.0, shown * (ROWS_BYTES_MOST / bytes)) : shown;
}

static void send_rows(request *r, const history_view *view, int first, int count, int most,
                      frame_wish *wish)
{
    const int shown = rows_that_fit(view, first, count, count < most ? count : most, wish);
    frame_buffer buffer = {0};
    for (int k = 0; k < shown; k++) {
        history_row row = history_view_row(view, first + thinned(k, shown, count));
        wish->flags = FRAME_ANSWER | (k == shown - 1 ? (unsigned)FRAME_LAST : 0);
        row.hash = 0; // f32 rows are no states
        if (!frame_pack(&buffer, &row, wish))
            break;
        if (buffer.size > MESSAGE_USUAL)
            send_frames(r, &buffer);
    }
    send_frames(r, &buffer);
    free(buffer.data);
}

void request_rows(request *r)
{
    world *w;
    double from, to, most;
    frame_wish wish = {0};
    if (!request_number(r, "from", -1e9, 1e9, NAN, &from) ||
        !request_number(r, "to", -1e9, 1e9, NAN, &to) ||
        !request_number(r, "most", 1, ROWS_MOST, ROWS_MOST, &most) ||
        !request_flag(r, "bodies", false, &wish.bodies) ||
        !request_fields(r, (1u << MC_FIELD_COUNT) - 1, &wish.mask))
        return;
    if (r->id < 0) {
        request_refuse(r, "id", "rows are answered by frames that carry the id: it is missing");
        return;
    }
    if (!request_world(r, &w))
        return;
    wish.seq = (uint32_t)r->id;
    wish.world = w->number;
    history_view view;
    frame_contact *contacts = copy_contacts(w, &wish.contact_count);
    wish.contacts = contacts;
    if (contacts && history_look(&w->past, &view)) {
        pthread_mutex_lock(&w->lock);
        wish.step = w->step;
        pthread_mutex_unlock(&w->lock);
        const int first = history_view_at(&view, from);
        int end = history_view_at(&view, to);
        if (end < history_view_rows(&view) && history_view_time(&view, end) <= to + HISTORY_SAME)
            end++;
        if (first < end) {
            send_rows(r, &view, first, end - first, (int)most, &wish);
        } else {
            json_t *none = json_object();
            json_put(none, "rows", json_integer(0));
            request_done(r, none);
        }
        history_view_end(&view);
    }
    free(contacts);
    world_drop(w);
}

// ---- exact states ----

static void send_exact(request *r, world *shown, world *at, uint32_t mask)
{
    frame_buffer buffer = {0};
    if (record_look(r->h, at)) {
        at->now.hash = mc_run_hash(at->run);
        const frame_wish wish = {.seq = r->id < 0 ? 0 : (uint32_t)r->id,
                                 .world = shown->number,
                                 .flags = FRAME_EXACT | FRAME_ANSWER | FRAME_LAST,
                                 .step = mc_run_step_size(at->run),
                                 .mask = mask,
                                 .bodies = true,
                                 .contacts = at->contacts,
                                 .contact_count = at->impact_count};
        if (frame_pack(&buffer, &at->now, &wish))
            send_frames(r, &buffer);
    }
    free(buffer.data);
}

void request_seek(request *r)
{
    world *w;
    double t;
    uint32_t mask;
    if (!request_number(r, "t", -1e9, 1e9, NAN, &t) ||
        !request_fields(r, (1u << MC_FIELD_COUNT) - 1, &mask) || !request_world(r, &w))
        return;
    mc_error error = {0};
    const double began = hub_now();
    t = fmin(fmax(t, w->start), w->end);
    world *at = world_at(r->h, w, t, &error);
    if (!at) {
        request_refuse_error(r, &error);
    } else {
        if (!world_seek(r->h, at, t, &r->way, &r->again, &error))
            request_refuse_error(r, &error);
        else if (!r->again)
            send_exact(r, w, at, mask);
        world_return(r->h, at);
    }
    r->h->busy += hub_now() - began;
    world_drop(w);
}

// ---- tracks ----

static const char *const measures[] = {"error", "jerk", "energy", "ttc"};

// The greatest size of a measure over all cars of a row (ttc: the least). NAN: none has it.
static double measure_row(const history_view *view, int row, int measure)
{
    const history_row now = history_view_row(view, row);
    double best = NAN;
    for (int c = 0; c < now.who->count; c++) {
        double y = NAN;
        if (measure == 0)
            y = fabs(now.s[c] - now.x[c]);
        else if (measure == 1)
            y = fabs((double)now.value[MC_FIELD_JERK][c]);
        else if (measure == 2)
            y = (double)now.value[MC_FIELD_ENERGY][c];
        else
            y = quantity_ttc(view, row, c);
        if (!isnan(y) && (isnan(best) || (measure == 3 ? y < best : y > best)))
            best = y;
    }
    return best;
}

static json_t *track_bins(const history_view *view, double from, double to, int bins, int measure)
{
    double *best = malloc((size_t)bins * sizeof *best);
    for (int b = 0; best && b < bins; b++)
        best[b] = NAN;
    const int rows = history_view_rows(view);
    const int cars = rows ? history_view_row(view, rows - 1).who->count : 0;
    // Some rows a bin are enough where looking at all would take long.
    const long long work = (long long)rows * cars;
    const int stride = work > 4000000 ? (int)(work / 4000000) + 1 : 1;
    for (int row = 0; best && row < rows; row += stride) {
        const double t = history_view_time(view, row);
        int b = (int)((t - from) / (to - from) * bins);
        b = b < 0 ? 0 : b >= bins ? bins - 1 : b;
        const double y = measure_row(view, row, measure);
        if (!isnan(y) && (isnan(best[b]) || (measure == 3 ? y < best[b] : y > best[b])))
            best[b] = y;
    }
    json_t *out = best ? json_values(best, bins) : json_array();
    free(best);
    return out;
}

void request_track(request *r)
{
    world *w;
    const char *name;
    double bins;
    if (!request_text(r, "measure", 16, "error", &name) ||
        !request_number(r, "bins", 1, 4000, 400, &bins))
        return;
    int measure = 0;
    while (measure < 4 && strcmp(measures[measure], name) != 0)
        measure++;
    if (measure == 4) {
        request_refuse(r, "measure", "measure is \"%s\"; allowed is error, jerk, energy, ttc",
                       name);
        return;
    }
    if (!request_world(r, &w))
        return;
    history_view view;
    if (history_look(&w->past, &view)) {
        const int rows = history_view_rows(&view);
        const double from = rows ? history_view_time(&view, 0) : 0.0;
        const double to = rows ? history_view_time(&view, rows - 1) : 0.0;
        json_t *out = json_object();
        json_put(out, "world", json_integer(w->number));
        json_put(out, "measure", json_string(name));
        json_put(out, "from", json_value(from));
        json_put(out, "to", json_value(to));
        json_put(out, "values",
                 to > from ? track_bins(&view, from, to, (int)bins, measure) : json_array());
        request_done(r, out);
        history_view_end(&view);
    }
    world_drop(w);
}

// ---- events ----

// The instant of the greatest jerk of all.
static void put_jerk(json_t *list, world *w)
{
    history_view view;
    if (!history_look(&w->past, &view))
        return;
    const int rows = history_view_rows(&view);
    world_event e = {.t = NAN, .type = "jerk", .value = 0.0};
    for (int row = 0; row < rows; row++) {
        const history_row now = history_view_row(&view, row);
        for (int c = 0; c < now.who->count; c++)
            if (fabs((double)now.value[MC_FIELD_JERK][c]) > fabs(e.value)) {
                e.t = now.t;
                e.value = (double)now.value[MC_FIELD_JERK][c];
                snprintf(e.vehicle, sizeof e.vehicle, "%s", now.who->name[c]);
            }
    }
    snprintf(e.text, sizeof e.text, "greatest jerk, %s, %.2f m/s^3", e.vehicle, e.value);
    if (!isnan(e.t))
        json_array_append_new(list, world_event_json(&e, -1));
    history_view_end(&view);
}

void request_events(request *r)
{
    world *w;
    if (!request_world(r, &w))
        return;
    json_t *out = json_object(), *list = json_array();
    int log_count, count = 0;
    log_entry *log = world_copy_log(w, &log_count);
    pthread_mutex_lock(&w->lock);
    world_event *events = malloc(((size_t)w->event_count + 1) * sizeof *events);
    for (; events && count < w->event_count; count++)
        events[count] = w->events[count];
    pthread_mutex_unlock(&w->lock);
    for (int k = 0; k < count; k++)
        json_array_append_new(
            list, world_event_json(&events[k], world_event_log(log, log_count, &events[k])));
    free(events);
    log_entries_free(log, log_count);
    put_jerk(list, w);
    json_put(out, "world", json_integer(w->number));
    json_put(out, "events", list);
    request_done(r, out);
    world_drop(w);
}
