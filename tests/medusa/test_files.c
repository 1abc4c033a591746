// test_files.c - MEDUSA files that are right: every value, any spelling, the optional blocks.
#include "medusa/files.h"
#include "parts/suspension_linear.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The arena's allocations come here: counts them, and can make one fail.
static size_t allocated;
static bool memory_is_full;

void *aligned_alloc(size_t alignment, size_t size)
{
    void *block = NULL;
    allocated += size;
    return !memory_is_full && posix_memalign(&block, alignment, size) == 0 ? block : NULL;
}

static arena memory;
static mc_error error;

static int empty_memory(void **state)
{
    (void)state;
    arena_free(&memory);
    return 0;
}

static medusa_models models_of(const char *text)
{
    medusa_models models;
    error = (mc_error){0};
    medusa_models_parse(text, strlen(text), "model.dat", &memory, &models, &error);
    assert_string_equal(error.text, "");
    return models;
}

static medusa_platoon platoon_of(const char *text, const medusa_models *models)
{
    medusa_platoon platoon;
    error = (mc_error){0};
    medusa_platoon_parse(text, strlen(text), "platoon.dat", models, &memory, &platoon, &error);
    assert_string_equal(error.text, "");
    return platoon;
}

// One model in the manner of the report: mixed case, comments, several values on a line.
#define MODEL_HEAD "%\n% sample\n%\nNUMBER_OF_MODELS 1\n\n% Model 1 starts here\nMODEL 1\n"
#define MODEL_BODY                                                                                 \
    "COSSERAT_POINT\n"                                                                             \
    "MASS 1573.0 % mass of car [kg]\n"                                                             \
    "Ix 479.6 Iy 2594.6\nIz 2782.0\nE 200.0e6 % [N/m^2]\nnu 0.30\nvolume 0.42\n"                   \
    "SUSPENSION\nL1 1.034\nL2 1.491 % [m]\nB 1.45\nH1 0.1\nH2 0.2\nspring_ref 0.15\n"              \
    "C1 17000.0\nC2 40000.0\nD1 1500.0\nD2 1200.0\nTYRE 0.0016 % lag\n"                            \
    "CONTACT\nA1 1.5 % semi axes\nA2 1.0\nA3 1.1\n"                                                \
    "EQUILIBRIUM\nR3 -0.0373 % height\nD11 0.9972 D12 0.0 D13 -0.0748 % director 1\n"              \
    "D21 0.0 D22 1.0 D23 0.0 % director 2\nD31 0.0749 D32 0.0 D33 0.9972 % director 3\n"
#define MODEL_TEXT MODEL_HEAD MODEL_BODY

static const double model_values[COSSERAT_PARAM_COUNT] = {
    1573.0, 479.6, 2594.6,  2782.0,  200.0e6, 0.30,   0.42,   1.034, 1.491, 1.45, 0.1,
    0.2,    0.15,  17000.0, 40000.0, 1500.0,  1200.0, 0.0016, 1.5,   1.0,   1.1,  -0.0373,
    0.9972, 0.0,   -0.0748, 0.0,     1.0,     0.0,    0.0749, 0.0,   0.9972};

static void check_values(const cosserat_model *model, const double *expected)
{
    for (int i = 0; i < COSSERAT_PARAM_COUNT; i++)
        if (model->p[i] != expected[i])
            fail_msg("%s is %g, expected %g", cosserat_params[i].name, model->p[i], expected[i]);
}

static void check_defaults(const cosserat_model *model)
{
    cosserat_model plain;
    cosserat_model_init(&plain);
    assert_ptr_equal(model->suspension, plain.suspension);
    assert_memory_equal(model->suspension_p, plain.suspension_p, sizeof plain.suspension_p);
    assert_memory_equal(model->shape, plain.shape, sizeof plain.shape);
    assert_true(model->gravity == 9.81);
    assert_ptr_equal(model->gear.tyre, &tyre_calspan);
}

static double tyre_value(const cosserat_model *model, const char *name)
{
    for (int i = 0; i < model->gear.tyre->param_count; i++)
        if (strcmp(model->gear.tyre->params[i].name, name) == 0)
            return model->gear.tyre_p[i];
    fail_msg("no parameter %s", name);
    return NAN;
}

// ---- the sample files

static void the_sample_models_read_right(void **state)
{
    (void)state;
    medusa_models models;
    assert_int_equal(
        medusa_models_read(SOURCE_DIR "/scenarios/medusa/model.dat", &memory, &models, &error),
        MC_OK);
    assert_int_equal(models.count, 2);
    assert_string_equal(models.file, SOURCE_DIR "/scenarios/medusa/model.dat");
    double expected[COSSERAT_PARAM_COUNT];
    memcpy(expected, model_values, sizeof expected);
    expected[COSSERAT_B] = 0.725;
    expected[COSSERAT_H1] = expected[COSSERAT_H2] = 0.0;
    expected[COSSERAT_A3] = 1.0;
    check_values(&models.model[0], expected);
    expected[COSSERAT_E] = 200.0e7;
    expected[COSSERAT_NU] = 0.33;
    check_values(&models.model[1], expected);
    for (int i = 0; i < 2; i++) {
        check_defaults(&models.model[i]);
        assert_true(tyre_value(&models.model[i], "lag") == 0.0016);
        assert_true(tyre_value(&models.model[i], "A0") == 2625.0);
    }
}

static void the_sample_platoon_reads_right(void **state)
{
    (void)state;
    medusa_models models;
    medusa_platoon platoon;
    assert_int_equal(
        medusa_models_read(SOURCE_DIR "/scenarios/medusa/model.dat", &memory, &models, &error),
        MC_OK);
    assert_int_equal(medusa_platoon_read(SOURCE_DIR "/scenarios/medusa/platoon.dat", &models,
                                         &memory, &platoon, &error),
                     MC_OK);
    assert_int_equal(platoon.count, 2);
    for (int i = 0; i < 2; i++) {
        const medusa_vehicle *vehicle = &platoon.vehicle[i];
        assert_int_equal(vehicle->model, 0);
        assert_true(vehicle->x == (i ? 5.0 : 0.0));
        assert_true(vehicle->y == 0.0);
        assert_true(vehicle->orientation == 0.0);
        assert_true(vehicle->speed == (i ? 23.1111 : 24.4444));
        assert_true(vehicle->steering == 0.0);
        assert_int_equal(vehicle->column, 1);
    }
    assert_true(platoon.vehicle[0].line < platoon.vehicle[1].line);
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    medusa_models models;
    medusa_platoon platoon;
    assert_int_equal(medusa_models_read("/nowhere/model.dat", &memory, &models, &error),
                     MC_BAD_INPUT);
    assert_string_equal(error.file, "/nowhere/model.dat");
    assert_int_equal(medusa_platoon_read("/nowhere/p.dat", &models, &memory, &platoon, &error),
                     MC_BAD_INPUT);
    assert_string_equal(error.file, "/nowhere/p.dat");
    assert_int_equal(models.count + platoon.count, 0);
}

// ---- spelling

static void check_same(const char *text)
{
    const medusa_models models = models_of(text);
    assert_int_equal(models.count, 1);
    check_values(&models.model[0], model_values);
    check_defaults(&models.model[0]);
}

static void any_case(void **state)
{
    (void)state;
    check_same(MODEL_TEXT);
    char text[] = MODEL_TEXT;
    for (char *c = text; *c; c++)
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    check_same(text);
    for (char *c = text; *c; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    check_same(text);
}

// A copy of MODEL_TEXT in which every blank outside comments, or every line end, is replaced.
static char *respelled(const char *blank, const char *line_end)
{
    const char *source = MODEL_TEXT;
    char *text = arena_alloc(&memory, 20 * strlen(source)), *out = text;
    bool comment = false;
    for (; *source; source++) {
        comment = *source != '\n' && (comment || *source == '%');
        if (*source == '\n')
            out = stpcpy(out, line_end);
        else if (*source == ' ' && !comment)
            out = stpcpy(out, blank);
        else
            *out++ = *source;
    }
    return text;
}

static void comments_and_line_ends(void **state)
{
    (void)state;
    check_same(respelled(" ", "\r\n"));
    check_same(respelled(" ", "\r"));
    check_same(respelled("\t \v", "\n\f\n"));
    check_same(respelled("%\n", "\n"));
    check_same(respelled(" % MASS 1 \xC3\xA4 %% MODEL 2\r\n", "%\r\n"));
    char *text = respelled(" ", "\n");
    text[strlen(text) - 1] = '\0'; // no line end at the end
    check_same(text);
}

// ---- the optional blocks

static void blocks_change_what_they_name(void **state)
{
    (void)state;
    const medusa_models models = models_of(
        "NUMBER_OF_MODELS 5\nMODEL 1\n" MODEL_BODY "Contact_Model Ellipsoid roll 0.1 x 0.3 YAW -1\n"
        "tyre_model CALSPAN a0 3000 SN 0.5 % icy\nSUSPENSION_MODEL linear lift_off 0\n"
        "CHASSIS_MODEL Plastic HARDENING 3e6 yield_strain 0.05\n"
        "MODEL 2\n" MODEL_BODY "TYRE_MODEL calspan\n"
        "MODEL 3\n" MODEL_BODY "TYRE_MODEL none CONTACT_MODEL ellipsoid "
        "CHASSIS_MODEL plastic\n"
        "MODEL 4\n" MODEL_BODY "SUSPENSION_MODEL LINEAR TYRE_MODEL calspan LAG 0.02\n"
        "MODEL 5\n" MODEL_BODY "CHASSIS_MODEL Seven_Directors d73 -2e-3 D41 0.001 TYRE_MODEL none");
    assert_int_equal(models.count, 5);
    for (int i = 0; i < 5; i++)
        check_values(&models.model[i], model_values);

    const cosserat_model *first = &models.model[0];
    const double shape[SHAPE_PARAM_COUNT] = {
        [SHAPE_X] = 0.3, [SHAPE_YAW] = -1.0, [SHAPE_ROLL] = 0.1};
    assert_memory_equal(first->shape, shape, sizeof shape);
    assert_true(first->suspension_p[LINEAR_LIFT_OFF] == 0.0);
    assert_true(first->plastic && first->plastic_p[PLASTIC_HARDENING] == 3e6);
    assert_true(first->plastic_p[PLASTIC_YIELD_STRAIN] == 0.05);
    assert_true(!models.model[1].plastic && !models.model[3].plastic);
    assert_true(models.model[2].plastic);
    for (int i = 0; i < 5; i++)
        assert_true(models.model[i].seven == (i == 4));
    for (int k = 0; k < HIGHER_PARAM_COUNT; k++) // defaults, and what is named
        assert_true(models.model[4].higher_p[k] == (k == HIGHER_D73   ? -2e-3
                                                    : k == HIGHER_D41 ? 0.001
                                                                      : 0.0));
    for (int k = 0; k < PLASTIC_PARAM_COUNT; k++)
        assert_true(models.model[2].plastic_p[k] == plastic_params[k].fallback);
    assert_true(tyre_value(first, "A0") == 3000.0);
    assert_true(tyre_value(first, "SN") == 0.5);
    assert_true(tyre_value(first, "A1") == 14.47); // not named: the default
    assert_true(tyre_value(first, "lag") == 0.0016);

    check_defaults(&models.model[1]); // nothing leaks from one model to the next
    assert_true(tyre_value(&models.model[1], "A0") == 2625.0);
    assert_true(tyre_value(&models.model[1], "lag") == 0.0016);
    assert_ptr_equal(models.model[2].gear.tyre, &tyre_none);
    check_defaults(&models.model[3]);
    assert_true(tyre_value(&models.model[3], "lag") == 0.02);
    assert_int_equal(models.source[2].lag.line, 0);
    assert_true(models.source[3].lag.line > 0);
}

static void the_lag_of_tyre_is_that_of_its_law(void **state)
{
    (void)state;
    char text[] = MODEL_TEXT;
    memcpy(strstr(text, "0.0016"), "0.0500", 6);
    const medusa_models models = models_of(text);
    assert_true(models.model[0].p[COSSERAT_TYRE_LAG] == 0.05);
    assert_true(tyre_value(&models.model[0], "lag") == 0.05);
}

// ---- places

static void places_lead_back_to_the_file(void **state)
{
    (void)state;
    const char *text = "NUMBER_OF_MODELS 2\nMODEL 1\n" MODEL_BODY " MODEL 2\n" MODEL_BODY;
    const medusa_models models = models_of(text);
    assert_int_equal(models.source[0].model.line, 2);
    assert_int_equal(models.source[1].model.column, 2);
    assert_int_equal(models.source[0].param[COSSERAT_MASS].line, 4);
    assert_int_equal(models.source[0].param[COSSERAT_MASS].column, 6);
    assert_int_equal(models.source[0].param[COSSERAT_IY].line, 5);
    assert_int_equal(models.source[0].param[COSSERAT_IY].column, 13);

    const char *second = strstr(strstr(text, "EQUILIBRIUM") + 1, "EQUILIBRIUM");
    const medusa_source *source = &models.source[1];
    assert_int_equal(source->equilibrium.begin, second - text);
    assert_int_equal(source->equilibrium.end, strstr(second, "D33 0.9972") + 10 - text);
    assert_memory_equal(text + source->number[0].begin, "-0.0373 ", 8);
    for (int i = 0; i < MEDUSA_EQUILIBRIUM_COUNT; i++)
        assert_true(strtod(text + source->number[i].begin, NULL) == model_values[COSSERAT_R3 + i]);
}

static void equilibrium_numbers_can_be_written_over(void **state)
{
    (void)state;
    const medusa_source source = models_of(MODEL_TEXT).source[0];
    char text[sizeof MODEL_TEXT + 200] = MODEL_TEXT;
    for (int i = MEDUSA_EQUILIBRIUM_COUNT - 1; i >= 0; i--) { // last first: offsets stay good
        const size_t begin = source.number[i].begin;
        char tail[sizeof MODEL_TEXT + 200];
        strcpy(tail, text + source.number[i].end);
        snprintf(text + begin, sizeof text - begin, "%.17g%s", i % 4 == 1 ? 1.0 : 0.1 * i / 8,
                 tail);
    }
    const medusa_models models = models_of(text);
    for (int i = 0; i < MEDUSA_EQUILIBRIUM_COUNT; i++)
        assert_true(models.model[0].p[COSSERAT_R3 + i] == (i % 4 == 1 ? 1.0 : 0.1 * i / 8));
    assert_non_null(strstr(text, "% height"));
    assert_non_null(strstr(text, "% director 3"));
}

// ---- platoons

static void vehicles_keep_their_order_and_model(void **state)
{
    (void)state;
    const medusa_models models =
        models_of("NUMBER_OF_MODELS 2\nMODEL 1\n" MODEL_BODY "MODEL 2\n" MODEL_BODY);
    const medusa_platoon platoon = platoon_of(
        "number_of_vehicles 3\n"
        "Vehicle_Has_Model 2 Initially_With x 1 y -2 orientation 3 speed -4 steering 0.5\n"
        "  VEHICLE_HAS_MODEL 1 INITIALLY_WITH % all in rows\nX 1e1\r\nY .5\r\n"
        "ORIENTATION -1.5707963267948966\nSPEED 0\nSTEERING -.25 VEHICLE_HAS_MODEL 2\n"
        "INITIALLY_WITH X 0 Y 0 ORIENTATION 0 SPEED 0 STEERING 0",
        &models);
    const medusa_vehicle expected[] = {
        {1, 1.0, -2.0, 3.0, -4.0, 0.5, 2, 1, {{0}}},
        {0, 10.0, 0.5, -1.5707963267948966, 0.0, -0.25, 3, 3, {{0}}},
        {1, 0.0, 0.0, 0.0, 0.0, 0.0, 8, 15, {{0}}},
    };
    assert_int_equal(platoon.count, 3);
    for (int i = 0; i < 3; i++) {
        const medusa_vehicle *a = &platoon.vehicle[i], *b = &expected[i];
        assert_int_equal(a->model, b->model);
        assert_true(a->x == b->x && a->y == b->y && a->orientation == b->orientation);
        assert_true(a->speed == b->speed && a->steering == b->steering);
        assert_int_equal(a->line, b->line);
        assert_int_equal(a->column, b->column);
    }
}

static void a_long_platoon_reads(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    const medusa_models models = models_of(MODEL_TEXT);
    char *text = arena_alloc(&memory, 100 * COUNT), *out = text;
    out += sprintf(out, "NUMBER_OF_VEHICLES %d", COUNT);
    for (int i = 0; i < COUNT; i++) // the shortest a vehicle can be written
        out += sprintf(
            out, "\nVEHICLE_HAS_MODEL 1 INITIALLY_WITH X %d Y 0 ORIENTATION 0 SPEED 9 STEERING 0",
            i);
    const medusa_platoon platoon = platoon_of(text, &models);
    assert_int_equal(platoon.count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_true(platoon.vehicle[i].x == i);
        assert_int_equal(platoon.vehicle[i].line, i + 2);
    }
}

static void a_file_of_the_shortest_models_fits(void **state)
{
    (void)state;
    // Ones for every value would be rejected for the directors: these are the shortest valid ones.
    const char *shortest = "\nMODEL %d COSSERAT_POINT MASS 1 IX 1 IY 1 IZ 1 E 1e9 NU 0 VOLUME 1 "
                           "SUSPENSION L1 1 L2 1 B 1 H1 0 H2 0 SPRING_REF 0 C1 1 C2 1 D1 0 D2 0 "
                           "TYRE 1 CONTACT A1 1 A2 1 A3 1 EQUILIBRIUM R3 0 D11 1 D12 0 D13 0 "
                           "D21 0 D22 1 D23 0 D31 0 D32 0 D33 1";
    char *text = arena_alloc(&memory, 10 * 300), *out = text;
    out += sprintf(out, "NUMBER_OF_MODELS 9");
    for (int i = 1; i <= 9; i++)
        out += sprintf(out, shortest, i);
    assert_int_equal(models_of(text).count, 9);
}

static void a_count_alone_takes_no_memory(void **state)
{
    (void)state;
    medusa_models models;
    medusa_platoon platoon;
    const medusa_models one = models_of(MODEL_TEXT);
    arena fresh = {0};
    allocated = 0;
    const char *text = "NUMBER_OF_MODELS 100000";
    assert_int_equal(medusa_models_parse(text, strlen(text), "m", &fresh, &models, &error),
                     MC_BAD_INPUT);
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 24);
    text = "NUMBER_OF_VEHICLES 1000000\nVEHICLE_HAS_MODEL";
    assert_int_equal(medusa_platoon_parse(text, strlen(text), "p", &one, &fresh, &platoon, &error),
                     MC_BAD_INPUT);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 18);
    assert_in_range(allocated, 1, 200000);
    arena_free(&fresh);
}

static void no_memory_is_said(void **state)
{
    (void)state;
    const char *vehicle = "NUMBER_OF_VEHICLES 1 VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 0 Y 0 "
                          "ORIENTATION 0 SPEED 0 STEERING 0";
    const medusa_models one = models_of(MODEL_TEXT);
    medusa_models models;
    medusa_platoon platoon;
    arena fresh = {0};
    memory_is_full = true;
    const mc_status first =
        medusa_models_parse(MODEL_TEXT, strlen(MODEL_TEXT), "m", &fresh, &models, &error);
    const mc_status second =
        medusa_platoon_parse(vehicle, strlen(vehicle), "p", &one, &fresh, &platoon, &error);
    memory_is_full = false;
    assert_int_equal(first, MC_NO_MEMORY);
    assert_int_equal(second, MC_NO_MEMORY);
    assert_string_equal(error.text, "no memory for 1 vehicles");
    assert_int_equal(models.count + platoon.count, 0);
}

// ---- warnings

static char warnings[2000];

static void note(void *context, const mc_error *warning)
{
    char text[1024];
    assert_ptr_equal(context, &memory);
    strcat(strcat(warnings, mc_error_format(warning, text, sizeof text)), "\n");
}

static void odd_models_are_warned_of(void **state)
{
    (void)state;
    char text[] = "NUMBER_OF_MODELS 2\nMODEL 1\n" MODEL_BODY "MODEL 2\n" MODEL_BODY
                  "TYRE_MODEL calspan lag 0.0100";
    medusa_models models = models_of(text);
    warnings[0] = '\0';
    medusa_models_warnings(&models, note, &memory);
    assert_string_equal(
        warnings, "model.dat:60:24: lag 0.01 s of TYRE_MODEL calspan replaces TYRE 0.0016 s\n");

    memcpy(strstr(text, "B 1.45"), "B 0.72", 6);
    memcpy(strstr(text, "lag 0.0100"), "lag 0.0016", 10);
    models = models_of(text);
    warnings[0] = '\0';
    medusa_models_warnings(&models, note, &memory);
    assert_string_equal(warnings, "model.dat:13:3: B 0.72 m looks like half a track: B is the "
                                  "whole track, left to right, and L1 + L2 is 2.525 m\n");

    memcpy(strstr(text, "L1 1.034"), "L1 0.400", 8); // a small car may be narrow
    models = models_of(text);
    warnings[0] = '\0';
    medusa_models_warnings(&models, note, &memory);
    assert_string_equal(warnings, "");
}

static void odd_vehicles_are_warned_of(void **state)
{
    (void)state;
    const medusa_models models = models_of(MODEL_TEXT);
    const medusa_platoon platoon = platoon_of(
        "NUMBER_OF_VEHICLES 3\n"
        "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 0 Y 0 ORIENTATION 6.28 SPEED 9 STEERING 0.5\n"
        "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 9 Y 0 ORIENTATION -90 SPEED 9 STEERING 0\n"
        "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 19 Y 0 ORIENTATION 0 SPEED 9 STEERING 1",
        &models);
    warnings[0] = '\0';
    medusa_platoon_warnings(&platoon, note, &memory);
    assert_string_equal(
        warnings,
        "platoon.dat:3:1: ORIENTATION -90 of vehicle 2 looks like degrees: the unit is rad\n"
        "platoon.dat:4:1: STEERING 1 of vehicle 3 looks like degrees: the unit is rad\n");
}

static void drives_and_engines_are_blocks(void **state)
{
    (void)state;
    const medusa_models models =
        models_of("NUMBER_OF_MODELS 3\nMODEL 1\n" MODEL_BODY "\nMODEL 2\n" MODEL_BODY
                  "DRIVE_MODEL Wheels WHEEL_RADIUS 0.35 roll 0.02\n"
                  "MODEL 3\n" MODEL_BODY "POWERTRAIN_MODEL manifold");
    assert_true(!models.model[0].gear.driven && models.model[1].gear.driven);
    assert_true(models.model[1].gear.drive[DRIVE_RADIUS] == 0.35);
    assert_true(models.model[1].gear.drive[DRIVE_ROLL] == 0.02);
    assert_true(models.model[1].gear.drive[DRIVE_HOLD] == drive_params[DRIVE_HOLD].fallback);
    assert_null(models.model[1].gear.powertrain);
    assert_true(models.model[2].gear.driven);
    assert_ptr_equal(models.model[2].gear.powertrain, powertrain_kind_find("manifold"));
}

static void inputs_over_time_are_read(void **state)
{
    (void)state;
    const medusa_models models = models_of("NUMBER_OF_MODELS 1\nMODEL 1\n" MODEL_BODY);
    const medusa_platoon platoon =
        platoon_of("NUMBER_OF_VEHICLES 2\n"
                   "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 0 Y 0 ORIENTATION 0 SPEED 0 STEERING 0\n"
                   "  brake_over_time 0.5 1 % pairs\n STEERING_OVER_TIME 0 0 1 -.1 1 .1 2 0\n"
                   "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 9 Y 0 ORIENTATION 0 SPEED 0 STEERING 0",
                   &models);
    const medusa_input *in = platoon.vehicle[0].input;
    const double time[] = {0.0, 1.0, 1.0, 2.0}, value[] = {0.0, -0.1, 0.1, 0.0};
    assert_int_equal(in[MEDUSA_INPUT_STEERING].count, 4);
    assert_memory_equal(in[MEDUSA_INPUT_STEERING].time, time, sizeof time);
    assert_memory_equal(in[MEDUSA_INPUT_STEERING].value, value, sizeof value);
    assert_int_equal(in[MEDUSA_INPUT_STEERING].line, 4);
    assert_int_equal(in[MEDUSA_INPUT_STEERING].column, 2);
    assert_int_equal(in[MEDUSA_INPUT_BRAKE].count, 1);
    assert_true(in[MEDUSA_INPUT_BRAKE].time[0] == 0.5 && in[MEDUSA_INPUT_BRAKE].value[0] == 1.0);
    assert_int_equal(in[MEDUSA_INPUT_THROTTLE].count, 0);
    for (int k = 0; k < MEDUSA_INPUT_COUNT; k++)
        assert_int_equal(platoon.vehicle[1].input[k].count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_sample_models_read_right, empty_memory),
        cmocka_unit_test_teardown(the_sample_platoon_reads_right, empty_memory),
        cmocka_unit_test_teardown(a_missing_file_is_named, empty_memory),
        cmocka_unit_test_teardown(any_case, empty_memory),
        cmocka_unit_test_teardown(comments_and_line_ends, empty_memory),
        cmocka_unit_test_teardown(blocks_change_what_they_name, empty_memory),
        cmocka_unit_test_teardown(drives_and_engines_are_blocks, empty_memory),
        cmocka_unit_test_teardown(inputs_over_time_are_read, empty_memory),
        cmocka_unit_test_teardown(the_lag_of_tyre_is_that_of_its_law, empty_memory),
        cmocka_unit_test_teardown(places_lead_back_to_the_file, empty_memory),
        cmocka_unit_test_teardown(equilibrium_numbers_can_be_written_over, empty_memory),
        cmocka_unit_test_teardown(vehicles_keep_their_order_and_model, empty_memory),
        cmocka_unit_test_teardown(a_long_platoon_reads, empty_memory),
        cmocka_unit_test_teardown(a_file_of_the_shortest_models_fits, empty_memory),
        cmocka_unit_test_teardown(a_count_alone_takes_no_memory, empty_memory),
        cmocka_unit_test_teardown(no_memory_is_said, empty_memory),
        cmocka_unit_test_teardown(odd_models_are_warned_of, empty_memory),
        cmocka_unit_test_teardown(odd_vehicles_are_warned_of, empty_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
