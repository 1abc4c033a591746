// suspension.c - a suspension of a concept on a rig.
//
// The derived mechanism of the axle, with its chassis fixed, is driven by mc_kinematics. What
// follows from its rows:
//
//   roll centre   h = y_c dy/dz: the contact point moves across the line to its instant centre,
//                 which meets the middle plane at the height h above the road
//   anti-dive     p (dx/dz) L/h of the contact point, which brakes lock to the carrier; p: share of
//                 the axle, L: wheelbase, h: height of the mass centre. Rear: anti-lift, -(dx/dz)
//   anti-squat    -(dx/dz) L/h of the wheel centre, driven by shafts, of the rear; front: anti-lift
//   wheel rate    d(load)/d(travel), by differences of fourth order between rows
//
// A dependent axle's roll centre comes from opposite travel.
#include "concept/connection.h"
#include "concept/template.h"
#include "motorcade/kinematics.h"
#include "motorcade/suspension_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RAW_DRIVE,
    RAW_X,
    RAW_Y,
    RAW_CAMBER,
    RAW_TOE,
    RAW_CONTACT_Y,
    RAW_CONTACT_Y_RATE,
    RAW_CONTACT_Z_RATE,
    RAW_CONTACT_X_RATE,
    RAW_HUB_X_RATE,
    RAW_HUB_Z_RATE,
    RAW_LOAD,
    RAW_COUNT,
    SPRINGS_MAX = 4,
    RAW_MAX = RAW_COUNT + 2 * SPRINGS_MAX,
};

static const double degree = 3.14159265358979323846 / 180.0;

typedef struct bench {
    const mc_concept *c;
    const mc_suspension_options *o;
    int axle, axle_count; // of a tandem two
    mc_multibody *m;
    mc_driven *driven;
    double *y;
    char drive_name[9][32];
    mc_drive drive[9];
    int drive_count, held_count; // the last ones are held where they are

    const char *spring[SPRINGS_MAX];
    int spring_count;
    mc_driven_column column[RAW_MAX];
    int column_count;
    double *raw;
    int row_count, rows;
} bench;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the rig");
}

// ---- set-up ----

static mc_status load(bench *b, mc_error *error)
{
    const mc_concept *c = b->c;
    const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};
    if (c->axle_count == 0)
        return mc_error_set(error, MC_BAD_INPUT, c->file, 0, 0, "the concept has no axles");
    const mc_concept_options only = {.axle = b->o->axle ? b->o->axle : c->axles[0].name};
    char *text = mc_concept_mechanism(c, &only, error);
    if (!text)
        return error->code;
    while (strcmp(c->axles[b->axle].name, only.axle) != 0)
        b->axle++;
    const suspension_template *kind = c->axles[b->axle].template;
    b->axle_count = kind->axle_count ? kind->axle_count : 1;
    b->m = mc_multibody_parse(text, c->file, &interpreted, error);
    free(text);
    if (!b->m)
        return error->code;
    b->y = calloc((size_t)mc_multibody_info_of(b->m)->y_count + 1, sizeof b->y[0]);
    if (!b->y)
        return no_memory(error);
    mc_multibody_start(b->m, b->y);
    for (int i = 0; i < c->edge_count && b->spring_count < SPRINGS_MAX; i++) {
        const concept_edge *e = &c->edges[i];
        const int part = e->to >= 0 ? e->to : e->from;
        if (e->kind->class == CLASS_SPRING && e->template && e->side > 0 && part >= 0 &&
            c->parts[part].axle == b->axle)
            b->spring[b->spring_count++] = e->name;
        else if (e->kind->class == CLASS_SPRING && e->template && e->side > 0 && part >= 0 &&
                 c->parts[part].kind == PART_SUSPENSION && c->parts[part].side == 0 &&
                 c->parts[part].axle == b->axle)
            b->spring[b->spring_count++] = e->name;
    }
    return MC_OK;
}

static double drawn_height(const bench *b, int axle, int side)
{
    const concept_part *wheel = &b->c->parts[b->c->axles[axle].wheel[side]];
    return wheel->centre[2] - b->c->ground;
}

static void plan_drives(bench *b)
{
    const mc_suspension_options *o = b->o;
    const bool default_range = o->from == 0.0 && o->to == 0.0;
    const double from = default_range ? -0.1 : o->from, to = default_range ? 0.1 : o->to;
    const bool steer = o->motion == MC_SUSPENSION_STEER;
    if (steer) {
        snprintf(b->drive_name[0], sizeof b->drive_name[0], "rack.travel");
        b->drive[b->drive_count++] = (mc_drive){.from = from, .to = to};
    }
    for (int k = 0; k < b->axle_count; k++)
        for (int side = 0; side < 2; side++) {
            const double z = drawn_height(b, b->axle + k, side);
            const double sign = side && o->motion == MC_SUSPENSION_OPPOSITE ? -1.0 : 1.0;
            const int at = b->drive_count + b->held_count;
            snprintf(b->drive_name[at], sizeof b->drive_name[0], "hub_%s%c.z",
                     b->c->axles[b->axle + k].suffix, "lr"[side]);
            b->drive[at] = (mc_drive){.from = z + sign * from, .to = z + sign * to};
            if (steer)
                b->held_count++;
            else
                b->drive_count++;
        }
    for (int k = 0; k < b->drive_count; k++)
        b->drive[k].name = b->drive_name[k];
}

static mc_status create(bench *b, mc_error *error)
{
    const concept_axle *a = &b->c->axles[b->axle];
    const char *body = b->c->bodies[b->c->parts[a->carrier[0]].body].name;
    char camber[200], toe[200];
    const char *hold[9];
    int hold_count = 0;
    if (b->o->motion == MC_SUSPENSION_STEER && !a->steered)
        return mc_error_set(error, MC_BAD_INPUT, b->c->file, 0, 0,
                            "axle %s is not steered; expected travel", a->name);
    plan_drives(b);
    snprintf(camber, sizeof camber, "camber_left=asin(-%s.y_axis.z)", body);
    snprintf(toe, sizeof toe, "toe_left=atan2(%s.y_axis.x, %s.y_axis.y)", body, body);
    const char *let[] = {camber, toe};
    for (int k = 0; k < b->held_count; k++)
        hold[hold_count++] = b->drive_name[b->drive_count + k];
    if (a->steered && b->o->motion != MC_SUSPENSION_STEER)
        hold[hold_count++] = "rack";
    const mc_driven_options o = {.drives = b->drive,
                                 .drive_count = b->drive_count,
                                 .hold = hold,
                                 .hold_count = hold_count,
                                 .let = let,
                                 .let_count = 2};
    b->driven = mc_driven_create(b->m, b->y, &o, error);
    return b->driven ? MC_OK : error->code;
}

static mc_status find_columns(bench *b, mc_error *error)
{
    const char *s = b->c->axles[b->axle].suffix;
    char name[RAW_MAX][80];
    const char *first = b->drive_name[0];
    snprintf(name[RAW_DRIVE], 80, "%s", first);
    snprintf(name[RAW_X], 80, "hub_%sl.x", s);
    snprintf(name[RAW_Y], 80, "hub_%sl.y", s);
    snprintf(name[RAW_CAMBER], 80, "camber_left");
    snprintf(name[RAW_TOE], 80, "toe_left");
    snprintf(name[RAW_CONTACT_Y], 80, "contact_%sl.y", s);
    snprintf(name[RAW_CONTACT_Y_RATE], 80, "rate:contact_%sl.y", s);
    snprintf(name[RAW_CONTACT_Z_RATE], 80, "rate:contact_%sl.z", s);
    snprintf(name[RAW_CONTACT_X_RATE], 80, "rate:contact_%sl.x", s);
    snprintf(name[RAW_HUB_X_RATE], 80, "rate:hub_%sl.x", s);
    snprintf(name[RAW_HUB_Z_RATE], 80, "rate:hub_%sl.z", s);
    snprintf(name[RAW_LOAD], 80, "load:hub_%sl.z", s);
    for (int k = 0; k < b->spring_count; k++) {
        snprintf(name[RAW_COUNT + 2 * k], 80, "%.60s.length", b->spring[k]);
        snprintf(name[RAW_COUNT + 2 * k + 1], 80, "rate:%.60s.length", b->spring[k]);
    }
    b->column_count = RAW_COUNT + 2 * b->spring_count;
    for (int i = 0; i < b->column_count; i++) {
        const mc_status status = mc_driven_column_find(b->driven, name[i], &b->column[i], error);
        if (status != MC_OK)
            return status;
    }
    return MC_OK;
}

// ---- run ----

static void take_row(void *context, double t, const double *values)
{
    bench *b = context;
    (void)t;
    if (b->rows < b->row_count)
        memcpy(b->raw + (size_t)b->rows++ * (size_t)b->column_count, values,
               (size_t)b->column_count * sizeof values[0]);
}

static mc_status drive(bench *b, double *gap, mc_error *error)
{
    mc_driven_report report;
    b->row_count = b->o->row_count > 0 ? b->o->row_count : 21;
    b->raw = calloc((size_t)b->row_count * (size_t)b->column_count, sizeof b->raw[0]);
    if (!b->raw)
        return no_memory(error);
    const mc_driven_output output = {
        .columns = b->column, .column_count = b->column_count, .row = take_row, .context = b};
    const mc_status status = mc_kinematics(b->driven, b->row_count, &output, NULL, &report, error);
    *gap = status == MC_OK ? report.gap : NAN;
    return status;
}

static void bench_free(bench *b)
{
    mc_driven_free(b->driven);
    mc_multibody_free(b->m);
    free(b->y);
    free(b->raw);
}

static mc_status bench_run(bench *b, double *gap, mc_error *error)
{
    mc_status status = load(b, error);
    if (status == MC_OK)
        status = create(b, error);
    if (status == MC_OK)
        status = find_columns(b, error);
    if (status == MC_OK)
        status = drive(b, gap, error);
    return status;
}

// ---- curves ----

static int add(mc_suspension_curves *out, const char *name, const char *unit, const char *doc)
{
    mc_suspension_column *c = &out->column[out->column_count];
    snprintf(c->name, sizeof c->name, "%s", name);
    c->unit = unit;
    c->doc = doc;
    return out->column_count++;
}

// d/dx of evenly spaced values, fourth order: central inside, one-sided at the ends.
static double slope(const double *f, int stride, int count, int i, double h)
{
#define F(k) f[(k)*stride]
    if (count < 5)
        return NAN;
    if (i >= 2 && i + 2 < count)
        return (F(i - 2) - 8.0 * F(i - 1) + 8.0 * F(i + 1) - F(i + 2)) / (12.0 * h);
    const int at = i < 2 ? 0 : count - 5, j = i - at;
    static const double weight[5][5] = {{-25, 48, -36, 16, -3},
                                        {-3, -10, 18, -6, 1},
                                        {1, -8, 0, 8, -1},
                                        {-1, 6, -18, 10, 3},
                                        {3, -16, 36, -48, 25}};
    double sum = 0.0;
    for (int k = 0; k < 5; k++)
        sum += weight[j][k] * F(at + k);
    return sum / (12.0 * h);
#undef F
}

// Height of the roll centre from one row of raw columns, m.
static double roll_centre(const double *raw)
{
    return raw[RAW_CONTACT_Y] * raw[RAW_CONTACT_Y_RATE] / raw[RAW_CONTACT_Z_RATE];
}

// Of a dependent axle: by opposite travel about the drawn position.
static double dependent_roll_centre(const mc_concept *c, const char *axle)
{
    const mc_suspension_options o = {.axle = axle,
                                     .motion = MC_SUSPENSION_OPPOSITE,
                                     .from = -0.002,
                                     .to = 0.002,
                                     .row_count = 5};
    bench b = {.c = c, .o = &o};
    mc_error error;
    double gap, h = NAN;
    if (bench_run(&b, &gap, &error) == MC_OK && b.rows == 5)
        h = roll_centre(b.raw + 2 * b.column_count);
    bench_free(&b);
    return h;
}

typedef struct place_in_curves {
    int drive, camber, toe, x, y, load, rate, roll, brake, drives, length, ratio;
} place_in_curves;

static void name_columns(const bench *b, mc_suspension_curves *out, place_in_curves *p)
{
    const bool steer = b->o->motion == MC_SUSPENSION_STEER;
    const bool front = b->axle == 0;
    p->drive = add(out, steer ? "rack" : "travel", "m", steer ? "of the rack" : "of the wheel, up");
    p->camber = add(out, "camber", "deg", "top outwards");
    p->toe = add(out, "toe", "deg", "toe-in");
    p->x = add(out, "wheelbase_change", "m", "wheel centre forwards");
    p->y = add(out, "track_change", "m", "wheel centre outwards, on each side");
    p->load = add(out, "wheel_load", "N", "force that lifts the wheel centre");
    p->length = out->column_count;
    for (int k = 0; k < b->spring_count; k++) {
        char name[64];
        snprintf(name, sizeof name, "%.24s_length", b->spring[k]);
        add(out, name, "m", "length");
    }
    if (steer)
        return;
    p->ratio = out->column_count;
    for (int k = 0; k < b->spring_count; k++) {
        char name[64];
        snprintf(name, sizeof name, "%.24s_ratio", b->spring[k]);
        add(out, name, "-", "motion ratio: compression per travel");
    }
    p->rate = add(out, "wheel_rate", "N/m", "wheel load per travel");
    p->roll = add(out, "roll_centre", "m", "height above the road");
    p->brake =
        add(out, front ? "anti_dive" : "anti_lift_braking", "%", "braking, brakes in the wheels");
    p->drives = add(out, front ? "anti_lift_driving" : "anti_squat", "%", "driving, by shafts");
}

static void fill(const bench *b, mc_suspension_curves *out, const place_in_curves *p)
{
    const mc_concept *c = b->c;
    const concept_part *wheel = &c->parts[c->axles[b->axle].wheel[0]];
    const suspension_template *kind = c->axles[b->axle].template;
    const bool steer = b->o->motion == MC_SUSPENSION_STEER, front = b->axle == 0;
    mc_concept_dimensions d;
    mc_concept_mass whole;
    mc_concept_measure(c, &d);
    mc_concept_whole(c, &whole);
    const double lever = d.wheelbase / (whole.centre[2] - c->ground);
    const double share = front ? c->brake_front : (1.0 - c->brake_front) / (c->axle_count - 1.0);
    const double fixed = kind->dependent && !steer && b->o->motion != MC_SUSPENSION_OPPOSITE
                             ? dependent_roll_centre(c, c->axles[b->axle].name)
                             : NAN;
    for (int i = 0; i < b->rows; i++) {
        const double *raw = b->raw + (size_t)i * (size_t)b->column_count;
        double *v = out->value + (size_t)i * (size_t)out->column_count;
        v[p->drive] = steer ? raw[RAW_DRIVE] : raw[RAW_DRIVE] - drawn_height(b, b->axle, 0);
        v[p->camber] = raw[RAW_CAMBER] / degree;
        v[p->toe] = raw[RAW_TOE] / degree;
        v[p->x] = raw[RAW_X] - wheel->centre[0];
        v[p->y] = raw[RAW_Y] - wheel->centre[1];
        v[p->load] = raw[RAW_LOAD];
        for (int k = 0; k < b->spring_count; k++)
            v[p->length + k] = raw[RAW_COUNT + 2 * k];
        if (steer)
            continue;
        for (int k = 0; k < b->spring_count; k++)
            v[p->ratio + k] = -raw[RAW_COUNT + 2 * k + 1] / raw[RAW_HUB_Z_RATE];
        const double contact = raw[RAW_CONTACT_X_RATE] / raw[RAW_CONTACT_Z_RATE];
        const double hub = raw[RAW_HUB_X_RATE] / raw[RAW_HUB_Z_RATE];
        const bool alone = !kind->dependent || b->o->motion == MC_SUSPENSION_OPPOSITE;
        const double h = (b->raw[(size_t)(b->rows - 1) * (size_t)b->column_count + RAW_DRIVE] -
                          b->raw[RAW_DRIVE]) /
                         (b->rows - 1.0);
        v[p->rate] = slope(b->raw + RAW_LOAD, b->column_count, b->rows, i, h);
        v[p->roll] = alone ? roll_centre(raw) : fixed;
        v[p->brake] = 100.0 * (front ? 1.0 : -1.0) * share * contact * lever;
        v[p->drives] = 100.0 * (front ? 1.0 : -1.0) * hub * lever;
    }
}

mc_status mc_suspension_measure(const mc_concept *c, const mc_suspension_options *options,
                                mc_suspension_curves *out, mc_error *error)
{
    bench b = {.c = c, .o = options};
    place_in_curves p = {0};
    *out = (mc_suspension_curves){.motion = options->motion};
    mc_status status = bench_run(&b, &out->gap, error);
    if (status == MC_OK) {
        snprintf(out->axle, sizeof out->axle, "%s", c->axles[b.axle].name);
        out->suspension = c->axles[b.axle].template->name;
        name_columns(&b, out, &p);
        out->row_count = b.rows;
        out->value = calloc((size_t)b.rows * (size_t)out->column_count + 1, sizeof out->value[0]);
        if (out->value)
            fill(&b, out, &p);
        else
            status = no_memory(error);
    }
    bench_free(&b);
    if (status != MC_OK)
        mc_suspension_curves_free(out);
    return status;
}

void mc_suspension_curves_free(mc_suspension_curves *curves)
{
    free(curves->value);
    curves->value = NULL;
}
