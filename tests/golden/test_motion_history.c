// test_motion_history.c - runs that are resumed, rewound, commanded and edited on their way have
// the motion of motion_history.txt (support/motion_trace.h): what is carried over, and how.
//
// The hashes of a run that is resumed or rewound are those of the scenario in motion_scenarios.txt:
// it has the same rows.
#include "support/motion_rows.h"
#include "support/platoon.h"
#include "support/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void must(mc_status status, const mc_error *error)
{
    if (status != MC_OK)
        fail_msg("%s", error->text);
}

// ---- resumed, rewound --------------------------------------------------------------------------

// Here the cars of demo.yaml run into each other: impacts right before this step and in it.
enum { BREAK_STEP = 1027 };

// A row after each of `steps` steps.
static void move(motion_trace *t, mc_run *run, long long steps)
{
    for (long long k = 0; k < steps && motion_more(t); k++) {
        platoon_steps(run, 1);
        motion_run_row(t, run);
    }
}

static mc_run *start(const mc_scenario *s, motion_trace *t, long long *steps)
{
    const mc_scenario_info *info = mc_scenario_info_of(s);
    mc_run *run = platoon_run(s, 1);
    *steps = llround(info->end / info->step);
    motion_rows(t, *steps + 1);
    motion_run_row(t, run);
    return run;
}

// From a checkpoint file, by another run.
static void resumed(const motion_case *c, motion_trace *t)
{
    (void)c;
    mc_error error;
    char path[96];
    long long steps;
    const run_folder folder = run_folder_make();
    snprintf(path, sizeof path, "%s/checkpoint", folder.path);
    mc_scenario *s = platoon_shipped("demo");
    mc_run *run = start(s, t, &steps);
    move(t, run, BREAK_STEP);
    must(mc_run_write_checkpoint(run, path, &error), &error);
    mc_run_destroy(run);
    run = platoon_run(s, 1);
    must(mc_run_read_checkpoint(run, path, &error), &error);
    move(t, run, steps - BREAK_STEP);
    mc_run_destroy(run);
    mc_scenario_free(s);
    run_folder_remove(&folder);
}

// To a snapshot, after a while of something else.
static void taken_back(const motion_case *c, motion_trace *t)
{
    (void)c;
    mc_error error;
    mc_snapshot snapshot;
    long long steps;
    mc_scenario *s = platoon_shipped("demo");
    mc_run *run = start(s, t, &steps);
    move(t, run, BREAK_STEP);
    must(mc_run_save(run, &snapshot, &error), &error);
    const mc_command push = {
        .event = "drive", .vehicle = "soft2", .inputs = {.throttle = 1.0, .steer = 0.05}};
    platoon_command(run, &push);
    platoon_steps(run, 50);
    must(mc_run_restore(run, &snapshot, &error), &error);
    mc_run_forget_commands(run);
    mc_snapshot_free(&snapshot);
    move(t, run, steps - BREAK_STEP);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- edited ------------------------------------------------------------------------------------

typedef struct act { // before a step; in order of steps
    int step;
    const char *edit; // NULL: the command
    mc_command command;
} act;

typedef struct story {
    const char *text;
    int steps;
    const act *acts;
    int act_count;
} story;

static void edited(const motion_case *c, motion_trace *t)
{
    const story *told = c->detail;
    mc_error error;
    mc_scenario *s = platoon_scenario(told->text);
    mc_run *run = platoon_run(s, 1);
    motion_rows(t, told->steps + 1);
    motion_run_row(t, run);
    int next = 0;
    for (int k = 0; k < told->steps && motion_more(t); k++) {
        for (; next < told->act_count && told->acts[next].step == k; next++) {
            const act *a = &told->acts[next];
            const mc_status status = a->edit ? mc_run_edit(run, a->edit, &error)
                                             : mc_run_command(run, &a->command, &error);
            if (status != MC_OK)
                fail_msg("at step %d: %s", k, error.text);
        }
        move(t, run, 1);
    }
    assert_true(next == told->act_count || t->row < t->rows);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static const char platoon_text[] =
    "motorcade: scenario\n"
    "time: {end: 60, step: 0.05}\n"
    "road: {lanes: 2, headway: 1, distance: 5}\n"
    "models: {town: powertrain, heavy: {like: town, mass: 2500}, dot: point}\n"
    "controllers:\n"
    "  follow: {law: platoon}\n"
    "  radio: {law: ploeg, radio: {delay: 0.15, loss: 0.1}, fallback: {law: acc}}\n"
    "  other: {law: acc}\n"
    "platoons:\n"
    "  - leader: {model: town, profile: moderate}\n"
    "    x: 300\n"
    "    cars:\n"
    "      - {model: town, controller: follow, count: 3}\n"
    "      - {model: town, controller: radio, count: 2}\n"
    "events:\n"
    "  - {at: 9, until: 14, vehicle: car2, brake_lost: 0.3}\n";

#define OWN_LAW                                                                                    \
    "{controllers: {mine: {law: {parameters: {k: '0.6 [1/s]', g: '0.2 [1/s^2]'}, "                 \
    "acceleration: 'k*(v_front - v) + g*(gap - 30 [m])'}}},"                                       \
    " vehicle: [car1, car3], controller: mine}"

static const act platoon_acts[] = {
    {100, "{add: {model: heavy, controller: other, lane: 2, x: 200, v: 20}}", {0}},
    {160, NULL, {.event = "set", .vehicle = "car3", .param = "mass", .value = 1900.0}},
    {160, "{grades: [{from: 400, to: 900, grade: 4 %}]}", {0}},
    {200, "{step: 0.01}", {0}},
    {200, "{remove: car2}", {0}}, // twice at one instant
    {360, OWN_LAW, {0}},
    {420, NULL, {.event = "set", .vehicle = "@radio", .param = "kp", .value = 0.25}},
    {500, "{vehicle: car4, model: dot}", {0}},
    {600, "{add: {model: town, controller: radio, platoon: car5}}", {0}},
    {700, "{step: 0.05, road: {headway: 1.2}}", {0}},
};
static const story platoon_story = {platoon_text, 900, platoon_acts,
                                    sizeof platoon_acts / sizeof platoon_acts[0]};

// Every kind becomes every other, while driving and after they ran into each other.
static const char kinds_text[] =
    "motorcade: scenario\n"
    "time: {end: 60, step: 0.02}\n"
    "road: {headway: 0.9, distance: 4}\n"
    "contact: {restitution: 0.2, friction: 0.4}\n"
    "profiles: {emergency: {table: [[0, 25], [6, 25], [11, 0], [60, 0]]}}\n"
    "models:\n"
    "  dot: {kind: point, length: 4.5}\n"
    "  town: {kind: powertrain}\n"
    "  soft: {kind: cosserat, file: medusa/model.dat, tyre: brush}\n"
    "  hard: {like: soft, number: 2}\n"
    "  hmmwv: {kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2,"
    " height: 1.8}\n"
    "controllers:\n"
    "  follow: {law: acc, avoid: true}\n"
    "platoons:\n"
    "  - leader: {model: town, profile: emergency}\n"
    "    cars:\n"
    "      - {model: soft, name: a, controller: follow}\n"
    "      - {model: town, name: b, controller: follow}\n"
    "      - {model: hmmwv, name: c, controller: follow}\n"
    "      - {model: dot, name: d, controller: follow}\n"
    "      - {model: soft, name: e, controller: follow}\n"
    "      - {model: hmmwv, name: f, controller: follow}\n";

static const act kinds_acts[] = {
    {50, "{vehicle: a, model: town}", {0}},
    {60, "{vehicle: b, model: soft}", {0}},
    {70, "{vehicle: c, model: dot}", {0}},
    {80, "{vehicle: d, model: hmmwv}", {0}},
    {100, "{vehicle: e, model: hard}", {0}}, // the same kind, another model
    {120, NULL, {.event = "set", .vehicle = "d", .param = "mass", .value = 3000.0}},
    {120, NULL, {.event = "set", .vehicle = "b", .param = "mass", .value = 1800.0}},
    {130, "{models: {town: {mass: 1500}}}", {0}},
    {140, "{vehicle: a, model: hmmwv}", {0}},
    {150, "{vehicle: b, model: dot}", {0}},
    {160, "{vehicle: c, model: soft}", {0}},
    {170, "{vehicle: d, model: town}", {0}},
    {180, "{vehicle: e, model: hmmwv}", {0}},
    {190, "{vehicle: f, model: soft}", {0}},
    {200, "{vehicle: b, model: town}", {0}},
    {210, "{vehicle: e, model: soft}", {0}},
    {240, NULL, {.event = "brake_lost", .vehicle = "c", .value = 0.0}},
    {240, NULL, {.event = "brake_lost", .vehicle = "f", .value = 0.0}},
    {560, "{vehicle: e, model: hard}", {0}},
    {580, "{vehicle: a, model: soft}", {0}},
    {600, "{add: {model: soft, controller: follow, platoon: f}}", {0}},
    {620, "{remove: e}", {0}},
    {640, "{step: 0.01}", {0}},
    {760, "{remove: b}", {0}}, // with its impacts
};
static const story kinds_story = {kinds_text, 800, kinds_acts,
                                  sizeof kinds_acts / sizeof kinds_acts[0]};

static const motion_case cases[] = {
    {"demo_resumed", resumed, NULL},
    {"demo_taken_back", taken_back, NULL},
    {"edited_platoon", edited, &platoon_story},
    {"edited_kinds", edited, &kinds_story},
};

int main(int argc, char **argv)
{
    return motion_main(argc, argv, "history", cases, sizeof cases / sizeof cases[0]);
}
