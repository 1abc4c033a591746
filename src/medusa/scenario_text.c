// scenario_text.c - the two MEDUSA files as a scenario, in which they move as in mc_medusa_run, to
// the bit.
//
// A scenario of deformable vehicles has everything a MEDUSA run has, once three things are said
// that
// scenarios decide otherwise: the running gear is that of the file (running_gear: file), resting
// contacts are not thinned out (contact: {rest_interval: 0}), and the control step is the interval
// at which MEDUSA sets its inputs. Inputs over time become events `drive`, one per interval in
// which
// they change.
#include "cosserat/batch.h"
#include "medusa/inputs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *at;
    size_t size, room;
    bool failed;
} text;

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text *t, const char *format, ...)
{
    char line[600];
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (t->failed || n < 0 || (size_t)n >= sizeof line) {
        t->failed = true;
        return;
    }
    if (t->size + (size_t)n + 1 > t->room) {
        const size_t room = 2 * t->room + (size_t)n + 4096;
        char *more = realloc(t->at, room);
        if (!more) {
            t->failed = true;
            return;
        }
        t->at = more, t->room = room;
    }
    memcpy(t->at + t->size, line, (size_t)n + 1);
    t->size += (size_t)n;
}

// ---- what a scenario cannot say ----

static bool on_grid(double time)
{
    const double number = time / MEDUSA_INPUT_INTERVAL;
    return fabs(number - floor(number + 0.5)) * MEDUSA_INPUT_INTERVAL < 1e-9;
}

static mc_status check(const mc_medusa *run, mc_error *error)
{
    const medusa_platoon *p = &run->platoon;
    const char *hint = "run it with motorcade medusa and open its results";
    if (run->options.free_step > 0.0)
        return mc_error_set(error, MC_BAD_INPUT, p->file, 0, 0,
                            "a run with its own step of free vehicles cannot run live; %s", hint);
    if (p->around.surface.shape || p->around.obstacle_count > 0)
        return mc_error_set(error, MC_BAD_INPUT, p->file, p->around.line, p->around.column,
                            "a platoon file with ROAD_SURFACE or OBSTACLE cannot run live; %s",
                            hint);
    for (int i = 0; i < p->count; i++) {
        const medusa_vehicle *v = &p->vehicle[i];
        if (v->speed < 0.0)
            return mc_error_set(error, MC_BAD_INPUT, p->file, v->line, v->column,
                                "vehicle %d moves backwards, which cannot run live; %s", i + 1,
                                hint);
        for (int k = 0; k < MEDUSA_INPUT_COUNT; k++)
            for (int j = 0; j < v->input[k].count; j++)
                if (!on_grid(v->input[k].time[j]))
                    return mc_error_set(
                        error, MC_BAD_INPUT, p->file, v->input[k].line, v->input[k].column,
                        "%s has a point at %g s; live, inputs change every %g s, "
                        "expected a multiple of it",
                        medusa_input_params[k].name, v->input[k].time[j], MEDUSA_INPUT_INTERVAL);
    }
    return MC_OK;
}

// ---- the text ----

static void put_models(text *t, const mc_medusa *run, const char *file, bool solved)
{
    put(t, "models:\n");
    for (int k = 0; k < run->models.count; k++) {
        bool used = false;
        for (int i = 0; i < run->platoon.count; i++)
            used = used || run->platoon.vehicle[i].model == k;
        if (!used)
            continue;
        put(t,
            "  model%d: {kind: %s, file: \"%s\", number: %d, running_gear: file, scheme: %s, "
            "equilibrium: %s}\n",
            k + 1, cosserat_kind.name, file, k + 1, mc_scheme_name(run->options.scheme),
            solved ? "solved" : "file");
    }
}

static void put_vehicles(text *t, const mc_medusa *run)
{
    put(t, "vehicles:\n");
    for (int i = 0; i < run->platoon.count; i++) {
        const medusa_vehicle *v = &run->platoon.vehicle[i];
        put(t,
            "  - {name: vehicle%d, model: model%d, x: %.17g, y: %.17g, heading: %.17g, v: %.17g}\n",
            i + 1, v->model + 1, v->x, v->y, v->orientation, v->speed);
    }
}

static void put_event(text *t, int vehicle, double at, const mc_inputs *in)
{
    put(t,
        "  - {at: %.17g, vehicle: vehicle%d, drive: {throttle: %.17g, brake: %.17g, steer: "
        "%.17g}}\n",
        at, vehicle + 1, in->throttle, in->brake, in->steer);
}

// Of every vehicle at the start, and wherever an input changes.
static void put_events(text *t, const mc_medusa *run)
{
    put(t, "events:\n");
    for (int i = 0; i < run->platoon.count && !t->failed; i++) {
        const medusa_vehicle *v = &run->platoon.vehicle[i];
        double last = 0.0;
        for (int k = 0; k < MEDUSA_INPUT_COUNT; k++)
            for (int j = 0; j < v->input[k].count; j++)
                last = fmax(last, v->input[k].time[j]);
        mc_inputs before = {.steer = NAN};
        const long long steps = llround(last / MEDUSA_INPUT_INTERVAL);
        for (long long step = 0; step <= steps; step++) {
            const double at = (double)step * MEDUSA_INPUT_INTERVAL;
            const mc_inputs in = medusa_inputs_at(run, i, at);
            if (in.throttle != before.throttle || in.brake != before.brake ||
                in.steer != before.steer)
                put_event(t, i, at, &in);
            before = in;
        }
    }
}

mc_status mc_medusa_scenario(const mc_medusa_options *options, const mc_medusa_live *live,
                             char **out, mc_error *error)
{
    *out = NULL;
    mc_medusa *run = mc_medusa_load(options, error);
    if (!run)
        return error ? error->code : MC_BAD_INPUT;
    mc_status status = check(run, error);
    text t = {0};
    if (status == MC_OK) {
        const mc_medusa_options *o = &run->options;
        const char *law = live->contact                      ? live->contact
                          : o->scheme == MC_SCHEME_PUBLISHED ? "penalty"
                                                             : "impulses";
        put(&t, "# from a model file and a platoon file of MEDUSA\nmotorcade: scenario\n");
        put(&t, "name: MEDUSA, %d vehicle%s\n", run->platoon.count,
            run->platoon.count == 1 ? "" : "s");
        put(&t, "time: {end: %.17g, step: %.17g, record: %.17g}\n", o->end_time,
            MEDUSA_INPUT_INTERVAL, MEDUSA_INPUT_INTERVAL);
        put(&t, "road: {lanes: 1}\n");
        put(&t,
            "contact: {law: %s, step: %.17g, rest_interval: 0, restitution: %.17g, friction: "
            "%.17g}\n",
            law, run->step, o->restitution, o->friction);
        put_models(&t, run, live->models_named, live->solved);
        put_vehicles(&t, run);
        put_events(&t, run);
        if (t.failed)
            status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the scenario");
    }
    mc_medusa_free(run);
    if (status != MC_OK)
        free(t.at);
    else
        *out = t.at;
    return status;
}

bool mc_medusa_is_platoon(const char *path)
{
    char line[400];
    bool found = false, done = false;
    FILE *in = fopen(path, "r");
    for (int k = 0; in && k < 200 && !done && fgets(line, sizeof line, in); k++) {
        const char *word = line + strspn(line, " \t\r\n");
        done = *word && *word != '%';
        found = done && strncmp(word, "NUMBER_OF_VEHICLES", 18) == 0;
    }
    if (in)
        fclose(in);
    return found;
}
