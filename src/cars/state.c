// state.c - inputs, saved states, and parameters that change while a car runs.
#include "cars/batch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- inputs ----

static double between(double a, double low, double high)
{
    return a > low ? a < high ? a : high : low;
}

// Sends a brake command on its way: at once without delay, else to the end of the queue.
static void send_command(const car_batch *b, int i)
{
    double *input = car_inputs(b, i);
    const double *constant = car_constants(b, i);
    const double delay = constant[CAR_BLOCK * CONSTANT_BRAKE_DELAY];
    const double command =
        input[CAR_BLOCK * INPUT_BRAKE] * constant[CAR_BLOCK * CONSTANT_BRAKE_MAX];
    int count = (int)input[CAR_BLOCK * INPUT_QUEUED];
    if (delay <= 0.0 && count == 0) {
        input[CAR_BLOCK * INPUT_COMMAND] = command;
        return;
    }
    queued *queue = b->queue + (size_t)i * QUEUE_PLACES;
    double due = input[CAR_BLOCK * INPUT_CLOCK] + delay;
    const double newest = count > 0 ? queue[count - 1].command : input[CAR_BLOCK * INPUT_COMMAND];
    if (command == newest)
        return;
    if (count > 0) {
        due = fmax(due, queue[count - 1].due);
        if (due - queue[count - 1].due < delay / QUEUE_LENGTH * (1.0 - 1e-9) ||
            count == QUEUE_PLACES) {
            queue[count - 1].command = command;
            return;
        }
    }
    queue[count++] = (queued){due, command};
    input[CAR_BLOCK * INPUT_QUEUED] = count;
}

void car_take_command(const car_batch *b, int i)
{
    double *input = car_inputs(b, i);
    queued *queue = b->queue + (size_t)i * QUEUE_PLACES;
    int count = (int)input[CAR_BLOCK * INPUT_QUEUED], due = 0;
    // A nanosecond early counts as due: a delay of ten control steps ends with the tenth.
    while (due < count && queue[due].due <= input[CAR_BLOCK * INPUT_CLOCK] + 1e-9)
        input[CAR_BLOCK * INPUT_COMMAND] = queue[due++].command;
    if (due == 0)
        return;
    count -= due;
    memmove(queue, queue + due, (size_t)count * sizeof *queue);
    input[CAR_BLOCK * INPUT_QUEUED] = count;
}

static void set_one(const car_batch *b, int i, const mc_inputs *in)
{
    double *input = car_inputs(b, i);
    input[CAR_BLOCK * INPUT_THROTTLE] = between(in->throttle, 0.0, 1.0);
    input[CAR_BLOCK * INPUT_STEER] = in->steer;
    input[CAR_BLOCK * INPUT_DESIRED] = in->acceleration;
    input[CAR_BLOCK * INPUT_BRAKE] = between(in->brake, 0.0, 1.0);
    if (b->powertrain)
        send_command(b, i);
}

void car_set_inputs(mc_batch *batch, int first, int count, const mc_inputs *in)
{
    enum { FOUR = 4 };
    const car_batch *b = car_look(batch);
    const int end = first + count;
    for (int i = first; i < end;) {
        // The unused places after the last car belong to no car.
        const int left = end - i;
        if (i % FOUR == 0 && (left >= FOUR || end == batch->count)) {
            const int used = left < FOUR ? left : FOUR;
            const int waits = b->set_four(b, i, used, in + (i - first));
            for (int l = 0; waits >> l; l++)
                if (waits >> l & 1)
                    send_command(b, i + l);
            i += FOUR;
        } else {
            set_one(b, i, in + (i - first));
            i++;
        }
    }
}

void car_set_road(mc_batch *batch, const road *r)
{
    car_batch *b = car_own(batch);
    b->road = r;
    b->relief = road_is_relief(r);
}

void car_set_path(mc_batch *batch, int i, int path, double station)
{
    double *value = car_values(car_own(batch), i);
    value[CAR_BLOCK * VALUE_PATH] = path;
    value[CAR_BLOCK * VALUE_STATION] = station;
}

void car_limit_step(mc_batch *batch, double step)
{
    car_own(batch)->step = step;
}

// ---- parameters ----

static bool in_range(const mc_param *row, double value)
{
    return value >= row->min && value <= row->max;
}

bool car_set_param(mc_batch *batch, int i, const char *name, double value)
{
    car_batch *b = car_own(batch);
    const powertrain_kind *powertrain = b->powertrain;
    for (int k = 0; powertrain && k < powertrain->param_count; k++)
        if (strcmp(powertrain->params[k].name, name) == 0) {
            double *place = &b->cars[i].powertrain_p[k];
            const double old = *place;
            char why[300];
            if (!in_range(&powertrain->params[k], value))
                return false;
            *place = value;
            if (powertrain->check && !powertrain->check(b->cars[i].powertrain_p, why, sizeof why)) {
                *place = old;
                return false;
            }
            car_prepare(b, i);
            car_coast_fill(b, i, b->places + i);
            return true;
        }
    const unsigned long long live = b->lateral != CAR_REPORT ? CAR_LIVE_BICYCLE
                                    : powertrain             ? CAR_LIVE
                                                             : CAR_LIVE_POINT;
    for (int k = 0; k < CAR_PARAM_COUNT; k++)
        if (strcmp(car_params[k].name, name) == 0) {
            if (!(live >> k & 1) || !in_range(&car_params[k], value))
                return false;
            double before[3], after[3];
            car_momentum(batch, i, before);
            b->cars[i].p[k] = value;
            car_prepare(b, i);
            car_momentum(batch, i, after);
            for (int j = 0; j < 3; j++) // new mass comes at the speed of the car
                car_inputs(b, i)[CAR_BLOCK * (INPUT_GIVEN + j)] += after[j] - before[j];
            return true;
        }
    return false;
}

bool car_get_param(const mc_batch *batch, int i, const char *name, double *value)
{
    const car_batch *b = car_look(batch);
    const powertrain_kind *powertrain = b->powertrain;
    for (int k = 0; powertrain && k < powertrain->param_count; k++)
        if (strcmp(powertrain->params[k].name, name) == 0) {
            *value = b->cars[i].powertrain_p[k];
            return true;
        }
    for (int k = 0; k < CAR_PARAM_COUNT; k++)
        if (strcmp(car_params[k].name, name) == 0) {
            *value = b->cars[i].p[k];
            return true;
        }
    return false;
}

// ---- saved states ----

// Parameters are part of it: they change while a car runs.
enum {
    SAVED_ENGINE_MIN = 32, // places for the parameters of most powertrains
    SAVED = VALUE_COUNT + INPUT_COUNT + 2 * QUEUE_PLACES + CAR_PARAM_COUNT
};

static int saved_engine(const car_batch *b)
{
    const int count = b->powertrain ? b->powertrain->param_count : 0;
    return count > SAVED_ENGINE_MIN ? count : SAVED_ENGINE_MIN;
}

int car_save_size(const mc_batch *batch)
{
    return SAVED + saved_engine(car_look(batch));
}

bool car_state_name(const mc_batch *batch, int k, mc_state_name *out)
{
    static const mc_channel rows[VALUE_COUNT] = {
        [VALUE_X] = {"x", "m", ""},
        [VALUE_U] = {"v", "m/s", ""},
        [VALUE_Y] = {"y", "m", ""},
        [VALUE_PSI] = {"psi", "rad", ""},
        [VALUE_W] = {"v_y", "m/s", ""},
        [VALUE_R] = {"yaw_rate", "rad/s", ""},
        [VALUE_STEER] = {"steer_angle", "rad", ""},
    };
    const powertrain_kind *powertrain = car_look(batch)->powertrain;
    if (k >= VALUE_COUNT || (k >= VALUE_STEER && car_look(batch)->lateral == CAR_REPORT))
        return false;
    if (k == VALUE_FORCE) {
        snprintf(out->name, sizeof out->name, powertrain ? "brake_force" : "a_before_limits");
        snprintf(out->unit, sizeof out->unit, powertrain ? "N" : "m/s^2");
        return true;
    }
    if (powertrain && k >= VALUE_ENGINE && k < VALUE_ENGINE + powertrain->state_count) {
        powertrain_state_name(powertrain, k - VALUE_ENGINE, out);
        return true;
    }
    if (!rows[k].name)
        return false;
    snprintf(out->name, sizeof out->name, "%s", rows[k].name);
    snprintf(out->unit, sizeof out->unit, "%s", rows[k].unit);
    return true;
}

void car_save(const mc_batch *batch, int i, double *out)
{
    const car_batch *b = car_look(batch);
    const double *value = car_values(b, i), *input = car_inputs(b, i);
    const queued *queue = b->queue + (size_t)i * QUEUE_PLACES;
    for (int k = 0; k < VALUE_COUNT; k++)
        *out++ = value[CAR_BLOCK * k];
    for (int k = 0; k < INPUT_COUNT; k++)
        *out++ = input[CAR_BLOCK * k];
    const int count = (int)input[CAR_BLOCK * INPUT_QUEUED];
    for (int k = 0; k < QUEUE_PLACES; k++) {
        *out++ = k < count ? queue[k].due : 0.0;
        *out++ = k < count ? queue[k].command : 0.0;
    }
    const int engine = b->powertrain ? b->powertrain->param_count : 0;
    memset(out + CAR_PARAM_COUNT, 0, (size_t)saved_engine(b) * sizeof *out);
    memcpy(out, b->cars[i].p, sizeof b->cars[i].p);
    memcpy(out + CAR_PARAM_COUNT, b->cars[i].powertrain_p, (size_t)engine * sizeof *out);
}

// Parameters as they were; nearly always they have not changed. Damaged ones are not taken.
static void restore_params(car_batch *b, int i, const double *in)
{
    car *c = &b->cars[i];
    const double *engine_in = in + CAR_PARAM_COUNT;
    const size_t engine = b->powertrain ? (size_t)b->powertrain->param_count : 0;
    const bool own = memcmp(c->p, in, sizeof c->p) != 0;
    const bool other_engine = memcmp(c->powertrain_p, engine_in, engine * sizeof *in) != 0;
    if (!own && !other_engine)
        return;
    for (int k = 0; k < CAR_PARAM_COUNT; k++)
        if (memcmp(&c->p[k], &in[k], sizeof *in) != 0 && !in_range(&car_params[k], in[k]))
            return;
    for (size_t k = 0; k < engine; k++)
        if (!in_range(&b->powertrain->params[k], engine_in[k]))
            return;
    memcpy(c->p, in, sizeof c->p);
    memcpy(c->powertrain_p, engine_in, engine * sizeof *in);
    car_prepare(b, i);
    if (other_engine)
        car_coast_fill(b, i, b->places + i);
}

// Can these commands be under way? Not in a damaged snapshot.
static bool sound_queue(double count, double clock, const double *in)
{
    bool good = count >= 0.0 && count <= QUEUE_PLACES && count == floor(count);
    for (int k = 0; good && k < (int)count; k++)
        good = fabs(in[2 * k] - clock) <= 10.0 && (k == 0 || in[2 * k] >= in[2 * k - 2]);
    return good;
}

void car_restore(mc_batch *batch, int i, const double *in)
{
    car_batch *b = car_own(batch);
    double *value = car_values(b, i), *input = car_inputs(b, i);
    queued *queue = b->queue + (size_t)i * QUEUE_PLACES;
    for (int k = 0; k < VALUE_COUNT; k++)
        value[CAR_BLOCK * k] = *in++;
    for (int k = 0; k < INPUT_COUNT; k++)
        input[CAR_BLOCK * k] = *in++;
    double *waiting = &input[CAR_BLOCK * INPUT_QUEUED];
    if (!sound_queue(*waiting, input[CAR_BLOCK * INPUT_CLOCK], in))
        *waiting = 0.0;
    const int count = (int)*waiting;
    for (int k = 0; k < count; k++)
        queue[k] = (queued){in[2 * k], in[2 * k + 1]};
    restore_params(b, i, in + 2 * QUEUE_PLACES);
}
