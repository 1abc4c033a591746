// bench.c - mechanisms on the bench: opened, changed, integrated piece by piece.
#include "studio/hub/bench.h"

#include "motorcade/concept.h"
#include "motorcade/linear.h"
#include "motorcade/motion.h"
#include "motorcade/simulate.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 400, ROWS_MAX = 4000, FILE_MAX = 8 << 20 };
static const double LONGEST = 8.0; // s of real time that an integration may take
static const double END = 5.0;     // s, of a file that gives none
static const double SAME = 1e-9;   // s

bench *bench_hold(bench *m)
{
    atomic_fetch_add(&m->refs, 1);
    return m;
}

void bench_drop(bench *m)
{
    if (!m || atomic_fetch_sub(&m->refs, 1) > 1)
        return;
    void *const all[] = {m->text, m->file, m->entries, m->t, m->y, m->outputs, m->piece, m->start};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
    free(m);
}

const char *bench_name(const bench *m)
{
    return m->name;
}

bench *bench_of(branch *b)
{
    pthread_mutex_lock(&b->lock);
    bench *m = b->bench ? bench_hold(b->bench) : NULL;
    pthread_mutex_unlock(&b->lock);
    return m;
}

static void *no_memory(mc_error *error)
{
    mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the mechanism");
    return NULL;
}

// ---- entries ----

mc_multibody *bench_make(const bench *m, double *y, mc_error *error)
{
    mc_multibody *made = mc_multibody_parse(m->text, m->file, NULL, error);
    if (!made)
        return NULL;
    mc_multibody_start(made, y);
    if (bench_apply(m, made, y, -INFINITY, 0.0, error))
        return made;
    mc_multibody_free(made);
    return NULL;
}

bool bench_apply(const bench *m, mc_multibody *to, double *y, double after, double until,
                 mc_error *error)
{
    for (int k = 0; k < m->entry_count; k++) {
        const bench_entry *e = &m->entries[k];
        if (e->kind == BENCH_SET && e->t > after && e->t <= until &&
            mc_simulate_set(to, e->t <= 0.0 ? y : NULL, e->name, e->value, error) != MC_OK)
            return false;
    }
    if (y)
        mc_multibody_normalise(to, y);
    return true;
}

static bool put_entry(bench *m, const bench_entry *e, bool again)
{
    for (int k = 0; k < m->entry_count && (again || e->t <= 0.0); k++) {
        bench_entry *old = &m->entries[k];
        if (old->kind == e->kind && fabs(old->t - e->t) <= SAME &&
            strcmp(old->name, e->name) == 0) {
            *old = *e;
            return true;
        }
    }
    bench_entry *more = realloc(m->entries, ((size_t)m->entry_count + 1) * sizeof *more);
    if (!more)
        return false;
    m->entries = more;
    int at = m->entry_count++;
    for (; at > 0 && more[at - 1].t > e->t + SAME; at--)
        more[at] = more[at - 1];
    more[at] = *e;
    return true;
}

static int body_of(const mc_multibody *m, const char *name)
{
    mc_part_body body;
    for (int i = 0; mc_multibody_body(m, i, &body); i++)
        if (strcmp(body.name, name) == 0)
            return i;
    return -1;
}

// The last push of each body is the one that acts.
void bench_pushes(const bench *m, mc_multibody *of, double t, const double *y, double *tau)
{
    for (int k = 0; k < m->entry_count; k++) {
        const bench_entry *e = &m->entries[k];
        bool acts = e->kind == BENCH_PUSH && e->t <= t + SAME;
        for (int j = k + 1; acts && j < m->entry_count; j++)
            acts = m->entries[j].kind != BENCH_PUSH || m->entries[j].t > t + SAME ||
                   strcmp(m->entries[j].name, e->name) != 0;
        if (acts && (e->force[0] != 0.0 || e->force[1] != 0.0 || e->force[2] != 0.0))
            mc_multibody_push(of, t, y, body_of(of, e->name), e->at, e->force, tau, NULL);
    }
}

int bench_row_at(const bench *m, double t)
{
    int low = 0, high = m->rows - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (m->t[middle] <= t + SAME)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// ---- the integration ----

typedef struct piecewise {
    bench *m;
    mc_multibody *body;
    double from; // s, of this piece: pushes are constant in it
    double since;
} piecewise;

static bool grow(bench *m)
{
    if (m->rows < m->room)
        return true;
    const int room = m->room ? 2 * m->room : 512;
    double *t = realloc(m->t, (size_t)room * sizeof *t);
    m->t = t ? t : m->t;
    double *y = t ? realloc(m->y, (size_t)room * (size_t)(m->y_count + 1) * sizeof *y) : NULL;
    m->y = y ? y : m->y;
    double *outputs =
        y ? realloc(m->outputs, (size_t)room * (size_t)(m->output_count + 1) * sizeof *outputs)
          : NULL;
    m->outputs = outputs ? outputs : m->outputs;
    m->room = outputs ? room : m->room;
    return outputs;
}

static void take_row(void *context, double t, const double *y, const double *outputs)
{
    bench *m = ((piecewise *)context)->m;
    if (m->rows > 0 && t <= m->t[m->rows - 1] + SAME) // a piece begins where the last one ended
        m->rows--;
    if (m->rows >= ROWS_MAX || !grow(m))
        return;
    m->t[m->rows] = t;
    memcpy(m->y + (size_t)m->rows * (size_t)m->y_count, y, (size_t)m->y_count * sizeof *y);
    memcpy(m->outputs + (size_t)m->rows * (size_t)m->output_count, outputs,
           (size_t)m->output_count * sizeof *outputs);
    m->rows++;
}

static bool too_long(void *context)
{
    return hub_now() - ((const piecewise *)context)->since > LONGEST;
}

static void push(void *context, double t, const double *y, double *tau)
{
    (void)t;
    const piecewise *p = context;
    bench_pushes(p->m, p->body, p->from, y, tau);
}

static bool add_piece(bench *m, double t, const double *y)
{
    double *piece = realloc(m->piece, ((size_t)m->piece_count + 1) * sizeof *piece);
    m->piece = piece ? piece : m->piece;
    double *start =
        realloc(m->start, ((size_t)m->piece_count + 1) * (size_t)(m->y_count + 1) * sizeof *start);
    m->start = start ? start : m->start;
    if (!piece || !start)
        return false;
    piece[m->piece_count] = t;
    memcpy(start + (size_t)m->piece_count * (size_t)m->y_count, y, (size_t)m->y_count * sizeof *y);
    m->piece_count++;
    return true;
}

// The next instant after t at which something is done; the end where there is none.
static double next_entry(const bench *m, double t)
{
    double next = m->end;
    for (int k = 0; k < m->entry_count; k++)
        if (m->entries[k].t > t + SAME)
            next = fmin(next, m->entries[k].t);
    return next;
}

static bool is_pushed(const bench *m)
{
    for (int k = 0; k < m->entry_count; k++)
        if (m->entries[k].kind == BENCH_PUSH)
            return true;
    return false;
}

// From t to the end; y is the state at t. False: nothing can be shown.
static bool integrate(bench *m, mc_multibody *body, double t, double *y, mc_error *error)
{
    piecewise p = {.m = m, .body = body, .since = hub_now()};
    const mc_simulate_output output = {.row = take_row, .context = &p};
    const mc_watch watch = {.context = &p, .stop = too_long};
    m->failed[0] = '\0', m->stopped = false, m->steps = 0, m->seconds = 0.0;
    for (mc_status status = MC_OK; status == MC_OK && t < m->end - SAME;) {
        if (!add_piece(m, t, y))
            return no_memory(error);
        const double to = next_entry(m, t);
        const mc_simulate_options options = {.start = t,
                                             .end = to,
                                             .step = fmin(m->row, to - t),
                                             .rtol = 1e-7,
                                             .max_step = fmin(m->end / 50.0, 10.0 * m->row),
                                             .load = is_pushed(m) ? push : NULL,
                                             .load_context = &p};
        mc_simulate_report report = {0};
        p.from = t;
        status = mc_simulate(body, &options, y, &output, &watch, &report, error);
        if (status == MC_BAD_INPUT || m->rows == 0)
            return false;
        snprintf(m->method, sizeof m->method, "%s", report.method);
        m->steps += report.steps, m->seconds += report.seconds;
        m->drift = report.drift, m->conserves = report.conserves && m->piece_count == 1;
        m->stopped = status == MC_INTERRUPTED;
        if (status == MC_FAILED)
            snprintf(m->failed, sizeof m->failed, "%.290s", error->text);
        t = to;
        if (status == MC_OK && !bench_apply(m, body, NULL, t - SAME, t, error))
            return false;
    }
    return true;
}

// ---- making ----

static bench *begin(const char *text, size_t length, const char *shown, mc_error *error)
{
    bench *m = calloc(1, sizeof *m);
    if (!m)
        return no_memory(error);
    atomic_init(&m->refs, 1);
    m->text = strndup(text, length);
    m->file = strdup(shown);
    m->concept = m->text && mc_concept_is_text(m->text);
    if (m->text && m->file)
        return m;
    bench_drop(m);
    return no_memory(error);
}

static void take_info(bench *m, const mc_multibody *body)
{
    m->y_count = mc_multibody_info_of(body)->y_count;
    m->output_count = mc_multibody_info_of(body)->output_count;
    snprintf(m->name, sizeof m->name, "%s", mc_multibody_info_of(body)->name);
}

// Everything again, from its text.
static bool from_the_start(bench *m, mc_error *error)
{
    mc_multibody *body = mc_multibody_parse(m->text, m->file, NULL, error);
    double *y = body ? calloc((size_t)mc_multibody_info_of(body)->y_count + 1, sizeof *y) : NULL;
    bool good = y;
    if (good) {
        take_info(m, body);
        if (!(m->end > 0.0))
            m->end = mc_multibody_end(body) > 0.0 ? mc_multibody_end(body) : END;
        m->row = m->end / (m->row_count > 0 ? m->row_count : ROWS);
        m->rows = m->piece_count = 0;
        mc_multibody_start(body, y);
        good = bench_apply(m, body, y, -INFINITY, 0.0, error) &&
               mc_multibody_assemble(body, 0.0, y, error) == MC_OK;
        mc_error no_rest; // as drawn then; the page shows why
        if (good)
            mc_multibody_settle(body, y, &no_rest);
        good = good && integrate(m, body, 0.0, y, error);
    } else if (body) {
        no_memory(error);
    }
    mc_multibody_free(body);
    free(y);
    return good;
}

// From the start with entries; takes m, which may be NULL.
static bench *begin_with(bench *m, const bench_entry *entries, int count, mc_error *error)
{
    bool good = m;
    for (int k = 0; good && k < count; k++)
        good = put_entry(m, &entries[k], false) || no_memory(error);
    if (good && from_the_start(m, error))
        return m;
    bench_drop(m);
    return NULL;
}

bench *bench_load_with(const char *path, const char *shown, const bench_entry *entries, int count,
                       double end, int rows, mc_error *error)
{
    FILE *in = fopen(path, "rb");
    char *text = malloc(FILE_MAX + 1);
    const size_t n = in && text ? fread(text, 1, FILE_MAX + 1, in) : 0;
    bench *m = NULL;
    if (in)
        fclose(in);
    if (n > 0)
        m = begin(text, n, shown, error);
    else
        mc_error_set(error, MC_IO, shown, 0, 0, "cannot be read");
    free(text);
    if (m) {
        m->end = isnan(end) ? 0.0 : end;
        m->row_count = rows;
    }
    return begin_with(m, entries, count, error);
}

bench *bench_open(const char *text, size_t length, const char *shown, mc_error *error)
{
    return begin_with(begin(text, length, shown, error), NULL, 0, error);
}

bench *bench_from_car(const char *text, const bench_source *source, const bench_entry *entries,
                      int count, mc_error *error)
{
    bench *m = begin(text, strlen(text), source->vehicle, error);
    if (m)
        m->source = *source;
    return begin_with(m, entries, count, error);
}

bench *bench_load(const char *path, const char *shown, mc_error *error)
{
    return bench_load_with(path, shown, NULL, 0, NAN, 0, error);
}

static bool take_recording(bench *m, mc_motion *motion, mc_error *error)
{
    mc_multibody *body = mc_motion_mechanism(motion);
    const int rows = mc_motion_row_count(motion), stride = (rows + ROWS_MAX - 1) / ROWS_MAX;
    take_info(m, body);
    m->recorded = true;
    snprintf(m->method, sizeof m->method, "recorded");
    const int count =
        mc_multibody_info_of(body)->parameter_count + mc_multibody_info_of(body)->input_count;
    m->entries = calloc((size_t)count + 1, sizeof *m->entries);
    if (!m->entries)
        return no_memory(error);
    for (int q = 0; q < 2; q++) {
        const mc_quantity quantity = q ? MC_QUANTITY_INPUT : MC_QUANTITY_PARAMETER;
        const char *name;
        for (int i = 0; (name = mc_multibody_name(body, quantity, i)); i++) {
            bench_entry *e = &m->entries[m->entry_count++];
            *e = (bench_entry){.kind = BENCH_SET};
            snprintf(e->name, sizeof e->name, "%s", name);
            double value = 0.0;
            mc_multibody_get(body, name, &value, NULL);
            snprintf(e->value, sizeof e->value, "%.17g", value);
        }
    }
    piecewise p = {.m = m};
    double *outputs = calloc((size_t)m->output_count + 1, sizeof *outputs);
    for (int k = 0; outputs && k < rows; k += stride) {
        const double t = mc_motion_time(motion, k), *y = mc_motion_state(motion, k);
        mc_multibody_outputs(body, t, y, outputs);
        take_row(&p, t, y, outputs);
    }
    free(outputs);
    if (m->rows == 0)
        return no_memory(error);
    m->end = m->t[m->rows - 1];
    m->row = m->rows > 1 ? m->end / (m->rows - 1) : 0.02;
    return add_piece(m, m->t[0], m->y) || no_memory(error);
}

bench *bench_recorded(const char *path, const char *shown, mc_error *error)
{
    mc_motion *motion = mc_motion_load(path, error);
    if (!motion)
        return NULL;
    const char *text = mc_multibody_text(mc_motion_mechanism(motion));
    bench *m = begin(text, strlen(text), shown, error);
    if (m && !take_recording(m, motion, error)) {
        bench_drop(m);
        m = NULL;
    }
    mc_motion_free(motion);
    return m;
}

// ---- changing ----

static bench *copy_of(const bench *from, mc_error *error)
{
    bench *m = begin(from->text, strlen(from->text), from->file, error);
    if (!m)
        return NULL;
    memcpy(m->name, from->name, sizeof m->name);
    memcpy(m->method, from->method, sizeof m->method);
    m->recorded = from->recorded;
    m->source = from->source;
    m->y_count = from->y_count, m->output_count = from->output_count;
    m->end = from->end, m->row = from->row, m->row_count = from->row_count;
    m->entries = malloc(((size_t)from->entry_count + 1) * sizeof *m->entries);
    if (!m->entries) {
        bench_drop(m);
        return no_memory(error);
    }
    if (from->entry_count)
        memcpy(m->entries, from->entries, (size_t)from->entry_count * sizeof *m->entries);
    m->entry_count = from->entry_count;
    return m;
}

// Rows and pieces before t; *y is the state at the last place before t from which it can be
// integrated, whose time is the answer.
static double share_past(bench *m, const bench *from, double t, double *y)
{
    const size_t n = (size_t)m->y_count;
    int piece = 0;
    while (piece + 1 < from->piece_count && from->piece[piece + 1] <= t + SAME)
        piece++;
    double begin = from->piece[piece];
    const double *state = from->start + (size_t)piece * n;
    if (from->recorded && piece == 0) { // rows of a recording are all there is
        const int row = bench_row_at(from, t);
        begin = from->t[row];
        state = from->y + (size_t)row * n;
        piece = 1;
    }
    memcpy(y, state, n * sizeof *y);
    piecewise p = {.m = m};
    for (int k = 0; k < from->rows && from->t[k] < begin - SAME; k++)
        take_row(&p, from->t[k], from->y + (size_t)k * n,
                 from->outputs + (size_t)k * (size_t)from->output_count);
    for (int k = 0; k < piece; k++)
        add_piece(m, from->piece[k], from->start + (size_t)k * n);
    return begin;
}

static bool resume(bench *m, const bench *from, double t, mc_error *error)
{
    double *y = calloc((size_t)m->y_count + 1, sizeof *y),
           *unused = calloc((size_t)m->y_count + 1, sizeof *y);
    mc_multibody *body = NULL;
    bool good = y && unused;
    if (!good)
        no_memory(error);
    if (good) {
        const double begin = share_past(m, from, t, y);
        body = bench_make(m, unused, error);
        good = body && bench_apply(m, body, NULL, 0.0, begin, error) &&
               integrate(m, body, begin, y, error);
    }
    mc_multibody_free(body);
    free(y);
    free(unused);
    return good;
}

bench *bench_change(const bench *from, const bench_entry *added, int count, bool again, double end,
                    mc_error *error)
{
    bench *m = copy_of(from, error);
    double first = isnan(end) ? INFINITY : fmin(end, from->t[from->rows - 1]);
    bool good = m;
    for (int k = 0; good && k < count; k++) {
        good = put_entry(m, &added[k], again) || no_memory(error);
        first = fmin(first, added[k].t);
    }
    if (good && !isnan(end))
        m->end = end;
    if (good && !isfinite(first)) // nothing is changed: the same again
        first = m->end;
    if (good)
        good = first <= 0.0 && !from->recorded ? from_the_start(m, error)
                                               : resume(m, from, fmax(first, 0.0), error);
    if (good)
        return m;
    bench_drop(m);
    return NULL;
}

bool bench_is_concept(const bench *m)
{
    return m->concept;
}

bench *bench_with_text(const bench *from, const char *text, double end, mc_error *error)
{
    bench *m = begin(text, strlen(text), from->file, error);
    bool good = m;
    for (int k = 0; good && k < from->entry_count; k++)
        if (from->entries[k].t <= 0.0)
            good = put_entry(m, &from->entries[k], false) || no_memory(error);
    if (good) {
        m->end = isnan(end) ? 0.0 : end;
        m->row_count = from->row_count;
        good = from_the_start(m, error);
    }
    if (good)
        return m;
    bench_drop(m);
    return NULL;
}

// ---- as a branch ----

// Pages know a world by its road and vehicles; this one has none.
static json_t *bare_world(void)
{
    static const char text[] =
        "{\"road\":{\"lanes\":1,\"lane_width\":3.5,\"headway\":null,\"distance\":null,\"speed\":"
        "null,"
        "\"commanded\":[],\"grades\":[],\"friction\":[],\"formula\":null,\"ersc\":0,\"ersc_start\":"
        "0,"
        "\"sections\":[],\"profile\":{\"from\":0,\"step\":1000,\"z\":[0,0]},\"plan\":0},"
        "\"platoons\":[],\"models\":[],\"catalogue\":[],\"profiles\":[],\"controllers\":[],"
        "\"vehicles\":[],\"format\":\"mechanism\"}";
    return json_loads(text, 0, NULL);
}

// What was done to it is marked on the timeline; of a push its beginning.
static void mark_entries(branch *b)
{
    const bench *m = b->bench;
    branch_event *events = calloc((size_t)m->entry_count + 1, sizeof *events);
    if (!events)
        return;
    int count = 0;
    bool pushed = false;
    for (int k = 0; k < m->entry_count; k++) {
        const bench_entry *e = &m->entries[k];
        const bool push = e->kind == BENCH_PUSH;
        const bool off = push && e->force[0] == 0.0 && e->force[1] == 0.0 && e->force[2] == 0.0;
        if (e->t > 0.0 && !(push && (pushed || off))) {
            branch_event *to = &events[count++];
            *to = (branch_event){.t = e->t, .type = "command", .value = NAN};
            if (push)
                snprintf(to->text, sizeof to->text, "push %.60s", e->name);
            else
                snprintf(to->text, sizeof to->text, "%.60s = %.40s", e->name, e->value);
        }
        pushed = push && !off;
    }
    free(b->events);
    b->events = events;
    b->event_count = count, b->event_room = m->entry_count + 1;
}

void bench_describe(branch *b)
{
    const bench *m = b->bench;
    mark_entries(b);
    json_t *out = bare_world();
    json_put(out, "file", json_string(m->file));
    json_put(out, "recorded", json_boolean(m->recorded));
    if (m->source.vehicle[0])
        json_put(out, "source",
                 json_pack("{s:i,s:s,s:f}", "world", m->source.world, "vehicle", m->source.vehicle,
                           "t", m->source.t));
    json_put(out, "concept", json_boolean(m->concept));
    char *text = json_dumps(out, JSON_COMPACT);
    json_decref(out);
    free(b->text);
    b->text = text;
    b->state = m->failed[0] ? BRANCH_FAILED : BRANCH_ENDED;
    snprintf(b->message, sizeof b->message, "%.250s", m->failed);
    b->start = m->t[0];
    b->end = m->t[m->rows - 1];
    b->limit = m->end;
    b->row = b->step = m->row;
    b->version++;
}

branch *bench_branch(bench *m, const char *name)
{
    branch *b = branch_create(name);
    if (!b)
        return NULL;
    b->replay = true;
    b->bench = bench_hold(m);
    bench_describe(b);
    if (b->text)
        return b;
    branch_drop(b);
    return NULL;
}
