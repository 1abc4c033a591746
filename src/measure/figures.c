// figures.c - figures of a run, row by row; include/motorcade/figures.h is the manual.
//
// Each car has one block of doubles, each run one; that is the whole state. A row first updates
// what depends on the car alone, then what depends on the car in front, whose values of the same
// row are at hand in the row itself.
#include "motorcade/figures.h"

#include "base/arena.h"
#include "base/assert.h"
#include "measure/comfort.h"
#include "run/mileage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const mc_figure mc_figure_table[MC_FIGURE_COUNT] = {
    [MC_FIGURE_COLLISIONS] = {"collisions", "-", MC_FIGURE_OVER_RUN, "number of collisions"},
    [MC_FIGURE_COLLISION_ENERGY] = {"collision_energy", "J", MC_FIGURE_OVER_RUN,
                                    "mechanical energy lost in collisions"},
    [MC_FIGURE_T] = {"t", "s", MC_FIGURE_OVER_RUN, "time of the last row"},
    [MC_FIGURE_LANE_CHANGES] = {"lane_changes", "-", MC_FIGURE_OVER_RUN,
                                "lane changes of all vehicles"},
    [MC_FIGURE_CUT_INS] = {"cut_ins", "-", MC_FIGURE_OVER_RUN,
                           "lane changes that left a follower less than its desired gap"},
    [MC_FIGURE_ENTERED] = {"entered", "-", MC_FIGURE_OVER_RUN, "vehicles that came from sources"},
    [MC_FIGURE_LEFT] = {"left", "-", MC_FIGURE_OVER_RUN, "vehicles that left at the ends of roads"},
    [MC_FIGURE_WAITING] = {"waiting", "-", MC_FIGURE_OVER_RUN,
                           "largest number of vehicles that waited at sources at a time"},
    [MC_FIGURE_CHECK_IN_REJECTED] = {"check_in_refused", "-", MC_FIGURE_OVER_RUN,
                                     "number of times a car was not checked in (ERSC)"},
    [MC_FIGURE_LARGEST_SPACING_ERROR] = {"largest.spacing_error", "m", MC_FIGURE_OVER_MAX,
                                         "largest deviation from the desired gap"},
    [MC_FIGURE_RMS_SPACING_ERROR] = {"rms.spacing_error", "m", MC_FIGURE_OVER_MAX,
                                     "root mean square of the spacing error"},
    [MC_FIGURE_SMALLEST_GAP] = {"smallest.gap", "m", MC_FIGURE_OVER_MIN,
                                "smallest gap to the car in front"},
    [MC_FIGURE_SMALLEST_TIME_GAP] = {"smallest.time_gap", "s", MC_FIGURE_OVER_MIN,
                                     "smallest gap / speed, above 1 m/s"},
    [MC_FIGURE_SMALLEST_TTC] = {"smallest.ttc", "s", MC_FIGURE_OVER_MIN,
                                "smallest time to collision: gap / closing speed"},
    [MC_FIGURE_LARGEST_DRAC] =
        {"largest.drac", "m/s^2", MC_FIGURE_OVER_MAX,
         "largest deceleration needed to avoid a collision: closing^2 / 2 gap"},
    [MC_FIGURE_LARGEST_ACCELERATION] = {"largest.acceleration", "m/s^2", MC_FIGURE_OVER_MAX,
                                        "largest absolute acceleration"},
    [MC_FIGURE_LARGEST_JERK] = {"largest.jerk", "m/s^3", MC_FIGURE_OVER_MAX,
                                "largest absolute jerk"},
    [MC_FIGURE_RMS_JERK] = {"rms.jerk", "m/s^3", MC_FIGURE_OVER_MAX,
                            "root mean square of the jerk"},
    [MC_FIGURE_LARGEST_LATERAL_ERROR] = {"largest.lateral_error", "m", MC_FIGURE_OVER_MAX,
                                         "largest distance from the path that is steered along"},
    [MC_FIGURE_WEIGHTED_ACCELERATION] = {"weighted.acceleration", "m/s^2", MC_FIGURE_OVER_MAX,
                                         "rms of the acceleration weighted by ISO 2631-1, Wd"},
    [MC_FIGURE_DOSE] = {"dose", "m/s^1.75", MC_FIGURE_OVER_MAX,
                        "vibration dose value, the same weighting"},
    [MC_FIGURE_DISTANCE] = {"distance", "m", MC_FIGURE_OVER_SUM, "distance driven"},
    [MC_FIGURE_FUEL] = {"fuel", "kg", MC_FIGURE_OVER_SUM, "fuel burnt"},
    [MC_FIGURE_FUEL_PER_KM] = {"fuel.per_km", "g/km", MC_FIGURE_OVER_ALL, "fuel per distance"},
    [MC_FIGURE_FUEL_PER_100KM] = {"fuel.per_100km", "L/100km", MC_FIGURE_OVER_ALL,
                                  "volume of fuel per distance"},
    [MC_FIGURE_FUEL_MPG] = {"fuel.mpg", "mpg", MC_FIGURE_OVER_ALL, "miles per US gallon"},
    [MC_FIGURE_MILEAGE] = {"mileage", "mpg", MC_FIGURE_OVER_MEAN,
                           "miles per gallon over a moving window, eq (13)"},
    [MC_FIGURE_GAIN_SPEED_L2] = {"gain.speed.l2", "-", MC_FIGURE_OVER_MAX,
                                 "L2 norm of the speed deviation over that of the car in front"},
    [MC_FIGURE_GAIN_SPEED_MAX] = {"gain.speed.linf", "-", MC_FIGURE_OVER_MAX,
                                  "maximum speed deviation over that of the car in front"},
    [MC_FIGURE_GAIN_ERROR_L2] = {"gain.error.l2", "-", MC_FIGURE_OVER_MAX,
                                 "L2 norm of the spacing error over that of the car in front"},
    [MC_FIGURE_GAIN_ERROR_MAX] = {"gain.error.linf", "-", MC_FIGURE_OVER_MAX,
                                  "maximum spacing error over that of the car in front"},
    [MC_FIGURE_X] = {"x", "m", MC_FIGURE_OVER_NONE, "position at the end"},
    [MC_FIGURE_V] = {"v", "m/s", MC_FIGURE_OVER_NONE, "speed at the end"},
    [MC_FIGURE_A] = {"a", "m/s^2", MC_FIGURE_OVER_NONE, "acceleration at the end"},
    [MC_FIGURE_GAP] = {"gap", "m", MC_FIGURE_OVER_NONE, "gap at the end"},
    [MC_FIGURE_SPACING_ERROR] = {"spacing_error", "m", MC_FIGURE_OVER_NONE,
                                 "gap minus desired gap at the end"},
};

typedef struct run_state { // doubles only
    double rows;           // taken so far
    double t0, t;          // s, first and last row
    double collisions, energy;
    double counts[MC_FIGURE_WAITING - MC_FIGURE_LANE_CHANGES + 1];
    double check_in_rejected;
} run_state;

typedef struct car_state { // doubles only
    double front;          // -1: none
    // the last row
    double x, v, a, jerk, gap, error, fuel;
    // the first row
    double x0, v0, fuel0;
    // integrals over time, and the time over which the error was known
    double error_2, error_time, jerk_2, weighted_2, weighted_4, dv_2;
    double gap_rows, error_rows; // rows that had a gap, a spacing error
    // extremes
    double max_error, min_gap, min_time_gap, min_ttc, max_drac, max_a, max_jerk, max_dv;
    double lateral_rows, max_lateral; // rows that had a lateral error, and its largest size
    double aw;                        // weighted acceleration of the last row
    double z[COMFORT_STATE_MAX];
    mileage mileage;
} car_state;

enum {
    RUN_DOUBLES = sizeof(run_state) / sizeof(double),
    CAR_DOUBLES = sizeof(car_state) / sizeof(double)
};

struct mc_figures {
    arena memory;
    int count;
    double *length; // m
    double density, step;
    double mileage_p[MILEAGE_PARAM_COUNT];
    int mileage_window; // samples
    comfort_filter filter;
    run_state run;
    car_state *cars;
};

mc_figure_id mc_figure_find(const char *name)
{
    int k = 0;
    while (k < MC_FIGURE_COUNT && strcmp(mc_figure_table[k].name, name) != 0)
        k++;
    return (mc_figure_id)k;
}

// ---- life --------------------------------------------------------------------------------------

mc_figures_setup mc_figures_defaults(void)
{
    return (mc_figures_setup){.fuel_density = MILEAGE_DENSITY,
                              .mileage_window = mileage_params[MILEAGE_WINDOW].fallback,
                              .mileage_alpha = mileage_params[MILEAGE_ALPHA].fallback,
                              .mileage_min_fuel = mileage_params[MILEAGE_MIN_FUEL].fallback,
                              .mileage_start = mileage_params[MILEAGE_START].fallback};
}

static mc_status check_value(const char *what, double value, double min, double max,
                             const char *unit, mc_error *error)
{
    if (value >= min && value <= max)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "figures: %s is %g %s, expected %g .. %g",
                        what, value, unit, min, max);
}

static mc_status check_setup(const mc_figures_setup *s, mc_error *error)
{
    static const char *const names[MILEAGE_PARAM_COUNT] = {"mileage window", "mileage alpha",
                                                           "mileage least", "mileage start"};
    const double values[MILEAGE_PARAM_COUNT] = {s->mileage_window, s->mileage_alpha,
                                                s->mileage_min_fuel, s->mileage_start};
    if (s->count < 1)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "figures: %d cars, expected at least 1", s->count);
    mc_status status = check_value("the step", s->step, 1e-9, 1e6, "s", error);
    if (status == MC_OK)
        status = check_value("the fuel density", s->fuel_density, 1.0, 1e5, "kg/m^3", error);
    for (int k = 0; k < MILEAGE_PARAM_COUNT && status == MC_OK; k++)
        status = check_value(names[k], values[k], mileage_params[k].min, mileage_params[k].max,
                             mileage_params[k].unit, error);
    for (int i = 0; i < s->count && status == MC_OK; i++) {
        if (s->front[i] < -1 || s->front[i] >= s->count || s->front[i] == i)
            status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                  "figures: car %d has car %d in front; expected another of the %d "
                                  "cars, from 0, or -1",
                                  i, s->front[i], s->count);
        else if (!(s->length[i] >= 0.0 && s->length[i] < 1e4))
            status = check_value("a length", s->length[i], 0.0, 1e4, "m", error);
    }
    return status;
}

mc_figures *mc_figures_create(const mc_figures_setup *setup, mc_error *error)
{
    if (check_setup(setup, error) != MC_OK)
        return NULL;
    mc_figures *f = calloc(1, sizeof *f);
    const size_t n = (size_t)setup->count;
    if (f) {
        f->length = arena_alloc(&f->memory, n * sizeof *f->length);
        f->cars = arena_alloc(&f->memory, n * sizeof *f->cars);
    }
    if (!f || !f->length || !f->cars) {
        mc_figures_destroy(f);
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the figures");
        return NULL;
    }
    f->count = setup->count;
    f->step = setup->step;
    f->density = setup->fuel_density;
    f->mileage_p[MILEAGE_WINDOW] = setup->mileage_window;
    f->mileage_p[MILEAGE_ALPHA] = setup->mileage_alpha;
    f->mileage_p[MILEAGE_MIN_FUEL] = setup->mileage_min_fuel;
    f->mileage_p[MILEAGE_START] = setup->mileage_start;
    f->mileage_window = mileage_samples(f->mileage_p, f->step);
    comfort_filter_make(&f->filter, COMFORT_WD, f->step);
    memcpy(f->length, setup->length, n * sizeof *f->length);
    for (int i = 0; i < f->count; i++)
        f->cars[i].front = setup->front[i];
    for (int k = MC_FIGURE_LANE_CHANGES; k <= MC_FIGURE_WAITING; k++)
        mc_figures_set_count(f, (mc_figure_id)k, NAN);
    return f;
}

void mc_figures_destroy(mc_figures *f)
{
    if (!f)
        return;
    arena_free(&f->memory);
    free(f);
}

void mc_figures_set_front(mc_figures *f, int car, int front)
{
    mc_assert(car >= 0 && car < f->count && front >= -1 && front < f->count && front != car);
    f->cars[car].front = front;
}

int mc_figures_size(const mc_figures *f)
{
    return RUN_DOUBLES + f->count * CAR_DOUBLES;
}

void mc_figures_save(const mc_figures *f, double *out)
{
    memcpy(out, &f->run, sizeof f->run);
    memcpy(out + RUN_DOUBLES, f->cars, (size_t)f->count * sizeof *f->cars);
}

void mc_figures_restore(mc_figures *f, const double *in)
{
    memcpy(&f->run, in, sizeof f->run);
    memcpy(f->cars, in + RUN_DOUBLES, (size_t)f->count * sizeof *f->cars);
}

// ---- a row -------------------------------------------------------------------------------------

static double gap_of(const mc_figures *f, const mc_figures_row *row, int i)
{
    const int front = (int)f->cars[i].front;
    if (front < 0)
        return NAN;
    if (row->gap)
        return row->gap[i];
    return row->x[front] - row->x[i] - 0.5 * (f->length[front] + f->length[i]);
}

static void begin_car(const mc_figures *f, car_state *c, const mc_figures_row *row, int i)
{
    const double fuel = row->fuel ? row->fuel[i] : NAN;
    *c = (car_state){.front = c->front,
                     .x0 = row->x[i],
                     .v0 = row->v[i],
                     .fuel0 = fuel,
                     .jerk = row->jerk ? row->jerk[i] : 0.0,
                     .min_gap = INFINITY,
                     .min_time_gap = INFINITY,
                     .min_ttc = INFINITY};
    comfort_start(&f->filter, row->a[i], c->z);
    mileage_begin(&c->mileage, f->mileage_p, 0.0, 0.0);
}

// Integral over a step of a square, from the values at its ends.
static double trapezium(double dt, double old, double new)
{
    return 0.5 * dt * (old * old + new *new);
}

// What depends on the car alone; c still holds the row before.
static void step_car(const mc_figures *f, const comfort_filter *filter, car_state *c,
                     const mc_figures_row *row, int i, double dt)
{
    const double a = row->a[i], jerk = row->jerk ? row->jerk[i] : (a - c->a) / dt;
    const double aw = comfort_step(filter, c->a, a, c->z);
    // The jerk from two rows is that of the whole step; a given one is that of the instant.
    c->jerk_2 += row->jerk ? trapezium(dt, c->jerk, jerk) : dt * jerk * jerk;
    c->weighted_2 += trapezium(dt, c->aw, aw);
    c->weighted_4 += trapezium(dt, c->aw * c->aw, aw * aw);
    c->dv_2 += trapezium(dt, c->v - c->v0, row->v[i] - c->v0);
    c->aw = aw;
    c->jerk = jerk;
    const double fuel = row->fuel ? row->fuel[i] - c->fuel0 : NAN;
    if (!isnan(fuel))
        mileage_take(&c->mileage, f->mileage_p, f->mileage_window, dt, row->x[i] - c->x0,
                     fuel / f->density);
}

static void widen_extremes(car_state *c, const mc_figures_row *row, int i)
{
    const double v = row->v[i];
    c->max_a = fmax(c->max_a, fabs(row->a[i]));
    c->max_jerk = fmax(c->max_jerk, fabs(c->jerk));
    c->max_dv = fmax(c->max_dv, fabs(v - c->v0));
    if (row->lateral && !isnan(row->lateral[i])) {
        c->lateral_rows += 1.0;
        c->max_lateral = fmax(c->max_lateral, fabs(row->lateral[i]));
    }
    if (isnan(c->gap))
        return;
    c->gap_rows += 1.0;
    const double closing = v - row->v[(int)c->front], gap = fmax(c->gap, 0.0);
    c->min_gap = fmin(c->min_gap, c->gap);
    if (v > 1.0)
        c->min_time_gap = fmin(c->min_time_gap, c->gap / v);
    if (closing > 0.0) {
        c->min_ttc = fmin(c->min_ttc, gap / closing);
        c->max_drac = fmax(c->max_drac, closing * closing / (2.0 * gap));
    }
    if (isnan(c->error))
        return;
    c->error_rows += 1.0;
    c->max_error = fmax(c->max_error, fabs(c->error));
}

void mc_figures_take(mc_figures *f, const mc_figures_row *row)
{
    const bool first = f->run.rows == 0.0;
    const double dt = first ? 0.0 : row->t - f->run.t;
    mc_assert(first || dt > 0.0);
    // Rows that are a step apart but for rounding share one filter, so that bits do not depend on
    // where the time has been counted from; another interval has its own.
    comfort_filter other;
    const comfort_filter *filter = &f->filter;
    if (!first && fabs(dt - f->step) > 1e-6 * f->step) {
        comfort_filter_make(&other, COMFORT_WD, dt);
        filter = &other;
    }
    for (int i = 0; i < f->count; i++) {
        car_state *c = &f->cars[i];
        if (first)
            begin_car(f, c, row, i);
        else
            step_car(f, filter, c, row, i, dt);
        const double gap = gap_of(f, row, i);
        const double error = row->desired_gap ? gap - row->desired_gap[i] : NAN;
        if (!first && !isnan(error) && !isnan(c->error)) {
            c->error_2 += trapezium(dt, c->error, error);
            c->error_time += dt;
        }
        c->x = row->x[i];
        c->v = row->v[i];
        c->a = row->a[i];
        c->gap = gap;
        c->error = error;
        c->fuel = row->fuel ? row->fuel[i] : NAN;
        widen_extremes(c, row, i);
    }
    f->run.t0 = first ? row->t : f->run.t0;
    f->run.t = row->t;
    f->run.rows += 1.0;
}

static const double *from_row(const double *column, size_t at)
{
    return column ? column + at : NULL;
}

void mc_figures_take_all(mc_figures *f, int rows, const double *t, const mc_figures_row *columns)
{
    for (int r = 0; r < rows; r++) {
        const size_t at = (size_t)r * (size_t)f->count;
        const mc_figures_row row = {.t = t[r],
                                    .x = columns->x + at,
                                    .v = columns->v + at,
                                    .a = columns->a + at,
                                    .jerk = from_row(columns->jerk, at),
                                    .gap = from_row(columns->gap, at),
                                    .desired_gap = from_row(columns->desired_gap, at),
                                    .fuel = from_row(columns->fuel, at),
                                    .lateral = from_row(columns->lateral, at)};
        mc_figures_take(f, &row);
    }
}

void mc_figures_collide(mc_figures *f, double energy)
{
    f->run.collisions += 1.0;
    f->run.energy += energy;
}

void mc_figures_set_collisions(mc_figures *f, int count, double energy)
{
    f->run.collisions = count < 0 ? (double)NAN : count;
    f->run.energy = count < 0 ? NAN : energy;
}

void mc_figures_set_count(mc_figures *f, mc_figure_id figure, double count)
{
    mc_assert(figure >= MC_FIGURE_LANE_CHANGES && figure <= MC_FIGURE_WAITING);
    f->run.counts[figure - MC_FIGURE_LANE_CHANGES] = count;
}

void mc_figures_set_check_in_rejected(mc_figures *f, int count)
{
    f->run.check_in_rejected = count < 0 ? (double)NAN : count;
}

// ---- values ------------------------------------------------------------------------------------

static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : NAN;
}

// Figures of fuel, from mass (kg) and distance (m).
static double economy(const mc_figures *f, mc_figure_id figure, double fuel, double distance)
{
    const double volume = fuel / f->density;
    switch (figure) {
    case MC_FIGURE_FUEL_PER_KM:
        return ratio(fuel * 1e3, distance / 1e3);
    case MC_FIGURE_FUEL_PER_100KM:
        return ratio(volume * 1e3, distance / 1e5);
    default:
        return ratio(distance / MILEAGE_MILE, volume / MILEAGE_GALLON);
    }
}

// Car over the car in front of it.
static double gain_of(const mc_figures *f, const car_state *c, mc_figure_id figure)
{
    if (c->front < 0.0)
        return NAN;
    const car_state *front = &f->cars[(int)c->front];
    switch (figure) {
    case MC_FIGURE_GAIN_SPEED_L2:
        return ratio(sqrt(c->dv_2), sqrt(front->dv_2));
    case MC_FIGURE_GAIN_SPEED_MAX:
        return ratio(c->max_dv, front->max_dv);
    case MC_FIGURE_GAIN_ERROR_L2:
        return ratio(sqrt(c->error_2), sqrt(front->error_2));
    default:
        return ratio(c->max_error, front->max_error);
    }
}

// Figures of the gap, which only a car with another one in front of it has.
static double gap_figure(const car_state *c, mc_figure_id figure)
{
    switch (figure) {
    case MC_FIGURE_LARGEST_SPACING_ERROR:
        return c->error_rows > 0.0 ? c->max_error : NAN;
    case MC_FIGURE_RMS_SPACING_ERROR:
        return c->error_time > 0.0   ? sqrt(c->error_2 / c->error_time)
               : c->error_rows > 0.0 ? c->max_error // one row
                                     : NAN;
    case MC_FIGURE_SMALLEST_GAP:
        return c->min_gap;
    case MC_FIGURE_SMALLEST_TIME_GAP:
        return c->min_time_gap;
    case MC_FIGURE_SMALLEST_TTC:
        return c->min_ttc;
    case MC_FIGURE_LARGEST_DRAC:
        return c->max_drac;
    case MC_FIGURE_GAP:
        return c->gap;
    default:
        return c->error;
    }
}

static double car_figure(const mc_figures *f, const car_state *c, mc_figure_id figure)
{
    const double time = f->run.t - f->run.t0;
    const double distance = c->x - c->x0, fuel = c->fuel - c->fuel0;
    switch (figure) {
    case MC_FIGURE_LARGEST_ACCELERATION:
        return c->max_a;
    case MC_FIGURE_LARGEST_JERK:
        return c->max_jerk;
    case MC_FIGURE_LARGEST_LATERAL_ERROR:
        return c->lateral_rows > 0.0 ? c->max_lateral : NAN;
    case MC_FIGURE_RMS_JERK:
        return time > 0.0 ? sqrt(c->jerk_2 / time) : c->max_jerk;
    case MC_FIGURE_WEIGHTED_ACCELERATION:
        return time > 0.0 ? sqrt(c->weighted_2 / time) : 0.0;
    case MC_FIGURE_DOSE:
        return sqrt(sqrt(c->weighted_4));
    case MC_FIGURE_DISTANCE:
        return distance;
    case MC_FIGURE_FUEL:
        return fuel;
    case MC_FIGURE_FUEL_PER_KM:
    case MC_FIGURE_FUEL_PER_100KM:
    case MC_FIGURE_FUEL_MPG:
        return economy(f, figure, fuel, distance);
    case MC_FIGURE_MILEAGE:
        return isnan(fuel) ? NAN : c->mileage.value;
    case MC_FIGURE_GAIN_SPEED_L2:
    case MC_FIGURE_GAIN_SPEED_MAX:
    case MC_FIGURE_GAIN_ERROR_L2:
    case MC_FIGURE_GAIN_ERROR_MAX:
        return gain_of(f, c, figure);
    case MC_FIGURE_X:
        return c->x;
    case MC_FIGURE_V:
        return c->v;
    case MC_FIGURE_A:
        return c->a;
    default:
        return c->gap_rows > 0.0 ? gap_figure(c, figure) : NAN;
    }
}

// Sums over the cars that have fuel: an electric one does not improve the mileage of the others.
static double over_all(const mc_figures *f, int first, int last, mc_figure_id figure)
{
    double fuel = 0.0, distance = 0.0;
    int count = 0;
    for (int i = first; i < last; i++) {
        const car_state *c = &f->cars[i];
        if (isnan(c->fuel - c->fuel0))
            continue;
        fuel += c->fuel - c->fuel0;
        distance += c->x - c->x0;
        count++;
    }
    return count > 0 ? economy(f, figure, fuel, distance) : NAN;
}

static double over_cars(const mc_figures *f, int first, int last, mc_figure_id figure)
{
    double max = -INFINITY, min = INFINITY, sum = 0.0;
    int count = 0;
    for (int i = first; i < last; i++) {
        const double value = car_figure(f, &f->cars[i], figure);
        if (isnan(value))
            continue;
        max = fmax(max, value);
        min = fmin(min, value);
        sum += value;
        count++;
    }
    if (count == 0)
        return NAN;
    switch (mc_figure_table[figure].over) {
    case MC_FIGURE_OVER_MAX:
        return max;
    case MC_FIGURE_OVER_MIN:
        return min;
    case MC_FIGURE_OVER_SUM:
        return sum;
    case MC_FIGURE_OVER_MEAN:
        return sum / count;
    default:
        return NAN;
    }
}

double mc_figures_over(const mc_figures *f, int first, int count, mc_figure_id figure)
{
    mc_assert(first >= 0 && count >= 0 && first + count <= f->count);
    const mc_figure_over over = mc_figure_table[figure].over;
    if (f->run.rows == 0.0 || over == MC_FIGURE_OVER_RUN || over == MC_FIGURE_OVER_NONE)
        return NAN;
    return over == MC_FIGURE_OVER_ALL ? over_all(f, first, first + count, figure)
                                      : over_cars(f, first, first + count, figure);
}

double mc_figures_value(const mc_figures *f, int car, mc_figure_id figure)
{
    mc_assert(car >= -1 && car < f->count && (int)figure >= 0 && figure < MC_FIGURE_COUNT);
    const mc_figure_over over = mc_figure_table[figure].over;
    if (car >= 0)
        return over == MC_FIGURE_OVER_RUN || f->run.rows == 0.0
                   ? NAN
                   : car_figure(f, &f->cars[car], figure);
    switch (figure) {
    case MC_FIGURE_COLLISIONS:
        return f->run.collisions;
    case MC_FIGURE_COLLISION_ENERGY:
        return f->run.energy;
    case MC_FIGURE_T:
        return f->run.t;
    case MC_FIGURE_LANE_CHANGES:
    case MC_FIGURE_CUT_INS:
    case MC_FIGURE_ENTERED:
    case MC_FIGURE_LEFT:
    case MC_FIGURE_WAITING:
        return f->run.counts[figure - MC_FIGURE_LANE_CHANGES];
    case MC_FIGURE_CHECK_IN_REJECTED:
        return f->run.check_in_rejected;
    default:
        break;
    }
    return mc_figures_over(f, 0, f->count, figure);
}
