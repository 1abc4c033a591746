// test_renamed.c - names of 0.1 in scenarios and commands: the same run, and one warning that says
// what they are called now.
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "motorcade: scenario\ntime: {end: 20, step: 0.02}\n"
#define PLATOON                                                                                    \
    "platoons: [{leader: {model: car, profile: moderate}, cars: [{model: car, controller: "        \
    "follow, "                                                                                     \
    "count: 2}]}]\n"

static mc_scenario *parse(const char *text)
{
    mc_error error;
    mc_scenario *s = mc_scenario_parse(text, strlen(text), "s.yaml", &error);
    if (!s)
        fail_msg("%s", error.text);
    return s;
}

static unsigned long long hash_of(mc_scenario *s)
{
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 800);
    const unsigned long long hash = mc_run_hash(run);
    mc_run_destroy(run);
    return hash;
}

// The only warning, or "".
static const char *warning_of(const mc_scenario *s)
{
    const int count = mc_scenario_info_of(s)->warning_count;
    assert_true(count <= 1);
    assert_null(mc_scenario_warning(s, count));
    return count ? mc_scenario_warning(s, 0) : "";
}

// Keys of models, laws, fallbacks and the inner loop, numbers that are set, events.
static void old_keys_are_read_with_one_warning(void **unused)
{
    (void)unused;
    mc_scenario *old =
        parse(HEAD "models: {car: {kind: powertrain, brake_most: 0.5, speed_most: 40}}\n"
                   "controllers:\n"
                   "  follow: {law: platoon, brake_most: 3, inner: {jerk_most: 2, "
                   "trim_most: 1}, fallback: {law: pid, error_most: 30}}\n" PLATOON
                   "events: [{at: 2, vehicle: car1, set: {acceleration_most: 0.05}}]\n"
                   "set: [car.acceleration_most=0.3]\n");
    mc_scenario *now =
        parse(HEAD "models: {car: {kind: powertrain, max_brake: 0.5, max_speed: 40}}\n"
                   "controllers:\n"
                   "  follow: {law: platoon, max_brake: 3, inner: {max_jerk: 2, "
                   "max_trim: 1}, fallback: {law: pid, max_error: 30}}\n" PLATOON
                   "events: [{at: 2, vehicle: car1, set: {max_acceleration: 0.05}}]\n"
                   "set: [car.max_acceleration=0.3]\n");
    mc_scenario *other = parse(HEAD "models: {car: {kind: powertrain}}\n"
                                    "controllers: {follow: {law: platoon}}\n" PLATOON);
    assert_string_equal(warning_of(now), "");
    assert_string_equal(
        warning_of(old),
        "s.yaml:3:34: \"acceleration_most\" is now \"max_acceleration\", \"brake_most\" is now "
        "\"max_brake\", \"error_most\" is now \"max_error\", \"jerk_most\" is now \"max_jerk\", "
        "\"speed_most\" is now \"max_speed\", \"trim_most\" is now \"max_trim\"; the old names are "
        "read until 0.3");
    assert_true(hash_of(old) == hash_of(now));
    assert_true(hash_of(old) != hash_of(other)); // the keys are not ignored
    mc_scenario_free(old);
    mc_scenario_free(now);
    mc_scenario_free(other);
}

static void a_number_that_is_set_warns_once(void **unused)
{
    (void)unused;
    mc_scenario *s = parse(HEAD "models: {car: {kind: powertrain}}\n"
                                "controllers: {follow: {law: acc}}\n" PLATOON
                                "set: [car.mass=1700, brake_most=0.6]\n");
    assert_string_equal(warning_of(s), "s.yaml:6:22: \"brake_most\" is now \"max_brake\"; the old "
                                       "name is read until 0.3");
    mc_scenario_free(s);
    s = parse(HEAD "models: {car: {kind: powertrain}}\n"
                   "controllers: {follow: {law: acc}}\n" PLATOON);
    mc_error error;
    assert_int_equal(mc_scenario_set(s, "car.brake_most=0.6", &error), MC_OK);
    assert_int_equal(mc_scenario_set(s, "brake_most=0.7", &error), MC_OK);
    assert_string_equal(warning_of(s), "\"brake_most\" is now \"max_brake\"; the old name is read "
                                       "until 0.3");
    assert_int_equal(mc_scenario_set(s, "follow.brake_most=0.7", &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "\"follow\" has no parameter \"brake_most\"");
    // The text of what was set is read again, and edits continue it.
    mc_scenario *again = parse(mc_scenario_text(s));
    assert_true(hash_of(again) == hash_of(s));
    mc_scenario *edited = mc_scenario_edit(s, "set: car.max_brake=0.7", &error);
    assert_non_null(edited);
    assert_true(hash_of(edited) == hash_of(s));
    mc_scenario_free(edited);
    mc_scenario_free(again);
    mc_scenario_free(s);
}

static void both_names_are_rejected(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"models: {car: {kind: point, brake_most: 0.5, max_brake: 0.5}}\n",
         "s.yaml:3:29: \"brake_most\" is the old name of \"max_brake\", and both are given; leave "
         "out \"brake_most\""},
        {"models: {car: point}\ncontrollers: {follow: {law: idm, max_acceleration: 1, "
         "acceleration_most: 1}}\n",
         "s.yaml:4:55: \"acceleration_most\" is the old name of \"max_acceleration\", and both are "
         "given; leave out \"acceleration_most\""},
        {"models: {car: {kind: multibody, mechanism: ../models/hmmwv.yaml, drive: {brake_most: 1}, "
         "max_brake: 1}}\n",
         "max_brake is given twice: in the model and in its drive"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        char text[600], message[700];
        const int length =
            snprintf(text, sizeof text, HEAD "%svehicles: [{model: car, x: 0}]\n", bad[k].text);
        mc_error error;
        assert_null(mc_scenario_parse(text, (size_t)length,
                                      k == 2 ? SOURCE_DIR "/scenarios/s.yaml" : "s.yaml", &error));
        mc_error_format(&error, message, sizeof message);
        if (!strstr(message, bad[k].message))
            fail_msg("%s", message);
    }
}

// A law of the user's may have a parameter of any name: it is that one, without a warning.
static void names_of_the_user_stay(void **unused)
{
    (void)unused;
    mc_scenario *s = parse(HEAD "models: {car: {kind: point}}\n"
                                "controllers:\n"
                                "  follow:\n"
                                "    law:\n"
                                "      parameters: {brake_most: 2 m/s^2}\n"
                                "      acceleration: clamp(v_front - v, -2, 2) * brake_most/2\n"
                                "    brake_most: 1 m/s^2\n" PLATOON);
    assert_string_equal(warning_of(s), "");
    mc_run *run = platoon_run(s, 1);
    platoon_command(
        run,
        &(mc_command){.event = "set", .vehicle = "car1", .param = "law.brake_most", .value = 0.5});
    platoon_steps(run, 2);
    char text[300];
    assert_false(mc_run_renamed(run, text, sizeof text));
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static unsigned long long commanded(const char *const params[3], bool renamed)
{
    static const double values[] = {0.1, 1.5, 2.0};
    mc_scenario *s = parse(HEAD "models: {car: {kind: powertrain}}\n"
                                "controllers: {follow: {law: platoon}}\n" PLATOON);
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 50);
    for (int k = 0; k < 3; k++)
        platoon_command(
            run, &(mc_command){
                     .event = "set", .vehicle = "car1", .param = params[k], .value = values[k]});
    platoon_steps(run, 600);
    char text[400] = "";
    assert_int_equal(mc_run_renamed(run, text, sizeof text), renamed);
    assert_string_equal(text,
                        renamed ? "\"acceleration_most\" is now \"max_acceleration\", \"brake_most"
                                  "\" is now \"max_brake\", \"wishes\" is now \"desired\"; the old "
                                  "names are read until 0.3"
                                : "");
    const unsigned long long hash = mc_run_hash(run);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return hash;
}

static void commands_have_old_names(void **unused)
{
    (void)unused;
    static const char *const old[] = {"model.acceleration_most", "wishes.headway",
                                      "law.brake_most"};
    static const char *const now[] = {"model.max_acceleration", "desired.headway", "law.max_brake"};
    static const char *const none[] = {"desired.headway", "desired.headway", "desired.headway"};
    assert_true(commanded(old, true) == commanded(now, false));
    assert_true(commanded(none, false) != commanded(now, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_keys_are_read_with_one_warning),
        cmocka_unit_test(a_number_that_is_set_warns_once),
        cmocka_unit_test(both_names_are_rejected),
        cmocka_unit_test(names_of_the_user_stay),
        cmocka_unit_test(commands_have_old_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
