// describe.c - how missing quantities of a data file were found, and what looks like a
// slip.
#include "dynavis/data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void append(char *out, size_t size, const char *format,
                                                         ...)
{
    const size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out + used, size - used, format, arguments);
    va_end(arguments);
}

static void describe_method(mc_dynavis_data *data)
{
    const mc_dynavis_params *p = &data->params;
    char *out = data->method;
    const size_t size = sizeof data->method;
    const bool v = dynavis_on(p, MC_DYNAVIS_PARAM_VELOCITY_X),
               a = dynavis_on(p, MC_DYNAVIS_PARAM_ACCELERATION);
    out[0] = '\0';
    if (data->x == MC_DYNAVIS_SOURCE_COMPUTED)
        append(out, size, "leader's position: integral of its speed%s; ",
               a ? " (with acceleration, 4th order)" : " (trapezoidal)");
    const struct {
        mc_dynavis_source source;
        const char *name, *from;
        int order;
    } rates[] = {{data->v_x, "longitudinal speed", "position", 1},
                 {data->v_y, "lateral speed", "lateral position", 1},
                 {data->a, "acceleration", v ? "speed" : "position", v ? 1 : 2},
                 {data->jerk, "jerk",
                  a   ? "acceleration"
                  : v ? "speed"
                      : "position",
                  a   ? 1
                  : v ? 2
                      : 3}};
    static const char *const derivative[] = {"", "first", "second", "third"};
    bool fitted = false;
    for (int k = 0; k < 4; k++)
        if (rates[k].source == MC_DYNAVIS_SOURCE_FITTED) {
            append(out, size, "%s: %s derivative of %s, degree %d within %g s; ", rates[k].name,
                   derivative[rates[k].order], rates[k].from, rates[k].order + 1,
                   0.5 * (rates[k].order + 1) * data->window);
            fitted = true;
        }
    const size_t length = strlen(out);
    if (fitted)
        append(out, size, "local least squares (Savitzky-Golay, uneven steps)");
    else if (length > 0)
        out[length - 2] = '\0'; // "; "
    else
        append(out, size, "everything was read");
}

__attribute__((format(printf, 2, 3))) static void note(mc_dynavis_data *data, const char *format,
                                                       ...)
{
    if (data->note_count == MC_DYNAVIS_NOTE_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(data->notes[data->note_count++], MC_DYNAVIS_NOTE_SIZE, format, arguments);
    va_end(arguments);
}

// Distances have the other sign when every follower stands before its leader.
static void check_distances(mc_dynavis_data *data)
{
    long followers = 0, ahead = 0;
    for (int f = 0; f < data->frame_count; f++)
        for (int i = 1; i < data->frames[f].car_count; i++)
            if (!dynavis_is_first(&data->params, data->frames[f].car_count, i)) {
                const mc_dynavis_car *car = &data->frames[f].cars[i];
                followers++;
                ahead += car->x > car[-1].x;
            }
    if (data->x == MC_DYNAVIS_SOURCE_COMPUTED && followers > 0 && ahead == followers)
        note(data, "every distance is negative, so followers would be ahead of their leaders; a "
                   "distance to the car in front is positive");
}

// Way and speed of the cars of the first line that are in the last one too, by place.
static void check_speeds(mc_dynavis_data *data)
{
    const mc_dynavis_frame *first = &data->frames[0], *last = mc_dynavis_data_last(data);
    if (data->v_x != MC_DYNAVIS_SOURCE_READ || data->frame_count < 5 ||
        data->min_cars != data->max_cars)
        return;
    for (int i = 0; i < first->car_count; i++) {
        double way = 0.0;
        for (int f = 1; f < data->frame_count; f++)
            way += 0.5 * (data->frames[f].t - data->frames[f - 1].t) *
                   (data->frames[f].cars[i].v_x + data->frames[f - 1].cars[i].v_x);
        const double moved = last->cars[i].x - first->cars[i].x;
        const double slack = fmax(0.2 * fabs(way), 0.5 * (last->t - first->t) + 5.0);
        if (last->cars[i].id == first->cars[i].id && fabs(moved - way) > slack) {
            note(data,
                 "car %d moves %.4g m, but its speed integrates to %.4g m: does the parameter file "
                 "belong to this data file?",
                 first->cars[i].id, moved, way);
            return;
        }
    }
}

static void check_road(mc_dynavis_data *data)
{
    const double half = 0.5 * MC_DYNAVIS_LANE_WIDTH;
    for (int f = 0; f < data->frame_count; f++)
        for (int i = 0; i < data->frames[f].car_count; i++) {
            const mc_dynavis_car *car = &data->frames[f].cars[i];
            if (car->y > half || car->y < dynavis_centre(2) - half) {
                note(data, "line %d: car %d at y = %.4g m is off the three lanes (%g .. %g m)",
                     data->frames[f].line, car->id, car->y, half, dynavis_centre(2) - half);
                return;
            }
        }
}

void dynavis_describe(mc_dynavis_data *data)
{
    const mc_dynavis_params *p = &data->params;
    describe_method(data);
    if (dynavis_on(p, MC_DYNAVIS_PARAM_ACCELERATION) &&
        dynavis_on(p, MC_DYNAVIS_PARAM_ESTIMATE_ACCELERATION))
        note(data, "EstimateAcceleration = 1 has no effect: accelerations are in the file");
    if (dynavis_on(p, MC_DYNAVIS_PARAM_JERK) && dynavis_on(p, MC_DYNAVIS_PARAM_ESTIMATE_JERK))
        note(data, "Estimate_Jerk = 1 has no effect: jerks are in the file");
    const bool fitted = data->v_x == MC_DYNAVIS_SOURCE_FITTED ||
                        data->a == MC_DYNAVIS_SOURCE_FITTED ||
                        data->jerk == MC_DYNAVIS_SOURCE_FITTED;
    if (fitted && data->frame_count < 5)
        note(data, "%d line%s: too few to estimate rates well", data->frame_count,
             data->frame_count == 1 ? "" : "s");
    if (data->max_cars != data->min_cars && !dynavis_on(p, MC_DYNAVIS_PARAM_CAR_ID_GIVEN))
        note(data, "the number of cars changes and there are no ids: cars are identified by their "
                   "place in the line");
    check_distances(data);
    check_speeds(data);
    check_road(data);
}
