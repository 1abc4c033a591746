// test_tyre_laws.c - Fiala, TMeasy, Pac89, PAC2002 and Calspan: steady forces against values that
// were computed apart from this library, slopes at zero slip, peaks; files of PAC2002.
#include "base/arena.h"
#include "base/file.h"
#include "parts/tyre_pac2002.h"
#include "parts/tyre_pac89.h"
#include "parts/tyre_tmeasy.h"
#include "support/sample.h"

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

enum { N = 4 };
typedef unsigned long long seed_type;

static arena room;

// A tyre from a file of models/.
static tyre_kind from_file(const char *name)
{
    char path[400], *text;
    size_t size;
    mc_error error;
    snprintf(path, sizeof path, "%s/models/%s", SOURCE_DIR, name);
    if (file_read(&room, path, 0, &text, &size, &error) != MC_OK)
        fail_msg("%s", error.text);
    tyre_kind kind = tyre_pac2002;
    void *context = arena_alloc(&room, kind.context_size);
    const mc_tyre_file file = {.text = text, .size = size, .path = name};
    if (kind.load(&file, context, &error) != MC_OK)
        fail_msg("%s:%d:%d: %s", error.file, error.line, error.column, error.text);
    kind.context = context;
    return kind;
}

typedef struct steady {
    double fx, fy, mz;
} steady;

// At given slip: kappa and alpha of wheels with these speeds, states settled.
static steady settle(const tyre_kind *kind, cpu_level level, const double *p, double fz, double v_x,
                     double v_y, double v_roll, double camber)
{
    _Alignas(32) double load[N], vx[N], vy[N], roll[N], lean[N], x[TYRE_STATE_MAX * N] = {0};
    _Alignas(32) double fx[N], fy[N], mz[N] = {0}, drive[TYRE_STATE_MAX * N];
    for (int i = 0; i < N; i++)
        load[i] = fz, vx[i] = v_x, vy[i] = v_y, roll[i] = v_roll, lean[i] = camber;
    const tyre_in in = {
        .fz = load, .v_x = vx, .v_y = vy, .v_roll = roll, .context = kind->context, .camber = lean};
    const tyre_out out = {.fx = fx, .fy = fy, .mz = mz};
    const double step = 0.5 / (kind->stiffness ? kind->stiffness(kind, p, fz, 60.0) : 2000.0);
    for (int k = 0; k < 40000; k++) {
        tyre_eval_at(kind, level)(p, N, &in, x, drive, &out);
        double moved = 0.0;
        for (int j = 0; j < kind->state_count * N; j++) {
            const double rate = drive[j] - kind->state_rate(p, j / N) * x[j];
            moved = fmax(moved, fabs(rate));
            x[j] += step * rate;
        }
        if (moved < 1e-13)
            break;
    }
    return (steady){fx[1], fy[1], mz[1]};
}

// kappa = (v_roll - v_x)/v_x, tan alpha = v_y/v_x.
static steady at_slip(const tyre_kind *kind, cpu_level level, const double *p, double fz,
                      double kappa, double alpha, double camber)
{
    const double v = 50.0;
    return settle(kind, level, p, fz, v, v * tan(alpha), v * (1.0 + kappa), camber);
}

// ---- values from elsewhere ----

enum { COLUMNS = 9 };

static int read_row(FILE *in, char line[400], const char *cell[COLUMNS])
{
    if (!fgets(line, 400, in))
        return 0;
    line[strcspn(line, "\r\n")] = '\0';
    int count = 0;
    for (char *c = line; c && count < COLUMNS; count++) {
        cell[count] = c;
        c = strchr(c, ',');
        if (c)
            *c++ = '\0';
    }
    return count;
}

static FILE *open_data(const char *name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/tests/data/%s", SOURCE_DIR, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    return in;
}

// A printed value: to half a unit of its last digit, and 1e-9 because loads were printed rounded.
static void same(const char *where, const char *text, double value)
{
    if (!text[0])
        return;
    const char *point = strchr(text, '.');
    const double unit = pow(10.0, point ? -(double)strlen(point + 1) : 0.0);
    if (!(fabs(value - atof(text)) <= 0.5001 * unit + 1e-9 * fabs(value)))
        fail_msg("%s: %.9g, expected %s", where, value, text);
}

static void pac2002_values(void **state)
{
    (void)state;
    const struct {
        const char *model, *file;
    } tyres[] = {{"PAC2002_245_40R18", "passenger_245_40R18.tir"},
                 {"PAC2002_HMMWV_37x12.5R16.5", "hmmwv_37x12.5R16.5.tir"}};
    const double p[] = {[PAC2002_DAMPING] = 2000.0, [PAC2002_ELLIPSE] = 0.0};
    int rows = 0;
    for (int level = 0; level <= (int)cpu_level_best(); level++)
        for (int t = 0; t < 2; t++) {
            tyre_kind kind = from_file(tyres[t].file);
            pac2002_tyre *tyre = arena_alloc(&room, sizeof *tyre);
            memcpy(tyre, kind.context, sizeof *tyre);
            kind.context = tyre;
            char line[400];
            const char *cell[COLUMNS];
            FILE *in = open_data("pac2002_spot_values.csv");
            while (read_row(in, line, cell) == COLUMNS) {
                if (strcmp(cell[0], tyres[t].model) != 0)
                    continue;
                const bool combined = strcmp(cell[1], "combined") == 0;
                tyre->mode = combined ? PAC2002_MODE_ALL : PAC2002_MODE_PURE;
                // A load that is printed as the nominal one is that one.
                const double nominal = tyre->c[PAC2002_FNOMIN] * tyre->c[PAC2002_LFZO];
                const double fz = fabs(atof(cell[2]) - nominal) < 0.1 ? nominal : atof(cell[2]);
                const steady f = at_slip(&kind, (cpu_level)level, p, fz, atof(cell[3]),
                                         atof(cell[4]), atof(cell[5]));
                same(cell[1], cell[6], f.fx);
                same(cell[1], cell[7], f.fy);
                same(cell[1], cell[8], f.mz);
                rows++;
            }
            fclose(in);
        }
    assert_int_equal(rows, 198 * (1 + (int)cpu_level_best()));
}

static void set(const tyre_kind *kind, double *p, const char *name, double value)
{
    for (int k = 0; k < kind->param_count; k++)
        if (strcmp(kind->params[k].name, name) == 0)
            p[k] = value;
}

static void other_values(void **state)
{
    (void)state;
    char line[400];
    const char *cell[COLUMNS];
    FILE *in = open_data("tyre_spot_values.csv");
    int rows = 0;
    while (read_row(in, line, cell) == 7) {
        const double kappa = atof(cell[2]), alpha = atof(cell[3]), v = 50.0;
        const char *word = strncmp(cell[0], "Fiala", 5) == 0     ? "fiala"
                           : strncmp(cell[0], "TMeasy", 6) == 0  ? "tmeasy"
                           : strncmp(cell[0], "Calspan", 7) == 0 ? "calspan"
                                                                 : NULL;
        if (!word)
            continue;
        rows++;
        for (int half = 0; half < 2; half++) {
            const tyre_kind *first = tyre_kind_find(word);
            const tyre_kind *kind = half ? tyre_for_spin(first) : first;
            double p[TYRE_PARAM_MAX], fz = atof(cell[1]), camber = 0.0;
            tyre_defaults(kind, p);
            set(kind, p, "ellipse", 0.0);
            set(kind, p, "A3", 2.29); // of the Iltis benchmark
            set(kind, p, "K1", -1.71e-5);
            set(kind, p, "K2", 1.71e-5);
            steady f;
            if (strcmp(word, "tmeasy") == 0) { // slips over the speed of rolling, along the force
                fz = fabs(fz - p[TMEASY_LOAD]) < 0.1 ? p[TMEASY_LOAD] : fz;
                f = settle(kind, cpu_level_best(), p, fz, v * (1.0 - kappa), -v * alpha, v, 0.0);
            } else if (strcmp(word, "calspan") == 0) {
                sscanf(strchr(cell[0], '='), "=%lf", &camber);
                f = settle(kind, cpu_level_best(), p, fz, v * cos(alpha), v * sin(alpha),
                           v * cos(alpha), camber);
            } else {
                f = at_slip(kind, cpu_level_best(), p, fz, kappa, alpha, 0.0);
            }
            same(cell[0], cell[4], f.fx);
            same(cell[0], cell[5], f.fy);
            same(cell[0], cell[6], f.mz);
        }
    }
    fclose(in);
    assert_int_equal(rows, 20 + 30 + 32);
}

// ---- consistency ----

// Slope at zero slip, from below and above.
static double slope(const tyre_kind *kind, const double *p, double fz, bool along)
{
    const double h = 1e-5;
    const steady up = at_slip(kind, cpu_level_best(), p, fz, along ? h : 0.0, along ? 0.0 : h, 0.0);
    const steady down =
        at_slip(kind, cpu_level_best(), p, fz, along ? -h : 0.0, along ? 0.0 : -h, 0.0);
    return along ? (up.fx - down.fx) / (2.0 * h) : (up.fy - down.fy) / (2.0 * h);
}

// Kx and Ky of the passenger tyre at its nominal load, without shifts; trail, peaks.
static void pac2002_slopes(void **state)
{
    (void)state;
    tyre_kind kind = from_file("passenger_245_40R18.tir");
    pac2002_tyre tyre;
    memcpy(&tyre, kind.context, sizeof tyre);
    kind.context = &tyre;
    static const int shifts[] = {PAC2002_LHX, PAC2002_LVX, PAC2002_LHY, PAC2002_LVY};
    for (int k = 0; k < 4; k++)
        tyre.c[shifts[k]] = 0.0;
    tyre.c[PAC2002_RHX1] = tyre.c[PAC2002_RVY1] = tyre.c[PAC2002_QHZ1] = 0.0;
    tyre.c[PAC2002_QDZ6] = 0.0;
    const double p[] = {[PAC2002_DAMPING] = 2000.0, [PAC2002_ELLIPSE] = 1.0};
    assert_true(fabs(slope(&kind, p, 3928.5, true) / 87617.336 - 1.0) < 1e-5);
    assert_true(fabs(slope(&kind, p, 3928.5, false) / -68865.380 - 1.0) < 1e-5);
    double top = 0.0, side = 0.0;
    for (int k = 1; k < 300; k++) {
        top = fmax(top, at_slip(&kind, cpu_level_best(), p, 3928.5, 0.001 * k, 0.0, 0.0).fx);
        side = fmax(side, -at_slip(&kind, cpu_level_best(), p, 3928.5, 0.0, 0.002 * k, 0.0).fy);
    }
    assert_true(fabs(top / (1.17390 * 3928.5) - 1.0) < 1e-4);
    assert_true(fabs(side / (1.04890 * 3928.5) - 1.0) < 1e-4);
    const steady f = at_slip(&kind, cpu_level_best(), p, 3928.5, 0.0, 1e-4, 0.0);
    assert_true(fabs(-f.mz / f.fy / (0.093509 * 0.344) - 1.0) < 1e-4); // QDZ1 R0
}

// BCD and D of the formula of 1989; combined slip inside the ellipse (D_x, D_y).
static void pac89_slopes(void **state)
{
    (void)state;
    double p[TYRE_PARAM_MAX];
    tyre_defaults(&tyre_pac89, p);
    const double fz = 8.0; // kN
    const double peak_x = (-15.77614667 * fz + 1022.11238547) * fz;
    const double peak_y = (-4.84987525 * fz + 812.44979534) * fz;
    const double slope_x = (-2.55317715 * fz + 208.77731620) * fz * exp(-0.00731349090 * fz);
    const double slope_y = 2613.92367841 * sin(2.0 * atan(fz / 48.85791011));
    const double per_degree = 180.0 / 3.14159265358979323846;
    assert_true(fabs(slope(&tyre_pac89, p, 8e3, true) / (100.0 * slope_x) - 1.0) < 1e-5);
    assert_true(fabs(slope(&tyre_pac89, p, 8e3, false) / (-per_degree * slope_y) - 1.0) < 1e-5);
    double top = 0.0, side = 0.0;
    seed_type seed = 1;
    for (int k = 1; k < 500; k++) {
        top = fmax(top, at_slip(&tyre_pac89, cpu_level_best(), p, 8e3, 0.001 * k, 0.0, 0.0).fx);
        side = fmax(side, -at_slip(&tyre_pac89, cpu_level_best(), p, 8e3, 0.0, 0.002 * k, 0.0).fy);
        const steady f =
            at_slip(&tyre_pac89, cpu_level_best(), p, 8e3, sample_uniform(&seed, -1.0, 1.0),
                    sample_uniform(&seed, -0.8, 0.8), 0.0);
        assert_true(hypot(f.fx / peak_x, f.fy / peak_y) < 1.0 + 1e-12);
    }
    assert_true(fabs(top / peak_x - 1.0) < 1e-4 && fabs(side / peak_y - 1.0) < 1e-4);
    // Aligning moment: against the slip, with its published slope at zero.
    const double moment = -(-0.277098 * fz * fz - 0.944859 * fz) * per_degree; // N m/rad
    const steady f = at_slip(&tyre_pac89, cpu_level_best(), p, 8e3, 0.0, 1e-5, 0.0);
    assert_true(fabs(f.mz / 1e-5 / moment - 1.0) < 1e-5);
}

// The tyre that is built in is that of the file.
static void built_in(void **state)
{
    (void)state;
    const tyre_kind kind = from_file("passenger_245_40R18.tir");
    const pac2002_tyre *file = kind.context;
    for (int k = 0; k < PAC2002_COUNT; k++)
        assert_true(file->c[k] == pac2002_built_in.c[k]);
    assert_true(file->v_low == 1.0 && file->mode == PAC2002_MODE_ALL && file->side == 1);
}

// Camber of one side pushes to that side; the mirror image of a left tyre is a right one.
static void left_and_right(void **state)
{
    (void)state;
    const double p[] = {[PAC2002_DAMPING] = 2000.0, [PAC2002_ELLIPSE] = 1.0};
    _Alignas(32) double fz[N] = {4e3, 4e3, 4e3, 4e3}, v_x[N] = {20.0, 20.0, 20.0, 20.0};
    _Alignas(32) double v_y[N] = {0.5, -0.5, 0.0, 0.0}, lean[N] = {0.02, -0.02, 0.05, -0.05};
    _Alignas(32) double side[N] = {1.0, -1.0, 1.0, -1.0}, fx[N], fy[N], mz[N], drive[2 * N];
    _Alignas(32) double x[2 * N] = {0.001, 0.001, 0.0, 0.0, -0.01, 0.01, 0.0, 0.0};
    const tyre_in in = {.fz = fz,
                        .v_x = v_x,
                        .v_y = v_y,
                        .context = &pac2002_built_in,
                        .camber = lean,
                        .side = side};
    for (int level = 0; level <= (int)cpu_level_best(); level++) {
        tyre_eval_at(&tyre_pac2002, (cpu_level)level)(p, N, &in, x, drive,
                                                      &(tyre_out){.fx = fx, .fy = fy, .mz = mz});
        for (int i = 0; i < N; i += 2)
            assert_true(fx[i] == fx[i + 1] && fy[i] == -fy[i + 1] && mz[i] == -mz[i + 1]);
    }
    // Top to the right (camber > 0): a push to the right.
    const double more = at_slip(&tyre_pac2002, cpu_level_best(), p, 4e3, 0.0, 0.0, 0.05).fy;
    const double none = at_slip(&tyre_pac2002, cpu_level_best(), p, 4e3, 0.0, 0.0, 0.0).fy;
    assert_true(more < none - 10.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pac2002_values), cmocka_unit_test(other_values),
        cmocka_unit_test(pac2002_slopes), cmocka_unit_test(pac89_slopes),
        cmocka_unit_test(built_in),       cmocka_unit_test(left_and_right),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&room);
    return failed;
}
