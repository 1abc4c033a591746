// test_files_bad.c - MEDUSA files that are wrong: each small edit of a good text and its message.
#include "medusa/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

// Line numbers matter: the first model has lines 2 to 29, the second 30 to 59.
#define BODY                                                                                       \
    "COSSERAT_POINT\nMASS 1573.0\nIX 479.6\nIY 2594.6\nIZ 2782.0\nE 200.0e6\nNU 0.30\n"            \
    "VOLUME 0.42\nSUSPENSION\nL1 1.034\nL2 1.491\nB 1.45\nH1 0.1\nH2 0.2\nSPRING_REF 0.15\n"       \
    "C1 17000.0\nC2 40000.0\nD1 1500.0\nD2 1200.0\nTYRE 0.0016\n"                                  \
    "CONTACT A1 1.5 A2 1.0 A3 1.1\nEQUILIBRIUM\nR3 -0.0373\nD11 0.9972 D12 0.0 D13 -0.0748\n"      \
    "D21 0.0 D22 1.0 D23 0.0\nD31 0.0749 D32 0.0 D33 0.9972\n"
#define MODELS                                                                                     \
    "NUMBER_OF_MODELS 2\nMODEL 1\n" BODY "% end of 1\nMODEL 2\n" BODY                              \
    "TYRE_MODEL calspan A0 2000 A1 15\nSUSPENSION_MODEL linear lift_off 0\n"                       \
    "CONTACT_MODEL ellipsoid x 0.2\n"
#define PLATOON                                                                                    \
    "NUMBER_OF_VEHICLES 2\n"                                                                       \
    "VEHICLE_HAS_MODEL 1 INITIALLY_WITH\nX 0.0\nY 0.0\nORIENTATION 0.0\nSPEED 24.4\nSTEERING "     \
    "0.0\n"                                                                                        \
    "VEHICLE_HAS_MODEL 2 INITIALLY_WITH X 5.0 Y 0.0 ORIENTATION 0.0 SPEED 23.1 STEERING 0.0\n"

static const char models_text[] = MODELS, platoon_text[] = PLATOON;

typedef struct edit {
    const char *find, *replace; // the first place of find; NULL: append replace
    const char *message;
} edit;

// What a tyre model, the last block, or any model can be followed by.
#define CALSPAN_KEYS                                                                               \
    "a key of calspan (lag, A0, A1, A2, B1, B3, B4, SN, v_low, slip_ratio, relaxation, damping, "  \
    "A3, A4, K1, K2)"
#define REST "CHASSIS_MODEL, DRIVE_MODEL, POWERTRAIN_MODEL"
#define BLOCKS "TYRE_MODEL, SUSPENSION_MODEL, CONTACT_MODEL, " REST

static const edit model_edits[] = {
    // the order of words
    {"NUMBER_OF_MODELS", "NUMBER_OF_MODEL",
     "model.dat:1:1: found \"NUMBER_OF_MODEL\", expected NUMBER_OF_MODELS (how many models this "
     "file has)"},
    {"NUMBER_OF_MODELS 2\n", "",
     "model.dat:1:1: found \"MODEL\", expected NUMBER_OF_MODELS (how many models this file has)"},
    {MODELS, "",
     "model.dat:1:1: found the end of the file, expected NUMBER_OF_MODELS (how many models this "
     "file has)"},
    {"NUMBER_OF_MODELS", "NUMBER_OF_VEHICLES",
     "model.dat:1:1: found \"NUMBER_OF_VEHICLES\", expected NUMBER_OF_MODELS (how many models "
     "this file has)"},
    {"MODEL 1", "MODLE 1",
     "model.dat:2:1: found \"MODLE\", expected MODEL (start of a model; its number)"},
    {"COSSERAT_POINT\n", "",
     "model.dat:3:1: found \"MASS\", expected COSSERAT_POINT (mass, inertia and elasticity of the "
     "chassis)"},
    {"MASS", "MAS", "model.dat:4:1: found \"MAS\", expected MASS (mass of the vehicle, kg)"},
    {"MASS 1573.0\n", "", "model.dat:4:1: found \"IX\", expected MASS (mass of the vehicle, kg)"},
    {"MASS 1573.0", "MASS 1573.0 MASS 1573.0",
     "model.dat:4:13: found \"MASS\", expected IX (moment of inertia about the x axis, kg m^2)"},
    {"IX 479.6\nIY 2594.6", "IY 2594.6\nIX 479.6",
     "model.dat:5:1: found \"IY\", expected IX (moment of inertia about the x axis, kg m^2)"},
    {"NU 0.30\n", "",
     "model.dat:9:1: found \"VOLUME\", expected NU (Poisson's ratio of the chassis)"},
    {"SUSPENSION\n", "SUSPENSIONS\n",
     "model.dat:11:1: found \"SUSPENSIONS\", expected SUSPENSION (geometry, springs and dampers)"},
    {"TYRE 0.0016\n", "",
     "model.dat:22:1: found \"CONTACT\", expected TYRE (lag of the tyre side force, s)"},
    {"CONTACT A1", "A1",
     "model.dat:23:1: found \"A1\", expected CONTACT (semi-axes of the ellipsoid)"},
    {"EQUILIBRIUM\n", "% EQUILIBRIUM\n",
     "model.dat:25:1: found \"R3\", expected EQUILIBRIUM (height and directors of the vehicle at "
     "rest)"},
    {"D11 0.9972", "D1 0.9972",
     "model.dat:26:1: found \"D1\", expected D11 (director 1 along x at rest)"},

    // counts and numbering
    {"NUMBER_OF_MODELS 2", "NUMBER_OF_MODELS",
     "model.dat:2:1: found \"MODEL\", expected a whole number within 1 .. 100000 after "
     "NUMBER_OF_MODELS"},
    {"NUMBER_OF_MODELS 2", "NUMBER_OF_MODELS 0",
     "model.dat:1:18: found \"0\", expected a whole number within 1 .. 100000 after "
     "NUMBER_OF_MODELS"},
    {"NUMBER_OF_MODELS 2", "NUMBER_OF_MODELS -2",
     "model.dat:1:18: found \"-2\", expected a whole number within 1 .. 100000 after "
     "NUMBER_OF_MODELS"},
    {"NUMBER_OF_MODELS 2", "NUMBER_OF_MODELS 2.0",
     "model.dat:1:18: found \"2.0\", expected a whole number within 1 .. 100000 after "
     "NUMBER_OF_MODELS"},
    {"NUMBER_OF_MODELS 2", "NUMBER_OF_MODELS 99999999999",
     "model.dat:1:18: found \"99999999999\", expected a whole number within 1 .. 100000 after "
     "NUMBER_OF_MODELS"},
    {"NUMBER_OF_MODELS 2", "NUMBER_OF_MODELS 1",
     "model.dat:30:1: NUMBER_OF_MODELS says 1, found one more MODEL"},
    {"NUMBER_OF_MODELS 2", "NUMBER_OF_MODELS 3",
     "model.dat:60:1: found the end of the file, expected a key of ellipsoid (x, y, z, yaw, pitch, "
     "roll), " REST " or MODEL 3 (NUMBER_OF_MODELS says 3)"},
    {"MODEL 1", "MODEL 0",
     "model.dat:2:7: found \"0\", expected a whole number within 1 .. 100000 after MODEL"},
    {"MODEL 1", "MODEL one",
     "model.dat:2:7: found \"one\", expected a whole number within 1 .. 100000 after MODEL"},
    {"MODEL 1", "MODEL 2",
     "model.dat:2:7: found MODEL 2, expected MODEL 1: models are numbered from 1, in order"},
    {"MODEL 2", "MODEL 1",
     "model.dat:30:7: found MODEL 1, expected MODEL 2: models are numbered from 1, in order"},

    // numbers that are none
    {"MASS 1573.0", "MASS", "model.dat:5:1: found \"IX\", expected a number after MASS"},
    {"1573.0", "1573.0kg", "model.dat:4:6: found \"1573.0kg\", expected a number after MASS"},
    {"1573.0", "1573,0", "model.dat:4:6: found \"1573,0\", expected a number after MASS"},
    {"1573.0", "0x625", "model.dat:4:6: found \"0x625\", expected a number after MASS"},
    {"1573.0", "nan", "model.dat:4:6: found \"nan\", expected a number after MASS"},
    {"1573.0", "-inf", "model.dat:4:6: found \"-inf\", expected a number after MASS"},
    {"1573.0", "1e999",
     "model.dat:4:6: found \"1e999\", expected a number within +-1.8e308 after MASS"},
    {"1573.0", "= 1573.0", "model.dat:4:6: found \"=\", expected a number after MASS"},
    {"1573.0",
     "\xE2\x88\x92"
     "1",
     "model.dat:4:6: found byte 0xE2, expected plain ASCII text (other characters only in % "
     "comments)"},
    {"MASS", "\x1A", "model.dat:4:1: found byte 0x1A, expected plain ASCII text"},

    // values no vehicle has
    {"1573.0", "0",
     "model.dat:4:6: MASS 0 is out of range: mass of the vehicle must be in 1 .. 1e+06 kg"},
    {"1573.0", "-1573.0",
     "model.dat:4:6: MASS -1573.0 is out of range: mass of the vehicle must be in 1 .. 1e+06 kg"},
    {"479.6", "1e-999",
     "model.dat:5:4: IX 1e-999 is out of range: moment of inertia about the x axis must be in "
     "0.001 .. 1e+08 kg m^2"},
    {"IX 479.6", "IX 5376.6",
     "model.dat:5:4: IX is 5376.6 kg m^2, expected less than the sum of the other two moments of "
     "inertia (5376.6)"},
    {"IZ 2782.0", "IZ 9000",
     "model.dat:7:4: IZ is 9000 kg m^2, expected less than the sum of the other two moments of "
     "inertia (3074.2)"},
    {"NU 0.30", "NU 0.6",
     "model.dat:9:4: NU 0.6 is out of range: Poisson's ratio of the chassis must be in -0.99 .. "
     "0.499"},
    {"NU 0.30", "NU -1",
     "model.dat:9:4: NU -1 is out of range: Poisson's ratio of the chassis must be in -0.99 .. "
     "0.499"},
    {"E 200.0e6", "E -1",
     "model.dat:8:3: E -1 is out of range: Young's modulus of the chassis must be in 1000 .. 1e+13 "
     "N/m^2"},
    {"VOLUME 0.42", "VOLUME 0",
     "model.dat:10:8: VOLUME 0 is out of range: material volume of the chassis must be in 1e-06 .. "
     "10000 m^3"},
    {"B 1.45", "B -1.45",
     "model.dat:14:3: B -1.45 is out of range: track: left to right assembly points must be in "
     "0.001 .. 20 m"},
    {"C1 17000.0", "C1 0",
     "model.dat:18:4: C1 0 is out of range: stiffness of each front spring must be in 0.001 .. "
     "1e+09 N/m"},
    {"D2 1200.0", "D2 -1",
     "model.dat:21:4: D2 -1 is out of range: damping of each rear damper must be in 0 .. 1e+07 N "
     "s/m"},
    {"TYRE 0.0016", "TYRE 0",
     "model.dat:22:6: TYRE 0 is out of range: lag of the tyre side force must be in 1e-06 .. 10 s"},
    {"A2 1.0", "A2 0.0",
     "model.dat:23:19: A2 0.0 is out of range: semi-axis of the ellipsoid along y must be in 0.01 "
     ".. 100 m"},
    {"D22 1.0", "D22 0.0",
     "model.dat:26:5: the directors D11..D33 span a volume of 0, expected about 1: they must be "
     "three nearly orthonormal vectors, right-handed"},
    {"D22 1.0", "D22 -1.0",
     "model.dat:26:5: the directors D11..D33 span a volume of -1.00001, expected about 1: they "
     "must be three nearly orthonormal vectors, right-handed"},
    {"D33 0.9972", "D33 3",
     "model.dat:28:24: D33 3 is out of range: director 3 along z at rest must be in -2 .. 2"},

    // the optional blocks
    {"% end of 1", "WHEELS 4",
     "model.dat:29:1: found \"WHEELS\", expected " BLOCKS " or MODEL 2 (NUMBER_OF_MODELS says 2)"},
    {"% end of 1", "TYRE_MODEL",
     "model.dat:30:1: found \"MODEL\", expected the name of a tyre model (calspan, brush, linear, "
     "fiala, tmeasy, pac89, pac2002, none)"},
    {"calspan", "magic",
     "model.dat:57:12: found \"magic\", expected the name of a tyre model (calspan, brush, linear, "
     "fiala, tmeasy, pac89, pac2002, none)"},
    {"linear", "air",
     "model.dat:58:18: found \"air\", expected the name of a suspension model (linear, "
     "stiffening)"},
    {"ellipsoid", "box",
     "model.dat:59:15: found \"box\", expected the name of a contact model (ellipsoid)"},
    {"A1 15\n", "A9 15\n",
     "model.dat:57:28: found \"A9\", expected " CALSPAN_KEYS
     ", SUSPENSION_MODEL, CONTACT_MODEL, " REST " or the end of the file (NUMBER_OF_MODELS "
     "says 2)"},
    {"calspan", "none",
     "model.dat:57:17: found \"A0\", expected SUSPENSION_MODEL, CONTACT_MODEL, " REST " or "
     "the end of the "
     "file (NUMBER_OF_MODELS says 2)"},
    {"calspan A0 2000", "calspan 2000",
     "model.dat:57:20: found \"2000\", expected " CALSPAN_KEYS
     ", SUSPENSION_MODEL, CONTACT_MODEL, " REST " or the end of the file (NUMBER_OF_MODELS "
     "says 2)"},
    {"A1 15\n", "a0 15\n", "model.dat:57:28: A0 appears twice in TYRE_MODEL calspan"},
    {"A1 15\n", "A1\n", "model.dat:58:1: found \"SUSPENSION_MODEL\", expected a number after A1"},
    {"A1 15\n", "lag 11\n",
     "model.dat:57:32: lag 11 is out of range: time constant of the side force must be in 1e-06 .. "
     "10 s"},
    {"lift_off 0", "lift_off 2",
     "model.dat:58:34: lift_off 2 is out of range: 1: a wheel that would pull leaves the ground; "
     "0: it pulls must be in 0 .. 1"},
    {NULL, "TYRE_MODEL none", "model.dat:60:1: TYRE_MODEL appears twice in MODEL 2"},
    {NULL, "CHASSIS_MODEL rubber",
     "model.dat:60:15: found \"rubber\", expected the name of a chassis model (elastic, plastic, "
     "seven_directors)"},
    {NULL, "CHASSIS_MODEL elastic yield_strain 0.01",
     "model.dat:60:23: found \"yield_strain\", expected DRIVE_MODEL, POWERTRAIN_MODEL or the end "
     "of "
     "the file (NUMBER_OF_MODELS says 2)"},
    {NULL, "CHASSIS_MODEL plastic yield_strain 0",
     "model.dat:60:36: yield_strain 0 is out of range: strain in pure tension at which the chassis "
     "yields must be in 1e-06 .. 1"},
    {NULL, "CHASSIS_MODEL plastic hardening -1",
     "model.dat:60:33: hardening -1 is out of range: growth of the yield stress with plastic "
     "strain must be in 0 .. 1e+13 N/m^2"},
    {NULL, "CHASSIS_MODEL plastic hardening",
     "model.dat:60:32: found the end of the file, expected a number after hardening"},
    {NULL, "CHASSIS_MODEL plastic hardening 1 HARDENING 2",
     "model.dat:60:35: hardening appears twice in CHASSIS_MODEL plastic"},
    {NULL, "CHASSIS_MODEL plastic CHASSIS_MODEL elastic",
     "model.dat:60:23: CHASSIS_MODEL appears twice in MODEL 2"},
    {NULL, "CHASSIS_MODEL seven_directors yield_strain 1",
     "model.dat:60:31: found \"yield_strain\", expected a key of seven_directors (D41, D42, D43, "
     "D51, D52, D53, D61, D62, D63, D71, D72, D73, held), DRIVE_MODEL, POWERTRAIN_MODEL or the end "
     "of the file "
     "(NUMBER_OF_MODELS says 2)"},
    {NULL, "CHASSIS_MODEL seven_directors D43 1.5",
     "model.dat:60:35: D43 1.5 is out of range: director 4 along z at rest must be in -1 .. 1 1/m"},
    {NULL, "CHASSIS_MODEL seven_directors D43",
     "model.dat:60:34: found the end of the file, expected a number after D43"},
    {NULL, "CHASSIS_MODEL seven_directors D61 0.1 d61 0.1",
     "model.dat:60:39: D61 appears twice in CHASSIS_MODEL seven_directors"},
    {NULL, "CHASSIS_MODEL seven_directors D43 0.1",
     "model.dat:60:15: the directors D41..D73 change the gradient of the deformation by 0.558 at "
     "the ends of the chassis, expected at most 0.3 at rest"},
    {NULL, "DRIVE_MODEL tracks",
     "model.dat:60:13: found \"tracks\", expected the name of a drive model (wheels)"},
    {NULL, "DRIVE_MODEL wheels wheel_radius 0",
     "model.dat:60:33: wheel_radius 0 is out of range: effective radius of the wheels must be in "
     "0.05 .. 2 m"},
    {NULL, "POWERTRAIN_MODEL steam",
     "model.dat:60:18: found \"steam\", expected the name of a powertrain model (converter, "
     "manifold, gears, lookup_tables, direct)"},
    {NULL, "  and more",
     "model.dat:60:3: found \"and\", expected a key of ellipsoid (x, y, z, yaw, pitch, roll), " REST
     " or the "
     "end of the file (NUMBER_OF_MODELS says 2)"},
    {NULL, "%\nMODEL 3\n", "model.dat:61:1: NUMBER_OF_MODELS says 2, found one more MODEL"},
};

static const edit platoon_edits[] = {
    {PLATOON, "% nothing",
     "platoon.dat:1:10: found the end of the file, expected NUMBER_OF_VEHICLES (how many vehicles "
     "this file has)"},
    {"NUMBER_OF_VEHICLES 2", "NUMBER_OF_VEHICLES 1000001",
     "platoon.dat:1:20: found \"1000001\", expected a whole number within 1 .. 1000000 after "
     "NUMBER_OF_VEHICLES"},
    {"NUMBER_OF_VEHICLES 2", "NUMBER_OF_VEHICLES two",
     "platoon.dat:1:20: found \"two\", expected a whole number within 1 .. 1000000 after "
     "NUMBER_OF_VEHICLES"},
    {"NUMBER_OF_VEHICLES 2", "NUMBER_OF_VEHICLES 1",
     "platoon.dat:8:1: NUMBER_OF_VEHICLES says 1, found one more VEHICLE_HAS_MODEL"},
    {"NUMBER_OF_VEHICLES 2", "NUMBER_OF_VEHICLES 3",
     "platoon.dat:9:1: found the end of the file, expected vehicle 3 of 3 (NUMBER_OF_VEHICLES says "
     "3)"},
    {"VEHICLE_HAS_MODEL 1", "VEHICLE 1",
     "platoon.dat:2:1: found \"VEHICLE\", expected VEHICLE_HAS_MODEL (start of a vehicle; the "
     "number of its model)"},
    {"VEHICLE_HAS_MODEL 1", "VEHICLE_HAS_MODEL 3",
     "platoon.dat:2:19: VEHICLE_HAS_MODEL 3: model.dat has 2 models"},
    {"VEHICLE_HAS_MODEL 1", "VEHICLE_HAS_MODEL 0",
     "platoon.dat:2:19: found \"0\", expected a whole number within 1 .. 100000 after "
     "VEHICLE_HAS_MODEL"},
    {"VEHICLE_HAS_MODEL 1", "VEHICLE_HAS_MODEL m",
     "platoon.dat:2:19: found \"m\", expected a whole number within 1 .. 100000 after "
     "VEHICLE_HAS_MODEL"},
    {"INITIALLY_WITH", "INITIALLY WITH",
     "platoon.dat:2:21: found \"INITIALLY\", expected INITIALLY_WITH (start of the initial "
     "conditions)"},
    {"X 0.0\nY 0.0", "Y 0.0\nX 0.0",
     "platoon.dat:3:1: found \"Y\", expected X (position of the mass centre along x, m)"},
    {"X 0.0", "X 1e9",
     "platoon.dat:3:3: X 1e9 is out of range: position of the mass centre along x must be in "
     "-1e+08 .. 1e+08 m"},
    {"ORIENTATION 0.0", "ORIENTATION 90deg",
     "platoon.dat:5:13: found \"90deg\", expected a number after ORIENTATION"},
    {"SPEED 24.4", "SPEED 1e4",
     "platoon.dat:6:7: SPEED 1e4 is out of range: forward speed must be in -200 .. 200 m/s"},
    {"STEERING 0.0", "STEERING 5",
     "platoon.dat:7:10: STEERING 5 is out of range: steering angle of the front wheels (left is "
     "positive) must be in -1.5 .. 1.5 rad"},
    {"STEERING 0.0", "STEERING Infinity",
     "platoon.dat:7:10: found \"Infinity\", expected a number after STEERING"},
    {"SPEED 23.1 ", "",
     "platoon.dat:8:64: found \"STEERING\", expected SPEED (forward speed, m/s)"},
    {NULL, "SPEED 1",
     "platoon.dat:9:1: found \"SPEED\", expected the end of the file (NUMBER_OF_VEHICLES says 2)"},
    {NULL, "BRAKE_OVER_TIME\n",
     "platoon.dat:10:1: found the end of the file, expected pairs of time (s) and value (-) after "
     "BRAKE_OVER_TIME"},
    {NULL, "BRAKE_OVER_TIME 0 0 1\n",
     "platoon.dat:10:1: found the end of the file, expected a number after BRAKE_OVER_TIME"},
    {NULL, "BRAKE_OVER_TIME 0 1.1\n",
     "platoon.dat:9:19: BRAKE_OVER_TIME 1.1 is out of range: fraction of the maximum brake force "
     "must be in 0 .. 1"},
    {NULL, "STEERING_OVER_TIME -1 0\n",
     "platoon.dat:9:20: time -1 is out of range: time of an input must be in 0 .. 1e+09 s"},
    {NULL, "STEERING_OVER_TIME 0 0 2 0.1 1 0\n",
     "platoon.dat:9:30: time 1 s of STEERING_OVER_TIME is before 2 s: times must not decrease"},
    {NULL, "THROTTLE_OVER_TIME 0 0 throttle_over_time 1 0\n",
     "platoon.dat:9:24: THROTTLE_OVER_TIME appears twice for one vehicle"},
};

enum {
    MODEL_EDIT_COUNT = sizeof model_edits / sizeof model_edits[0],
    PLATOON_EDIT_COUNT = sizeof platoon_edits / sizeof platoon_edits[0],
};

static arena memory;

static int empty_memory(void **state)
{
    (void)state;
    arena_free(&memory);
    return 0;
}

static mc_status parse_models(const char *text, size_t length, medusa_models *models,
                              mc_error *error)
{
    // A copy of just the right size, so that a sanitizer sees any reading past its end.
    char *bytes = test_malloc(length + 1);
    memcpy(bytes, text, length);
    const mc_status status =
        medusa_models_parse(length ? bytes : NULL, length, "model.dat", &memory, models, error);
    test_free(bytes);
    return status;
}

static mc_status parse_platoon(const char *text, size_t length, medusa_platoon *platoon,
                               mc_error *error)
{
    medusa_models models;
    assert_int_equal(parse_models(models_text, strlen(models_text), &models, error), MC_OK);
    char *bytes = test_malloc(length + 1);
    memcpy(bytes, text, length);
    const mc_status status = medusa_platoon_parse(length ? bytes : NULL, length, "platoon.dat",
                                                  &models, &memory, platoon, error);
    test_free(bytes);
    return status;
}

static void apply(const edit *e, const char *text, char *out, size_t size)
{
    const char *place = e->find ? strstr(text, e->find) : text + strlen(text);
    if (!place)
        fail_msg("the good text has no \"%s\"", e->find);
    const size_t used = (size_t)snprintf(out, size, "%.*s%s%s", (int)(place - text), text,
                                         e->replace, place + (e->find ? strlen(e->find) : 0));
    assert_true(used < size);
}

static void the_good_texts_are_good(void **state)
{
    (void)state;
    mc_error error = {0};
    medusa_models models;
    medusa_platoon platoon;
    assert_int_equal(parse_models(models_text, strlen(models_text), &models, &error), MC_OK);
    assert_int_equal(parse_platoon(platoon_text, strlen(platoon_text), &platoon, &error), MC_OK);
    assert_int_equal(models.count, 2);
    assert_int_equal(platoon.count, 2);
}

static void bad_models_are_explained(void **state)
{
    (void)state;
    for (int i = 0; i < MODEL_EDIT_COUNT; i++) {
        char text[sizeof models_text + 200], message[1024];
        mc_error error = {0};
        medusa_models models;
        apply(&model_edits[i], models_text, text, sizeof text);
        assert_int_equal(parse_models(text, strlen(text), &models, &error), MC_BAD_INPUT);
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_string_equal(mc_error_format(&error, message, sizeof message),
                            model_edits[i].message);
        assert_int_equal(models.count, 0);
        assert_null(models.model);
    }
}

static void bad_platoons_are_explained(void **state)
{
    (void)state;
    for (int i = 0; i < PLATOON_EDIT_COUNT; i++) {
        char text[sizeof platoon_text + 200], message[1024];
        mc_error error = {0};
        medusa_platoon platoon;
        apply(&platoon_edits[i], platoon_text, text, sizeof text);
        assert_int_equal(parse_platoon(text, strlen(text), &platoon, &error), MC_BAD_INPUT);
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_string_equal(mc_error_format(&error, message, sizeof message),
                            platoon_edits[i].message);
        assert_int_equal(platoon.count, 0);
        assert_null(platoon.vehicle);
    }
}

static void a_nul_byte_is_rejected_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < strlen(models_text); i++) {
        char text[sizeof models_text];
        memcpy(text, models_text, sizeof text);
        text[i] = '\0';
        mc_error error = {0};
        medusa_models models;
        assert_int_equal(parse_models(text, sizeof text - 1, &models, &error), MC_BAD_INPUT);
    }
}

static void the_error_may_be_left_out(void **state)
{
    (void)state;
    medusa_models models;
    assert_int_equal(medusa_models_parse("MODEL", 5, "model.dat", &memory, &models, NULL),
                     MC_BAD_INPUT);
}

// line and column are those of a byte of the text, or of its end.
static void check_place(const char *text, size_t length, const mc_error *error)
{
    int line = 1, column = 1;
    for (size_t i = 0; i <= length; i++) {
        if (line == error->line && column == error->column)
            return;
        const bool end_of_line = i < length && text[i] == '\n';
        line += end_of_line;
        column = end_of_line ? 1 : column + 1;
    }
    fail_msg("%d:%d is not in the file", error->line, error->column);
}

// Cuts a good text after each byte. What ends before its last number (at last) must be rejected;
// what has all of that number must be accepted. In between, a shorter number is still a number.
static void check_cuts(const char *text, const char *last, bool models_file)
{
    const size_t begin = (size_t)(last - text), end = begin + strcspn(last, " \n");
    for (size_t length = 0; length <= strlen(text); length++) {
        mc_error error = {0};
        medusa_models models;
        medusa_platoon platoon;
        const mc_status status = models_file ? parse_models(text, length, &models, &error)
                                             : parse_platoon(text, length, &platoon, &error);
        if (length <= begin)
            assert_int_equal(status, MC_BAD_INPUT);
        else if (length >= end)
            assert_int_equal(status, MC_OK);
        if (status != MC_OK) {
            assert_int_equal(status, MC_BAD_INPUT);
            check_place(text, length, &error);
            assert_true(strlen(error.text) > 10);
        }
        arena_free(&memory);
    }
}

static void cut_models_are_rejected(void **state)
{
    (void)state;
    const char *text = "NUMBER_OF_MODELS 1\nMODEL 1\n" BODY "  % the end\n";
    check_cuts(text, strstr(text, "D33 ") + 4, true);
    text = "NUMBER_OF_MODELS 2\nMODEL 1\n" BODY "TYRE_MODEL none CONTACT_MODEL ellipsoid yaw 1 "
           "SUSPENSION_MODEL linear\nMODEL 2\n" BODY;
    check_cuts(text, strrchr(text, 'D') + 4, true);
}

static void cut_platoons_are_rejected(void **state)
{
    (void)state;
    check_cuts(platoon_text, strrchr(platoon_text, 'G') + 2, false); // of the last STEERING
}

int main(void)
{
    _Static_assert(MODEL_EDIT_COUNT + PLATOON_EDIT_COUNT >= 45, "the table only grows");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_good_texts_are_good, empty_memory),
        cmocka_unit_test_teardown(bad_models_are_explained, empty_memory),
        cmocka_unit_test_teardown(bad_platoons_are_explained, empty_memory),
        cmocka_unit_test_teardown(a_nul_byte_is_rejected_anywhere, empty_memory),
        cmocka_unit_test_teardown(the_error_may_be_left_out, empty_memory),
        cmocka_unit_test_teardown(cut_models_are_rejected, empty_memory),
        cmocka_unit_test_teardown(cut_platoons_are_rejected, empty_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
