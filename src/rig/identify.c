// identify.c - the four-car bench of mass identification; include/motorcade/identify.h is the
// manual.
#include "motorcade/identify.h"

#include "base/gravity.h"
#include "control/identify.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

const mc_param mc_identify_params[MC_IDENTIFY_PARAM_COUNT] = {
    [MC_IDENTIFY_PARAM_TRUE] = {"true", "kg", 2000.0, 100.0, 1e5, "true mass of car 2"},
    [MC_IDENTIFY_PARAM_LATER] = {"later", "kg", 0.0, 0.0, 1e5,
                                 "true mass after the change; 0: the same"},
    [MC_IDENTIFY_PARAM_CHANGE] = {"change", "s", 40.0, 0.0, 1e5, "when the true mass changes"},
    [MC_IDENTIFY_PARAM_START] = {"start", "kg", 1400.0, 100.0, 1e5, "first estimate"},
    [MC_IDENTIFY_PARAM_START_ERROR] = {"start_error", "-", 0.5, 0.0, 10.0,
                                       "possible error of the first estimate"},
    [MC_IDENTIFY_PARAM_NOMINAL] = {"nominal", "kg", 1839.317, 100.0, 1e5,
                                   "mass the brake law assumes, M0"},
    [MC_IDENTIFY_PARAM_K1] = {"k1", "1/s", 1.0, 0.0, 10.0,
                              "brake law: gain of the speed difference"},
    [MC_IDENTIFY_PARAM_K2] = {"k2", "1/s^2", 0.25, 0.0, 10.0, "brake law: gain of the distance"},
    [MC_IDENTIFY_PARAM_HEADWAY] = {"headway", "s", 1.0, 0.0, 10.0, "time headway"},
    [MC_IDENTIFY_PARAM_GAMMA_1] = {"gamma1", "s^2/(kg m)^2", 1e-6, 0.0, 1.0,
                                   "adaptation gain of the speed"},
    [MC_IDENTIFY_PARAM_GAMMA_2] = {"gamma2", "s^3/(kg^3 m^2)", 5e-11, 0.0, 1.0,
                                   "adaptation gain of the brake force"},
    [MC_IDENTIFY_PARAM_SPEED] = {"speed", "m/s", 30.0, 1.0, 100.0, "leaders: speed before braking"},
    [MC_IDENTIFY_PARAM_DECELERATION] = {"deceleration", "m/s^2", 1.2, 0.0, 10.0,
                                        "leaders: mean deceleration"},
    [MC_IDENTIFY_PARAM_WAVE] = {"wave", "m/s", 0.8, 0.0, 10.0, "leaders: amplitude of the wave"},
    [MC_IDENTIFY_PARAM_WAVE_RATE] = {"wave_rate", "1/s", 0.8, 0.0, 100.0,
                                     "leaders: rate of the wave"},
    [MC_IDENTIFY_PARAM_BRAKE] = {"brake", "s", 20.0, 0.1, 1e5, "leaders: time of braking"},
    [MC_IDENTIFY_PARAM_RELEASE] = {"release", "s", 25.0, 0.0, 1e5,
                                   "leaders: time until the next braking; 0: keep braking"},
    [MC_IDENTIFY_PARAM_DURATION] = {"duration", "s", 65.0, 0.1, 1e5, "length of the run"},
    [MC_IDENTIFY_PARAM_STEP] = {"step", "s", 0.01, 1e-4, 0.1, "control step"},
    [MC_IDENTIFY_PARAM_RECORD] = {"record", "s", 0.1, 1e-4, 1e3, "time between rows"},
    [MC_IDENTIFY_PARAM_IDLE_FORCE] = {"idle_force", "N", 200.0, 0.0, 5e3, "drive force at idle"},
    [MC_IDENTIFY_PARAM_FORCE_ERROR] = {"force_error", "-", 0.2, 0.0, 0.9,
                                       "possible error of drive and drag force, for the band"},
    [MC_IDENTIFY_PARAM_DRIVE_BIAS] = {"drive_bias", "-", 0.0, -1.0, 1.0,
                                      "error of the drive force given to the estimators"},
    [MC_IDENTIFY_PARAM_DRAG_BIAS] = {"drag_bias", "-", 0.0, -1.0, 1.0,
                                     "error of the drag force given to the estimators"},
    [MC_IDENTIFY_PARAM_NOISE] = {"noise", "m/s", 0.0, 0.0, 10.0,
                                 "standard deviation of the speed noise"},
    [MC_IDENTIFY_PARAM_WINDOW] = {"window", "s", 5.0, 0.1, 1e3,
                                  "time over which excitation is measured"},
    [MC_IDENTIFY_PARAM_FORGET] = {"forget", "s", 20.0, 0.1, 1e6, "memory of least squares"},
    [MC_IDENTIFY_PARAM_FINE] = {"fine", "s", 0.0, 0.0, 0.1,
                                "control step while car 2 brakes; 0: the same"},
};

void mc_identify_defaults(double p[MC_IDENTIFY_PARAM_COUNT])
{
    for (int k = 0; k < MC_IDENTIFY_PARAM_COUNT; k++)
        p[k] = mc_identify_params[k].fallback;
}

static mc_status check(const double *p, mc_error *error)
{
    for (int k = 0; k < MC_IDENTIFY_PARAM_COUNT; k++) {
        const mc_param *row = &mc_identify_params[k];
        if (!(p[k] >= row->min && p[k] <= row->max))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s is %g %s, expected %g .. %g",
                                row->name, p[k], row->unit, row->min, row->max);
    }
    if (p[MC_IDENTIFY_PARAM_GAMMA_1] <= 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "gamma1 is 0, expected more than 0");
    const double fine = p[MC_IDENTIFY_PARAM_FINE],
                 finest = mc_identify_params[MC_IDENTIFY_PARAM_STEP].min;
    if (fine > 0.0 && fine < finest)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "fine is %g s, expected 0 or %g .. %g",
                            fine, finest, mc_identify_params[MC_IDENTIFY_PARAM_FINE].max);
    if (p[MC_IDENTIFY_PARAM_DURATION] / p[MC_IDENTIFY_PARAM_STEP] > 1e8)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "duration / step is %.3g steps, expected at most 1e8",
                            p[MC_IDENTIFY_PARAM_DURATION] / p[MC_IDENTIFY_PARAM_STEP]);
    return MC_OK;
}

// ---- the cars ----------------------------------------------------------------------------------

enum { BRAKE_RATE = 5 }; // 1/s, eq (2)

static double drag(double v) // N, eq (5) as printed
{
    return v > 0.4 ? 22.46 + 2.146 * v + 0.5067 * v * v : 500.1 * v;
}

typedef struct leaders { // how cars 1 and 3 are driven
    const double *p;
    const mc_identify_hand *hands; // NULL: by the script of p
    int hand_count;
    double *v; // m/s, speed at each hand's time
} leaders;

enum { LEADER_FASTEST = 100 }; // m/s, by hand

static double leader_bound(double v)
{
    return fmin(fmax(v, 0.0), LEADER_FASTEST);
}

// The last hand at or before t; -1: none.
static int hand_at(const leaders *l, double t)
{
    int low = -1, high = l->hand_count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (l->hands[middle].t <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double hand_speed(const leaders *l, double t)
{
    const int i = hand_at(l, t);
    if (i < 0)
        return l->p[MC_IDENTIFY_PARAM_SPEED];
    return leader_bound(l->v[i] + l->hands[i].acceleration * (t - l->hands[i].t));
}

static double hand_mass(const leaders *l, double t)
{
    for (int i = hand_at(l, t); i >= 0; i--)
        if (l->hands[i].mass > 0.0)
            return l->hands[i].mass;
    return l->p[MC_IDENTIFY_PARAM_TRUE];
}

static double leader_speed(const leaders *l, double t)
{
    if (l->hands)
        return hand_speed(l, t);
    const double *p = l->p;
    const double brake = p[MC_IDENTIFY_PARAM_BRAKE], release = p[MC_IDENTIFY_PARAM_RELEASE];
    const double cycle = brake + release;
    const double since = release > 0.0 ? fmod(t, cycle) : t, s = fmin(since, brake);
    const double braked = release > 0.0 ? s : since;
    const double v =
        fmax(p[MC_IDENTIFY_PARAM_SPEED] - p[MC_IDENTIFY_PARAM_DECELERATION] * braked +
                 p[MC_IDENTIFY_PARAM_WAVE] * sin(p[MC_IDENTIFY_PARAM_WAVE_RATE] * braked),
             0.0);
    // Back to speed in a straight line over most of the release, then steady.
    const double back = release > 0.0 ? fmin((since - s) / (0.7 * release), 1.0) : 0.0;
    return v + back * (p[MC_IDENTIFY_PARAM_SPEED] - v);
}

typedef struct follower {
    double distance, v, brake; // m, m/s, N
} follower;

typedef struct force { // what moves a follower while its mode lasts
    double mass;       // kg
    bool braking;
} force;

// Acceleration the following law wants.
static double desired(const double *p, const follower *f, double v_leader)
{
    return p[MC_IDENTIFY_PARAM_K1] * (v_leader - f->v) +
           p[MC_IDENTIFY_PARAM_K2] * (f->distance - p[MC_IDENTIFY_PARAM_HEADWAY] * f->v);
}

static double drive_of(const double *p, const follower *f, const force *m, double v_leader)
{
    const double ask = p[MC_IDENTIFY_PARAM_NOMINAL] * desired(p, f, v_leader) + drag(f->v);
    const double max = 0.4 * GRAVITY * p[MC_IDENTIFY_PARAM_NOMINAL];
    return m->braking ? p[MC_IDENTIFY_PARAM_IDLE_FORCE]
                      : fmin(fmax(ask, p[MC_IDENTIFY_PARAM_IDLE_FORCE]), max);
}

// Eq (9); while the throttle acts the brake is being released.
static follower follower_rate(const double *p, const follower *f, const force *m, double v_leader)
{
    const double ask = m->braking ? -p[MC_IDENTIFY_PARAM_NOMINAL] * desired(p, f, v_leader) : 0.0;
    const double total = drive_of(p, f, m, v_leader) - drag(f->v) - f->brake;
    return (follower){
        .distance = v_leader - f->v, .v = total / m->mass, .brake = BRAKE_RATE * (ask - f->brake)};
}

static follower follower_add(const follower *f, double h, const follower *d)
{
    return (follower){f->distance + h * d->distance, f->v + h * d->v, f->brake + h * d->brake};
}

// Classical Runge-Kutta; a car that has stopped stays.
static void follower_advance(const leaders *l, follower *f, const force *m, double t, double h)
{
    const double *p = l->p;
    const double v0 = leader_speed(l, t), v1 = leader_speed(l, t + 0.5 * h);
    const double v2 = leader_speed(l, t + h);
    const follower a = follower_rate(p, f, m, v0);
    const follower fa = follower_add(f, 0.5 * h, &a), b = follower_rate(p, &fa, m, v1);
    const follower fb = follower_add(f, 0.5 * h, &b), c = follower_rate(p, &fb, m, v1);
    const follower fc = follower_add(f, h, &c), d = follower_rate(p, &fc, m, v2);
    f->distance += h / 6.0 * (a.distance + 2.0 * (b.distance + c.distance) + d.distance);
    f->v = fmax(f->v + h / 6.0 * (a.v + 2.0 * (b.v + c.v) + d.v), 0.0);
    f->brake += h / 6.0 * (a.brake + 2.0 * (b.brake + c.brake) + d.brake);
}

// Brake when the desired acceleration is below that of the coasting car, with hysteresis.
static bool brake_needed(const double *p, const follower *f, bool braking, double v_leader)
{
    const double hysteresis = 0.1; // m/s^2
    const double coast =
        (p[MC_IDENTIFY_PARAM_IDLE_FORCE] - drag(f->v)) / p[MC_IDENTIFY_PARAM_NOMINAL];
    const double over = desired(p, f, v_leader) - coast;
    return f->v > 0.5 && (braking ? over < hysteresis : over < -hysteresis);
}

// ---- noise -------------------------------------------------------------------------------------

static double uniform(uint64_t *state) // (0, 1), splitmix64
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
    const double a = uniform(state), b = uniform(state);
    return sqrt(-2.0 * log(a)) * cos(2.0 * PI * b);
}

// ---- a run -------------------------------------------------------------------------------------

typedef struct bench {
    const double *p;
    leaders leaders;
    double estimator_p[IDENTIFY_PARAM_COUNT];
    follower car_2, car_4;
    force force_2;
    identify_state observer;
    identify_squares squares;
    uint64_t noise;
} bench;

static void estimator_params(const double *p, double *out)
{
    for (int k = 0; k < IDENTIFY_PARAM_COUNT; k++)
        out[k] = identify_params[k].fallback;
    out[IDENTIFY_NOMINAL] = p[MC_IDENTIFY_PARAM_NOMINAL];
    out[IDENTIFY_K1] = p[MC_IDENTIFY_PARAM_K1];
    out[IDENTIFY_K2] = p[MC_IDENTIFY_PARAM_K2];
    out[IDENTIFY_HEADWAY] = p[MC_IDENTIFY_PARAM_HEADWAY];
    out[IDENTIFY_BRAKE_RATE] = BRAKE_RATE;
    out[IDENTIFY_GAMMA_1] = p[MC_IDENTIFY_PARAM_GAMMA_1];
    out[IDENTIFY_GAMMA_2] = p[MC_IDENTIFY_PARAM_GAMMA_2];
    out[IDENTIFY_START] = p[MC_IDENTIFY_PARAM_START];
    out[IDENTIFY_START_ERROR] = p[MC_IDENTIFY_PARAM_START_ERROR];
    out[IDENTIFY_FORCE_ERROR] = p[MC_IDENTIFY_PARAM_FORCE_ERROR];
    out[IDENTIFY_WINDOW] = p[MC_IDENTIFY_PARAM_WINDOW];
    out[IDENTIFY_FORGET] = p[MC_IDENTIFY_PARAM_FORGET];
}

static void bench_start(bench *b, const leaders *l, unsigned long long seed)
{
    const double *p = l->p, v = leader_speed(l, 0.0);
    *b = (bench){.p = p, .leaders = *l, .noise = seed};
    estimator_params(p, b->estimator_p);
    b->car_2 = b->car_4 = (follower){.distance = p[MC_IDENTIFY_PARAM_HEADWAY] * v, .v = v};
    b->force_2.mass = l->hands ? hand_mass(l, 0.0) : p[MC_IDENTIFY_PARAM_TRUE];
    identify_start(b->estimator_p, &b->observer);
    identify_squares_start(&b->squares);
}

// What the estimators are told of car 2.
static identify_sample measure(bench *b, double v_leader)
{
    const double *p = b->p;
    const double noise =
        p[MC_IDENTIFY_PARAM_NOISE] > 0.0 ? p[MC_IDENTIFY_PARAM_NOISE] * normal(&b->noise) : 0.0;
    const double v = b->car_2.v + noise;
    const double drive = drive_of(p, &b->car_2, &b->force_2, v_leader);
    return (identify_sample){.v = v,
                             .brake = b->car_2.brake,
                             .drive = drive * (1.0 + p[MC_IDENTIFY_PARAM_DRIVE_BIAS]),
                             .drag = drag(v) * (1.0 + p[MC_IDENTIFY_PARAM_DRAG_BIAS])};
}

// The estimators start, stop or take the sample at the end of a step. was: car 2 braked in it.
static void estimate(bench *b, const identify_sample *now, bool was, double dt)
{
    if (was) {
        identify_step(b->estimator_p, &b->observer, now, dt);
        identify_squares_step(b->estimator_p, &b->squares, now, dt);
    }
    if (was && !b->force_2.braking) {
        identify_off(&b->observer);
        identify_squares_off(&b->squares);
    }
    if (!was && b->force_2.braking) {
        identify_on(&b->observer, now, b->car_4.v, b->car_4.brake);
        identify_squares_on(&b->squares, now);
    }
}

static double true_mass(const leaders *l, double t)
{
    const double later = l->p[MC_IDENTIFY_PARAM_LATER];
    if (l->hands)
        return hand_mass(l, t);
    return later > 0.0 && t >= l->p[MC_IDENTIFY_PARAM_CHANGE] ? later
                                                              : l->p[MC_IDENTIFY_PARAM_TRUE];
}

// Step k of length h.
static void bench_step(bench *b, double k, double h)
{
    const double *p = b->p, t = k * h, t_next = (k + 1.0) * h;
    const leaders *l = &b->leaders;
    const bool was = b->force_2.braking;
    b->force_2.mass = true_mass(l, t);
    follower_advance(l, &b->car_2, &b->force_2, t, h);
    const double v_leader = leader_speed(l, t_next);
    const double v_4 = b->car_4.v;
    const force force_4 = {.mass = identify_read(b->estimator_p, &b->observer).mass};
    if (!was)
        follower_advance(l, &b->car_4, &force_4, t, h);
    identify_sample now = measure(b, v_leader); // with the forces of this step
    const bool braking = brake_needed(p, &b->car_2, was, v_leader);
    b->force_2.braking = braking;
    if (!was && braking) // from now on the engine idles
        now.drive = p[MC_IDENTIFY_PARAM_IDLE_FORCE] * (1.0 + p[MC_IDENTIFY_PARAM_DRIVE_BIAS]);
    estimate(b, &now, was, h);
    if (was) { // car 4 is the observer's model
        b->car_4.v = fmax(b->observer.y[0], 0.0);
        b->car_4.brake = now.brake - b->observer.y[1];
        b->car_4.distance += h * (0.5 * (leader_speed(l, t) + v_leader) - 0.5 * (v_4 + b->car_4.v));
    }
}

static mc_identify_row row_of(const bench *b, double t)
{
    const identify_result r = identify_read(b->estimator_p, &b->observer);
    const identify_result s = identify_squares_read(b->estimator_p, &b->squares);
    return (mc_identify_row){.t = t,
                             .v_leader = leader_speed(&b->leaders, t),
                             .v = b->car_2.v,
                             .v_model = b->car_4.v,
                             .distance = b->car_2.distance,
                             .distance_model = b->car_4.distance,
                             .braking = b->force_2.braking,
                             .mass_true = b->force_2.mass,
                             .mass = r.mass,
                             .band = r.band,
                             .squares = s.mass,
                             .squares_band = s.band,
                             .excitation = r.excitation,
                             .memory = r.memory,
                             .claimed = r.claimed,
                             .squares_claimed = s.claimed};
}

// One control step; in shorter ones while car 2 brakes, where that is asked for.
static void bench_advance(bench *b, long k, double h)
{
    const double fine = b->p[MC_IDENTIFY_PARAM_FINE];
    const long parts = b->force_2.braking && fine > 0.0 ? (long)fmax(round(h / fine), 1.0) : 1;
    for (long i = 0; i < parts; i++)
        bench_step(b, (double)(k * parts + i), h / (double)parts);
}

static mc_status bench_run(const leaders *l, unsigned long long seed, mc_identify_run *run,
                           mc_error *error)
{
    const double *p = l->p, h = p[MC_IDENTIFY_PARAM_STEP];
    const long steps = (long)fmax(round(p[MC_IDENTIFY_PARAM_DURATION] / h), 1.0);
    const long every = (long)fmax(round(p[MC_IDENTIFY_PARAM_RECORD] / h), 1.0);
    run->rows = malloc(((size_t)(steps / every) + 2) * sizeof *run->rows);
    if (!run->rows)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for rows");
    bench b;
    bench_start(&b, l, seed);
    run->rows[run->row_count++] = row_of(&b, 0.0);
    for (long k = 0; k < steps; k++) {
        bench_advance(&b, k, h);
        if ((k + 1) % every == 0 || k + 1 == steps)
            run->rows[run->row_count++] = row_of(&b, (double)(k + 1) * h);
    }
    run->end = run->rows[run->row_count - 1];
    const identify_result end = identify_read(b.estimator_p, &b.observer);
    const identify_gains gains = identify_gains_of(b.estimator_p, b.force_2.mass);
    run->force_band = end.force;
    run->limited = end.limited;
    run->ratio = gains.ratio;
    run->safe = gains.safe;
    run->convergent = gains.convergent;
    return MC_OK;
}

mc_status mc_identify_bench(const double p[MC_IDENTIFY_PARAM_COUNT], unsigned long long seed,
                            mc_identify_run *run, mc_error *error)
{
    *run = (mc_identify_run){0};
    const mc_status status = check(p, error);
    return status == MC_OK ? bench_run(&(leaders){.p = p}, seed, run, error) : status;
}

static mc_status check_hands(const mc_identify_hand *hands, int count, mc_error *error)
{
    const mc_param *mass = &mc_identify_params[MC_IDENTIFY_PARAM_TRUE];
    for (int i = 0; i < count; i++) {
        const mc_identify_hand *a = &hands[i];
        if (!(a->t >= (i ? a[-1].t : 0.0)))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "hand %d is at %g s, expected not before %g s", i + 1, a->t,
                                i ? a[-1].t : 0.0);
        if (!(fabs(a->acceleration) <= 20.0))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "hand %d: acceleration is %g m/s^2, expected -20 .. 20", i + 1,
                                a->acceleration);
        if (a->mass != 0.0 && !(a->mass >= mass->min && a->mass <= mass->max))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "hand %d: mass is %g kg, expected 0, or %g .. %g", i + 1, a->mass,
                                mass->min, mass->max);
    }
    return MC_OK;
}

mc_status mc_identify_drive(const double p[MC_IDENTIFY_PARAM_COUNT], const mc_identify_hand *hands,
                            int hand_count, unsigned long long seed, mc_identify_run *run,
                            mc_error *error)
{
    *run = (mc_identify_run){0};
    mc_status status = check(p, error);
    if (status == MC_OK && hand_count < 0)
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "hand count is %d", hand_count);
    if (status == MC_OK)
        status = check_hands(hands, hand_count, error);
    if (status != MC_OK || hand_count < 0)
        return status;
    const mc_identify_hand none = {0};
    leaders l = {.p = p, .hands = hand_count ? hands : &none, .hand_count = hand_count};
    l.v = calloc((size_t)hand_count + 1, sizeof *l.v);
    if (!l.v)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for %d hands",
                            hand_count);
    double v = p[MC_IDENTIFY_PARAM_SPEED];
    for (int i = 0; i < hand_count; i++) {
        if (i)
            v = leader_bound(v + hands[i - 1].acceleration * (hands[i].t - hands[i - 1].t));
        l.v[i] = v;
    }
    status = bench_run(&l, seed, run, error);
    free(l.v);
    return status;
}

void mc_identify_run_free(mc_identify_run *run)
{
    free(run->rows);
    *run = (mc_identify_run){0};
}

// ---- noise study -------------------------------------------------------------------------------

typedef struct tally { // of the errors of one estimator
    double sum, sum_2;
    int count, within;
} tally;

static void tally_take(tally *a, double mass, double band, double truth)
{
    if (!isfinite(mass))
        return;
    a->sum += mass - truth;
    a->sum_2 += (mass - truth) * (mass - truth);
    a->within += fabs(mass - truth) <= band;
    a->count++;
}

static void tally_read(const tally *a, double *bias, double *spread, double *within)
{
    *bias = a->count ? a->sum / a->count : NAN;
    *spread = a->count > 1 ? sqrt(fmax(a->sum_2 - a->sum * a->sum / a->count, 0.0) / (a->count - 1))
                           : NAN;
    *within = a->count ? (double)a->within / a->count : NAN;
}

mc_status mc_identify_study(const double p[MC_IDENTIFY_PARAM_COUNT], int runs,
                            mc_identify_noise *out, mc_error *error)
{
    double each[MC_IDENTIFY_PARAM_COUNT];
    tally observer = {0}, squares = {0};
    *out = (mc_identify_noise){.runs = runs};
    if (runs < 1)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%d runs, expected at least 1", runs);
    for (int k = 0; k < MC_IDENTIFY_PARAM_COUNT; k++)
        each[k] = p[k];
    each[MC_IDENTIFY_PARAM_RECORD] =
        mc_identify_params[MC_IDENTIFY_PARAM_RECORD].max; // the end is enough
    for (int i = 0; i < runs; i++) {
        mc_identify_run run;
        const mc_status status = mc_identify_bench(each, (unsigned long long)i + 1, &run, error);
        const mc_identify_row e = run.end;
        mc_identify_run_free(&run);
        if (status != MC_OK)
            return status;
        out->claimed += e.claimed != 0.0;
        out->squares_claimed += e.squares_claimed != 0.0;
        tally_take(&observer, e.mass, e.band, e.mass_true);
        tally_take(&squares, e.squares, e.squares_band, e.mass_true);
    }
    tally_read(&observer, &out->bias, &out->spread, &out->within);
    tally_read(&squares, &out->squares_bias, &out->squares_spread, &out->squares_within);
    return MC_OK;
}
