// test_ramp_lines.c - ramps of the road from DYNAVIS ramp files: where they are, their shape, the
// text kept byte for byte through scenarios and edits, and wrong files.
#include "motorcade/dynavis.h"
#include "motorcade/road.h"
#include "motorcade/scenario.h"
#include "support/run.h"
#include "support/sample.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHIPPED SOURCE_DIR "/scenarios/dynavis/freeway.ramps"

static mc_error error;

static mc_scenario *load(const run_folder *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    mc_scenario *s = mc_scenario_load(path, &error);
    if (!s)
        fail_msg("%s: %s", name, error.text);
    return s;
}

static void has_lines(const mc_scenario *s, const char *text, size_t size)
{
    size_t kept;
    const char *lines = mc_scenario_ramp_lines(s, &kept);
    assert_non_null(lines);
    assert_int_equal(kept, size);
    assert_memory_equal(lines, text, size);
}

// The shipped file as a file and as lines: six ramps at the miles of the report, a connector with
// a bend and a design speed, a line with # without effect.
static void shipped_file(void **unused)
{
    (void)unused;
    static const double miles[6] = {0.5, 1.0, 2.0, 2.6, 3.1, 3.6};
    run_folder folder = run_folder_make();
    run_copy(&folder, "freeway.ramps", SHIPPED);
    run_put(&folder, "file.yaml",
            "motorcade: scenario\ntime: {end: 1}\nroad: {lanes: 3, ramp_file: freeway.ramps}\n"
            "models: {car: point}\nvehicles: [{model: car, x: 0, ramp: 60 Freeway}]\n");
    size_t size;
    char *text = run_get(&folder, "freeway.ramps", &size);
    mc_scenario *s = load(&folder, "file.yaml");
    has_lines(s, text, size);
    const struct mc_road *road = mc_scenario_road(s);
    assert_int_equal(mc_road_ramp_count(road), 6);
    for (int k = 0; k < 6; k++) {
        mc_road_ramp ramp;
        mc_road_path path;
        assert_true(mc_road_ramp_at(road, k, &ramp) && mc_road_path_at(road, ramp.path, &path));
        assert_true(fabs(ramp.at - miles[k] * 1609.344) < 1e-9);
        assert_int_equal(ramp.on, k == 0 || k == 2 || k == 4);
        assert_int_equal(ramp.connector, k == 3 || k == 4);
        assert_true(ramp.speed == (ramp.connector ? 18.0 : 20.0));
        assert_true(fabs(path.max_curvature - (ramp.connector ? 1.0 / 120.0 : 1.0 / 150.0)) <
                    1e-15);
    }
    // An edit of something else keeps the file; another list of ramps replaces it.
    mc_scenario *next = mc_scenario_edit(s, "{end: 2}", &error);
    assert_non_null(next);
    has_lines(next, text, size);
    mc_scenario *other =
        mc_scenario_edit_at(next, 5.0, "{road: {ramp_lines: \"A\\t1 ON\\n\"}}", &error);
    if (!other)
        fail_msg("%s", error.text);
    has_lines(other, "A\t1 ON\n", 7);
    assert_int_equal(mc_road_ramp_count(mc_scenario_road(other)), 1);
    mc_scenario *none = mc_scenario_edit_at(other, 5.0, "{road: {ramps: []}}", &error);
    assert_non_null(none);
    assert_null(mc_scenario_ramp_lines(none, &size));
    mc_scenario_free(none);
    mc_scenario_free(other);
    mc_scenario_free(next);
    mc_scenario_free(s);
    free(text);
    run_folder_remove(&folder);
}

// ---- any file ----

static const char *pick(unsigned long long *seed, const char *const *from, int count)
{
    return from[sample_random(seed) % (unsigned)count];
}

// A ramp file with blanks, tabs, comments, "+", connectors and all ends of lines.
static size_t random_file(unsigned long long *seed, char *text, size_t room)
{
    static const char *const blanks[] = {" ", "\t", "  ", " \t ", "\t\t"};
    static const char *const ends[] = {"\n", "\r\n", "\n\n", " \n", "\r"};
    static const char *const comments[] = {"# one", "  #two \"quoted\" \\ back", "#",
                                           "#\xc3\xa9t\xc3\xa9"};
    static const char *const names[] = {"Elm",   "5 Freeway", "Old \"Mill\" Rd",
                                        "  Oak", "B\\C",      "\xc3\x89lan"};
    size_t used = 0;
    const int count = 1 + (int)(sample_random(seed) % 5);
    for (int k = 0; k < count; k++) {
        if (sample_random(seed) % 3 == 0)
            used += (size_t)snprintf(text + used, room - used, "%s%s", pick(seed, comments, 4),
                                     pick(seed, ends, 5));
        const bool plus = k > 0 && sample_random(seed) % 2;
        used += (size_t)snprintf(text + used, room - used, "%s %d%s%s%.3f%s%s%s%s%s",
                                 pick(seed, names, 6), k, pick(seed, blanks, 5), plus ? "+" : "",
                                 plus ? 0.7 : 1.0 + 0.9 * k + sample_uniform(seed, 0.0, 0.1),
                                 pick(seed, blanks, 5), sample_random(seed) % 2 ? "ON" : "off",
                                 pick(seed, blanks, 5), sample_random(seed) % 3 ? "" : "Connector",
                                 pick(seed, ends, 5));
    }
    return used;
}

// Through a scenario and an edit of it every byte stays, and the road has the ramps of the file.
static void any_file(void **unused)
{
    (void)unused;
    struct {
        unsigned long long seed;
        long ramps;
    } kept = {.seed = 3};
    series all = series_open("ramp_lines", 5000, &kept, sizeof kept);
    run_folder folder = run_folder_make();
    char path[128], yaml[128];
    snprintf(path, sizeof path, "%s/any.ramps", folder.path);
    snprintf(yaml, sizeof yaml, "%s/any.yaml", folder.path);
    mc_dynavis_params params;
    mc_dynavis_params_defaults(2, &params);
    for (long i; series_next(&all, &i);) {
        char text[2048];
        const size_t size = random_file(&kept.seed, text, sizeof text);
        run_put_bytes(&folder, "any.ramps", text, size);
        const mc_dynavis_scenario from = {.params = &params, .ramps = path, .car_count = 2};
        if (mc_dynavis_write_scenario(yaml, &from, &error) != MC_OK)
            fail_msg("%s\n%s", error.text, text);
        mc_dynavis_ramp *ramps;
        int count;
        assert_int_equal(mc_dynavis_ramps_read(path, &ramps, &count, &error), MC_OK);
        mc_scenario *s = load(&folder, "any.yaml");
        has_lines(s, text, size);
        assert_int_equal(mc_road_ramp_count(mc_scenario_road(s)), count);
        for (int k = 0; k < count; k++) {
            mc_road_ramp ramp;
            mc_road_ramp_at(mc_scenario_road(s), k, &ramp);
            assert_string_equal(ramp.name, ramps[k].name);
            assert_true(ramp.at == ramps[k].x && ramp.on == ramps[k].on &&
                        ramp.connector == ramps[k].connector);
        }
        mc_scenario *next = mc_scenario_edit(s, "{road: {speed: 21}}", &error);
        assert_non_null(next);
        has_lines(next, text, size);
        kept.ramps += count;
        mc_scenario_free(next);
        mc_scenario_free(s);
        free(ramps);
    }
    assert_true(kept.ramps > all.count);
    run_folder_remove(&folder);
}

// ---- wrong files ----

static const struct {
    const char *road, *message;
} wrong[] = {
    {"ramp_lines: \"A 1 ON\\nA 2 ON\\n\"",
     "3:31: line 2 of the ramps: ramp A is already on line 1"},
    {"ramp_lines: \"\"", "3:31: line 1 of the ramps: the file has no ramps, expected lines: name "
                         "distance ON|OFF [connector]"},
    {"ramp_lines: \"# only\\n\"", "3:31: line 1 of the ramps: the file has no ramps, expected "
                                  "lines: name distance ON|OFF [connector]"},
    {"ramp_lines: \"A 1\\n\"", "3:31: line 1 of the ramps: found \"1\", expected ON or OFF, and "
                               "then connector or the end of the line"},
    {"ramp_lines: \"A ON\\n\"", "3:31: line 1 of the ramps: found \"A\", expected a distance in "
                                "miles before ON or OFF (0.5, or +0.5 from the previous ramp)"},
    {"ramp_lines: \"1 ON\\n\"",
     "3:31: line 1 of the ramps: the ramp has no name, expected name distance ON|OFF [connector]"},
    {"ramp_lines: \"A one ON\\n\"",
     "3:31: line 1 of the ramps: found \"one\", expected a distance in miles before ON or OFF "
     "(0.5, or +0.5 from the previous ramp)"},
    {"ramp_lines: \"A -1 ON\\n\"",
     "3:31: line 1 of the ramps: distance -1 is out of range, expected 0 .. 10000 miles"},
    {"ramp_lines: \"A 1 ON conector\\n\"",
     "3:31: line 1 of the ramps: found \"conector\", expected ON or OFF, and then connector or the "
     "end of the line"},
    {"ramp_lines: \"A 1 ON\\nB +0.001 ON\\n\"",
     "3:31: line 1 of the ramps: ramp A at 1609.34 m has 1.609 m of road for its lane, because of "
     "B; expected at least 20 m"},
    {"ramp_lines: \"A 0.001 OFF\\n\"",
     "3:31: line 1 of the ramps: ramp A at 1.60934 m has 1.609 m of road for its lane, from the "
     "start of the road; expected at least 20 m"},
    {"ramp_lines: \"A 1 ON\\nB +0.01 OFF\\n\"",
     "3:31: line 1 of the ramps: ramp A at 1609.34 m has 8.047 m of road for its lane, because of "
     "B; expected at least 20 m"},
    {"ramp_lines: \"A 0 OFF\\n\"", "3:31: line 1 of the ramps: ramp A at 0 m has 0 m of road for "
                                   "its lane, from the start of the road; expected at least 20 m"},
    {"ramp_lines: \"A 1 ON\\n\", ramps: []",
     "3:42: the road has ramp_lines and ramps; expected one of them"},
    {"ramp_lines: \"A 1 ON\\n\", ramp_file: a.ramps",
     "3:42: the road has ramp_lines and ramp_file; expected one of them"},
    {"ramp_file: a.ramps, ramps: []",
     "3:38: the road has ramp_file and ramps; expected one of them"},
    {"ramp_file: missing.ramps", "3:29: cannot read the file missing.ramps"},
    {"ramp_lines: [A 1 ON]", "3:30: found a list, expected one value"},
    {"ramp_lines: {A: 1}", "3:30: found a map, expected one value"},
    {"ramp_line: \"A 1 ON\"", "3:18: the road has no key \"ramp_line\"; did you mean ramp_lines?"},
    {"ramp_lines: \"A 20000 ON\\n\"",
     "3:31: line 1 of the ramps: distance 20000 is out of range, expected 0 .. 10000 miles"},
    {"line: [{straight: 1000}], ramp_lines: \"A 1 ON\\n\"",
     "3:57: ramp A is at 1609.344 m; expected 0 .. 1000 m, the length of the road"},
    {"line: [{straight: 1700}], ramp_lines: \"A 1 ON\\n\"",
     "3:57: the acceleration lane of ramp A goes from 1609.344 to 1869.344 m; expected within 0 .. "
     "1700 m, the length of the road"},
    {"file: x.xodr, ramp_lines: \"A 1 ON\\n\"",
     "3:8: the road comes from x.xodr, which has its own lanes"},
    {"ramp_lines: \"A nan ON\\n\"",
     "3:31: line 1 of the ramps: found \"nan\", expected a distance in miles before ON or OFF "
     "(0.5, or +0.5 from the previous ramp)"},
    {"ramp_lines: \"A + ON\\n\"", "3:31: line 1 of the ramps: found \"+\", expected a distance in "
                                  "miles before ON or OFF (0.5, or +0.5 from the previous ramp)"},
    {"ramp_lines: \"A 1 ON ON\\n\"",
     "3:31: line 1 of the ramps: found \"ON\", expected a distance in miles before ON or OFF (0.5, "
     "or +0.5 from the previous ramp)"},
};

static void wrong_lines(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "motorcade: scenario\ntime: {end: 1}\nroad: {lanes: 3, %s}\n"
                 "models: {car: point}\nvehicles: [{model: car, x: 0}]\n",
                 wrong[k].road);
        error = (mc_error){0};
        mc_scenario *s = mc_scenario_parse(text, strlen(text), "s.yaml", &error);
        char found[sizeof error.text + 64];
        snprintf(found, sizeof found, "%d:%d: %s", error.line, error.column, error.text);
        if (s || strcmp(found, wrong[k].message) != 0)
            fail_msg("%s: %s", wrong[k].road, s ? "accepted" : found);
        mc_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_file),
        cmocka_unit_test(any_file),
        cmocka_unit_test(wrong_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
