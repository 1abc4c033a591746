// test_info.c - what a page asks of a run: tables, vehicles, road, parameters as they are, what
// happened; logs in files; formulas that are never compiled.
#include "codegen/compile.h"
#include "run/event.h"
#include "run/run.h"
#include "scenario/keys.h"
#include "cars/car.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] =
    "motorcade: scenario\n"
    "time: {end: 60, step: 0.05}\n"
    "road: {lanes: 2, distance: 5, grades: [{from: 900, to: 1000, grade: 0.05}, {from: 100, to: "
    "500, grade: 4 %}], friction: [{from: 0, to: 50, mu: 0.4}]}\n"
    "models: {town: powertrain, dot: point, soft: {kind: cosserat, file: medusa/model.dat, tyre: "
    "brush}}\n"
    "controllers:\n"
    "  follow: {law: platoon, k1: 0.9, sensor: {range_noise: 0.02}}\n"
    "  radio: {law: ploeg, radio: {delay: 0.1}, fallback: {law: acc}, avoid: true}\n"
    "platoons:\n"
    "  - leader: {model: town, profile: moderate}\n"
    "    x: 300\n"
    "    cars:\n"
    "      - {model: town, controller: follow, count: 2}\n"
    "      - {model: dot, controller: radio, user3: 7}\n"
    "vehicles:\n"
    "  - {name: soft, model: soft, x: 600, lane: 2, v: 3}\n"
    "events:\n"
    "  - {at: 1, vehicle: car1, set: {mass: 1777}}\n"
    "  - {at: 2, speed: 21}\n";

// ---- tables ----

// The rows of sections are those of the keys of scenario files.
static void tables_are_those_of_the_reader(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        scenario_section section;
    } sections[] = {{"time", SECTION_TIME},       {"road", SECTION_ROAD},
                    {"grade", SECTION_GRADE},     {"friction", SECTION_FRICTION},
                    {"contact", SECTION_CONTACT}, {"vehicle", SECTION_VEHICLE},
                    {"pedals", SECTION_DRIVE}};
    mc_table table;
    int count = 0, checked = 0;
    for (; mc_table_at(count, &table); count++) {
        assert_true(table.name[0] && table.title[0] && table.count >= 0);
        for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++) {
            if (strcmp(sections[s].name, table.name) != 0)
                continue;
            for (int k = 0; k < table.count; k++, checked++) {
                const mc_param *p = &table.rows[k];
                const scenario_key *key = scenario_key_find(sections[s].section, p->name);
                assert_non_null(key);
                assert_string_equal(key->unit, p->unit);
                assert_string_equal(key->doc, p->doc);
                assert_true(key->min == p->min && key->max == p->max);
                assert_true(key->fallback == p->fallback ||
                            (isnan(key->fallback) && isnan(p->fallback)));
            }
        }
    }
    assert_int_equal(checked, 3 + 5 + 4 + 7 + 2 + 5 + 4);
    static const char *const names[] = {"bicycle",   "planar",   "cosserat", "drive",
                                        "inner",     "radio",    "avoid",    "sensor",
                                        "converter", "manifold", "gears",    "brush"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        int i = 0;
        while (mc_table_at(i, &table) && strcmp(table.name, names[k]) != 0)
            i++;
        assert_true(i < count);
    }
    assert_int_equal(mc_table_at(-1, &table), 0);
    assert_int_equal(mc_table_at(count, &table), 0);
}

// ---- vehicles and road ----

static void vehicles_are_described(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    mc_run_vehicle_info info;
    mc_run_vehicle(run, 0, &info);
    assert_string_equal(info.name, "leader");
    assert_string_equal(info.model, "town");
    assert_string_equal(info.kind, "powertrain");
    assert_string_equal(info.profile, "moderate");
    assert_true(info.leader && !info.by_hand && !info.deformable && info.platoon == 0);
    mc_run_vehicle(run, 2, &info);
    assert_string_equal(info.controller, "follow");
    assert_string_equal(info.law, "platoon");
    assert_string_equal(info.profile, "");
    assert_true(!info.leader && info.place == 2 && info.lane == 0);
    assert_true(info.length == car_params[CAR_LENGTH].fallback);
    assert_true(fabs(info.height - car_params[CAR_HEIGHT].fallback) < 1e-9);
    const int soft = mc_run_find(run, "soft");
    mc_run_vehicle(run, soft, &info);
    assert_true(info.deformable && info.platoon == -1 && info.lane == 1 && info.lane_y == -3.4);
    assert_string_equal(info.controller, "");
    mc_ellipsoid e;
    mc_run_surface(run, soft, &e);
    assert_true(fabs(e.centre[0] - 600.0) < 1.0 && fabs(e.centre[1] + 3.4) < 1e-6);
    platoon_command(run, &(mc_command){.event = "drive", .vehicle = "car1"});
    platoon_steps(run, 1);
    mc_run_vehicle(run, 1, &info);
    assert_true(info.by_hand);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void the_road_is_described(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    mc_run_road_info info;
    mc_run_road(run, &info);
    assert_true(info.lanes == 2 && info.lane_width == 3.4 && info.distance == 5.0);
    assert_true(info.distance_commanded && !info.headway_commanded && !info.speed_commanded);
    assert_int_equal(info.grade_count, 2);
    assert_int_equal(info.friction_count, 1);
    assert_true(info.grades[0].from == 100.0 && info.grades[1].to == 1000.0); // in order
    assert_true(fabs(info.grades[0].value - atan(0.04)) < 1e-12);
    assert_true(info.grades[0].transition == 20.0 && info.frictions[0].value == 0.4);
    assert_true(mc_run_slope(run, 300.0) == info.grades[0].value && mc_run_slope(run, 0.0) == 0.0);
    // Height is the integral of the sine of the slope: 360 m of it and twice 20 m of a ramp.
    const double slope = info.grades[0].value;
    const double height = 360.0 * sin(slope) + 2.0 * 20.0 * (1.0 - cos(slope)) / slope;
    assert_true(fabs(mc_run_elevation(run, 600.0) - height) < 1e-4);
    platoon_steps(run, 45);
    mc_run_road(run, &info);
    assert_true(info.speed == 21.0 && info.speed_commanded);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- parameters ----

static bool find_param(const mc_run *run, int vehicle, const char *group, const char *name,
                       mc_run_param *out)
{
    for (int k = 0; mc_run_param_at(run, vehicle, k, out); k++)
        if (strcmp(out->group, group) == 0 && strcmp(out->row->name, name) == 0)
            return true;
    return false;
}

static double param(const mc_run *run, int vehicle, const char *group, const char *name)
{
    mc_run_param p;
    if (!find_param(run, vehicle, group, name, &p))
        fail_msg("no %s %s", group, name);
    return p.value;
}

static void parameters_are_those_in_force(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    assert_true(param(run, 1, "law", "k1") == 0.9);
    assert_true(param(run, 1, "sensor", "range_noise") == 0.02);
    assert_true(param(run, 1, "desired", "distance") == 5.0);
    assert_true(param(run, 3, "user", "user3") == 7.0);
    assert_true(param(run, 3, "radio", "delay") == 0.1);
    mc_run_param p;
    const law_text *acc = law_find("acc");
    for (int k = 0; k < acc->param_count; k++)
        assert_true(param(run, 3, "fallback", acc->params[k].name) == acc->params[k].fallback);
    assert_true(find_param(run, 3, "avoid", avoid_params[0].name, &p));
    assert_false(find_param(run, 0, "avoid", avoid_params[0].name, &p));
    assert_int_equal(mc_run_param_at(run, 0, -1, &p), 0);
    platoon_steps(run, 25); // the event at 1 s
    assert_true(param(run, 1, "model", "mass") == 1777.0 && mc_run_mass(run, 1) == 1777.0);
    // Whatever says it is live can be set to what it is, and shows what it is set to.
    for (int v = 0; v < mc_run_vehicle_count(run); v++)
        for (int k = 0; mc_run_param_at(run, v, k, &p); k++) {
            mc_error error;
            double value = isnan(p.value) ? p.row->min : p.value;
            value += value < p.row->max && p.row->max < 1e200 ? 1e-3 * (p.row->max - value) : 0.0;
            if (!p.live)
                continue;
            const char *group = p.group;
            char name[64];
            snprintf(name, sizeof name, "%s.%s", group, p.row->name);
            const mc_command set = {.event = "set",
                                    .vehicle = mc_run_vehicle_name(run, v),
                                    .param = name,
                                    .value = value};
            assert_int_equal(mc_run_command(run, &set, &error), MC_OK);
            if (run_begin(run, false, &error) != MC_OK)
                fail_msg("%s of vehicle %d: %s", name, v, error.text);
            assert_int_equal(mc_run_param_at(run, v, k, &p), 1);
            const bool follows =
                strcmp(name, "desired.speed") == 0 && v == 0; // its profile says it
            if (!follows && fabs(p.value - value) > 1e-12 * fabs(value))
                fail_msg("%s %s of vehicle %d is %g, not %g", group, name, v, p.value, value);
        }
    static const struct {
        const char *name;
        double value;
        const char *message;
    } wrong[] = {
        {"mass", 1.0, "mass is 1, expected 100 .. 100000 kg"},
        {"law.k1", 1e9, "law.k1 is 1e+09, expected 0.001 .. 100 1/s^3"},
        {"model.length", 4.0, "model.length of car1 cannot be set during a run; use an edit"},
        {"sensor.range_noise", -1.0, "sensor.range_noise is -1, expected 0 .. 10 m"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        mc_error error;
        const mc_command set = {
            .event = "set", .vehicle = "car1", .param = wrong[k].name, .value = wrong[k].value};
        assert_int_equal(mc_run_command(run, &set, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, wrong[k].message);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A value in its range that does not fit the others, here a table that must grow, is rejected with
// its name.
static void a_value_that_the_model_rejects_is_named(void **unused)
{
    (void)unused;
    mc_scenario *s =
        platoon_scenario("motorcade: scenario\ntime: {end: 5, step: 0.05}\n"
                         "models: {town: {kind: powertrain, powertrain: lookup_tables}}\n"
                         "vehicles: [{name: one, model: town, x: 0, v: 20}]\n");
    mc_run *run = platoon_run(s, 1);
    mc_error error;
    const mc_command set = {
        .event = "set", .vehicle = "one", .param = "powertrain.mda_21", .value = 0.5};
    assert_int_equal(mc_run_command(run, &set, &error), MC_OK);
    assert_int_equal(run_begin(run, false, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "powertrain.mda_21 of one cannot be 0.5: the model's other "
                                    "values do not allow it");
    assert_true(param(run, 0, "powertrain", "mda_21") == 3.9);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- what happened ----

// The pedal that is said to be in use is the one that is pressed, and changes on its side of
// coasting.
static void the_switch_of_pedals_is_told(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("two_gains");
    mc_run *run = platoon_run(s, 1);
    const int third = mc_run_find(run, "car3");
    int changes = 0;
    mc_run_switch before, now;
    assert_true(mc_run_switch_at(run, third, &before));
    for (int k = 0; k < 7000; k++, before = now) {
        platoon_steps(run, 1);
        assert_true(mc_run_switch_at(run, third, &now));
        const mc_run_view view = platoon_view(run, "car3");
        assert_true((now.braking ? view.inputs.throttle : view.inputs.brake) == 0.0);
        assert_true(now.hysteresis == 0.15);
        if (now.braking == before.braking)
            continue;
        changes++;
        assert_true(now.braking ? now.asked < now.coast : now.asked > now.coast);
    }
    assert_true(changes >= 4);
    mc_run_destroy(run);
    mc_scenario_free(s);
    s = platoon_scenario(text);
    run = platoon_run(s, 1);
    assert_false(mc_run_switch_at(run, mc_run_find(run, "car3"), &now)); // a point: no pedals
    assert_false(mc_run_switch_at(run, mc_run_find(run, "soft"), &now)); // no controller
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void what_happened_is_kept(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 30);
    platoon_command(run, &(mc_command){.event = "brake_lost", .vehicle = "car2", .value = 0.5});
    platoon_steps(run, 30);
    mc_happened h;
    assert_int_equal(mc_run_happened_count(run), 3);
    assert_int_equal(mc_run_happened_at(run, 0, &h), 1);
    assert_true(h.time == 1.0 && h.vehicle == 1 && h.value == 1777.0);
    assert_string_equal(h.name, "set");
    assert_string_equal(h.vehicle_name, "car1");
    assert_int_equal(mc_run_happened_at(run, 1, &h), 1);
    assert_true(h.time == 1.5 && h.vehicle == 2);
    assert_int_equal(mc_run_happened_at(run, 2, &h), 1);
    assert_true(h.time == 2.0 && h.vehicle == -1);
    assert_string_equal(h.name, "speed");
    assert_string_equal(h.vehicle_name, "");
    assert_int_equal(mc_run_happened_at(run, 3, &h), 0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A fault's end is not told as another fault of the value it ends with.
static void ends_of_faults_are_told(void **unused)
{
    (void)unused;
    static const struct {
        const char *fault, *ends;
        double before; // NAN: free
    } rows[] = {{"brake_lost: 0.25", "brake_lost_ends", 1.0},
                {"throttle_stuck: 0.1", "throttle_stuck_ends", NAN},
                {"sensor_bias: 0.5", "sensor_bias_ends", 0.0},
                {"sensor_noise: 0.1", "sensor_noise_ends", 0.02},
                {"radio_delay: 0.3", "radio_delay_ends", 0.0},
                {"radio_loss: 0.7", "radio_loss_ends", 0.0}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char with[sizeof text + 100];
        snprintf(with, sizeof with, "%s  - {at: 0.5, until: 0.75, vehicle: car2, %s}\n", text,
                 rows[k].fault);
        mc_scenario *s = platoon_scenario(with);
        mc_run *run = platoon_run(s, 1);
        platoon_steps(run, 18);
        mc_happened begins, ends;
        assert_int_equal(mc_run_happened_count(run), 2);
        assert_int_equal(mc_run_happened_at(run, 0, &begins), 1);
        assert_int_equal(mc_run_happened_at(run, 1, &ends), 1);
        assert_true(strncmp(begins.name, rows[k].fault, strlen(begins.name)) == 0);
        assert_string_equal(ends.name, rows[k].ends);
        assert_string_equal(ends.vehicle_name, "car2");
        assert_true(begins.time == 0.5 && ends.time == 0.75);
        assert_true(ends.value == rows[k].before || (isnan(ends.value) && isnan(rows[k].before)));
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// ---- logs in files ----

#define HEAD "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n"
#define NINE                                                                                       \
    "expected nine values per line: "                                                              \
    "step,event,vehicle,param,value,throttle,brake,steer,acceleration"

static void wrong_logs_are_rejected(void **unused)
{
    (void)unused;
    static const struct {
        const char *log;
        int line;
        const char *message;
    } wrong[] = {
        {"hello", 1, "not a log of commands: expected the first line step,event,vehicle,param,..."},
        {HEAD "1,set,car1,mass,1800,0,0,0\n", 2, NINE},
        {HEAD "1,set,car1,mass,1800,0,0,0,0,0\n", 2, NINE},
        {HEAD "1.5,set,car1,mass,1800,0,0,0,0\n", 2, NINE},
        {HEAD "-1,set,car1,mass,1800,0,0,0,0\n", 2, NINE},
        {HEAD "1,set,car1,\"mass,1800,0,0,0,0\n", 2, NINE},
        {HEAD "1,set,car1,\"mass\"x,1800,0,0,0,0\n", 2, NINE},
        {HEAD "1,set,car1,ma\"ss,1800,0,0,0,0\n", 2, NINE},
        {HEAD "1,edit,,,0,0,0,0,0\n", 2, "\"edit\" needs a text"},
        {HEAD "1,edits,,{},0,0,0,0,0\n", 2, "unknown event \"edits\", did you mean edit"},
        {HEAD "\n1,set,absent,mass,1800,0,0,0,0\n", 3, "unknown vehicle \"absent\""},
        {HEAD "1,edit,,\"{end:\n 3}\",0,0,0,0,0\n1,set,car1,mass,x,0,0,0,0\n", 4, NINE},
        {HEAD "1,speed,,,999,0,0,0,0\n", 2, "speed is 999, expected 0 .. 150 m/s"},
        {HEAD "1,set,@absent,k1,1,0,0,0,0\n", 2, "unknown controller \"absent\""},
    };
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char path[] = "/tmp/motorcade_log_XXXXXX";
        const int file = mkstemp(path);
        assert_true(write(file, wrong[k].log, strlen(wrong[k].log)) > 0);
        close(file);
        mc_error error = {0};
        assert_int_equal(mc_run_follow_log(run, path, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, wrong[k].message);
        assert_int_equal(error.line, wrong[k].line);
        assert_int_equal(mc_run_log_count(run), 0);
        unlink(path);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A car of a later version is known only then; what cannot be done is said in its step.
static void logs_speak_of_versions_to_come(void **unused)
{
    (void)unused;
    static const char log[] =
        HEAD "2,edit,,\"{add: {name: new, model: dot, x: 50, v: 9}}\",0,0,0,0,0\n"
             "3,set,new,mass,1500,0,0,0,0\n"
             "4,set,newer,mass,1500,0,0,0,0\n";
    char path[] = "/tmp/motorcade_log_XXXXXX";
    const int file = mkstemp(path);
    assert_true(write(file, log, strlen(log)) > 0);
    close(file);
    mc_error error;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    assert_int_equal(mc_run_follow_log(run, path, &error), MC_OK);
    platoon_steps(run, 4);
    assert_true(mc_run_mass(run, mc_run_find(run, "new")) == 1500.0);
    assert_int_equal(mc_run_step(run, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "unknown vehicle \"newer\"");
    assert_int_equal(mc_run_step(run, &error), MC_OK); // the run continues without it
    unlink(path);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- formulas of strangers ----

static void formulas_are_not_compiled_when_asked(void **unused)
{
    (void)unused;
    mc_error error;
    char folder[] = "/tmp/motorcade_cache_XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("MOTORCADE_CACHE", folder, 1);
    compile_tool tool;
    const bool has_compiler = compile_find(&tool, &error);
    mc_scenario *s = platoon_scenario(text);
    for (int interpret = 0; interpret < 2; interpret++) {
        mc_run *run =
            mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = interpret}, &error);
        assert_non_null(run);
        for (int edits = 0; edits < 2; edits++) {
            for (int k = 0; k < run->law_count; k++) {
                const int state = (int)expr_kernel_state_of(law_kernel(run->laws[k].law));
                if (interpret || !has_compiler)
                    assert_int_equal(state, EXPR_KERNEL_INTERPRETED);
                else
                    assert_int_not_equal(state, EXPR_KERNEL_INTERPRETED);
            }
            assert_int_equal(
                mc_run_edit(run,
                            "{controllers: {mine: {law: {acceleration: '1 [1/s]*(v_front "
                            "- v)'}}}, vehicle: car1, controller: mine}",
                            &error),
                MC_OK);
        }
        mc_run_destroy(run);
    }
    mc_scenario_free(s);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    assert_int_equal(system(remove), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_those_of_the_reader),
        cmocka_unit_test(vehicles_are_described),
        cmocka_unit_test(the_road_is_described),
        cmocka_unit_test(parameters_are_those_in_force),
        cmocka_unit_test(a_value_that_the_model_rejects_is_named),
        cmocka_unit_test(the_switch_of_pedals_is_told),
        cmocka_unit_test(what_happened_is_kept),
        cmocka_unit_test(ends_of_faults_are_told),
        cmocka_unit_test(wrong_logs_are_rejected),
        cmocka_unit_test(logs_speak_of_versions_to_come),
        cmocka_unit_test(formulas_are_not_compiled_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
