// test_medusa_files.c - the files that a run writes: HDF5, collisions, picture, and nothing else.
#include "motorcade/collisions.h"
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOTION = 5, POSE = 24, ENERGY = 18, IMPACTS = 19 }; // columns of the tables in HDF5
enum { IMPACT_A = 1, IMPACT_X = 3, IMPACT_CLOSING = 9, IMPACT_IMPULSE = 10 };

static int set_up(void **state)
{
    cli_set_up(state);
    cli_copy_medusa();
    return 0;
}

// ---- HDF5 --------------------------------------------------------------------------------------

static void assert_text(const char *name, const char *expected)
{
    char *text = run_hdf5_text(&folder, "run.h5", name);
    assert_string_equal(text, expected);
    free(text);
}

// All the numbers of data.asc, to the last bit.
static void hdf5_equals_asc(void **state)
{
    (void)state;
    free(cli_done("medusa -t2 -e -v --digits 17 --hdf5 run.h5 --quiet"));
    run_table asc = run_table_read(&folder, "data.asc");
    run_table time = run_table_hdf5(&folder, "run.h5", "time");
    run_table motion = run_table_hdf5(&folder, "run.h5", "motion");
    run_table pose = run_table_hdf5(&folder, "run.h5", "pose");
    run_table energy = run_table_hdf5(&folder, "run.h5", "energy");
    assert_int_equal(asc.row_count, 201);
    assert_true(time.row_count == 201 && motion.row_count == 201);
    assert_true(pose.row_count == 201 && energy.row_count == 201);
    assert_true(time.column_count == 1 && motion.column_count == 2 * MOTION);
    assert_true(pose.column_count == 2 * POSE && energy.column_count == 2 * ENERGY);
    for (int i = 0; i < 201; i++) {
        assert_true(run_at(&time, i, 0) == run_at(&asc, i, 0));
        for (int car = 0; car < 2; car++) {
            for (int k = 0; k < 12; k++) {
                assert_true(run_at(&pose, i, POSE * car + k) == run_at(&asc, i, 1 + 12 * car + k));
                assert_true(run_at(&pose, i, POSE * car + 12 + k) ==
                            run_at(&asc, i, 25 + 12 * car + k));
            }
            for (int k = 0; k < 2; k++) // x, y
                assert_true(run_at(&motion, i, MOTION * car + k) ==
                            run_at(&pose, i, POSE * car + k));
            double sum = 0.0;
            for (int k = 1; k < 5; k++) // kinetic, elastic, spring, gravity
                sum += run_at(&energy, i, ENERGY * car + k);
            assert_true(sum == run_at(&asc, i, 49 + car));
            assert_true(sum == run_at(&energy, i, ENERGY * car));
        }
    }
    assert_int_equal(run_hdf5_integer(&folder, "run.h5", "complete"), 1);
    assert_int_equal(run_hdf5_integer(&folder, "run.h5", "segment_count"), 1);
    assert_text("format", "motorcade results 2");
    assert_text("kind", "medusa");
    assert_text("scheme", "exponential");
    assert_text("command", "motorcade medusa -t2 -e -v --digits 17 --hdf5 run.h5 --quiet");
    run_table_free(&asc);
    run_table_free(&time);
    run_table_free(&motion);
    run_table_free(&pose);
    run_table_free(&energy);
}

// The HDF5 file does not depend on -e and -v, nor data.asc on --hdf5.
static void outputs_are_independent(void **state)
{
    (void)state;
    run_put(&folder, "run.h5", "this is not an HDF5 file\n");
    free(cli_done("medusa -t0.3 --hdf5 run.h5"));
    run_table pose = run_table_hdf5(&folder, "run.h5", "pose");
    assert_int_equal(pose.row_count, 31);
    assert_int_equal(pose.column_count, 2 * POSE);
    assert_true(run_at(&pose, 0, 12) == 24.4444);
    run_table_free(&pose);
    free(cli_done("medusa -t0.3 -Fplain.asc"));
    size_t a_size, b_size;
    char *a = run_get(&folder, "data.asc", &a_size), *b = run_get(&folder, "plain.asc", &b_size);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a, b, a_size);
    free(a);
    free(b);
    assert_text("scheme", "exponential");
    free(cli_done("medusa -t0.05 --hdf5 run.h5 --as-published"));
    assert_text("scheme", "published");
    run_table motion = run_table_hdf5(&folder, "run.h5", "motion");
    assert_int_equal(motion.row_count, 6);
    run_table_free(&motion);
}

// ---- collisions --------------------------------------------------------------------------------

enum { ROWS_MAX = 64, COLUMNS_MAX = 40 };

typedef struct report {
    int row_count, column_count;
    double value[ROWS_MAX][COLUMNS_MAX];
} report;

// Reads the CSV; its header must be the library's columns.
static report read_csv(const char *name)
{
    report r = {0};
    const mc_collision_column *columns = mc_collision_columns(&r.column_count);
    assert_true(r.column_count <= COLUMNS_MAX);
    char *text = run_get(&folder, name, NULL), *at = text;
    for (int k = 0; k < r.column_count; k++) {
        char header[80];
        const char *unit = columns[k].unit;
        snprintf(header, sizeof header, *unit ? "%s [%s]" : "%s", columns[k].name, unit);
        assert_memory_equal(at, header, strlen(header));
        at += strlen(header);
        assert_int_equal(*at++, k + 1 < r.column_count ? ',' : '\n');
    }
    for (; *at; r.row_count++) {
        assert_true(r.row_count < ROWS_MAX);
        for (int k = 0; k < r.column_count; k++) {
            char *end;
            r.value[r.row_count][k] = strtod(at, &end);
            assert_true(end > at);
            assert_int_equal(*end, k + 1 < r.column_count ? ',' : '\n');
            at = end + 1;
        }
    }
    free(text);
    return r;
}

// One JSON value at s; returns the end of it, or NULL when it is none.
static const char *skip_json(const char *s)
{
    s += strspn(s, " \t\r\n");
    if (*s == '"') {
        for (s++; *s && *s != '"'; s++)
            s += *s == '\\' && s[1];
        return *s == '"' ? s + 1 : NULL;
    }
    if (*s == '{' || *s == '[') {
        const bool object = *s == '{';
        const char close = object ? '}' : ']';
        s++;
        s += strspn(s, " \t\r\n");
        if (*s == close)
            return s + 1;
        for (;;) {
            if (object) {
                s += strspn(s, " \t\r\n");
                s = *s == '"' ? skip_json(s) : NULL;
                s = s ? s + strspn(s, " \t\r\n") : NULL;
                if (!s || *s++ != ':')
                    return NULL;
            }
            s = skip_json(s);
            s = s ? s + strspn(s, " \t\r\n") : NULL;
            if (!s || (*s != ',' && *s != close))
                return NULL;
            if (*s++ == close)
                return s;
        }
    }
    static const char *const words[] = {"null", "true", "false"};
    for (int k = 0; k < 3; k++)
        if (strncmp(s, words[k], strlen(words[k])) == 0)
            return s + strlen(words[k]);
    char *end;
    strtod(s, &end);
    return end > s ? end : NULL;
}

// Reads the objects of "collisions" by the names of the library's columns.
static report read_json(const char *name)
{
    report r = {0};
    const mc_collision_column *columns = mc_collision_columns(&r.column_count);
    char *text = run_get(&folder, name, NULL);
    const char *end = skip_json(text);
    assert_non_null(end);
    assert_string_equal(end + strspn(end, " \n"), "");
    const char *at = strstr(text, "\"collisions\":");
    assert_non_null(strstr(text, "\"columns\":"));
    assert_non_null(at);
    for (at = strchr(at, '{'); at; r.row_count++) {
        const char *stop = skip_json(at);
        assert_true(stop && r.row_count < ROWS_MAX);
        for (int k = 0; k < r.column_count; k++) {
            char key[80];
            snprintf(key, sizeof key, "\"%s\":", columns[k].name);
            const char *found = strstr(at, key);
            assert_true(found && found < stop);
            r.value[r.row_count][k] = strtod(found + strlen(key), NULL);
        }
        at = strchr(stop, '{');
    }
    free(text);
    return r;
}

static double value_of(const report *r, int row, const char *name)
{
    int count;
    const mc_collision_column *columns = mc_collision_columns(&count);
    assert_true(row < r->row_count);
    for (int k = 0; k < count; k++)
        if (strcmp(columns[k].name, name) == 0)
            return r->value[row][k];
    fail_msg("there is no column %s", name);
    return NAN;
}

static void assert_within(double value, double low, double high)
{
    if (!(value >= low && value <= high))
        fail_msg("%.17g is not within %g .. %g", value, low, high);
}

// The crash of the manual's two cars: 4.8 km/h, nose to tail.
static void collisions_make_sense(void **state)
{
    (void)state;
    free(cli_done("medusa -t3 --collisions crash.csv --hdf5 run.h5"));
    free(cli_done("medusa -t3 --collisions crash.json"));
    const report r = read_csv("crash.csv"), j = read_json("crash.json");
    assert_int_equal(r.row_count, 1);
    assert_int_equal(j.row_count, 1);
    assert_memory_equal(r.value, j.value, sizeof r.value);
    assert_true(value_of(&r, 0, "vehicle_a") == 0.0 && value_of(&r, 0, "vehicle_b") == 1.0);
    // 5 m between centres, two semi-axes of 1.5 m, 4/3 m/s: after about 1.5 s.
    assert_within(value_of(&r, 0, "first"), 1.49, 1.52);
    assert_within(value_of(&r, 0, "last"), value_of(&r, 0, "first"), 1.6);
    assert_within(value_of(&r, 0, "closing"), 1.2, 1.4);
    assert_within(value_of(&r, 0, "relative_before"), -1.4, -1.2);
    assert_within(value_of(&r, 0, "restitution"), 0.3, 1.0);
    assert_within(value_of(&r, 0, "restitution") * value_of(&r, 0, "relative_before") +
                      value_of(&r, 0, "relative_after"),
                  -1e-12, 1e-12);
    // Two equal masses m: impulse = m/2 (1 + e) closing speed of the centres.
    const double impulse =
        -0.5 * 1573.0 * (1.0 + value_of(&r, 0, "restitution")) * value_of(&r, 0, "relative_before");
    assert_within(value_of(&r, 0, "impulse") / impulse, 0.98, 1.02);
    assert_within(value_of(&r, 0, "normal_x"), 0.99, 1.0);
    assert_within(fabs(value_of(&r, 0, "normal_y")), 0.0, 1e-9);
    assert_within(value_of(&r, 0, "point_x"), 24.4444 * 1.5, 24.4444 * 1.5 + 3.0);
    assert_within(value_of(&r, 0, "vibration"), 100.0, 0.5 * 1573.0 * 0.5 * 1.34 * 1.34);
    assert_within(value_of(&r, 0, "energy_after") - value_of(&r, 0, "energy_before") +
                      value_of(&r, 0, "damped") + value_of(&r, 0, "slipped"),
                  -0.01, 0.01);

    // The micro-impacts behind it.
    run_table impacts = run_table_hdf5(&folder, "run.h5", "impacts");
    assert_int_equal(impacts.column_count, IMPACTS);
    assert_true(impacts.row_count == (int)value_of(&r, 0, "impacts") && impacts.row_count > 0);
    double sum = 0.0;
    for (int i = 0; i < impacts.row_count; i++) {
        assert_true(run_at(&impacts, i, IMPACT_A) == 0.0);
        assert_true(run_at(&impacts, i, IMPACT_A + 1) == 1.0);
        sum += run_at(&impacts, i, IMPACT_IMPULSE);
    }
    assert_true(sum == value_of(&r, 0, "impulse"));
    assert_true(run_at(&impacts, 0, 0) == value_of(&r, 0, "first"));
    assert_true(run_at(&impacts, impacts.row_count - 1, 0) == value_of(&r, 0, "last"));
    assert_true(run_at(&impacts, 0, IMPACT_X) == value_of(&r, 0, "point_x"));
    assert_true(run_at(&impacts, 0, IMPACT_CLOSING) == value_of(&r, 0, "closing"));
    run_table_free(&impacts);
}

static void no_collision(void **state)
{
    (void)state;
    run_result r = cli_run("medusa -t1 --collisions none.csv");
    assert_int_equal(r.code, 0);
    const size_t length = strlen("\nno collisions\n");
    assert_true(r.out_size > length);
    assert_string_equal(r.out + r.out_size - length, "\nno collisions\n");
    run_result_free(&r);
    free(cli_done("medusa -t1 --collisions none.JSON"));
    assert_int_equal(read_csv("none.csv").row_count, 0);
    assert_int_equal(read_json("none.JSON").row_count, 0);
}

// Ten cars, each a little faster than the one before it: a chain of collisions.
static void chain_of_collisions(void **state)
{
    (void)state;
    char text[2048], *at = text + sprintf(text, "NUMBER_OF_VEHICLES 10\n");
    for (int i = 0; i < 10; i++)
        at += sprintf(at,
                      "VEHICLE_HAS_MODEL %d INITIALLY_WITH X %g Y 0 ORIENTATION 0 SPEED %d "
                      "STEERING 0\n",
                      1 + i % 2, 3.5 * i, 30 - 2 * i);
    run_put(&folder, "chain.dat", text);
    free(cli_done("medusa -t2 -fchain.dat --collisions crash.csv --hdf5 run.h5"));
    free(cli_done("medusa -t2 -fchain.dat --collisions crash.json"));
    const report r = read_csv("crash.csv"), j = read_json("crash.json");
    assert_true(r.row_count >= 9 && r.row_count == j.row_count);
    assert_memory_equal(r.value, j.value, sizeof r.value);
    double first = 0.0, impacts = 0.0, sum = 0.0;
    bool hit[10] = {false};
    for (int i = 0; i < r.row_count; i++) {
        const int a = (int)value_of(&r, i, "vehicle_a"), b = (int)value_of(&r, i, "vehicle_b");
        assert_int_equal(b, a + 1); // no vehicle touches more than its neighbour
        assert_in_range(a, 0, 8);
        hit[a] = true;
        assert_true(value_of(&r, i, "first") >= first); // in order of time
        first = value_of(&r, i, "first");
        assert_within(first, 0.0, 2.0);
        assert_true(value_of(&r, i, "closing") > 0.0 && value_of(&r, i, "impulse") > 0.0);
        assert_true(value_of(&r, i, "impulse_largest") <= value_of(&r, i, "impulse"));
        impacts += value_of(&r, i, "impacts");
        sum += value_of(&r, i, "impulse");
    }
    for (int a = 0; a < 9; a++)
        assert_true(hit[a]);
    run_table t = run_table_hdf5(&folder, "run.h5", "impacts");
    assert_int_equal(t.row_count, (int)impacts);
    for (int i = 0; i < t.row_count; i++)
        sum -= run_at(&t, i, IMPACT_IMPULSE);
    assert_within(sum, -1e-6, 1e-6);
    run_table_free(&t);
}

static void picture(void **state)
{
    (void)state;
    free(cli_done("medusa -t2 --picture crash.svg"));
    char *svg = run_get(&folder, "crash.svg", NULL);
    assert_non_null(strstr(svg, "<svg "));
    assert_non_null(strstr(svg, "</svg>\n"));
    assert_string_equal(strstr(svg, "</svg>"), "</svg>\n");
    assert_null(strstr(svg, "nan"));
    assert_true(strlen(svg) > 2000);
    free(svg);
}

// ---- names in the folder -----------------------------------------------------------------------

static void assert_names(const char *expected)
{
    char *listing = run_listing(&folder, false), names[1000] = "";
    for (char *rest = listing, *line; (line = strtok_r(rest, "\n", &rest));)
        if (line[0] == '/')
            strncat(names, line, strcspn(line, " "));
    assert_string_equal(names, expected);
    free(listing);
}

static void nothing_else_is_left(void **state)
{
    (void)state;
    free(cli_done("medusa -t0.05 -h"));
    assert_names("/model.dat/platoon.dat");
    free(cli_done("medusa -t0.05"));
    assert_names("/data.asc/model.dat/platoon.dat");
    free(cli_done("medusa -t2 -Fa --hdf5 b --collisions c --picture d"));
    assert_names("/a/b/c/d/data.asc/model.dat/platoon.dat");
    free(cli_done("medusa -t2 -Fa --hdf5 b --collisions c --picture d")); // over themselves
    assert_names("/a/b/c/d/data.asc/model.dat/platoon.dat");
}

// A file that is replaced keeps its mode, and a link stays one.
static void replaced_files(void **state)
{
    (void)state;
    struct stat status;
    run_put(&folder, "data.asc", "old\n");
    run_put(&folder, "elsewhere", "old\n");
    chmod(cli_path("data.asc"), 0640);
    char link[200];
    strcpy(link, cli_path("link.asc"));
    assert_int_equal(symlink("elsewhere", link), 0);
    free(cli_done("medusa -t0.05"));
    free(cli_done("medusa -t0.05 -Flink.asc"));
    assert_int_equal(lstat(cli_path("data.asc"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    run_table a = run_table_read(&folder, "data.asc"), b = run_table_read(&folder, "elsewhere");
    assert_true(a.row_count == 6 && b.row_count == 6);
    run_table_free(&a);
    run_table_free(&b);
}

static void devices(void **state)
{
    (void)state;
    run_put(&folder, "script",
            MOTORCADE_BINARY " medusa -t0.05 -F/dev/stdout --quiet | cat > copy\n");
    run_result r = run(&folder, "/bin/sh", "script");
    assert_int_equal(r.code, 0);
    assert_string_equal(r.err, "");
    run_table t = run_table_read(&folder, "copy");
    assert_true(t.row_count == 6 && t.column_count == 25);
    run_table_free(&t);
    run_result_free(&r);
    free(cli_done("medusa -t2 -F/dev/null --collisions /dev/null --picture /dev/null"));
    assert_false(run_exists(&folder, "data.asc"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, cli_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hdf5_equals_asc),      TEST(outputs_are_independent), TEST(collisions_make_sense),
        TEST(no_collision),         TEST(chain_of_collisions),     TEST(picture),
        TEST(nothing_else_is_left), TEST(replaced_files),          TEST(devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
