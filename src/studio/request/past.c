// past.c - questions to the history: rows, exact states, curves, tracks, events.
#include "studio/request/requests.h"

#include "studio/hub/capture.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/log.h"
#include "studio/hub/mail.h"
#include "studio/hub/travel.h"
#include "studio/request/quantity.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The contacts of a branch as they are now; to be freed.
static frame_contact *copy_contacts(branch *b, int *count)
{
    pthread_mutex_lock(&b->lock);
    const size_t n = (size_t)b->impact_count;
    frame_contact *out = malloc((n + 1) * sizeof *out);
    *count = out ? (int)n : 0;
    if (out && n)
        memcpy(out, b->contacts, n * sizeof *out);
    pthread_mutex_unlock(&b->lock);
    return out;
}

// ---- rows ----

enum {
    MAX_ROWS = 2000,
    MESSAGE_USUAL = 1 << 18,  // bytes of frames that go together
    ROWS_BYTES_MAX = 8 << 20, // of one answer: more could not wait for the page beside the rest
};

static void send_frames(request *r, frame_buffer *buffer)
{
    message *m = buffer->size ? message_frames(buffer) : NULL;
    if (m)
        mail_send(r->page, m);
}

// Evenly thinned, both ends included.
static int thinned(int k, int shown, int count)
{
    return shown < 2 ? 0 : (int)((long long)k * (count - 1) / (shown - 1));
}

typedef struct stretch { // rows of a history that are asked for
    history_view view;
    int first, count; // of the view
    int shown;        // of these
    unsigned flags;   // of their frames
} stretch;

static bool stretch_begin(stretch *s, history *of, double from, double to)
{
    if (!history_look(of, &s->view))
        return false;
    s->first = history_view_at(&s->view, from);
    s->count = quantity_end(&s->view, to) - s->first;
    return true;
}

static history_row stretch_row(const stretch *s, int k)
{
    return history_view_row(&s->view, s->first + thinned(k, s->shown, s->count));
}

// As many of the rows as may go in one answer.
static int rows_that_fit(const stretch *s, const frame_spec *spec, double bytes_max)
{
    double bytes = 0.0;
    for (int k = 0; k < s->shown; k++) {
        const history_row row = stretch_row(s, k);
        bytes += (double)frame_size_max(&row, spec);
    }
    return bytes > bytes_max ? (int)(s->shown * (bytes_max / bytes)) : s->shown;
}

// Instants of collisions take the room that the rows leave.
static void choose_rows(stretch *rows, stretch *instants, int max, const frame_spec *spec)
{
    rows->shown = rows->count < max ? rows->count : max;
    const int fit = rows_that_fit(rows, spec, ROWS_BYTES_MAX), left = max - rows->shown;
    const bool thin = fit < rows->count;
    rows->shown = fit < 1 && rows->shown > 0 ? 1 : fit;
    instants->shown = thin ? 0 : instants->count < left ? instants->count : left;
    instants->shown = rows_that_fit(instants, spec, 0.5 * ROWS_BYTES_MAX);
}

// Both in order of time.
static void send_rows(request *r, const stretch *rows, const stretch *instants, frame_spec *spec)
{
    frame_buffer buffer = {0};
    const int all = rows->shown + instants->shown;
    for (int k = 0, i = 0; k + i < all;) {
        const bool between =
            k == rows->shown ||
            (i < instants->shown && stretch_row(instants, i).t < stretch_row(rows, k).t);
        const stretch *from = between ? instants : rows;
        history_row row = stretch_row(from, between ? i++ : k++);
        spec->flags = from->flags | (k + i == all ? (unsigned)FRAME_LAST : 0);
        row.hash = 0; // f32 rows are no states
        if (!frame_pack(&buffer, &row, spec))
            break;
        if (buffer.size > MESSAGE_USUAL)
            send_frames(r, &buffer);
    }
    send_frames(r, &buffer);
    free(buffer.data);
}

static void answer_rows(request *r, branch *b, double from, double to, int max, frame_spec *spec)
{
    stretch rows = {.flags = FRAME_ANSWER}, instants = {.flags = FRAME_ANSWER | FRAME_INSTANT};
    if (!stretch_begin(&rows, &b->past, from, to))
        return;
    if (stretch_begin(&instants, &b->instants, from, to)) {
        choose_rows(&rows, &instants, max, spec);
        if (rows.shown + instants.shown > 0)
            send_rows(r, &rows, &instants, spec);
        else
            request_done(r, json_pack("{s:i}", "rows", 0));
        history_view_end(&instants.view);
    }
    history_view_end(&rows.view);
}

void request_rows(request *r)
{
    branch *b;
    double from, to, max;
    frame_spec spec = {0};
    if (!read_number(r, "from", -1e9, 1e9, NAN, &from) ||
        !read_number(r, "to", -1e9, 1e9, NAN, &to) ||
        !read_number(r, "most", 1, MAX_ROWS, MAX_ROWS, &max) ||
        !read_flag(r, "bodies", false, &spec.bodies) ||
        !read_fields(r, (1u << MC_FIELD_FRAME_COUNT) - 1, &spec.mask))
        return;
    if (r->id < 0) {
        request_reject(r, "id", "id is missing: rows are returned as frames that carry it");
        return;
    }
    if (!read_branch(r, &b))
        return;
    spec.seq = (uint32_t)r->id;
    spec.branch = b->number;
    frame_contact *contacts = copy_contacts(b, &spec.contact_count);
    spec.contacts = contacts;
    pthread_mutex_lock(&b->lock);
    spec.step = b->step;
    pthread_mutex_unlock(&b->lock);
    if (contacts)
        answer_rows(r, b, from, to, (int)max, &spec);
    free(contacts);
    branch_drop(b);
}

// ---- exact states ----

static void send_exact(request *r, branch *shown, branch *at, uint32_t mask)
{
    frame_buffer buffer = {0};
    if (capture_look(r->h, at)) {
        at->now.hash = mc_run_hash(at->run);
        const frame_spec spec = {.seq = r->id < 0 ? 0 : (uint32_t)r->id,
                                 .branch = shown->number,
                                 .flags = FRAME_EXACT | FRAME_ANSWER | FRAME_LAST,
                                 .step = mc_run_step_size(at->run),
                                 .mask = mask,
                                 .bodies = true,
                                 .contacts = at->contacts,
                                 .contact_count = at->impact_count};
        if (frame_pack(&buffer, &at->now, &spec))
            send_frames(r, &buffer);
    }
    free(buffer.data);
}

// An instant of a collision that is nearer to t than any step: its row is the answer. False: there
// is none.
static bool send_instant(request *r, branch *b, double t, uint32_t mask)
{
    history_view view;
    bool sent = false;
    if (history_memory(&b->instants) == 0 || !history_look(&b->instants, &view))
        return false;
    const int rows = history_view_rows(&view);
    int row = history_view_at(&view, t);
    if (row == rows ||
        (row > 0 && t - history_view_time(&view, row - 1) < history_view_time(&view, row) - t))
        row--;
    mc_run_clock clock;
    mc_run_clock_of(b->run, &clock);
    const double phase = (t - clock.first_time) / clock.size;
    const double away = fabs(phase - floor(phase + 0.5)) * clock.size; // from the nearest step
    if (row >= 0 && fabs(history_view_time(&view, row) - t) < away) {
        frame_buffer buffer = {0};
        const history_row at = history_view_row(&view, row);
        const frame_spec spec = {.seq = r->id < 0 ? 0 : (uint32_t)r->id,
                                 .branch = b->number,
                                 .flags = FRAME_EXACT | FRAME_INSTANT | FRAME_ANSWER | FRAME_LAST,
                                 .step = clock.size,
                                 .mask = mask,
                                 .bodies = true,
                                 .contacts = b->contacts,
                                 .contact_count = b->impact_count};
        sent = frame_pack(&buffer, &at, &spec);
        send_frames(r, &buffer);
        free(buffer.data);
    }
    history_view_end(&view);
    return sent;
}

void request_seek(request *r)
{
    branch *b;
    double t;
    uint32_t mask;
    if (!read_number(r, "t", -1e9, 1e9, NAN, &t) ||
        !read_fields(r, (1u << MC_FIELD_FRAME_COUNT) - 1, &mask) || !read_branch(r, &b))
        return;
    mc_error error = {0};
    const double began = hub_now();
    t = fmin(fmax(t, b->start), b->end);
    if (b->run && send_instant(r, b, t, mask)) {
        branch_drop(b);
        return;
    }
    branch *at = travel_holder(r->h, b, t, &error);
    if (!at) {
        request_reject_error(r, &error);
    } else {
        if (!travel_seek(at, t, &r->way, &r->again, &error))
            request_reject_error(r, &error);
        else if (!r->again)
            send_exact(r, b, at, mask);
        travel_return(r->h, at);
    }
    r->h->busy += hub_now() - began;
    branch_drop(b);
}

// ---- tracks ----

static const char *const measures[] = {"spacing_error", "jerk", "energy", "ttc"};

// The largest magnitude of a measure over all cars of a row (ttc: the minimum). NAN: none has it.
static double measure_row(const history_view *view, int row, int measure)
{
    const history_row now = history_view_row(view, row);
    double best = NAN;
    for (int c = 0; c < now.who->count; c++) {
        double y = NAN;
        if (measure == 0)
            y = fabs(history_value(&now, MC_FIELD_SPACING_ERROR, c));
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
    branch *b;
    const char *name;
    double bins;
    if (!read_text(r, "measure", 16, "spacing_error", &name) ||
        !read_number(r, "bins", 1, 4000, 400, &bins))
        return;
    int measure = 0;
    while (measure < 4 && strcmp(measures[measure], name) != 0)
        measure++;
    if (measure == 4) {
        request_reject(r, "measure", "measure is \"%s\"; expected spacing_error, jerk, energy, ttc",
                       name);
        return;
    }
    if (!read_branch(r, &b))
        return;
    history_view view;
    if (history_look(&b->past, &view)) {
        const int rows = history_view_rows(&view);
        const double from = rows ? history_view_time(&view, 0) : 0.0;
        const double to = rows ? history_view_time(&view, rows - 1) : 0.0;
        json_t *out = json_object();
        json_put(out, "world", json_integer(b->number));
        json_put(out, "measure", json_string(name));
        json_put(out, "from", json_value(from));
        json_put(out, "to", json_value(to));
        json_put(out, "values",
                 to > from ? track_bins(&view, from, to, (int)bins, measure) : json_array());
        request_done(r, out);
        history_view_end(&view);
    }
    branch_drop(b);
}

// ---- events ----

// The instant of the maximum jerk of all.
static void put_jerk(json_t *list, branch *b)
{
    history_view view;
    if (!history_look(&b->past, &view))
        return;
    const int rows = history_view_rows(&view);
    branch_event e = {.t = NAN, .type = "jerk", .value = 0.0};
    for (int row = 0; row < rows; row++) {
        const history_row now = history_view_row(&view, row);
        for (int c = 0; c < now.who->count; c++)
            if (fabs((double)now.value[MC_FIELD_JERK][c]) > fabs(e.value)) {
                e.t = now.t;
                e.value = (double)now.value[MC_FIELD_JERK][c];
                snprintf(e.vehicle, sizeof e.vehicle, "%s", now.who->name[c]);
            }
    }
    snprintf(e.text, sizeof e.text, "maximum jerk, %s, %.2f m/s^3", e.vehicle, e.value);
    if (!isnan(e.t))
        json_array_append_new(list, event_json(&e, -1));
    history_view_end(&view);
}

void request_events(request *r)
{
    branch *b;
    if (!read_branch(r, &b))
        return;
    json_t *out = json_object(), *list = json_array();
    int log_count, count = 0;
    log_entry *log = log_copy(b, &log_count);
    pthread_mutex_lock(&b->lock);
    branch_event *events = malloc(((size_t)b->event_count + 1) * sizeof *events);
    for (; events && count < b->event_count; count++)
        events[count] = b->events[count];
    pthread_mutex_unlock(&b->lock);
    for (int k = 0; k < count; k++)
        json_array_append_new(list,
                              event_json(&events[k], event_entry(log, log_count, &events[k])));
    free(events);
    log_entry_free_all(log, log_count);
    put_jerk(list, b);
    json_put(out, "world", json_integer(b->number));
    json_put(out, "events", list);
    request_done(r, out);
    branch_drop(b);
}
