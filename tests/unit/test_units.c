// test_units.c - units in scenarios: laws and vehicles written as units, imported again, and
// compared with the runs they came from to the bit.
#include "io/zip.h"
#include "motorcade/fmu.h"
#include "motorcade/laws.h"
#include "motorcade/run.h"
#include "motorcade/scenario.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *const text =
    "motorcade: scenario\n"
    "time: {end: 20, step: 0.05}\n"
    "road: {headway: 1, distance: 5, grades: [{from: 60, to: 200, grade: 3 %, transition: 20}]}\n"
    "models:\n"
    "  car: {kind: powertrain}\n"
    "  dot: {kind: point, lag: 0.3}\n"
    "  turns: {kind: planar}\n"
    "@models@"
    "controllers:\n"
    "  follow: {law: pid, k: 0.3}\n"
    "@controllers@"
    "platoons:\n"
    "  - leader: {model: car, profile: {table: [[0, 20], [3, 23], [6, 16]]}}\n"
    "    v: 20\n"
    "    cars:\n"
    "      - {model: @first@, name: one, controller: @drives@}\n"
    "      - {model: car, name: two, controller: @drives@}\n"
    "@events@";

typedef struct parts {
    const char *models, *controllers, *first, *drives, *events;
} parts;

static char *fill(const parts *p)
{
    static const char *const marks[] = {"@models@", "@controllers@", "@first@", "@drives@",
                                        "@events@"};
    const char *const by[] = {p->models, p->controllers, p->first, p->drives, p->events};
    char *out = calloc(1, 8192);
    for (const char *at = text; *at;) {
        int k = 0;
        while (k < 5 && strncmp(at, marks[k], strlen(marks[k])) != 0)
            k++;
        if (k == 5) {
            strncat(out, at++, 1);
            continue;
        }
        strcat(out, by[k] ? by[k] : k == 2 ? "car" : k == 3 ? "follow" : "");
        at += strlen(marks[k]);
    }
    return out;
}

static mc_run *make(const parts *p, mc_scenario **s)
{
    mc_error error = {0};
    char *made = fill(p);
    *s = mc_scenario_parse(made, strlen(made), path_of("scenario.yaml"), &error);
    if (!*s)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    free(made);
    mc_run *r = mc_run_create(*s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    if (!r)
        fail_msg("%s", error.text);
    return r;
}

static void steps(mc_run *r, int count)
{
    mc_error error;
    for (int k = 0; k < count; k++)
        if (mc_run_step(r, &error) != MC_OK)
            fail_msg("%s", error.text);
}

// Both runs move alike, to the bit, now.
static void alike(const mc_run *a, const mc_run *b, const char *what)
{
    for (int v = 0; v < mc_run_vehicle_count(a); v++) {
        mc_run_view x, y;
        mc_run_look(a, v, &x);
        mc_run_look(b, v, &y);
        if (memcmp(&x.motion, &y.motion, sizeof x.motion) != 0 || x.desired != y.desired)
            fail_msg("%s: vehicle %d at t = %g s: x = %.17g and %.17g, v = %.17g and %.17g", what,
                     v, mc_run_time(a), x.motion.x, y.motion.x, x.motion.v, y.motion.v);
    }
}

static void both(const parts *p, const parts *q, int count, const char *what)
{
    mc_scenario *s, *t;
    mc_run *a = make(p, &s), *b = make(q, &t);
    for (int k = 0; k < count; k += 10) {
        steps(a, 10);
        steps(b, 10);
        alike(a, b, what);
    }
    mc_run_destroy(a);
    mc_run_destroy(b);
    mc_scenario_free(s);
    mc_scenario_free(t);
}

static void write_law(const char *name, int version, const char *file)
{
    mc_error error;
    if (access(path_of(file), R_OK) == 0)
        return;
    if (mc_fmu_write(NULL, &(mc_fmu_options){.law = name, .version = version}, path_of(file), NULL,
                     &error) != MC_OK)
        fail_msg("%s: %s", name, error.text);
}

// ---- laws --------------------------------------------------------------------------------------

// Every law as a unit, alternately of both versions of FMI, drives to the same bits.
static void every_law_drives_alike(void **state)
{
    mc_law law;
    (void)state;
    const int every = series_share() < 1.0 ? 5 : 1; // all of them in the campaign
    for (int k = 0; mc_law_at(k, &law); k++) {
        if (k % every != 1 % every)
            continue;
        char own[128], line[160];
        snprintf(line, sizeof line, "%s.fmu", law.name);
        write_law(law.name, k % 2 ? 2 : 3, line);
        snprintf(own, sizeof own, "  own: {law: %s}\n", law.name);
        snprintf(line, sizeof line, "  own: {fmu: %s.fmu}\n", law.name);
        both(&(parts){.controllers = own, .drives = "own"},
             &(parts){.controllers = line, .drives = "own"}, 60, law.name);
    }
}

// Parameters by the key `parameters`; another name of an input by `connect`.
static void parameters_are_set(void **state)
{
    (void)state;
    write_law("pid", 3, "pid.fmu");
    both(&(parts){.controllers = "  own: {law: pid, k: 0.5, kp: 1.2}\n", .drives = "own"},
         &(parts){.controllers =
                      "  own: {fmu: {file: pid.fmu, parameters: \"k = 0.5, kp = 1.2\"}}\n",
                  .drives = "own"},
         60, "parameters");
    mc_scenario *s;
    mc_error error = {0};
    char *made = fill(&(parts){.controllers = "  own: {fmu: {file: pid.fmu, connect: \"gap = "
                                              "range\"}}\n"});
    s = mc_scenario_parse(made, strlen(made), path_of("scenario.yaml"), &error);
    assert_null(s);
    assert_non_null(strstr(error.text, "no scalar input \"range\"; it has"));
    free(made);
}

// The law of a scenario's controller, with its gains and formulas.
static void own_law_as_unit(void **state)
{
    mc_error error;
    (void)state;
    const parts p = {.controllers =
                         "  own:\n    law:\n      parameters: {k: {value: 0.7, unit: 1/s}}\n"
                         "      states:\n"
                         "        lag: {rate: (v_front - v - lag)/2, unit: m/s, start: "
                         "v_front - v}\n"
                         "      acceleration: k*lag + 0.1*(gap - 25)\n"
                         "    k: 0.9\n",
                     .drives = "own"};
    char *made = fill(&p);
    FILE *out = fopen(path_of("own.yaml"), "w");
    fputs(made, out);
    fclose(out);
    free(made);
    char input[160];
    snprintf(input, sizeof input, "%s", path_of("own.yaml"));
    if (mc_fmu_write(input, &(mc_fmu_options){.controller = "own", .version = 2},
                     path_of("own.fmu"), NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    both(&p, &(parts){.controllers = "  own: {fmu: own.fmu}\n", .drives = "own"}, 100, "own law");
}

// ---- exchanged while running -------------------------------------------------------------------

static void exchanged_while_running(void **state)
{
    (void)state;
    write_law("adaptive", 3, "adaptive.fmu");
    static const char events[] = "events:\n"
                                 "  - {at: 1, vehicle: [one, two], controller: other}\n"
                                 "  - {at: 2.5, vehicle: [one, two], controller: follow}\n"
                                 "  - {at: 4, vehicle: two, controller: other}\n";
    both(&(parts){.controllers = "  other: {law: adaptive}\n", .events = events},
         &(parts){.controllers = "  other: {fmu: adaptive.fmu}\n", .events = events}, 120, "event");
    // By command, in a run under way.
    mc_scenario *s[2];
    mc_run *r[2];
    mc_error error;
    for (int k = 0; k < 2; k++) {
        r[k] = make(&(parts){.controllers = k ? "  other: {fmu: adaptive.fmu}\n"
                                              : "  other: {law: adaptive}\n"},
                    &s[k]);
        steps(r[k], 30);
        const mc_command c = {.event = "controller", .vehicle = "one", .param = "other"};
        if (mc_run_command(r[k], &c, &error) != MC_OK)
            fail_msg("%s", error.text);
        steps(r[k], 30);
        // An edit makes another version: the unit continues.
        if (mc_run_edit(r[k], "{set: [one.headway=1.2]}", &error) != MC_OK)
            fail_msg("%s", error.text);
        steps(r[k], 30);
    }
    alike(r[0], r[1], "command");
    // A page may be open to others: an edit cannot bring machine code in.
    assert_int_equal(mc_run_edit(r[1], "{controllers: {bad: {fmu: adaptive.fmu}}}", &error),
                     MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "an edit cannot name files: the key fmu"));
    for (int k = 0; k < 2; k++) {
        mc_run_destroy(r[k]);
        mc_scenario_free(s[k]);
    }
}

// ---- back in time ------------------------------------------------------------------------------

// Saved, continued, restored, and in a second run: the same bits.
static void back_in_time(const parts *p, const char *what)
{
    mc_scenario *s, *other;
    mc_error error;
    mc_snapshot then = {0};
    mc_run *a = make(p, &s), *straight = make(p, &other);
    mc_run *b = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    steps(a, 25);
    if (mc_run_save(a, &then, &error) != MC_OK)
        fail_msg("%s: %s", what, error.text);
    steps(a, 40);
    steps(straight, 65);
    alike(a, straight, what);
    if (mc_run_restore(a, &then, &error) != MC_OK || mc_run_restore(b, &then, &error) != MC_OK)
        fail_msg("%s: %s", what, error.text);
    steps(a, 40);
    steps(b, 40);
    alike(a, straight, what);
    alike(b, straight, what);
    mc_snapshot_free(&then);
    mc_run_destroy(a);
    mc_run_destroy(b);
    mc_run_destroy(straight);
    mc_scenario_free(s);
    mc_scenario_free(other);
}

static void returns_to_a_snapshot(void **state)
{
    (void)state;
    write_law("adaptive", 3, "adaptive.fmu");
    write_law("platoon", 2, "platoon.fmu");
    back_in_time(&(parts){.controllers = "  other: {fmu: adaptive.fmu}\n", .drives = "other"},
                 "adaptive");
    back_in_time(&(parts){.controllers = "  other: {fmu: platoon.fmu}\n", .drives = "other"},
                 "platoon");
}

// ---- vehicles ----------------------------------------------------------------------------------

static void write_vehicle(const char *model, int version)
{
    mc_error error;
    char input[160], output[160], name[40];
    snprintf(name, sizeof name, "%s.fmu", model);
    snprintf(output, sizeof output, "%s", path_of(name));
    if (access(output, R_OK) == 0)
        return;
    char *made = fill(&(parts){.first = model});
    FILE *out = fopen(path_of("vehicle.yaml"), "w");
    fputs(made, out);
    fclose(out);
    free(made);
    snprintf(input, sizeof input, "%s", path_of("vehicle.yaml"));
    if (mc_fmu_write(input, &(mc_fmu_options){.vehicle = "one", .version = version}, output, NULL,
                     &error) != MC_OK)
        fail_msg("%s: %s", model, error.text);
}

#define UNIT(name) "  unit: {kind: fmu, fmu: " name ".fmu}\n"

// A point car under its law, which sees what the unit does.
static void vehicle_under_a_law(void **state)
{
    (void)state;
    write_vehicle("dot", 3);
    both(&(parts){.first = "dot"}, &(parts){.models = UNIT("dot"), .first = "unit"}, 200, "dot");
}

// Cars with pedals and steering, driven by commands.
static void vehicle_by_hand(void **state)
{
    static const char *const models[] = {"car", "turns"};
    static const char *const units[] = {UNIT("car"), UNIT("turns")};
    static const char events[] = "events:\n"
                                 "  - {at: 0, vehicle: one, drive: {throttle: 0.4}}\n"
                                 "  - {at: 1, vehicle: one, drive: {throttle: 0.2, steer: 0.01}}\n"
                                 "  - {at: 2, vehicle: one, drive: {brake: 0.2, steer: -0.01}}\n";
    (void)state;
    for (int k = 0; k < 2; k++) {
        write_vehicle(models[k], k ? 2 : 3);
        both(&(parts){.first = models[k], .events = events},
             &(parts){.models = units[k], .first = "unit", .events = events}, 80, models[k]);
    }
}

static void vehicle_returns_to_a_snapshot(void **state)
{
    (void)state;
    write_vehicle("turns", 3);
    back_in_time(&(parts){.models = UNIT("turns"), .first = "unit"}, "turns");
}

// A unit that starts at a place of its own is moved to that of the scenario.
static void vehicle_is_placed(void **state)
{
    mc_scenario *s;
    mc_run_view view;
    (void)state;
    write_vehicle("dot", 3);
    mc_run *r = make(&(parts){.models = "  unit: {kind: fmu, fmu: dot.fmu, connect: \"start.x = "
                                        "start.y, start.y = start.x\"}\n",
                              .first = "unit"},
                     &s);
    mc_run_look(r, 1, &view);
    const double x = view.motion.x;
    steps(r, 20);
    mc_run_look(r, 1, &view);
    assert_true(fabs(view.motion.x - x - 20.0) < 2.0);
    assert_true(fabs(view.motion.y) < 1e-9);
    mc_run_destroy(r);
    mc_scenario_free(s);
}

// Another car runs into it: the run ends with a message.
static void vehicle_that_is_hit(void **state)
{
    mc_scenario *s;
    mc_error error = {0};
    mc_status status = MC_OK;
    (void)state;
    write_vehicle("dot", 3);
    mc_run *r =
        make(&(parts){.models = UNIT("dot"),
                      .first = "unit",
                      .events = "events: [{at: 0.5, vehicle: two, drive: {throttle: 1}}]\n"},
             &s);
    for (int k = 0; k < 390 && status == MC_OK; k++)
        status = mc_run_step(r, &error);
    int impacts;
    mc_run_impacts(r, &impacts);
    assert_true(impacts > 0);
    assert_int_equal(status, MC_FAILED);
    assert_non_null(strstr(error.text, "one: it was hit before"));
    mc_run_destroy(r);
    mc_scenario_free(s);
}

// ---- powertrains -------------------------------------------------------------------------------

// A unit that gives the force of the powertrain `direct` below its power limit, where that depends
// on the throttle alone; its formula is that of a law whose signals are connected to the pedals.
static void powertrain_from_a_unit(void **state)
{
    mc_error error;
    char input[160];
    (void)state;
    char *made = fill(&(parts){.controllers = "  own: {law: {acceleration: 6000*v_front + 0*v}}\n",
                               .drives = "own"});
    FILE *out = fopen(path_of("force.yaml"), "w");
    fputs(made, out);
    fclose(out);
    free(made);
    snprintf(input, sizeof input, "%s", path_of("force.yaml"));
    if (mc_fmu_write(input, &(mc_fmu_options){.controller = "own"}, path_of("force.fmu"), NULL,
                     &error) != MC_OK)
        fail_msg("%s", error.text);
    const parts own = {.models = "  unit: {powertrain: {kind: direct, max_power: 1e7}}\n",
                       .first = "unit"};
    const parts unit = {.models = "  unit: {powertrain: {kind: direct, max_power: 1e7, fmu: {file: "
                                  "force.fmu, connect: \"throttle = v_front, force = "
                                  "acceleration\"}}}\n",
                        .first = "unit"};
    both(&own, &unit, 200, "powertrain");
    back_in_time(&unit, "powertrain");
    mc_error wrong = {0};
    made = fill(&(parts){.models = "  unit: {kind: planar, powertrain: {kind: direct, fmu: "
                                   "force.fmu}}\n"});
    assert_null(mc_scenario_parse(made, strlen(made), path_of("scenario.yaml"), &wrong));
    assert_non_null(strstr(wrong.text, "takes no force from an FMU"));
    free(made);
}

// ---- model exchange ----------------------------------------------------------------------------

// The unit without its interface for co-simulation.
static void take_co_simulation_out(const char *from, const char *to)
{
    arena memory = {0};
    zip_entry *entries;
    int count = 0;
    mc_error error;
    char file[160];
    snprintf(file, sizeof file, "%s", path_of(from));
    assert_int_equal(zip_read(&memory, file, &entries, &count, &error), MC_OK);
    for (int k = 0; k < count; k++)
        if (strcmp(entries[k].name, "modelDescription.xml") == 0) {
            char *xml = arena_copy_text(&memory, entries[k].data, entries[k].size);
            char *begin = strstr(xml, "<CoSimulation"), *end = strstr(begin, "/>") + 2;
            memset(begin, ' ', (size_t)(end - begin));
            entries[k].data = xml;
        }
    assert_int_equal(zip_write(path_of(to), entries, count, &error), MC_OK);
    arena_free(&memory);
}

// A pendulum integrated by the unit itself, and by the host of units; saved and restored as well.
static void model_exchange_is_integrated(void **state)
{
    mc_error error;
    mc_scenario *s[2];
    mc_run *r[2];
    (void)state;
    if (mc_fmu_write(SOURCE_DIR "/models/pendulum.yaml",
                     &(mc_fmu_options){.method = "rk4", .fixed_step = 1e-3}, path_of("both.fmu"),
                     NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    take_co_simulation_out("both.fmu", "exchange.fmu");
    const parts exchange = {.controllers = "  own: {fmu: {file: exchange.fmu, connect: "
                                           "\"acceleration = rod.angle\"}}\n",
                            .drives = "own"};
    r[0] = make(&(parts){.controllers = "  own: {fmu: {file: both.fmu, connect: \"acceleration = "
                                        "rod.angle\"}}\n",
                         .drives = "own"},
                &s[0]);
    r[1] = make(&exchange, &s[1]);
    double swing = 0.0;
    for (int k = 0; k < 60; k++) {
        mc_run_view a, b;
        steps(r[0], 1);
        steps(r[1], 1);
        mc_run_look(r[0], 1, &a);
        mc_run_look(r[1], 1, &b);
        swing = fmax(swing, fabs(a.desired));
        if (!(fabs(a.desired - b.desired) < 1e-9))
            fail_msg("step %d: %.17g and %.17g", k, a.desired, b.desired);
    }
    assert_true(swing > 0.01);
    for (int k = 0; k < 2; k++) {
        mc_run_destroy(r[k]);
        mc_scenario_free(s[k]);
    }
    back_in_time(&exchange, "model exchange");
}

static int prepare(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/motorcade-units-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int clean(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_drives_alike), cmocka_unit_test(parameters_are_set),
        cmocka_unit_test(own_law_as_unit),        cmocka_unit_test(exchanged_while_running),
        cmocka_unit_test(returns_to_a_snapshot),  cmocka_unit_test(vehicle_under_a_law),
        cmocka_unit_test(vehicle_by_hand),        cmocka_unit_test(vehicle_returns_to_a_snapshot),
        cmocka_unit_test(powertrain_from_a_unit), cmocka_unit_test(model_exchange_is_integrated),
        cmocka_unit_test(vehicle_is_placed),      cmocka_unit_test(vehicle_that_is_hit),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
