// inputs.c - inputs over time into the vehicles.
#include "medusa/inputs.h"

#include <math.h>
#include <stdlib.h>

static bool has_inputs(const medusa_vehicle *v)
{
    bool any = false;
    for (int k = 0; k < MEDUSA_INPUT_COUNT; k++)
        any = any || v->input[k].count > 0;
    return any;
}

mc_status medusa_inputs_check(const mc_medusa *run, mc_error *error)
{
    for (int i = 0; i < run->platoon.count; i++) {
        const medusa_vehicle *v = &run->platoon.vehicle[i];
        const running_gear *gear = &run->models.model[v->model].gear;
        for (int k = 0; k < MEDUSA_INPUT_COUNT; k++) {
            const bool brake = k == MEDUSA_INPUT_BRAKE && !gear->driven;
            const bool throttle = k == MEDUSA_INPUT_THROTTLE && !gear->powertrain;
            if (v->input[k].count > 0 && (brake || throttle))
                return mc_error_set(error, MC_BAD_INPUT, run->platoon.file, v->input[k].line,
                                    v->input[k].column, "%s of vehicle %d: model %d has no %s",
                                    medusa_input_params[k].name, i + 1, v->model + 1,
                                    brake ? "DRIVE_MODEL" : "POWERTRAIN_MODEL");
        }
    }
    return MC_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool medusa_inputs_prepare(mc_medusa *run)
{
    size_t points = 0, vehicles = 0;
    for (int i = 0; i < run->platoon.count; i++) {
        const medusa_vehicle *v = &run->platoon.vehicle[i];
        vehicles += has_inputs(v);
        for (int k = 0; k < MEDUSA_INPUT_COUNT; k++)
            points += (size_t)v->input[k].count;
    }
    run->change_time = arena_alloc(&run->arena, (points + 1) * sizeof *run->change_time);
    run->driven = arena_alloc(&run->arena, (vehicles + 1) * sizeof *run->driven);
    if (!run->change_time || !run->driven)
        return false;
    for (int i = 0; i < run->platoon.count; i++) {
        const medusa_vehicle *v = &run->platoon.vehicle[i];
        if (has_inputs(v))
            run->driven[run->driven_count++] = i;
        for (int k = 0; k < MEDUSA_INPUT_COUNT; k++)
            for (int j = 0; j < v->input[k].count; j++)
                run->change_time[run->change_count++] = v->input[k].time[j];
    }
    qsort(run->change_time, run->change_count, sizeof *run->change_time, ascending);
    return true;
}

// Instants closer than this are one, s.
static const double same = 1e-9;

// The last instant of change at or before `time`, and the first after it.
static void interval_of(const mc_medusa *run, double time, double *from, double *to)
{
    const double number = floor((time + same) / MEDUSA_INPUT_INTERVAL);
    *from = number * MEDUSA_INPUT_INTERVAL;
    *to = (number + 1.0) * MEDUSA_INPUT_INTERVAL;
    size_t low = 0, high = run->change_count; // the first point after `time`
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (run->change_time[middle] > time + same)
            high = middle;
        else
            low = middle + 1;
    }
    if (low < run->change_count)
        *to = fmin(*to, run->change_time[low]);
    if (low > 0)
        *from = fmax(*from, run->change_time[low - 1]);
}

static double value_at(const medusa_input *in, double time)
{
    int low = 0, high = in->count; // the first point after `time`
    while (low < high) {
        const int middle = (low + high) / 2;
        if (in->time[middle] > time)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0)
        return in->value[0];
    if (low == in->count)
        return in->value[low - 1];
    const double share = (time - in->time[low - 1]) / (in->time[low] - in->time[low - 1]);
    return in->value[low - 1] + share * (in->value[low] - in->value[low - 1]);
}

static mc_inputs inputs_of(const medusa_vehicle *v, double time)
{
    const double none[MEDUSA_INPUT_COUNT] = {[MEDUSA_INPUT_STEERING] = v->steering};
    double now[MEDUSA_INPUT_COUNT];
    for (int j = 0; j < MEDUSA_INPUT_COUNT; j++)
        now[j] = v->input[j].count > 0 ? value_at(&v->input[j], time) : none[j];
    return (mc_inputs){.throttle = now[MEDUSA_INPUT_THROTTLE],
                       .brake = now[MEDUSA_INPUT_BRAKE],
                       .steer = now[MEDUSA_INPUT_STEERING]};
}

mc_inputs medusa_inputs_at(const mc_medusa *run, int vehicle, double time)
{
    double from, to;
    interval_of(run, time, &from, &to);
    return inputs_of(&run->platoon.vehicle[vehicle], 0.5 * (from + to));
}

double medusa_inputs_set(const mc_medusa *run, double time)
{
    if (run->driven_count == 0)
        return HUGE_VAL;
    double from, to;
    interval_of(run, time, &from, &to);
    for (int k = 0; k < run->driven_count; k++) {
        const mc_inputs in = inputs_of(&run->platoon.vehicle[run->driven[k]], 0.5 * (from + to));
        mc_batch *batch;
        int index;
        mc_world_vehicle(run->world, run->driven[k], &batch, &index);
        batch->kind->set_inputs(batch, index, 1, &in);
    }
    return to;
}
