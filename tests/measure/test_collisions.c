// test_collisions.c - micro-impacts to collisions; the files and the table.
#include "motorcade/collisions.h"

#include "base/file.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_collisions.XXXXXX";
static char path_room[300];

static const char *in_folder(const char *name)
{
    snprintf(path_room, sizeof path_room, "%s/%s", folder, name);
    return path_room;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); // fails when a test leaves something behind
}

static char *content(arena *a, const char *path)
{
    char *data = NULL;
    size_t size = 0;
    mc_error error;
    assert_int_equal(file_read(a, path, 0, &data, &size, &error), MC_OK);
    return data;
}

static mc_impact impact(double time, int a, int b, double impulse)
{
    return (mc_impact){
        .time = time, .a = a, .b = b, .normal = {1, 0, 0}, .closing = 1.0, .impulse = impulse};
}

// Collisions of impacts that must be taken; the caller frees them.
static mc_collision *collisions_of(const mc_impact *impacts, int count, double quiet, int *found)
{
    mc_collision *out = NULL;
    mc_error error;
    assert_int_equal(mc_collisions_from_impacts(impacts, count, quiet, &out, found, &error), MC_OK);
    return out;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1.0, fabs(expected))))
        fail_msg("%.17g instead of %.17g", value, expected);
}

// Two cars, two micro-impacts with different normals, every number told apart.
static void crash_of_two(mc_impact out[2])
{
    out[0] = (mc_impact){
        .time = 1.5,
        .a = 3,
        .b = 7,
        .point = {10.1, -0.25, 0.5},
        .normal = {1, 0, 0},
        .closing = 1.75,
        .impulse = 300.0,
        .velocity_before = {{24.5, 1.0}, {23.0, 2.0}},
        .velocity_after = {{24.0, 1.0}, {23.5, 2.0}},
        .before = {{1000, 10, 20, 30, 4, 100, 200}, {2000, 11, 21, 31, 5, 110, 210}},
        .after = {{950, 10, 20, 30, 14, 100, 200}, {2030, 11, 21, 31, 25, 110, 210}},
    };
    out[1] = (mc_impact){
        .time = 1.51,
        .a = 3,
        .b = 7,
        .point = {10.4, -0.20, 0.6},
        .normal = {0, 1, 0},
        .closing = 0.5,
        .impulse = 400.0,
        .velocity_before = {{24.0, 1.0}, {23.5, 2.0}},
        .velocity_after = {{23.4, 1.0}, {24.3, 2.0}},
        .before = {{950, 10, 20, 30, 14, 101, 200}, {2030, 11, 21, 31, 25, 112, 213}},
        .after = {{900, 12, 20.5, 30.25, 44, 101, 200}, {2070, 13, 21, 31, 65, 112, 213}},
    };
}

static void numbers_are_right(void **state)
{
    (void)state;
    mc_impact impacts[2];
    crash_of_two(impacts);
    int count = 0;
    mc_collision *c = collisions_of(impacts, 2, MC_COLLISIONS_QUIET, &count);
    assert_int_equal(count, 1);
    assert_int_equal(c->a, 3);
    assert_int_equal(c->b, 7);
    assert_int_equal(c->impact_count, 2);
    assert_near(c->first, 1.5);
    assert_near(c->last, 1.51);
    assert_near(c->closing, 1.75);
    assert_near(c->relative_before, -1.5);
    assert_near(c->relative_after, 0.9);
    assert_near(c->restitution, 0.6);
    assert_near(c->impulse, 700.0);
    assert_near(c->impulse_largest, 400.0);
    assert_near(c->normal[0], 0.6); // 300 along x and 400 along y
    assert_near(c->normal[1], 0.8);
    assert_near(c->normal[2], 0.0);
    assert_near(c->point[0], 10.1);
    assert_near(c->point[1], -0.25);
    assert_near(c->point[2], 0.5);
    assert_near(c->before[1].kinetic, 2000.0);
    assert_near(c->after[0].kinetic, 900.0);
    assert_near(c->energy_before, 1000 + 10 + 20 + 30 + 2000 + 11 + 21 + 31);
    assert_near(c->energy_after, 900 + 12 + 20.5 + 30.25 + 2070 + 13 + 21 + 31);
    assert_near(c->vibration, 44 - 4 + 65 - 5);
    assert_near(c->damped, 1 + 2);
    assert_near(c->slipped, 3);
    free(c);
}

// What friction, restitution and permanent deformation took: in the columns and in the totals.
static void losses_are_summed(void **state)
{
    (void)state;
    mc_impact impacts[2];
    crash_of_two(impacts);
    const double f[2][3] = {{0.0, -30.0, 5.0}, {40.0, 0.0, 7.0}};
    for (int k = 0; k < 2; k++) {
        memcpy(impacts[k].tangential, f[k], sizeof f[k]);
        impacts[k].friction_loss = 11.0 + k;
        impacts[k].restitution_loss = 5.0 * k;
        impacts[k].before[1].crushed = 100.0 * k;
        impacts[k].after[1].crushed = 150.0 * k;
    }
    impacts[1].after[0].crushed = 7.0;
    int count = 0, column_count;
    mc_collision *c = collisions_of(impacts, 2, MC_COLLISIONS_QUIET, &count);
    assert_int_equal(count, 1);
    const struct {
        const char *name;
        double value;
    } expected[] = {{"tangential_x", 40.0},  {"tangential_y", -30.0},
                    {"tangential_z", 12.0},  {"tangential", sqrt(2644.0)},
                    {"friction_loss", 23.0}, {"restitution_loss", 5.0},
                    {"crushed", 157.0}};
    const mc_collision_column *columns = mc_collision_columns(&column_count);
    int found = 0;
    for (int k = 0; k < column_count; k++)
        for (int i = 0; i < 7; i++)
            if (strcmp(columns[k].name, expected[i].name) == 0) {
                assert_near(mc_collision_value(c, &columns[k]), expected[i].value);
                found++;
            }
    assert_int_equal(found, 7);
    mc_collision_totals totals;
    assert_int_equal(mc_collisions_total(c, 1, &totals, NULL), MC_OK);
    assert_near(totals.friction_loss, 23.0);
    assert_near(totals.restitution_loss, 5.0);
    assert_near(totals.crushed, 157.0);
    free(c);
}

static void no_bounce_without_speed(void **state)
{
    (void)state;
    mc_impact still = impact(1.0, 0, 1, 5.0);
    still.velocity_before[0][0] = still.velocity_before[1][0] = 20.0;
    still.velocity_after[1][0] = 21.0;
    int count = 0;
    mc_collision *c = collisions_of(&still, 1, MC_COLLISIONS_QUIET, &count);
    assert_int_equal(count, 1);
    assert_true(isnan(c->restitution));
    assert_near(c->relative_after, 21.0);
    free(c);
}

static void impulses_that_cancel_keep_the_first_normal(void **state)
{
    (void)state;
    mc_impact impacts[2] = {impact(1.0, 0, 1, 5.0), impact(1.1, 0, 1, 5.0)};
    impacts[1].normal[0] = -1.0;
    int count = 0;
    mc_collision *c = collisions_of(impacts, 2, MC_COLLISIONS_QUIET, &count);
    assert_int_equal(count, 1);
    assert_near(c->normal[0], 1.0);
    free(c);
}

static void quiet_time_cuts(void **state)
{
    (void)state;
    // Binary fractions: the differences are exact.
    const mc_impact impacts[] = {impact(1.0, 0, 1, 1), impact(1.25, 0, 1, 1), impact(1.5, 0, 1, 1),
                                 impact(nextafter(1.75, 2.0), 0, 1, 1)};
    int count = 0;
    mc_collision *c = collisions_of(impacts, 4, 0.25, &count);
    assert_int_equal(count, 2); // exactly the quiet time belongs together, one bit more does not
    assert_int_equal(c[0].impact_count, 3);
    assert_near(c[0].last, 1.5);
    assert_int_equal(c[1].impact_count, 1);
    free(c);
    c = collisions_of(impacts, 4, 0.0, &count);
    assert_int_equal(count, 4);
    free(c);
    c = collisions_of(impacts, 4, HUGE_VAL, &count);
    assert_int_equal(count, 1);
    assert_int_equal(c[0].impact_count, 4);
    free(c);
}

static void pairs_are_kept_apart_and_ordered(void **state)
{
    (void)state;
    // Two pairs at the same time, and a third that begins in between; not in order.
    const mc_impact impacts[] = {impact(2.02, 4, 9, 1), impact(2.0, 4, 9, 1),
                                 impact(2.01, 0, 1, 1), impact(2.0, 4, 5, 1),
                                 impact(9.0, 0, 1, 1),  impact(2.03, 4, 5, 1)};
    const int expected[][3] = {{4, 5, 2}, {4, 9, 2}, {0, 1, 1}, {0, 1, 1}};
    int count = 0;
    mc_collision *c = collisions_of(impacts, 6, MC_COLLISIONS_QUIET, &count);
    assert_int_equal(count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(c[i].a, expected[i][0]);
        assert_int_equal(c[i].b, expected[i][1]);
        assert_int_equal(c[i].impact_count, expected[i][2]);
    }
    assert_near(c[1].first, 2.0);
    assert_near(c[1].last, 2.02);
    free(c);
}

// Car 0 hits 1, which hits 2, which is thrown back on 1; 0 and 1 meet again meanwhile. Every car's
// vibration at any time is known, so the totals are too.
static void chain_of_three(void **state)
{
    (void)state;
    mc_impact impacts[] = {impact(1.00, 0, 1, 10), impact(1.02, 1, 2, 20), impact(1.04, 0, 1, 30),
                           impact(1.06, 1, 2, 40)};
    double vibration[3] = {0, 0, 0}; // of each car
    for (int i = 0; i < 4; i++) {
        const int car[2] = {impacts[i].a, impacts[i].b};
        for (int k = 0; k < 2; k++) {
            impacts[i].before[k].vibration = vibration[car[k]];
            impacts[i].before[k].damped = 10.0 * impacts[i].time;
            vibration[car[k]] += 100.0 * (i + 1) * (k + 1);
            impacts[i].after[k] = impacts[i].before[k];
            impacts[i].after[k].vibration = vibration[car[k]];
        }
    }
    int count = 0;
    mc_collision *c = collisions_of(impacts, 4, MC_COLLISIONS_QUIET, &count);
    assert_int_equal(count, 2);
    assert_int_equal(c[0].b, 1);
    assert_int_equal(c[1].b, 2);
    assert_near(c[0].impulse, 40.0);
    assert_near(c[1].impulse, 60.0);

    mc_collision_totals totals;
    assert_int_equal(mc_collisions_total(c, count, &totals, NULL), MC_OK);
    assert_int_equal(totals.collision_count, 2);
    assert_int_equal(totals.impact_count, 4);
    assert_near(totals.vibration, vibration[0] + vibration[1] + vibration[2]);
    // Cars 0 and 2 are watched for 0.04 s, car 1 for 0.06 s, at 10 J/s.
    assert_near(totals.damped, 10.0 * (0.04 + 0.04 + 0.06));
    assert_true(c[0].vibration + c[1].vibration > totals.vibration + 1.0); // the sum counts twice
    free(c);
}

static void nothing_gives_nothing(void **state)
{
    (void)state;
    int count = 5;
    mc_collision *c = collisions_of(NULL, 0, MC_COLLISIONS_QUIET, &count);
    assert_int_equal(count, 0);
    assert_null(c);
    arena a = {NULL};
    assert_int_equal(mc_collisions_write(in_folder("none.json"), NULL, 0, NULL), MC_OK);
    assert_non_null(strstr(content(&a, path_room), "\"collisions\": []\n}"));
    unlink(path_room);
    assert_int_equal(mc_collisions_write(in_folder("none.csv"), NULL, 0, NULL), MC_OK);
    const char *text = content(&a, path_room);
    assert_memory_equal(text, "vehicle_a,vehicle_b,first [s],", 30);
    assert_ptr_equal(strchr(text, '\n') + 1, text + strlen(text)); // the header and no more
    unlink(path_room);
    arena_free(&a);
}

static void bad_input_is_rejected(void **state)
{
    (void)state;
    mc_collision *c = NULL;
    int count = 0;
    mc_error error;
    const mc_impact good = impact(1, 0, 1, 1);
    const double quiets[] = {-0.1, NAN};
    for (int i = 0; i < 2; i++)
        assert_int_equal(mc_collisions_from_impacts(&good, 1, quiets[i], &c, &count, &error),
                         MC_BAD_INPUT);
    const mc_impact bad[] = {impact(1, 1, 1, 1), impact(1, 2, 1, 1), impact(1, -1, 1, 1),
                             impact(NAN, 0, 1, 1)};
    for (int i = 0; i < 4; i++) {
        const mc_impact list[2] = {good, bad[i]};
        assert_int_equal(mc_collisions_from_impacts(list, 2, 0.25, &c, &count, &error),
                         MC_BAD_INPUT);
        assert_non_null(strstr(error.text, "impact 1:"));
        assert_null(c);
        assert_int_equal(count, 0);
    }
}

// A crash with numbers that need all digits, and one without restitution.
static mc_collision *sample(int *count)
{
    mc_impact impacts[3];
    crash_of_two(impacts);
    impacts[0].closing = 1.0 / 3.0;
    impacts[0].point[1] = -1e-17 / 7.0;
    impacts[2] = impact(8.0, 0, 12, 6.02e23);
    mc_collision *c = collisions_of(impacts, 3, MC_COLLISIONS_QUIET, count);
    assert_int_equal(*count, 2);
    return c;
}

static void csv_reads_back(void **state)
{
    (void)state;
    int count = 0, column_count = 0;
    mc_collision *c = sample(&count);
    const mc_collision_column *columns = mc_collision_columns(&column_count);
    assert_int_equal(mc_collisions_write(in_folder("crash.csv"), c, count, NULL), MC_OK);
    arena a = {NULL};
    const char *at = content(&a, path_room);
    for (int k = 0; k < column_count; k++) {
        char header[100];
        const int length = snprintf(header, sizeof header, columns[k].unit[0] ? "%s [%s]" : "%s",
                                    columns[k].name, columns[k].unit);
        assert_memory_equal(at, header, (size_t)length);
        at += length;
        assert_int_equal(*at++, k + 1 < column_count ? ',' : '\n');
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < column_count; k++) {
            char *end;
            const double value = strtod(at, &end);
            const double expected = mc_collision_value(&c[i], &columns[k]);
            assert_true(end > at);
            assert_true(value == expected || (isnan(value) && isnan(expected)));
            assert_int_equal(*end, k + 1 < column_count ? ',' : '\n');
            at = end + 1;
        }
    assert_int_equal(*at, '\0');
    assert_non_null(strstr(content(&a, path_room), "\n3,7,1.5,")); // vehicles from 0
    assert_non_null(strstr(content(&a, path_room), ",nan,"));
    unlink(path_room);
    arena_free(&a);
    free(c);
}

// Reads one JSON value and returns what follows it; NULL when it is not JSON. Numbers are handed
// out one by one under the key that came before; null is NAN.
typedef struct json_reader {
    char key[64];
    int number_count;
    const mc_collision *collisions;
    const mc_collision_column *columns;
    int column_count;
} json_reader;

static const char *json_value(json_reader *r, const char *at);

static const char *json_blank(const char *at)
{
    return at + strspn(at, " \n");
}

static const char *json_string(const char *at, char *out, size_t size)
{
    const size_t length = strcspn(at + 1, "\"\\\n");
    if (*at != '"' || at[length + 1] != '"')
        return NULL;
    snprintf(out, size, "%.*s", (int)length, at + 1);
    return at + length + 2;
}

static const char *json_list(json_reader *r, const char *at, char close)
{
    at = json_blank(at + 1);
    if (*at == close)
        return at + 1;
    for (;;) {
        if (close == '}') {
            at = json_string(json_blank(at), r->key, sizeof r->key);
            at = at ? json_blank(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = json_value(r, json_blank(at));
        at = at ? json_blank(at) : NULL;
        if (!at || (*at != ',' && *at != close))
            return NULL;
        if (*at++ == close)
            return at;
    }
}

static const char *json_value(json_reader *r, const char *at)
{
    char text[300];
    if (*at == '{' || *at == '[')
        return json_list(r, at, *at == '{' ? '}' : ']');
    if (*at == '"')
        return json_string(at, text, sizeof text);
    char *end = NULL;
    double value = NAN;
    if (strncmp(at, "null", 4) == 0)
        end = (char *)(uintptr_t)(at + 4);
    else if (strchr("-0123456789", *at))
        value = strtod(at, &end);
    if (!end || end == at)
        return NULL;
    // The numbers come collision by collision in the order of the columns.
    const mc_collision_column *column = &r->columns[r->number_count % r->column_count];
    const double expected =
        mc_collision_value(&r->collisions[r->number_count / r->column_count], column);
    assert_string_equal(r->key, column->name);
    assert_true(value == expected || (isnan(value) && isnan(expected)));
    r->number_count++;
    return end;
}

static void json_reads_back(void **state)
{
    (void)state;
    int count = 0;
    mc_collision *c = sample(&count);
    json_reader reader = {.collisions = c};
    reader.columns = mc_collision_columns(&reader.column_count);
    arena a = {NULL};
    assert_int_equal(mc_collisions_write(in_folder("crash.JSON"), c, count, NULL), MC_OK);
    const char *end = json_value(&reader, content(&a, path_room));
    assert_non_null(end);
    assert_string_equal(end, "\n");
    assert_int_equal(reader.number_count, count * reader.column_count);
    assert_non_null(strstr(content(&a, path_room), "\"restitution\": null"));
    unlink(path_room);
    arena_free(&a);
    free(c);
}

static void columns_are_described(void **state)
{
    (void)state;
    int count = 0;
    const mc_collision_column *columns = mc_collision_columns(&count);
    assert_true(count > 20);
    for (int i = 0; i < count; i++) {
        assert_true(strlen(columns[i].name) > 0 && strlen(columns[i].doc) > 5);
        assert_null(strpbrk(columns[i].name, "\",\\\n []"));
        assert_null(strpbrk(columns[i].doc, "\"\\\n")); // go into JSON as they are
        assert_true(columns[i].offset < sizeof(mc_collision));
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(columns[i].name, columns[j].name);
            assert_int_not_equal(columns[i].offset, columns[j].offset);
        }
    }
}

static void comma_locale_changes_nothing(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        skip(); // this machine has no such locale
    int count = 0;
    mc_collision *c = sample(&count);
    arena a = {NULL};
    assert_int_equal(mc_collisions_write(in_folder("crash.csv"), c, count, NULL), MC_OK);
    const char *text = content(&a, path_room);
    setlocale(LC_NUMERIC, "C");
    assert_non_null(strstr(text, "\n4,8,1.5,1.51,2,"));
    unlink(path_room);
    arena_free(&a);
    free(c);
}

static void unwritable_path_is_reported(void **state)
{
    (void)state;
    int count = 0;
    mc_collision *c = sample(&count);
    const char *const names[] = {"none/crash.csv", "none/crash.json"};
    for (int i = 0; i < 2; i++) {
        mc_error error = {.code = MC_OK};
        assert_int_equal(mc_collisions_write(in_folder(names[i]), c, count, &error), MC_IO);
        assert_int_equal(error.code, MC_IO);
        assert_string_equal(error.file, path_room);
        assert_int_equal(mc_collisions_write(path_room, c, count, NULL), MC_IO);
    }
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        setvbuf(full, NULL, _IONBF, 0);
        assert_int_equal(mc_collisions_print(full, c, count, 10, NULL), MC_IO);
        fclose(full);
    }
    free(c);
}

static char *printed(const mc_collision *c, int count, int row_max)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(mc_collisions_print(out, c, count, row_max, NULL), MC_OK);
    fclose(out);
    return text;
}

static void table_is_aligned(void **state)
{
    (void)state;
    int count = 0;
    mc_collision *c = sample(&count);
    c[0].energy_before = 1e9;
    c[0].vibration = -123456789.0; // too wide with decimals
    c[0].relative_before = -24.4444;
    char *text = printed(c, count, -1);
    char *line = strtok(text, "\n");
    const size_t width = strlen(line);
    assert_true(width <= 100);
    assert_non_null(strstr(line, "restit."));
    line = strtok(NULL, "\n");
    assert_int_equal(strlen(line), width);
    assert_non_null(strstr(line, "N s"));
    line = strtok(NULL, "\n");
    assert_int_equal(strlen(line), width);
    assert_memory_equal(line, "4-8 ", 4);
    assert_non_null(strstr(line, " 1.5000   1.5100 "));
    assert_non_null(strstr(line, " -24.444 "));
    assert_non_null(strstr(line, " 0.600 "));
    line = strtok(NULL, "\n");
    assert_int_equal(strlen(line), width);
    assert_memory_equal(line, "1-13 ", 5);
    assert_non_null(strstr(line, " 6.02e+23 "));
    line = strtok(NULL, "\n");
    assert_memory_equal(line, "2 collisions, 3 micro-impacts: ", 31);
    assert_null(strtok(NULL, "\n"));
    free(text);
    free(c);
}

static void table_is_cut(void **state)
{
    (void)state;
    mc_impact impacts[40];
    for (int i = 0; i < 40; i++)
        impacts[i] = impact(i, 12344, 12345, 1);
    impacts[39].after[0].vibration = 12.5;
    impacts[39].after[1].damped = 0.25;
    int count = 0;
    mc_collision *c = collisions_of(impacts, 40, MC_COLLISIONS_QUIET, &count);
    char *text = printed(c, count, 3);
    int lines = 0;
    for (const char *p = text; (p = strchr(p, '\n')); p++)
        lines++;
    assert_int_equal(lines, 2 + 3 + 2);
    assert_non_null(strstr(text, "\n12345-12346   0.0000"));
    assert_non_null(strstr(text, "\n... and 37 more\n40 collisions, 40 micro-impacts: 12.5 J into "
                                 "vibration, 0.25 J into damping\n"));
    free(text);
    text = printed(c, count, 40);
    assert_null(strstr(text, "more"));
    free(text);
    text = printed(c, count, 0);
    assert_memory_equal(text, "40 collisions", 13);
    free(text);
    text = printed(NULL, 0, 10);
    assert_string_equal(text, "no collisions\n");
    free(text);
    free(c);
}

static void many_impacts_are_quick(void **state)
{
    (void)state;
    enum { COUNT = 1000000, PAIRS = 10000 };
    mc_impact *impacts = calloc(COUNT, sizeof *impacts);
    assert_non_null(impacts);
    for (int i = 0; i < COUNT; i++) { // 100 impacts a pair, ten at a time, 1 s of quiet between
        const int pair = (int)((i * 7919LL) % PAIRS), turn = i / PAIRS;
        impacts[i] = impact(turn / 10 * 1.1 + turn % 10 * 0.01, pair, pair + 1 + pair % 3, 2.0);
    }
    const clock_t start = clock();
    int count = 0;
    mc_collision *c = collisions_of(impacts, COUNT, MC_COLLISIONS_QUIET, &count);
    mc_collision_totals totals;
    assert_int_equal(mc_collisions_total(c, count, &totals, NULL), MC_OK);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%d impacts to %d collisions in %.2f s\n", COUNT, count, seconds);
    assert_int_equal(count, 10 * PAIRS);
    assert_int_equal(totals.impact_count, COUNT);
    for (int i = 0; i < count; i++)
        assert_int_equal(c[i].impact_count, 10);
    assert_true(seconds < 20.0); // half a second; quadratic time would be an hour
    free(c);
    free(impacts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_right),
        cmocka_unit_test(losses_are_summed),
        cmocka_unit_test(no_bounce_without_speed),
        cmocka_unit_test(impulses_that_cancel_keep_the_first_normal),
        cmocka_unit_test(quiet_time_cuts),
        cmocka_unit_test(pairs_are_kept_apart_and_ordered),
        cmocka_unit_test(chain_of_three),
        cmocka_unit_test(nothing_gives_nothing),
        cmocka_unit_test(bad_input_is_rejected),
        cmocka_unit_test(csv_reads_back),
        cmocka_unit_test(json_reads_back),
        cmocka_unit_test(columns_are_described),
        cmocka_unit_test(comma_locale_changes_nothing),
        cmocka_unit_test(unwritable_path_is_reported),
        cmocka_unit_test(table_is_aligned),
        cmocka_unit_test(table_is_cut),
        cmocka_unit_test(many_impacts_are_quick),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
