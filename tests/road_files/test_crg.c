// test_crg.c - OpenCRG files: the four forms, borders, u and v; against values of the OpenCRG C
// library 1.1.2; small files with each kind of mistake.
#include "base/file.h"
#include "road_files/crg.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROADS SOURCE_DIR "/scenarios/roads/"

static void reference_values(void **unused)
{
    (void)unused;
    static const struct {
        double x, y, u, v, z;
    } table[] = {
        // crgEvalxy2uv and crgEvaluv2z on bend.crg; it keeps heights in single precision
        {10.3, 1.1, 10.3, 1.1, 0.00440000020899},
        {45.7, -1.9, 45.2766470417, -3.14074006808, -0.012562960869},
        {60.2, 4.6, 60.6461739288, -0.141667968394, 0.0440562490418},
        {62, 7, 63.1298859773, 1.56702390567, 0.0107765533073},
        {89, 20.3, 93.6773205563, 0.689096975684, 0.00275638803366},
        {110, 45, 126.746654328, 2.71135676866, 0.0108454275898},
        {118.5, 60.2, 144.211459768, 3.81532255153, 0.015261290931},
    };
    arena memory = {0};
    mc_error error = {0};
    char *bytes;
    size_t size;
    crg_surface c;
    assert_int_equal(file_read(&memory, ROADS "bend.crg", 1 << 24, &bytes, &size, &error), MC_OK);
    assert_int_equal(crg_parse(&memory, bytes, size, "bend.crg", &c, &error), MC_OK);
    assert_string_equal(c.form, "KRBI");
    assert_false(c.straight);
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        const double hints[] = {NAN, table[k].u + 3.0, table[k].u - 20.0, 0.0, 1e9};
        for (int i = 0; i < 5; i++) {
            double u, v, z, zu, zv;
            crg_uv(&c, table[k].x, table[k].y, hints[i], &u, &v);
            assert_true(road_surface_at(&c.surface, u, v, &z, &zu, &zv));
            assert_true(fabs(u - table[k].u) < 1e-9 && fabs(v - table[k].v) < 1e-9);
            assert_true(fabs(z - table[k].z) < 1e-8);
        }
    }
    arena_free(&memory);
}

// ---- forms ----

static double height(int row, int column)
{
    return ldexp((double)(row * 7 % 11) - 3.0 * column, -10); // exact in single precision
}

enum { ROWS = 11, COLUMNS = 9 };

static size_t make_file(char *out, const char *form, const char *options)
{
    size_t n = (size_t)sprintf(out,
                               "$CT\na comment = 3 $\n$ROAD_CRG ! parameters\n"
                               "REFERENCE_LINE_START_U = 2 ! m\nreference_line_end_u = 7\n"
                               "reference_line_increment = 0.5\nlong_section_v_right = -2\n"
                               "long_section_v_left = 2\nlong_section_v_increment = 0.5\n$\n"
                               "%s* a comment\n$KD_DEFINITION\n#:%s\n"
                               "U:reference line u,m,2,0.5\n",
                               options, form);
    for (int k = 1; k <= COLUMNS; k++)
        n += (size_t)sprintf(out + n, "D:long section %d,m\n", k);
    n += (size_t)sprintf(out + n, "$\n$$$$$$$$\n");
    const size_t start = n;
    const int wide = form[1] == 'D', width = wide ? 20 : 10;
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < COLUMNS; k++) {
            const double z = height(i, k);
            if (form[2] == 'F') {
                n += (size_t)sprintf(out + n, "%*.*f", width, wide ? 14 : 7, z);
                if ((k + 1) % (80 / width) == 0 || k == COLUMNS - 1)
                    out[n++] = '\n';
                continue;
            }
            uint64_t bits;
            uint32_t half;
            const float single = (float)z;
            memcpy(&bits, &z, 8);
            memcpy(&half, &single, 4);
            for (int b = wide ? 7 : 3; b >= 0; b--)
                out[n++] = (char)(wide ? bits >> 8 * b : (uint64_t)half >> 8 * b);
        }
    }
    while (form[2] == 'B' && (n - start) % 80)
        out[n++] = '\0';
    return n;
}

static void forms(void **unused)
{
    (void)unused;
    static const char *const all[] = {"KRBI", "KDBI", "LRFI", "LDFI"};
    for (int f = 0; f < 4; f++) {
        static char text[20000];
        arena memory = {0};
        mc_error error = {0};
        crg_surface c;
        const size_t size = make_file(text, all[f], "");
        const mc_status status = crg_parse(&memory, text, size, "f.crg", &c, &error);
        if (status != MC_OK)
            print_error("%s: %d:%d: %s\n", all[f], error.line, error.column, error.text);
        assert_int_equal(status, MC_OK);
        assert_string_equal(c.form, all[f]);
        assert_true(c.surface.rows == ROWS && c.surface.columns == COLUMNS && c.straight);
        for (int i = 0; i < ROWS; i++)
            for (int k = 0; k < COLUMNS; k++)
                assert_true(fabs(c.surface.z[i * COLUMNS + k] - height(i, k)) < 6e-8);
        double z, zu, zv;
        // The middle of four corners is their mean.
        assert_true(road_surface_at(&c.surface, 3.25, 0.25, &z, &zu, &zv));
        const double mean = 0.25 * (height(2, 4) + height(3, 4) + height(2, 5) + height(3, 5));
        assert_true(fabs(z - mean) < 6e-8);
        arena_free(&memory);
    }
}

// Beyond the grid, by mode; derivatives are those of the heights.
static void borders(void **unused)
{
    (void)unused;
    for (int mode = 0; mode <= 4; mode++) {
        static char text[20000];
        char options[200];
        arena memory = {0};
        mc_error error = {0};
        crg_surface c;
        snprintf(options, sizeof options,
                 "$ROAD_CRG_OPTS\nborder_mode_u = %d\nborder_mode_v = 2\nborder_offset_u = 0.5\n"
                 "refline_search_far = 1\n$\n",
                 mode);
        const size_t size = make_file(text, "KDBI", options);
        assert_int_equal(crg_parse(&memory, text, size, "b.crg", &c, &error), MC_OK);
        assert_string_equal(c.unread, "refline_search_far");
        double z, zu, zv;
        const bool there = road_surface_at(&c.surface, 8.0, 0.0, &z, &zu, &zv); // 1 m beyond
        assert_int_equal(there, mode != 0);
        const double expected = mode == 0   ? 0.0
                                : mode == 1 ? 0.5
                                : mode == 2 ? 0.5 + height(10, 4)
                                : mode == 3 ? 0.5 + height(2, 4)
                                            : 0.5 + height(8, 4);
        assert_true(fabs(z - expected) < 1e-12);
        for (double u = 2.1; u < 12.0; u += 0.35) {
            double a, b, nothing[2];
            if (!road_surface_at(&c.surface, u, 0.3, &z, &zu, &zv))
                continue;
            road_surface_at(&c.surface, u - 1e-6, 0.3, &a, &nothing[0], &nothing[1]);
            road_surface_at(&c.surface, u + 1e-6, 0.3, &b, &nothing[0], &nothing[1]);
            if (fabs(remainder(u, 0.5)) > 1e-5)
                assert_true(fabs((b - a) / 2e-6 - zu) < 1e-8);
        }
        assert_false(road_surface_at(&c.surface, NAN, 0.0, &z, &zu, &zv));
        arena_free(&memory);
    }
}

// ---- mistakes ----

#define PARAMETERS                                                                                 \
    "$ROAD_CRG\nreference_line_end_u = 1\nreference_line_increment = 1\n"                          \
    "long_section_v_right = -1\nlong_section_v_increment = 2\n$\n"
#define CHANNELS "D:long section 1,m\nD:long section 2,m\n$\n$$$$\n"
#define DEFINITION "$KD_DEFINITION\n#:LRFI\n" CHANNELS
#define NUMBERS "  0.000000  0.100000\n  0.000000  0.200000\n"

static const struct {
    const char *text, *message;
} mistakes[] = {
    {"", "1:1: the header has no end; expected a line $$$$ before the numbers"},
    {"$ROAD_CRG\n", "1:1: the header has no end; expected a line $$$$ before the numbers"},
    {"hello\n", "1:1: found \"hello\" outside of a section"},
    {"$ROADS\n", "1:1: unknown section \"$ROADS\""},
    {"$ROAD_CRG\n  colour = 3\n", "2:3: unknown keyword \"colour\""},
    {"$ROAD_CRG\nreference_line_increment\n",
     "2:1: found \"reference_line_increment\", expected KEYWORD = value"},
    {"$ROAD_CRG\nreference_line_increment = x1\n",
     "2:28: reference_line_increment is \"x1\"; expected a number"},
    {"$ROAD_CRG_FILE\nother.crg\n", "1:1: a file that includes another one is not read"},
    {"$KD_DEFINITION\n#:XRFI\n", "2:3: form \"XRFI\"; expected KRBI, KDBI, LRFI or LDFI"},
    {"$KD_DEFINITION\nQ:what\n",
     "2:1: found \"Q:what\", expected #:FORM, U: or D: in $KD_DEFINITION"},
    {"$KD_DEFINITION\n#:LRFI\nU:reference line u,m\n",
     "3:1: found \"U:reference line u,m\", expected U:reference line u,m,FIRST,INCREMENT"},
    {"$KD_DEFINITION\n#:LRFI\nD:colour,m\n",
     "3:3: unknown channel \"colour,m\"; expected long section or reference line"},
    {PARAMETERS "$$$$\n", "7:1: there is no $KD_DEFINITION with a form such as #:LRFI"},
    {PARAMETERS "$KD_DEFINITION\n#:LRFI\nD:long section 1,m\n$\n$$$$\n",
     "11:1: 1 long section; expected at least 2"},
    {"$ROAD_CRG\nreference_line_increment = 0\nlong_section_v_right = -1\n"
     "long_section_v_increment = 2\n$\n" DEFINITION NUMBERS,
     "2:1: reference_line_increment is 0; expected above 0"},
    {"$ROAD_CRG\nreference_line_increment = 1\n$\n" DEFINITION NUMBERS,
     "5:1: long section 1 has v = nan m after nan m; expected increasing v, by "
     "long_section_v_right and _increment, or D:long section at v = .."},
    {PARAMETERS "$ROAD_CRG_OPTS\nborder_mode_u = 7\n$\n" DEFINITION NUMBERS,
     "8:1: border_mode_u is 7; expected 0 none, 1 zero, 2 keep, 3 repeat or 4 reflect"},
    {"$ROAD_CRG\nreference_line_end_u = -5\nreference_line_increment = 1\n"
     "long_section_v_right = -1\nlong_section_v_increment = 2\n$\n" DEFINITION NUMBERS,
     "2:1: reference_line_end_u gives -4 rows; expected 2 .. 20000000"},
    {PARAMETERS DEFINITION "  0.000000  0.100000\n  0.000000\n",
     "15:1: the numbers end in row 2 of 2"},
    {PARAMETERS DEFINITION "  0.000000  0.1x0000\n  0.000000  0.200000\n",
     "13:1: \"0.1x0000\" in the numbers; expected one in every 10 columns"},
    {PARAMETERS "$KD_DEFINITION\n#:KRBI\n" CHANNELS "abcdefgh",
     "13:1: the numbers are 8 bytes, not enough for 2 rows of 2; expected at least 2 rows"},
};

static void rejected(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof mistakes / sizeof mistakes[0]; k++) {
        arena memory = {0};
        crg_surface c;
        mc_error error = {0};
        const mc_status status =
            crg_parse(&memory, mistakes[k].text, strlen(mistakes[k].text), "m.crg", &c, &error);
        char text[700];
        snprintf(text, sizeof text, "%d:%d: %s", error.line, error.column, error.text);
        if (status != MC_BAD_INPUT)
            print_error("case %zu was read\n", k);
        assert_int_equal(status, MC_BAD_INPUT);
        assert_string_equal(text, mistakes[k].message);
        arena_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_values),
        cmocka_unit_test(forms),
        cmocka_unit_test(borders),
        cmocka_unit_test(rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
