// test_analysis.c - the table of analyses on the ride models: published frequencies, spectra of
// time runs beside modes, transfer functions beside the linearized ones, where linearity ends, and
// what is rejected.
#include "motorcade/analysis.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Values: "name=text|name=text"; the file below models/.
static mc_status run(const char *name, const char *file, const char *values,
                     mc_analysis_result *out, mc_error *error)
{
    static char text[2000];
    char path[400];
    mc_analysis_value list[40];
    int count = 0;
    snprintf(text, sizeof text, "%s", values);
    for (char *at = strtok(text, "|"); at; at = strtok(NULL, "|")) {
        char *equals = strchr(at, '=');
        *equals = '\0';
        list[count++] = (mc_analysis_value){at, equals + 1};
    }
    snprintf(path, sizeof path, "%s%s", file[0] == '/' ? "" : SOURCE_DIR "/models/", file);
    return mc_analysis_run(name, path, list, count, out, error);
}

static mc_analysis_result good(const char *name, const char *file, const char *values)
{
    mc_analysis_result r;
    mc_error error;
    if (run(name, file, values, &r, &error) != MC_OK)
        fail_msg("%s %s: %s", name, values, error.text);
    return r;
}

static bool notes_say(const mc_analysis_result *r, const char *words)
{
    for (int k = 0; k < r->note_count; k++)
        if (strstr(r->notes[k], words))
            return true;
    return false;
}

static double cell(const mc_analysis_table *t, int row, int column)
{
    return t->values[row * t->column_count + column];
}

#define F1                                                                                         \
    "set=ms=965.71081|set=ix=207.265246|set=iy=1565.817879|set=mu=31.8960913|set=a=1.156196|"      \
    "set=b=1.422717|set=tf=1.38684|set=tr=1.36398|set=kf=24444.787419|set=kr=19628.79945|"         \
    "set=kt=158240.084217"
#define Q1 "set=ms=2500|set=mu=320|set=ks=80000|set=cs=350|set=kt=500000"

// data/ride_models.md: frequency and damping, to the digits printed there.
static const struct {
    const char *file, *values;
    double digits; // half of the last one
    int count;
    double f[8], zeta[8];
} published[] = {
    {"ride_quarter.yaml", Q1 "|set=cs=0", 5e-9, 2, {0.83489112, 6.78414974}, {0}},
    {"ride_quarter.yaml", Q1, 5e-7, 2, {0.834878, 6.783332}, {0.009843, 0.013261}},
    {"ride_quarter.yaml", Q1 "|set=ct=15020", 5e-7, 2, {0.835634, 5.600173}, {0.020916, 0.563091}},
    {"ride_quarter.yaml", "set=cs=0", 5e-9, 2, {1.33074700, 14.24422351}, {0}},
    {"ride_quarter.yaml", "", 5e-7, 2, {1.321297, 13.507637}, {0.183768, 0.287210}},
    {"ride_half.yaml",
     "set=cf=0|set=cr=0",
     5e-9,
     4,
     {0.95920745, 1.14929783, 11.84356665, 11.91630334},
     {0}},
    {"ride_half.yaml",
     "",
     5e-7,
     6,
     {0, 0, 1.425306, 2.510350, 0, 0},
     {1, 1, 0.839066, 0.641068, 1, 1}},
    {"ride_frame.yaml",
     "set=ms=1600|set=iy=1444|set=a=1.3|set=b=1.6|set=kf=19000|set=kr=17000",
     5e-9,
     3,
     {1.06549984, 1.60146572, 1.63031882}, // the second is roll, by hand
     {0}},
    {"ride_frame.yaml", "", 5e-9, 3, {1.39993165, 1.68809309, 1.78388381}, {0}},
    {"ride_full.yaml",
     "",
     5e-9,
     7,
     {1.33391876, 1.60801101, 1.69906603, 11.80324648, 11.81088891, 11.81442281, 11.81575404},
     {0}},
    {"ride_full.yaml",
     "set=cf=1500|set=cr=1500",
     5e-7,
     7,
     {1.299785, 1.546674, 1.625938, 11.040844, 11.083618, 11.194432, 11.419783},
     {0.289126, 0.350748, 0.371551, 0.268968, 0.267443, 0.263144, 0.252825}},
    // Its parameters are printed with fewer digits than its frequencies.
    {"ride_full.yaml",
     F1,
     1.2e-7,
     7,
     {1.42010743, 1.43573371, 2.11033878, 11.89469086, 11.89596246, 12.05805800, 12.06238499},
     {0}},
    {"ride_full.yaml",
     F1 "|set=cf=1786.2441|set=cr=1649.083303",
     1.2e-6,
     7,
     {1.399862, 1.390337, 2.001416, 10.232921, 10.724693, 10.802076, 11.133437},
     {0.287136, 0.343498, 0.474757, 0.400153, 0.365910, 0.389928, 0.358213}},
};

static void modes_are_the_published_ones(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof published / sizeof published[0]; k++) {
        mc_analysis_result r = good("modes", published[k].file, published[k].values);
        const mc_analysis_table *t = &r.tables[0];
        assert_int_equal(t->row_count, published[k].count);
        for (int i = 0; i < t->row_count; i++) {
            const double f = cell(t, i, 0), zeta = cell(t, i, 1);
            if (!(fabs(f - published[k].f[i]) <= published[k].digits) ||
                !(fabs(zeta - published[k].zeta[i]) <= fmax(published[k].digits, 1e-9)))
                fail_msg("%s %s: mode %d is %.10g Hz, %.8g", published[k].file, published[k].values,
                         i + 1, f, zeta);
        }
        mc_analysis_free(&r);
    }
    // Eigenvalues of Q2, real roots of H1.
    mc_analysis_result r = good("modes", "ride_quarter.yaml", "");
    assert_true(fabs(cell(&r.tables[0], 0, 3) + 1.552064) < 5e-7);
    assert_true(fabs(cell(&r.tables[0], 1, 3) + 25.447936) < 1e-6);
    mc_analysis_free(&r);
    r = good("modes", "ride_half.yaml", "");
    const double roots[] = {-3.910066, -4.872391, -160.817387, -167.685881};
    const int rows[] = {0, 1, 4, 5};
    for (int k = 0; k < 4; k++)
        assert_true(fabs(cell(&r.tables[0], rows[k], 3) - roots[k]) < 1e-6);
    mc_analysis_free(&r);
}

// Sensitivities: scaling all springs, dampers and masses by one factor changes nothing; and all
// springs alone move all frequencies of an undamped model by the square root.
static void sensitivities_sum_up(void **unused)
{
    (void)unused;
    mc_analysis_result r = good("modes", "ride_quarter.yaml", "sensitivity=all|set=cs=0");
    const mc_analysis_table *t = &r.tables[1];
    double springs[2] = {0}, all[2] = {0};
    for (int i = 0; i < t->row_count; i++) {
        const int mode = cell(t, i, 0) > 5.0;
        all[mode] += cell(t, i, 3);
        if (t->labels[i][0] == 'k')
            springs[mode] += cell(t, i, 3);
    }
    for (int mode = 0; mode < 2; mode++) {
        assert_true(fabs(all[mode]) < 1e-9);
        assert_true(fabs(springs[mode] - 0.5) < 1e-9);
    }
    mc_analysis_free(&r);
}

static void spectra_meet_modes(void **unused)
{
    (void)unused;
    mc_analysis_result r = good("spectrum", "ride_frame.yaml", "");
    assert_true(notes_say(&r, "3 of 3 modes") && notes_say(&r, "rate 10 Hz"));
    for (int i = 0; i < 3; i++)
        assert_true(cell(&r.tables[0], i, 3) < 0.01); // bins
    mc_analysis_free(&r);
    r = good("spectrum", "ride_half.yaml", ""); // overdamped: no peak
    assert_true(notes_say(&r, "0 peaks; 0 of 0 modes"));
    mc_analysis_free(&r);
    r = good("spectrum", "ride_quarter.yaml", Q1);
    assert_true(notes_say(&r, "2 of 2 modes"));
    mc_analysis_free(&r);
    r = good("spectrum", "ride_full.yaml", "window=blackman|resolution=0.02|set=cf=30|set=cr=35");
    assert_true(notes_say(&r, "rate 100 Hz") && cell(&r.tables[0], 0, 3) < 1.0);
    mc_analysis_free(&r);
}

static void transfer_functions_are_the_linearized_ones(void **unused)
{
    (void)unused;
    static const char *const by[] = {"chirp", "sweep",      "impulse",
                                     "step",  "multi_sine", "random_road"};
    for (int k = 0; k < 6; k++) {
        char values[200];
        snprintf(values, sizeof values, "input=road|output=height|excitation=%s", by[k]);
        mc_analysis_result r = good("transfer", "ride_quarter.yaml", values);
        const mc_analysis_table *t = &r.tables[0];
        double worst = 0.0, most = 0.0;
        for (int i = 0; i < t->row_count; i++) {
            // Q2: the closed form of road to body.
            const double w = 2.0 * M_PI * cell(t, i, 0), ms = 250, mu = 20, ks = 20e3, cs = 1e3;
            const double kt = 140e3, a = ks - ms * w * w, b = cs * w;
            // z = kt (ks + i w cs)/D, D = (ks + kt - mu w^2 + i b)(a + i b) - (ks + i b)^2
            const double p = ks + kt - mu * w * w;
            const double re = p * a - b * b - (ks * ks - b * b), im = p * b + a * b - 2.0 * ks * b;
            const double exact = kt * hypot(ks, b) / hypot(re, im);
            assert_true(fabs(cell(t, i, 3) - exact) < 1e-6 * exact);
            if (!isnan(cell(t, i, 1)))
                worst = fmax(worst, fabs(cell(t, i, 1) - exact));
            most = fmax(most, exact);
        }
        printf("%s: %.1e of the largest\n", by[k], worst / most);
        assert_true(worst < 1e-3 * most && !notes_say(&r, "faded"));
        mc_analysis_free(&r);
    }
    // Without damping: faded, and compared at the same place.
    mc_analysis_result r = good("transfer", "ride_frame.yaml", "input=road_fl|output=body.ry");
    assert_true(notes_say(&r, "faded by"));
    const mc_analysis_table *t = &r.tables[0];
    for (int i = 0; i < t->row_count; i++)
        assert_true(isnan(cell(t, i, 1)) || fabs(cell(t, i, 1) - cell(t, i, 3)) < 1e-3 * 0.4);
    mc_analysis_free(&r);
}

// A bump stop makes the model piecewise linear: twice the gap, twice the amplitude.
static void linearity_ends_at_the_stop(void **unused)
{
    (void)unused;
    double ends[2];
    for (int k = 0; k < 2; k++) {
        char values[200];
        snprintf(values, sizeof values,
                 "input=road|output=height|resolution=0.3|amplitude=%g|set=stop_gap=%g",
                 k ? 0.1 : 0.05, k ? 0.02 : 0.01);
        mc_analysis_result r = good("linearity", "ride_quarter.yaml", values);
        for (int i = 0; i < r.note_count; i++)
            sscanf(r.notes[i], "verdict: not linear; linearity ends at an amplitude of %lf",
                   &ends[k]);
        assert_string_equal(r.tables[0].labels[2], "not linear");
        mc_analysis_free(&r);
    }
    assert_true(fabs(ends[1] / ends[0] - 2.0) < 1e-6);
    mc_analysis_result r =
        good("linearity", "ride_quarter.yaml", "input=road|output=height|amplitude=0.05");
    assert_true(notes_say(&r, "verdict: linear up to 0.05"));
    assert_true(cell(&r.tables[0], 2, 1) < 1e-10 && cell(&r.tables[0], 2, 2) < 1e-10);
    mc_analysis_free(&r);
}

// A table of a known motion: peaks of its columns, comfort and ride of them.
static void columns_of_a_table(void **unused)
{
    (void)unused;
    char path[] = "/tmp/analysis_XXXXXX.csv";
    const int fd = mkstemps(path, 4);
    FILE *out = fdopen(fd, "w");
    fprintf(out, "t,z,a\n");
    for (int k = 0; k < 4000; k++) {
        const double t = k / 200.0;
        fprintf(out, "%.17g,%.17g,%.17g\n", t, 0.01 * sin(2.0 * M_PI * 4.0 * t),
                3.0 + 2.0 * sin(2.0 * M_PI * 4.0 * t) + 0.5 * sin(2.0 * M_PI * 11.03 * t));
    }
    fclose(out);
    mc_analysis_result r = good("spectrum", path, "column=a");
    assert_int_equal(r.tables[0].row_count, 2);
    assert_true(fabs(cell(&r.tables[0], 1, 0) - 11.03) < 1e-4);
    assert_true(fabs(cell(&r.tables[0], 1, 1) - 0.5) < 1e-3);
    mc_analysis_free(&r);
    r = good("comfort", path, "column=a|column=z|weight=Wk|weight=Wd");
    const double wk4 = 0.964784, wk11 = 0.98;
    const double aw = sqrt(0.5 * (4.0 * wk4 * wk4 + 0.25 * wk11 * wk11));
    assert_true(fabs(cell(&r.tables[0], 0, 1) - aw) < 0.01 * aw);
    mc_analysis_free(&r);
    r = good("ride", path, "column=z|derivative=2");
    const double top = 0.01 * pow(2.0 * M_PI * 4.0, 2.0);
    assert_true(fabs(cell(&r.tables[0], 0, 2) - top) < 0.02 * top);
    mc_analysis_free(&r);
    remove(path);
}

// A quarter car over a bump: tyre and weight accelerate the mass centre, so the tyre force at rest
// under that acceleration is that of the run; the spring then carries m (g + a).
static void responses_have_their_quasi_static_part(void **unused)
{
    (void)unused;
    mc_analysis_result r = good("response", "quarter_car.yaml",
                                "column=tyre_force|column=body.travel|column=wheel.acceleration.z|"
                                "column=body.acceleration.z|column=body.force|column=body.velocity|"
                                "quasi_static=1|hold=distance|end=2.6|step=0.02");
    const mc_analysis_table *t = &r.tables[0];
    double worst = 0.0, travel = 0.0, spring = 0.0, slope = 0.0, most = 0.0;
    for (int i = 0; i < t->row_count; i++) {
        const double mean = (40.0 * cell(t, i, 3) + 300.0 * cell(t, i, 4)) / 340.0;
        worst = fmax(worst, fabs(cell(t, i, 7) - cell(t, i, 1)));
        travel = fmax(travel, fabs(cell(t, i, 8) + 300.0 * (9.81 + mean) / 18e3));
        spring = fmax(spring, fabs(cell(t, i, 5) - fabs(300.0 * (9.81 + cell(t, i, 4)))));
        most = fmax(most, cell(t, i, 1));
    }
    for (int i = 1; i + 1 < 40; i++) // before the bump nothing moves
        slope = fmax(slope, fabs(cell(t, i, 6)));
    printf("tyre force %.1e of %.0f N, travel %.1e m, force of the joint %.1e N\n", worst, most,
           travel, spring);
    assert_true(t->row_count == 131 && most > 5000.0 && slope < 1e-9);
    assert_true(worst < 1e-6 && travel < 1e-8 && spring < 1e-3);
    mc_analysis_free(&r);
}

static void a_sweep_is_its_points(void **unused)
{
    (void)unused;
    const char *const vary[] = {"ks=1e4,2e4", "ms=200:300:50"};
    mc_analysis_result r;
    mc_error error;
    assert_int_equal(mc_analysis_sweep("modes", SOURCE_DIR "/models/ride_quarter.yaml", NULL, 0,
                                       vary, 2, &r, &error),
                     MC_OK);
    const mc_analysis_table *t = &r.tables[0];
    assert_int_equal(t->row_count, 6);
    assert_true(cell(t, 4, 0) == 2e4 && cell(t, 4, 1) == 250.0);
    assert_true(fabs(cell(t, 4, 2) - 1.321297) < 5e-7); // Q2
    mc_analysis_free(&r);
    const char *const bad[] = {"ks=1:2"}, *const unknown[] = {"kz=1,2"};
    assert_int_equal(mc_analysis_sweep("modes", SOURCE_DIR "/models/ride_quarter.yaml", NULL, 0,
                                       bad, 1, &r, &error),
                     MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "FROM:TO:STEP"));
    assert_int_equal(mc_analysis_sweep("modes", SOURCE_DIR "/models/ride_quarter.yaml", NULL, 0,
                                       unknown, 1, &r, &error),
                     MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "did you mean ks"));
}

static const struct {
    const char *name, *file, *values, *says;
} wrong[] = {
    {"spectra", "ride_half.yaml", "", "unknown analysis"},
    {"modes", "no_such.yaml", "", "no_such.yaml"},
    {"modes", "ride_half.yaml", "sets=a=1", "did you mean set"},
    {"modes", "ride_half.yaml", "set=a", "expected NAME=VALUE"},
    {"modes", "ride_half.yaml", "set=mss=1", "did you mean ms"},
    {"spectrum", "ride_half.yaml", "window=han", "unknown window"},
    {"spectrum", "ride_half.yaml", "resolution=0", "1e-06 to 1e+06 Hz"},
    {"transfer", "ride_half.yaml", "input=road_f", "needs --output"},
    {"transfer", "ride_half.yaml", "input=ms|output=top_f", "is not an input"},
    {"transfer", "ride_half.yaml", "input=road_f|output=topf", "did you mean top_f"},
    {"transfer", "ride_half.yaml", "input=road_f|output=top_f|excitation=chrip", "mean chirp"},
    {"transfer", "ride_half.yaml", "input=road_f|output=top_f|derivative=1.5", "whole number"},
    {"transfer", "ride_half.yaml", "input=road_f|output=top_f|low=5|high=2", "not below high"},
    {"comfort", "ride_half.yaml", "column=top_f|weight=Wx", "unknown weight"},
};

static void wrong_input_is_rejected(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        mc_analysis_result r;
        mc_error error = {0};
        if (run(wrong[k].name, wrong[k].file, wrong[k].values, &r, &error) == MC_OK)
            fail_msg("accepted: %s %s", wrong[k].name, wrong[k].values);
        if (!strstr(error.text, wrong[k].says) && !strstr(error.file, wrong[k].says))
            fail_msg("%s %s: %s", wrong[k].name, wrong[k].values, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_are_the_published_ones),
        cmocka_unit_test(sensitivities_sum_up),
        cmocka_unit_test(spectra_meet_modes),
        cmocka_unit_test(transfer_functions_are_the_linearized_ones),
        cmocka_unit_test(linearity_ends_at_the_stop),
        cmocka_unit_test(columns_of_a_table),
        cmocka_unit_test(responses_have_their_quasi_static_part),
        cmocka_unit_test(a_sweep_is_its_points),
        cmocka_unit_test(wrong_input_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
