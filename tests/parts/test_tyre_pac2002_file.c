// test_tyre_pac2002_file.c - tyre property files: what is wrong with them, at which place; units,
// modes, sides; notes about what is not read.
#include "base/arena.h"
#include "base/file.h"
#include "parts/tyre_pac2002.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A small file that is good; its lines are replaced by those of a test.
static const char *const good[] = {
    "$ a small tyre",                   // 1
    "[UNITS]",                          // 2
    "LENGTH = 'meter'",                 // 3
    "FORCE = 'newton'",                 // 4
    "ANGLE = 'radians'",                // 5
    "[MODEL]",                          // 6
    "PROPERTY_FILE_FORMAT = 'PAC2002'", // 7
    "USE_MODE = 4",                     // 8
    "VXLOW = 2 ! m/s",                  // 9
    "[DIMENSION]",                      // 10
    "UNLOADED_RADIUS = 0.3",            // 11
    "[VERTICAL]",                       // 12
    "FNOMIN = 4000",                    // 13
    "[LONGITUDINAL_COEFFICIENTS]",      // 14
    "PCX1 = 1.6",                       // 15
    "PDX1 = 1.1",                       // 16
    "PKX1 = 20",                        // 17
    "RBX1 = 12",                        // 18
    "RCX1 = 1",                         // 19
    "[LATERAL_COEFFICIENTS]",           // 20
    "PCY1 = 1.3",                       // 21
    "PDY1 = 1.0",                       // 22
    "PKY1 = -20",                       // 23
    "PKY2 = 2",                         // 24
    "RBY1 = 7",                         // 25
    "RCY1 = 1",                         // 26
};
enum { LINES = sizeof good / sizeof good[0] };

static char notes[1000];

static void take_note(void *to, int line, int column, const char *text)
{
    (void)to;
    const size_t used = strlen(notes);
    snprintf(notes + used, sizeof notes - used, "%d:%d: %s\n", line, column, text);
}

// With one line of the good file replaced, or one more line where it is LINES + 1.
static mc_status load(int number, const char *line, pac2002_tyre *out, mc_error *error)
{
    char text[3000] = "";
    for (int k = 1; k <= LINES || k <= number; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s\n", k == number ? line : good[k - 1]);
    }
    notes[0] = '\0';
    const mc_tyre_file file = {text, strlen(text), "car.tir", take_note, NULL};
    return pac2002_load(&file, out, error);
}

static void reads(void **state)
{
    (void)state;
    pac2002_tyre t;
    mc_error error;
    assert_int_equal(load(1, "", &t, &error), MC_OK);
    assert_true(t.c[PAC2002_PCX1] == 1.6 && t.c[PAC2002_PKY1] == -20.0 && t.v_low == 2.0);
    assert_true(t.c[PAC2002_LFZO] == 1.0 && t.c[PAC2002_LMUX] == 1.0); // missing scaling
    assert_true(t.c[PAC2002_PEX1] == 0.0 && t.mode == PAC2002_MODE_ALL && t.side == 1);
    assert_true(t.c[PAC2002_FZMIN] == 200.0 && t.c[PAC2002_FZMAX] == 10000.0);
    assert_string_equal(notes, "");
    // Any case, tabs, quotes of either kind, comments after values.
    assert_int_equal(load(15, "\tpcx1\t=\t1.5 $ shape", &t, &error), MC_OK);
    assert_true(t.c[PAC2002_PCX1] == 1.5);
    assert_int_equal(load(7, "Property_File_Format = \"pac2002\" $ '", &t, &error), MC_OK);
    // Sections that are not read may have anything.
    assert_int_equal(load(LINES + 1, "[SHAPE]\n{radial width}\n1.0 0.0\n= = x", &t, &error), MC_OK);
}

static void units(void **state)
{
    (void)state;
    pac2002_tyre t;
    mc_error error;
    assert_int_equal(load(3, "LENGTH = 'mm'", &t, &error), MC_BAD_INPUT); // VXLOW 2 mm/s
    assert_int_equal(load(9, "VXLOW = 80\n[UNITS]\nLENGTH = 'inch'", &t, &error),
                     MC_BAD_INPUT); // 0.3 inch
    assert_non_null(strstr(error.text, "UNLOADED_RADIUS is 0.00762; expected 0.02 .. 5"));
    assert_int_equal(load(4, "FORCE = 'kN'", &t, &error), MC_BAD_INPUT); // 4000 kN
    assert_int_equal(load(4, "FORCE = 'lbf'", &t, &error), MC_OK);
    assert_true(fabs(t.c[PAC2002_FNOMIN] - 4000.0 * 4.4482216152605) < 1e-9);
    assert_int_equal(load(5, "ANGLE = 'degrees'", &t, &error), MC_OK);
    assert_true(t.c[PAC2002_PKY1] == -20.0); // coefficients are always in SI
    assert_int_equal(load(5, "TIME = 'minute'", &t, &error), MC_BAD_INPUT); // 2 m/min
    assert_non_null(strstr(error.text, "VXLOW is 0.0333"));
    assert_int_equal(load(9, "[UNITS]\nTIME = 'minute'", &t, &error), MC_OK);
    assert_true(t.v_low == 1.0); // not given: 1 m/s in any units
}

static void modes_and_sides(void **state)
{
    (void)state;
    pac2002_tyre t;
    mc_error error;
    assert_int_equal(load(8, "USE_MODE = 14", &t, &error), MC_OK);
    assert_int_equal(t.mode, PAC2002_MODE_ALL);
    assert_int_equal(load(8, "USE_MODE = 3", &t, &error), MC_OK);
    assert_int_equal(t.mode, PAC2002_MODE_PURE);
    assert_int_equal(load(8, "TYRESIDE = 'RIGHT'", &t, &error), MC_OK);
    assert_int_equal(t.side, -1);
    assert_int_equal(
        load(8, "TYRESIDE = 'SYMMETRIC'\n[LATERAL_COEFFICIENTS]\nPVY1 = 0.1\n[MODEL]", &t, &error),
        MC_OK);
    assert_true(t.c[PAC2002_PVY1] == 0.0 && t.side == 1);
    assert_int_equal(load(7, "PROPERTY_FILE_FORMAT = 'MF_05'", &t, &error), MC_OK);
    assert_int_equal(load(7, "PROPERTY_FILE_FORMAT = 'USER'\nFITTYP = 6", &t, &error), MC_OK);
    assert_int_equal(load(7, "FITTYP = 21", &t, &error), MC_OK);
}

static void noted(void **state)
{
    (void)state;
    pac2002_tyre t;
    mc_error error;
    assert_int_equal(load(19, "RCX1 = 1\nPCX7 = 3\nPTX4 = 0.1", &t, &error), MC_OK);
    assert_string_equal(notes, "20:1: PCX7 is not read: not a key of [LONGITUDINAL_COEFFICIENTS] "
                               "that this law knows\n");
    assert_int_equal(load(17, "PKX1 = 20\nPKX2 = -32", &t, &error), MC_OK);
    assert_string_equal(notes, "18:8: with PKX2 the slip stiffness is too small above 6000 N: "
                               "forces are proportional to load there\n");
    assert_true(t.c[PAC2002_FZMAX] == 6000.0);
}

// Line that is replaced, its new text; message with its place.
static const struct {
    int number;
    const char *line, *message;
} wrong[] = {
    {3, "LENGTH = 'furlong'",
     "car.tir:3:10: unknown unit of LENGTH \"furlong\"; expected one of meter, m, metre, mm, "
     "millimeter, cm, centimeter, km, inch, foot"},
    {4, "FORCE = 1",
     "car.tir:4:9: unknown unit of FORCE \"1\"; expected one of newton, n, "
     "kilonewton, knewton, kn, pound_force, lbf, kg_force"},
    {7, "PROPERTY_FILE_FORMAT = 'PAC94'",
     "car.tir:7:24: the format is \"PAC94\"; expected 'PAC2002' or 'MF_05'"},
    {7, "",
     "car.tir:6:1: found no PROPERTY_FILE_FORMAT in section [MODEL]; expected 'PAC2002' or "
     "'MF_05'"},
    {7, "FITTYP = 61",
     "car.tir:7:10: FITTYP 61 is not supported; expected MF-Tyre 5: 5, 6, 21, 51 or 52"},
    {7, "PROPERTY_FILE_FORMAT = 'USER'",
     "car.tir:7:24: this format needs FITTYP, the version of MF-Tyre, in section [MODEL]"},
    {8, "USE_MODE = 5",
     "car.tir:8:12: USE_MODE 5 is not supported; expected 0 .. 4, or 10 or 20 "
     "more"},
    {8, "USE_MODE = 3.5", "car.tir:8:12: USE_MODE is \"3.5\"; expected a whole number"},
    {8, "TYRESIDE = 'UP'",
     "car.tir:8:12: TYRESIDE is \"UP\"; expected 'LEFT', 'RIGHT' or 'SYMMETRIC'"},
    {9, "VXLOW = 0", "car.tir:9:9: VXLOW is 0 m/s; expected 0.1 .. 20"},
    {11, "UNLOADED_RADIUS = 30", "car.tir:11:19: UNLOADED_RADIUS is 30; expected 0.02 .. 5"},
    {11, "UNLOADED_RADIUS", "car.tir:11:1: expected NAME = value in section [DIMENSION]"},
    {11, "UNLOADED_RADIUS =", "car.tir:11:1: the value is missing in section [DIMENSION]"},
    {11, "", "car.tir:10:1: section [DIMENSION] needs UNLOADED_RADIUS (radius without load, m)"},
    {12, "[OTHER]",
     "car.tir:26:1: found no section [VERTICAL], which has FNOMIN (nominal load, N)"},
    {12, "[VERTICAL", "car.tir:12:1: a section is written [NAME] in section [DIMENSION]"},
    {15, "PCX1 = 1,6", "car.tir:15:8: PCX1 is \"1,6\"; expected a number"},
    {15, "PCX1 = 'one'", "car.tir:15:8: PCX1 is \"one\"; expected a number"},
    {15, "PCX1 = 'one",
     "car.tir:15:8: the closing quote is missing in section [LONGITUDINAL_COEFFICIENTS]"},
    {15, "PCX1 = 0.01", "car.tir:15:8: PCX1 is 0.01; expected 0.1 .. 3"},
    {15, "PCX1 = 1e7", "car.tir:15:8: PCX1 is 1e7; expected a number of at most 1e6"},
    {15, "PCX1 = nan", "car.tir:15:8: PCX1 is \"nan\"; expected a number"},
    {16, "PCX1 = 1.7", "car.tir:16:1: PCX1 is given twice; the first is in line 15"},
    {16, "PDX1 = -1", "car.tir:16:8: PDX1 is -1; expected more than 0"},
    {18, "", "car.tir:14:1: section [LONGITUDINAL_COEFFICIENTS] needs RBX1 (alpha on Fx, slope)"},
    {23, "PKY1 = 20", "car.tir:23:8: PKY1 is 20; expected -1000 .. -0.1"},
    {14, "[SCALING_COEFFICIENTS]\nLCX = 0\n[LONGITUDINAL_COEFFICIENTS]",
     "car.tir:15:7: LCX is 0; expected 0.1 .. 10"},
    {24, "PKY2 = 0", "car.tir:24:8: PKY2 is 0; expected 0.01 .. 100"},
    {13, "FNOMIN = 4000\n[VERTICAL_FORCE_RANGE]\nFZMIN = 5000\nFZMAX = 9000",
     "car.tir:15:9: the nominal load, FNOMIN LFZO = 4000 N, is not between FZMIN, 5000 N, and "
     "FZMAX, 9000 N"},
};

static void rejected(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        pac2002_tyre t;
        mc_error error = {0};
        char text[1000];
        assert_int_equal(load(wrong[k].number, wrong[k].line, &t, &error), MC_BAD_INPUT);
        assert_string_equal(mc_error_format(&error, text, sizeof text), wrong[k].message);
        assert_true(error.caret > 0 || strlen(error.excerpt) == 0);
    }
}

// Files that are not text, cut off anywhere, or empty: an answer with a place.
static void cut_off(void **state)
{
    (void)state;
    arena room = {0};
    char *text;
    size_t size;
    mc_error error;
    assert_int_equal(
        file_read(&room, SOURCE_DIR "/models/passenger_245_40R18.tir", 0, &text, &size, &error),
        MC_OK);
    int good_ends = 0;
    for (size_t end = 0; end <= size; end++) {
        char *copy = malloc(end + 1);
        memcpy(copy, text, end);
        copy[end] = '\0';
        pac2002_tyre t;
        const mc_tyre_file file = {copy, end, "car.tir", NULL, NULL};
        const mc_status status = pac2002_load(&file, &t, &error);
        assert_true(status == MC_OK || (status == MC_BAD_INPUT && error.line > 0));
        good_ends += status == MC_OK;
        free(copy);
    }
    assert_true(good_ends > 0 && good_ends < (int)size);
    arena_free(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads), cmocka_unit_test(units),    cmocka_unit_test(modes_and_sides),
        cmocka_unit_test(noted), cmocka_unit_test(rejected), cmocka_unit_test(cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
