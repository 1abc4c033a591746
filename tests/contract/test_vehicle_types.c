// test_vehicle_types.c - the promises of vehicle_type.h, asked of every type; what is rejected of a
// type from outside.
#include "support/models.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

extern const mc_vehicle_type cart_type;

// Every type has a model here.
static const char text[] =
    "motorcade: scenario\ntime: {end: 1}\nmodels:\n"
    "  point: point\n"
    "  powertrain: powertrain\n"
    "  manifold: {powertrain: manifold}\n"
    "  gears: {powertrain: gears}\n"
    "  bicycle: bicycle\n"
    "  printed: {kind: bicycle, lateral: printed}\n"
    "  single: {kind: bicycle, lateral: single_track, powertrain: gears}\n"
    "  planar: {kind: planar, order: 4}\n"
    "  cosserat: {kind: cosserat, file: medusa/model.dat, tyre: brush}\n"
    "  multibody: {kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6}\n"
    "  cart: {kind: cart, mass: 700}\n"
    "vehicles: [{model: point, x: 0}]\n";

static scenario *read(void)
{
    mc_error error;
    scenario *s = scenario_parse(text, sizeof text - 1, SOURCE_DIR "/scenarios/test.yaml", &error);
    if (!s)
        fail_msg("%s", error.text);
    return s;
}

static mc_batch *create(const scenario_model *m)
{
    mc_error error;
    const mc_vehicle_start start = {.spec = m->spec, .x = 3.0, .y = -1.0, .v = 12.0};
    const mc_vehicle_setup setup = {.size = sizeof setup, .step = 0.02, .max_step = 1e-3};
    mc_batch *batch = m->type->create(&start, 1, &setup, &error);
    if (!batch)
        fail_msg("%s: %s", m->name, error.text);
    return batch;
}

static void every_type_is_here(void **unused)
{
    (void)unused;
    scenario *s = read();
    const mc_vehicle_type *type;
    for (int t = 0; (type = mc_vehicle_type_at(t)); t++) {
        if (strcmp(type->name, "fmu") == 0)
            continue; // moved by a unit: tests/unit/test_units.c
        bool found = false;
        for (int k = 0; k < s->model_count; k++)
            found = found || s->models[k].type == type;
        if (!found)
            fail_msg("no model of type %s in this test", type->name);
        assert_true(type->name[0] && type->doc[0] && type->kind && type->facts && type->create);
        assert_ptr_equal(vehicle_type_find(type->name), type);
    }
    scenario_free(s);
}

// The facts are those of the vehicle that is made.
static void facts_are_true(void **unused)
{
    (void)unused;
    scenario *s = read();
    for (int k = 0; k < s->model_count; k++) {
        const scenario_model *m = &s->models[k];
        const mc_vehicle_facts *f = &m->facts;
        mc_batch *batch = create(m);
        mc_ellipsoid e;
        mc_motion motion;
        assert_ptr_equal(batch->kind, m->type->kind);
        batch->kind->surface(batch, 0, &e);
        batch->kind->motion(batch, 0, 1, &motion);
        const double mass = batch->kind->mass(batch, 0);
        assert_true(fabs(mass - f->mass) < 1e-9 * mass && f->nominal_mass > 0.0);
        assert_true(fabs(2.0 * hypot(e.axes[0], e.axes[3]) - f->length) < 0.02 * f->length);
        assert_true(fabs(2.0 * hypot(e.axes[1], e.axes[4]) - f->width) < 0.02 * f->width);
        assert_true(f->height > 0.0 && f->max_acceleration > 0.0 && f->max_brake > 0.0);
        assert_true(fabs(motion.x - 3.0) < 1e-9 && fabs(motion.y + 1.0) < 1e-9);
        assert_true(fabs(motion.v - 12.0) < 1e-6 && fabs(motion.psi) < 1e-9);
        // What drives it is what the facts say: acceleration, or a pedal.
        batch->kind->set_inputs(batch, 0, 1, &(mc_inputs){.acceleration = 1.0});
        batch->kind->advance(batch, 0, 1, 1.0);
        const double before = motion.v;
        batch->kind->motion(batch, 0, 1, &motion);
        assert_true(f->pedals ? motion.v < before + 0.5 : motion.v > before + 0.5);
        batch->kind->destroy(batch);
    }
    scenario_free(s);
}

// What controllers are told is followed by runs where the kind does not know it.
static bool is_told(const char *name)
{
    return strcmp(name, MC_ROW_MAX_ACCELERATION) == 0;
}

// set_param takes just the rows that are marked live, and numbers; get_param knows them.
static void live_rows_can_be_set(void **unused)
{
    (void)unused;
    scenario *s = read();
    int live = 0, fixed = 0;
    for (int k = 0; k < s->model_count; k++) {
        const scenario_model *m = &s->models[k];
        mc_batch *batch = create(m);
        const mc_vehicle_kind *kind = batch->kind;
        for (int j = 0; j < m->type->key_count; j++) {
            const mc_model_key *key = &m->type->keys[j];
            int count;
            const mc_param *rows = vehicle_rows(key, m->spec, &count);
            for (int i = 0; i < count; i++) {
                double value = vehicle_values_of(key, m->spec)[i], now = NAN;
                value = isnan(value) ? 0.5 * (rows[i].min + rows[i].max) : value;
                if (!vehicle_has_row(key, i) || !key->name)
                    continue;
                const bool marked = vehicle_row_is_live(key, i);
                const bool taken = kind->set_param(batch, 0, rows[i].name, value);
                if (marked && !taken && is_told(rows[i].name))
                    continue;
                if (taken != marked)
                    fail_msg("%s.%s of %s: marked %d, taken %d", key->name, rows[i].name, m->name,
                             marked, taken);
                live += marked, fixed += !marked;
                if (!marked)
                    continue;
                assert_true(kind->get_param(batch, 0, rows[i].name, &now) && now == value);
                assert_false(kind->set_param(batch, 0, rows[i].name, NAN));
            }
        }
        assert_false(kind->set_param(batch, 0, "no_such_thing", 1.0));
        kind->destroy(batch);
    }
    printf("%d live, %d fixed numbers\n", live, fixed);
    assert_true(live > 50 && fixed > 20);
    scenario_free(s);
}

// ---- types from outside ----

typedef struct spec {
    double p[2];
    const mc_file *file;
    int number;
} spec;

static const mc_param good_rows[] = {{"mass", "kg", 1, 0, 2, "of it"}, {"a", "m", 1, 0, 2, "b"}};
static const mc_param kind_row[] = {{"kind", "m", 1, 0, 2, "b"}};
static const mc_param drive_row[] = {{"drive", "m", 1, 0, 2, "b"}};
static const mc_model_key wrong_keys[] = {
    {.name = "model", .form = MC_KEY_FORM_COUNT, .rows = good_rows, .count = 2},
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = sizeof(spec) - 8,
     .rows = good_rows,
     .count = 2},
    {.name = "model", .form = MC_KEY_FORM_NUMBERS, .rows = kind_row, .count = 1},
    {.name = "model", .form = MC_KEY_FORM_NUMBERS, .rows = drive_row, .count = 1},
    {.form = MC_KEY_FORM_FILE, .doc = "d"},
    {.name = "paper", .form = MC_KEY_FORM_FILE},
    {.name = "file", .form = MC_KEY_FORM_TEXT, .doc = "a text elsewhere a file"},
    {.name = "mass", .form = MC_KEY_FORM_TEXT, .doc = "a number elsewhere"},
    {.name = "like", .form = MC_KEY_FORM_TEXT, .doc = "every model has it"},
    {.name = "whole", .form = MC_KEY_FORM_WHOLE, .doc = "d", .rows = good_rows, .count = 2},
    {.name = "tyre", .form = MC_KEY_FORM_TYRE, .doc = "d", .values = sizeof(spec) - 8},
};
static const char *const key_texts[] = {
    "the form of its key model is unknown",
    "its key model lies outside the spec",
    "its key kind is one that every model has",
    "its key model means something else in type planar",
    "has no name or no doc",
    "has no name or no doc",
    "its key file means something else in type cosserat",
    "its key mass means something else in type point",
    "its key like is one that every model has",
    "its key whole needs one row",
    "its key tyre lies outside the spec",
};

static void wrong_types_are_rejected(void **unused)
{
    (void)unused;
    mc_vehicle_type t = cart_type;
    mc_error error = {0};
    t.name = "outside";
    t.spec_size = sizeof(spec);
    t.key_count = 1;
    for (size_t k = 0; k < sizeof wrong_keys / sizeof wrong_keys[0]; k++) {
        t.keys = &wrong_keys[k];
        assert_int_equal(mc_vehicle_type_register(&t, &error), MC_BAD_INPUT);
        if (!strstr(error.text, key_texts[k]))
            fail_msg("%s\n  expected: %s", error.text, key_texts[k]);
    }
    t = cart_type;
    t.name = "outside";
    t.kind_size = 8;
    assert_int_equal(mc_vehicle_type_register(&t, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "its kind_size is 8"));
    t.kind_size = sizeof(mc_vehicle_kind);
    t.create = NULL;
    assert_int_equal(mc_vehicle_type_register(&t, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "create or keys are missing"));
    t.create = cart_type.create;
    mc_vehicle_kind kind = *cart_type.kind;
    t.kind = &kind;
    kind.plan = NULL;
    assert_int_equal(mc_vehicle_type_register(&t, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "a function that scenarios need"));
    kind.advance = NULL;
    assert_int_equal(mc_vehicle_type_register(&t, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "a function that every kind has"));
    kind = *cart_type.kind;
    kind.channel_count = 0;
    assert_int_equal(mc_vehicle_type_register(&t, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "must be n, the engine speed"));
}

static int set_up(void **unused)
{
    (void)unused;
    mc_error error;
    return mc_vehicle_type_register(&cart_type, &error) == MC_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_here),
        cmocka_unit_test(facts_are_true),
        cmocka_unit_test(live_rows_can_be_set),
        cmocka_unit_test(wrong_types_are_rejected),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
