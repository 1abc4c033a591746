// motion.c - from the fields of a data file to the motion of every car.
#include "dynavis/data.h"

#include <math.h>
#include <stdlib.h>

// ---- which car is which ----

// Links cars of equal id of frames f - 1 and f; both orders rise with the id.
static void link_frames(dynavis_store *s, size_t before, int before_count, size_t now,
                        int now_count)
{
    int i = 0, j = 0;
    while (i < before_count && j < now_count) {
        const size_t a = before + (size_t)s->order[before + (size_t)i];
        const size_t b = now + (size_t)s->order[now + (size_t)j];
        const int x = s->cars[a].id, y = s->cars[b].id;
        if (x == y) {
            s->next[a] = (int)b;
            s->previous[b] = (int)a;
        }
        i += x <= y;
        j += y <= x;
    }
}

static mc_status link_cars(dynavis_store *s, const char *file, mc_error *error)
{
    mc_dynavis_data *data = &s->data;
    const size_t size = (s->car_count + 1) * sizeof *s->next; // no cars at all: not nothing
    s->next = malloc(size);
    s->previous = malloc(size);
    if (!s->next || !s->previous)
        return mc_error_set(error, MC_NO_MEMORY, file, 0, 0, "no memory left for the data");
    for (size_t k = 0; k < s->car_count; k++)
        s->next[k] = s->previous[k] = -1;
    size_t at = 0;
    for (int f = 0; f < data->frame_count; f++) {
        mc_dynavis_frame *frame = &data->frames[f];
        frame->cars = s->cars + at;
        if (f > 0)
            link_frames(s, at - (size_t)frame[-1].car_count, frame[-1].car_count, at,
                        frame->car_count);
        at += (size_t)frame->car_count;
    }
    for (size_t k = 0; k < s->car_count; k++)
        data->track_count += s->previous[k] < 0;
    return MC_OK;
}

// ---- positions ----

// The first car of a platoon in a file of distances: x(0) = 0, then the integral of its speed.
static mc_status place_leader(dynavis_store *s, int f, int index, const char *file, mc_error *error)
{
    const mc_dynavis_frame *frame = &s->data.frames[f];
    mc_dynavis_car *car = &frame->cars[index];
    const int previous = s->previous[car - s->cars];
    car->x = 0.0;
    if (f == 0)
        return MC_OK;
    if (previous < 0)
        return mc_error_set(error, MC_BAD_INPUT, file, frame->line, 1,
                            "car %d leads platoon %d and was not in the line before: with "
                            "RelPosition_X = 1 its position cannot be known",
                            car->id, car->platoon);
    const mc_dynavis_car *before = &s->cars[previous];
    const double h = frame->t - frame[-1].t;
    car->x = before->x + 0.5 * h * (before->v_x + car->v_x);
    if (dynavis_on(&s->data.params,
                   MC_DYNAVIS_PARAM_ACCELERATION)) // Hermite: exact for cubic speeds
        car->x += h * h / 12.0 * (before->a - car->a);
    return MC_OK;
}

static mc_status place_cars(dynavis_store *s, int f, const char *file, mc_error *error)
{
    const mc_dynavis_params *p = &s->data.params;
    const mc_dynavis_frame *frame = &s->data.frames[f];
    const bool relative = dynavis_on(p, MC_DYNAVIS_PARAM_RELATIVE_X);
    const bool y_given = dynavis_on(p, MC_DYNAVIS_PARAM_POSITION_Y_GIVEN);
    mc_status status = MC_OK;
    for (int i = 0; i < frame->car_count && status == MC_OK; i++) {
        mc_dynavis_car *car = &frame->cars[i];
        const int platoon = car->platoon - 1;
        if (dynavis_is_copy(p, frame->car_count, i)) {
            const mc_dynavis_car *leader = &frame->cars[0];
            const int id = car->id;
            *car = *leader;
            car->id = id;
            car->platoon = platoon + 1;
            car->y = leader->y + dynavis_centre(platoon);
            continue;
        }
        if (relative && dynavis_is_first(p, frame->car_count, i))
            status = place_leader(s, f, i, file, error);
        else if (relative)
            car->x = car[-1].x - car->x;
        car->y = y_given ? car->y + dynavis_y_origin(p, platoon) : dynavis_centre(platoon);
    }
    for (int i = 0; i < frame->car_count; i++)
        frame->cars[i].lane = mc_dynavis_lane(frame->cars[i].y);
    return status;
}

// ---- rates ----

typedef enum signal { SIGNAL_X, SIGNAL_Y, SIGNAL_V_X, SIGNAL_V_Y, SIGNAL_A, SIGNAL_JERK } signal;

static double *signal_of(mc_dynavis_car *car, signal which)
{
    double *const all[] = {&car->x, &car->y, &car->v_x, &car->v_y, &car->a, &car->jerk};
    return all[which];
}

typedef struct rate { // one quantity to be estimated
    signal out, from;
    int order;
} rate;

// What is to be estimated from what, in the order of doing; returns how many.
static int plan_rates(mc_dynavis_data *data, rate plan[4])
{
    const mc_dynavis_params *p = &data->params;
    const bool v = dynavis_on(p, MC_DYNAVIS_PARAM_VELOCITY_X),
               a = dynavis_on(p, MC_DYNAVIS_PARAM_ACCELERATION);
    const bool y = dynavis_on(p, MC_DYNAVIS_PARAM_POSITION_Y_GIVEN);
    int count = 0;
    data->x = dynavis_on(p, MC_DYNAVIS_PARAM_RELATIVE_X) ? MC_DYNAVIS_SOURCE_COMPUTED
                                                         : MC_DYNAVIS_SOURCE_READ;
    data->y = y ? MC_DYNAVIS_SOURCE_READ : MC_DYNAVIS_SOURCE_COMPUTED;
    data->v_x = v ? MC_DYNAVIS_SOURCE_READ : MC_DYNAVIS_SOURCE_FITTED;
    data->v_y = dynavis_on(p, MC_DYNAVIS_PARAM_VELOCITY_Y) ? MC_DYNAVIS_SOURCE_READ
                : y                                        ? MC_DYNAVIS_SOURCE_FITTED
                                                           : MC_DYNAVIS_SOURCE_COMPUTED; // 0
    data->a = a                                                       ? MC_DYNAVIS_SOURCE_READ
              : dynavis_on(p, MC_DYNAVIS_PARAM_ESTIMATE_ACCELERATION) ? MC_DYNAVIS_SOURCE_FITTED
                                                                      : MC_DYNAVIS_SOURCE_UNKNOWN;
    data->jerk = dynavis_on(p, MC_DYNAVIS_PARAM_JERK)            ? MC_DYNAVIS_SOURCE_READ
                 : dynavis_on(p, MC_DYNAVIS_PARAM_ESTIMATE_JERK) ? MC_DYNAVIS_SOURCE_FITTED
                                                                 : MC_DYNAVIS_SOURCE_UNKNOWN;
    const signal base = a ? SIGNAL_A : v ? SIGNAL_V_X : SIGNAL_X;
    if (data->v_x == MC_DYNAVIS_SOURCE_FITTED)
        plan[count++] = (rate){SIGNAL_V_X, SIGNAL_X, 1};
    if (data->v_y == MC_DYNAVIS_SOURCE_FITTED)
        plan[count++] = (rate){SIGNAL_V_Y, SIGNAL_Y, 1};
    if (data->a == MC_DYNAVIS_SOURCE_FITTED)
        plan[count++] = (rate){SIGNAL_A, base, v ? 1 : 2};
    if (data->jerk == MC_DYNAVIS_SOURCE_FITTED)
        plan[count++] = (rate){SIGNAL_JERK, base, a ? 1 : v ? 2 : 3};
    return count;
}

// One car from its coming to its going.
static void estimate_track(dynavis_store *s, const rate *plan, int plan_count, int first, int frame,
                           double window, double *t, double *in, double *out)
{
    for (int k = 0; k < plan_count; k++) {
        int n = 0;
        for (int c = first; c >= 0; c = s->next[c], n++) {
            t[n] = s->data.frames[frame + n].t;
            in[n] = *signal_of(&s->cars[c], plan[k].from);
        }
        const int r = plan[k].order;
        dynavis_derivative(n, t, in, r, 0.5 * (r + 1) * window, out);
        n = 0;
        for (int c = first; c >= 0; c = s->next[c], n++)
            *signal_of(&s->cars[c], plan[k].out) = out[n];
    }
}

static mc_status estimate(dynavis_store *s, double window, const char *file, mc_error *error)
{
    mc_dynavis_data *data = &s->data;
    rate plan[4];
    const int plan_count = plan_rates(data, plan);
    for (size_t k = 0; k < s->car_count; k++) {
        if (data->a == MC_DYNAVIS_SOURCE_UNKNOWN)
            s->cars[k].a = NAN;
        if (data->jerk == MC_DYNAVIS_SOURCE_UNKNOWN)
            s->cars[k].jerk = NAN;
    }
    if (plan_count == 0)
        return MC_OK;
    const size_t n = (size_t)data->frame_count;
    double *work = malloc(3 * n * sizeof *work);
    if (!work)
        return mc_error_set(error, MC_NO_MEMORY, file, 0, 0, "no memory left for the estimates");
    for (int f = 0; f < data->frame_count; f++)
        for (int i = 0; i < data->frames[f].car_count; i++) {
            const int c = (int)(data->frames[f].cars + i - s->cars);
            if (s->previous[c] < 0)
                estimate_track(s, plan, plan_count, c, f, window, work, work + n, work + 2 * n);
        }
    free(work);
    return MC_OK;
}

mc_status dynavis_complete(dynavis_store *s, const mc_dynavis_options *options, const char *file,
                           mc_error *error)
{
    const double window = options && options->window > 0.0 ? options->window : MC_DYNAVIS_WINDOW;
    s->data.window = window;
    mc_status status = link_cars(s, file, error);
    for (int f = 0; f < s->data.frame_count && status == MC_OK; f++)
        status = place_cars(s, f, file, error);
    if (status == MC_OK)
        status = estimate(s, window, file, error);
    if (status == MC_OK)
        dynavis_describe(&s->data);
    return status;
}
