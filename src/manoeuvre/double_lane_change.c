// double_lane_change.c - through two lane changes between cones: which are hit, how fast it can go.
//
// The driver is a steering law along a path: from the middle of one lane to that of the next by a
// polynomial of fifth degree, S(z) = z^3 (10 - 15 z + 6 z^2), that begins and ends `reach` metres
// inside the lanes: a long way is gentle, but turns the car before it has left the lane. Which one
// is best depends on the speed and the car; without a given one several are tried. The law is that
// of `preview` (control/steering_preview.c) with the path as its reference; the place along it is a
// state, s' = v.
#include "manoeuvre/manoeuvre.h"

#include <math.h>
#include <stdio.h>

enum { SPEED, REACH, FREQUENCY, LOOK_AHEAD, YAW_DAMPING, CONES, SEARCH, SHIFT, EXIT_WIDTH, PARAMS };

static const mc_param params_1[PARAMS] = {
    [SPEED] = {"speed", "m/s", 15.0, 2.0, 80.0, "at which it is driven"},
    [REACH] = {"reach", "m", 0.0, 0.0, 12.0,
               "into each lane, where the path begins to turn; 0: the best of 1 .. 10 m"},
    [FREQUENCY] = {"frequency", "rad/s", 4.0, 0.1, 10.0, "of the driver: decay of offsets"},
    [LOOK_AHEAD] = {"look_ahead", "s", 0.2, 0.0, 2.0, "of the driver"},
    [YAW_DAMPING] = {"yaw_damping", "s", 0.1, 0.0, 2.0, "of the driver"},
    [CONES] = {"cone_spacing", "m", 3.0, 0.5, 10.0, "along the borders of a lane"},
    [SEARCH] = {"search", "-", 1.0, 0.0, 1.0, "1: find the highest speed without a hit cone too"},
    [SHIFT] = {"lane_offset", "m", 3.5, 0.5, 10.0, "from the middle of one lane to the other"},
    [EXIT_WIDTH] = {"exit_width", "m", 0.0, 0.0, 10.0, "of the last lane; 0: 1.3 b + 0.25"},
};

static const mc_param params_2[PARAMS] = {
    [SPEED] = {"speed", "m/s", 15.0, 2.0, 80.0, "at which it is driven"},
    [REACH] = {"reach", "m", 0.0, 0.0, 12.0,
               "into each lane, where the path begins to turn; 0: the best of 1 .. 10 m"},
    [FREQUENCY] = {"frequency", "rad/s", 4.0, 0.1, 10.0, "of the driver: decay of offsets"},
    [LOOK_AHEAD] = {"look_ahead", "s", 0.2, 0.0, 2.0, "of the driver"},
    [YAW_DAMPING] = {"yaw_damping", "s", 0.1, 0.0, 2.0, "of the driver"},
    [CONES] = {"cone_spacing", "m", 3.0, 0.5, 10.0, "along the borders of a lane"},
    [SEARCH] = {"search", "-", 1.0, 0.0, 1.0, "1: find the highest speed without a hit cone too"},
    [SHIFT] = {"lane_gap", "m", 1.0, 0.0, 10.0, "between the facing borders of the lanes"},
    [EXIT_WIDTH] = {"exit_width", "m", 3.0, 0.0, 10.0, "of the last lane; 0: 1.3 b + 0.25"},
};

static const mc_manoeuvre_figure figures[] = {
    {"cones_hit", "-", "of the drive at `speed`"},
    {"smallest.clearance", "m", "from the outline to the nearest cone; below 0: the cone is hit"},
    {"highest_speed", "m/s", "without a hit cone, from below; NAN: not searched, or none"},
    {"largest.a_y", "m/s^2", "largest lateral acceleration"},
    {"largest.side_slip", "rad", "largest side slip"},
    {"largest.steer", "rad", "largest steering angle asked for"},
    {"speed_end", "m/s", "speed at the end"},
};

typedef struct lane { // of cones
    double from, to;  // m
    double y, width;  // m, middle, from border to border
} lane;

typedef struct course {
    lane lanes[3];
    double out, back; // m, lengths of the sections between them
} course;

static const double BEFORE = 60.0; // m, straight on before the first cone

static course course_of(const manoeuvre_bench *b, bool second)
{
    static const double length[2][5] = {{15.0, 30.0, 25.0, 25.0, 30.0},
                                        {12.0, 13.5, 11.0, 12.5, 12.0}};
    const double w = b->width, *l = length[second];
    const double entry = 1.1 * w + 0.25, side = second ? w + 1.0 : 1.2 * w + 0.25;
    const double leave = b->p[EXIT_WIDTH] > 0.0 ? b->p[EXIT_WIDTH] : 1.3 * w + 0.25;
    const double aside = second ? 0.5 * entry + b->p[SHIFT] + 0.5 * side : b->p[SHIFT];
    const double a = BEFORE + l[0], c = a + l[1], d = c + l[2], e = d + l[3];
    return (course){
        .lanes = {{BEFORE, a, 0.0, entry}, {c, d, aside, side}, {e, e + l[4], 0.0, leave}},
        .out = l[1],
        .back = l[3]};
}

// ---- driving ----

static mc_status drive_course(manoeuvre_bench *b, const course *c, double speed, double reach,
                              mc_error *error)
{
    char steering[2600], hold[120];
    const double D = c->lanes[1].y;
    const double from1 = c->lanes[0].to - reach, long1 = c->out + 2.0 * reach;
    const double from2 = c->lanes[1].to - reach, long2 = c->back + 2.0 * reach;
    snprintf(
        steering, sizeof steering,
        "{law: {parameters: {look_ahead: {value: %.17g, unit: s}}, states: {s: {rate: v, unit: "
        "m}}, variables: {"
        "z1: \"clamp((s/1 [m] - %.17g)/%.17g, 0, 1)\", z2: \"clamp((s/1 [m] - %.17g)/%.17g, 0, "
        "1)\", "
        "n1: \"clamp(((s + ahead)/1 [m] - %.17g)/%.17g, 0, 1)\", "
        "n2: \"clamp(((s + ahead)/1 [m] - %.17g)/%.17g, 0, 1)\", "
        "path: \"%.17g [m]*(z1^3*(10 - 15*z1 + 6*z1^2) - z2^3*(10 - 15*z2 + 6*z2^2))\", "
        "slope: \"%.17g*(30*z1^2*(1 - z1)^2/%.17g - 30*z2^2*(1 - z2)^2/%.17g)\", "
        "bend: \"%.17g [1/m]*(60*z1*(1 - z1)*(1 - 2*z1)/%.17g - 60*z2*(1 - z2)*(1 - "
        "2*z2)/%.17g)\", "
        "next: \"%.17g [1/m]*(60*n1*(1 - n1)*(1 - 2*n1)/%.17g - 60*n2*(1 - n2)*(1 - "
        "2*n2)/%.17g)\", "
        "rate: \"v*sin(heading) + v_y*cos(heading) - v*slope\"}, "
        "steer: \"clamp(turn_gain*(next - %.17g [1/s]*(%.17g [1/s]*(offset - path) + "
        "2*rate)/max(v*v, 25 [m^2/s^2])) - %.17g [s]*(yaw_rate - v*bend), -0.5, 0.5)\"}}",
        b->p[LOOK_AHEAD], from1, long1, from2, long2, from1, long1, from2, long2, D, D, long1,
        long2, D, long1 * long1, long2 * long2, D, long1 * long1, long2 * long2, b->p[FREQUENCY],
        b->p[FREQUENCY], b->p[YAW_DAMPING]);
    manoeuvre_hold(speed, hold);
    const manoeuvre_drive d = {.speed = speed,
                               .end = round(100.0 * (c->lanes[2].to + 30.0) / speed) / 100.0,
                               .steering = steering,
                               .acceleration = hold};
    return manoeuvre_drive_on(b, &d, error);
}

// ---- cones ----

static void set_cones(manoeuvre_bench *b, const course *c)
{
    b->cone_count = 0;
    for (int k = 0; k < 3; k++) {
        const lane *l = &c->lanes[k];
        const int count = (int)ceil((l->to - l->from) / b->p[CONES]) + 1;
        for (int j = 0; j < count; j++)
            for (int side = -1; side <= 1 && b->cone_count < MANOEUVRE_CONE_MAX; side += 2)
                b->cones[b->cone_count++] =
                    (mc_manoeuvre_cone){l->from + (l->to - l->from) * j / (count - 1),
                                        l->y + 0.5 * side * l->width, false};
    }
}

// Room between a cone and the side of the outline while the car passes it, m; below 0: the cone is
// under the outline, or on the wrong side of it.
static double room_at(const manoeuvre_bench *b, const mc_manoeuvre_cone *cone, const lane *l)
{
    const double side = cone->y > l->y ? 1.0 : -1.0;
    double min = HUGE_VAL;
    for (int k = 0; k < b->row_count; k++) {
        const mc_manoeuvre_row *r = &b->rows[k];
        const double cosine = cos(r->psi), sine = sin(r->psi);
        const double x = cone->x - r->x - b->middle * cosine;
        const double y = cone->y - r->y - b->middle * sine;
        if (fabs(cosine * x + sine * y) <= 0.5 * b->length)
            min = fmin(min, side * (cosine * y - sine * x) - 0.5 * b->width);
    }
    return min;
}

// Marks the cones that are hit; *clearance: the smallest room. Returns their number.
static int count_hits(manoeuvre_bench *b, const course *c, double *clearance)
{
    int hits = 0;
    *clearance = HUGE_VAL;
    for (int j = 0; j < b->cone_count; j++) {
        mc_manoeuvre_cone *cone = &b->cones[j];
        const lane *l = cone->x <= c->lanes[0].to   ? &c->lanes[0]
                        : cone->x <= c->lanes[1].to ? &c->lanes[1]
                                                    : &c->lanes[2];
        const double room = room_at(b, cone, l);
        cone->hit = !(room >= 0.0);
        hits += cone->hit;
        *clearance = fmin(*clearance, room);
    }
    return hits;
}

// One drive with one path.
static mc_status try_path(manoeuvre_bench *b, bool second, double speed, double reach, int *hits,
                          mc_error *error)
{
    course c = course_of(b, second);
    mc_status status = MC_OK;
    if (b->width == 0.0) { // the outline is known only after a drive
        status = drive_course(b, &c, speed, reach, error);
        c = course_of(b, second);
    }
    if (status == MC_OK)
        status = drive_course(b, &c, speed, reach, error);
    if (status != MC_OK)
        return status;
    set_cones(b, &c);
    *hits = count_hits(b, &c, &b->figure[1]);
    return MC_OK;
}

static const double reaches[] = {1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0}; // m
enum { REACHES = sizeof reaches / sizeof reaches[0] };

// All paths, from number *first on, until one hits no cone; *first: that one.
static mc_status try_speed(manoeuvre_bench *b, bool second, double speed, int *first, int *hits,
                           mc_error *error)
{
    mc_status status = MC_OK;
    if (b->p[REACH] > 0.0)
        return try_path(b, second, speed, b->p[REACH], hits, error);
    for (int k = 0; k < REACHES && status == MC_OK; k++) {
        const int now = (*first + k) % REACHES;
        status = try_path(b, second, speed, reaches[now], hits, error);
        if (*hits == 0) {
            *first = now;
            break;
        }
    }
    return status;
}

// Up by 1 m/s until a cone is hit, then bisection to 0.05 m/s.
static mc_status search(manoeuvre_bench *b, bool second, double *found, mc_error *error)
{
    double good = NAN, bad = 5.0;
    mc_status status = MC_OK;
    int hits = 0, path = 0;
    for (; status == MC_OK && bad <= 60.0; bad += 1.0) {
        status = try_speed(b, second, bad, &path, &hits, error);
        if (hits > 0)
            break;
        good = bad;
    }
    while (status == MC_OK && !isnan(good) && hits > 0 && bad - good > 0.05) {
        const double middle = 0.5 * (good + bad);
        int now = 0;
        status = try_speed(b, second, middle, &path, &now, error);
        if (now > 0)
            bad = middle;
        else
            good = middle;
    }
    *found = good;
    return status;
}

// The path with the most room at one speed.
static mc_status best_path(manoeuvre_bench *b, bool second, int *hits, mc_error *error)
{
    double best = b->p[REACH], room = -HUGE_VAL;
    mc_status status = MC_OK;
    for (int k = 0; k < REACHES && b->p[REACH] == 0.0 && status == MC_OK; k++) {
        status = try_path(b, second, b->p[SPEED], reaches[k], hits, error);
        if (b->figure[1] > room)
            room = b->figure[1], best = reaches[k];
    }
    return status == MC_OK ? try_path(b, second, b->p[SPEED], best, hits, error) : status;
}

static mc_status measure(manoeuvre_bench *b, bool second, mc_error *error)
{
    double highest = NAN;
    int hits = 0;
    mc_status status = b->p[SEARCH] > 0.5 ? search(b, second, &highest, error) : MC_OK;
    if (status == MC_OK)
        status = best_path(b, second, &hits, error);
    if (status != MC_OK)
        return status;
    double *f = b->figure;
    f[0] = hits;
    f[2] = highest;
    f[3] = f[4] = f[5] = 0.0;
    for (int k = 0; k < b->row_count; k++) {
        const mc_manoeuvre_row *r = &b->rows[k];
        f[3] = fmax(f[3], fabs(r->a_y));
        f[4] = fmax(f[4], fabs(atan2(r->v_y, r->v)));
        f[5] = fmax(f[5], fabs(r->steer));
    }
    f[6] = manoeuvre_speed(&b->rows[b->row_count - 1]);
    return MC_OK;
}

static mc_status measure_1(manoeuvre_bench *b, mc_error *error)
{
    return measure(b, false, error);
}

static mc_status measure_2(manoeuvre_bench *b, mc_error *error)
{
    return measure(b, true, error);
}

const manoeuvre_kind manoeuvre_iso3888_1 = {
    .is = {.name = "iso3888_1",
           .doc = "double lane change between cones",
           .source = "ISO 3888-1: lengths and widths; 3.5 m from middle to middle, the spacing of "
                     "the cones, the driver and its path are defaults; the speed is held",
           .params = params_1,
           .param_count = PARAMS,
           .figures = figures,
           .figure_count = MANOEUVRE_COUNT_OF(figures)},
    .measure = measure_1,
};

const manoeuvre_kind manoeuvre_iso3888_2 = {
    .is = {.name = "iso3888_2",
           .doc = "obstacle avoidance between cones",
           .source = "ISO 3888-2: lengths, widths and the gap of 1 m; the exit lane of 3 m in line "
                     "with the entry, the spacing of the cones, the driver and its path are "
                     "defaults; the speed is held",
           .params = params_2,
           .param_count = PARAMS,
           .figures = figures,
           .figure_count = MANOEUVRE_COUNT_OF(figures)},
    .measure = measure_2,
};
