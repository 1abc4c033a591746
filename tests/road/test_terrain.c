// test_terrain.c - ground by terms, tables and spectra; wheels over it: closed forms of steps,
// ramps, arcs and side slopes, cambered and steered; the bound of the gap's rate.
#include "num/fft.h"
#include "road/terrain_surface.h"
#include "road/terrain_table.h"
#include "road/terrain_terms.h"
#include "support/series.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double R = 0.4;

static road_terrain one_layer(terrain_layer *layer)
{
    return (road_terrain){
        .layers = layer, .layer_count = 1, .friction = 0.8, .reference = 1.0, .planes = 1};
}

static terrain_layer of_terms(const terrain_terms *t)
{
    return (terrain_layer){&terrain_terms_kind, t, {TERRAIN_BOTH, 0.0, 0.1}};
}

static terrain_touch meet(const road_terrain *t, double x, double z, double reach)
{
    const terrain_wheel wheel = {{x, 0.0, z}, {0.0, 1.0, 0.0}, R, 0.2, 1};
    terrain_touch out[TERRAIN_PLANES_MAX];
    terrain_meet(t, &wheel, reach, out);
    return out[0];
}

static void near_to(double a, double b, double within)
{
    if (!(fabs(a - b) <= within))
        fail_msg("%.17g is not %.17g within %g", a, b, within);
}

// ---- heights ----

static void terms_are_their_sums(void **unused)
{
    (void)unused;
    for (int n = 0; n <= 5; n++) {
        const terrain_term terms[] = {{1.0, 0.3, n}, {2.0, -0.1, n}};
        const terrain_terms t = {terms, 2, 10.0, 4.0, 3};
        terrain_layer layer = of_terms(&t);
        const road_terrain g = one_layer(&layer);
        for (double x = 8.03; x < 26.0; x += 0.0731) {
            const double k = floor((x - 10.0) / 4.0), u = x - 10.0 - 4.0 * k;
            double z = 0.0, zx = 0.0;
            if (k >= 0.0 && k < 3.0) {
                z = (u > 1.0 ? 0.3 * pow(u - 1.0, n) : 0.0) -
                    (u > 2.0 ? 0.1 * pow(u - 2.0, n) : 0.0);
                zx = n == 0 ? 0.0
                            : (u > 1.0 ? 0.3 * n * pow(u - 1.0, n - 1) : 0.0) -
                                  (u > 2.0 ? 0.1 * n * pow(u - 2.0, n - 1) : 0.0);
            }
            terrain_point p;
            terrain_at(&g, x, 5.0, &p);
            near_to(p.z, z, 1e-12 * (1.0 + fabs(z)));
            near_to(p.zx, zx, 1e-11 * (1.0 + fabs(zx)));
        }
    }
}

// Breaks come in order, none is missed, at places whose binary fractions do not end.
static void every_break_is_found(void **unused)
{
    (void)unused;
    const terrain_term terms[] = {{0.1, 0.05, 0}, {0.3, -0.05, 0}};
    const terrain_terms t = {terms, 2, 0.7, 0.9, 0};
    terrain_layer layer = of_terms(&t);
    const road_terrain g = one_layer(&layer);
    double x = -1.0;
    for (int k = 0; k < 300000; k++) {
        const int i = (k + 3) / 3 - 1, which = k % 3; // start, up, down
        const double expected = 0.7 + 0.9 * i + (which == 1 ? 0.1 : which == 2 ? 0.3 : 0.0);
        x = terrain_next(&g, x);
        near_to(x, expected, 1e-10);
        double before[3], after[3];
        terrain_height(&g, x, 0.0, false, before);
        terrain_height(&g, x, 0.0, true, after);
        near_to(after[0] - before[0], which == 1 ? 0.05 : which == 2 ? -0.05 : 0.0, 1e-15);
    }
}

static void sides_and_spots(void **unused)
{
    (void)unused;
    const terrain_term term = {0.0, 0.1, 0};
    const terrain_terms t = {&term, 1, 5.0, 0.0, 0};
    terrain_layer layer = {&terrain_terms_kind, &t, {TERRAIN_LEFT, 0.5, 0.2}};
    const terrain_spot spots[] = {{10.0, 11.0, {TERRAIN_BOTH, 0.0, 0.1}, 0.2, NAN},
                                  {10.5, 12.0, {TERRAIN_RIGHT, 0.0, 0.1}, NAN, 1.5}};
    road_terrain g = one_layer(&layer);
    g.spots = spots, g.spot_count = 2, g.restitution = 0.3;
    terrain_point p;
    terrain_at(&g, 6.0, 0.7, &p);
    near_to(p.z, 0.1, 0.0);
    terrain_at(&g, 6.0, 0.5, &p);
    near_to(p.z, 0.05, 1e-16);
    near_to(p.zy, 0.5, 1e-15);
    terrain_at(&g, 6.0, 0.3, &p);
    near_to(p.z, 0.0, 1e-16);
    assert_true(p.friction == 0.8 && p.restitution == 0.3);
    terrain_at(&g, 10.7, -1.0, &p);
    assert_true(p.friction == 0.2 && p.restitution == 1.5);
    terrain_at(&g, 10.7, 1.0, &p);
    assert_true(p.friction == 0.2 && p.restitution == 0.3);
}

static void tables_repeat_and_end(void **unused)
{
    (void)unused;
    const double x[] = {0.0, 1.0, 3.0}, z[] = {0.0, 0.2, 0.0};
    const terrain_table once = {x, 0.0, 0.0, z, NULL, 3, false};
    terrain_table again = once;
    again.repeat = true;
    double at[3];
    terrain_table_kind.at(&once, 2.0, 0.0, true, at);
    near_to(at[0], 0.1, 1e-12);
    near_to(at[1], -0.1, 1e-15);
    terrain_table_kind.at(&once, 4.0, 0.0, true, at);
    assert_true(at[0] == 0.0 && at[1] == 0.0);
    terrain_table_kind.at(&again, 300.5, 0.0, true, at);
    near_to(at[0], 0.1, 1e-9);
    terrain_table_kind.at(&again, 301.0, 0.0, false, at);
    near_to(at[1], 0.2, 1e-12);
    near_to(terrain_table_kind.next(&again, 300.2), 301.0, 1e-9);
    assert_true(terrain_table_kind.next(&once, 3.0) == HUGE_VAL);
}

// ---- wheels: closed forms ----

// A step of height h at x = 0: over the level before, at the corner, at the face, on top.
static void a_step_is_met_by_its_corner(void **unused)
{
    (void)unused;
    const double h = 0.15;
    const terrain_term term = {0.0, h, 0};
    const terrain_terms t = {&term, 1, 0.0, 0.0, 0};
    terrain_layer layer = of_terms(&t);
    const road_terrain g = one_layer(&layer);
    for (double x = -1.5; x < 1.0; x += 0.0137)
        for (double z = 0.2; z < 1.1; z += 0.0311) {
            const terrain_touch p = meet(&g, x, z, 2.0);
            const double corner = hypot(x, z - h);
            const double face = z < h && x < 0.0 ? -x : corner;
            const double distance = x < 0.0 ? fmin(z, face) : z - h;
            near_to(p.gap, distance - R, 1e-12);
            if (x < 0.0 && corner < z - 1e-9) { // its ray points from the corner to the centre
                near_to(p.point[0], 0.0, 1e-12);
                near_to(p.point[2], h, 1e-12);
                near_to(p.ray[0], x / corner, 1e-12);
                near_to(p.normal[0], x / corner, 1e-12);
            }
        }
    // A wall 0.1 mm thick and 2 cm high, between any two samples.
    const terrain_term wall[] = {{0.0, 0.02, 0}, {1e-4, -0.02, 0}};
    const terrain_terms w = {wall, 2, 0.123456, 0.0, 0};
    layer = of_terms(&w);
    for (double x = -0.2; x < 0.5; x += 0.00731) {
        const double d = x - 0.123456, off = d < 0.0 ? d : d < 1e-4 ? 0.0 : d - 1e-4;
        near_to(meet(&g, x, 0.42, 1.0).gap, fmin(0.42, hypot(off, 0.40)) - R, 1e-12);
        double height, rise[2];
        terrain_stand(&g, x, 0.0, 0.0, R, 0.2, &height, rise);
        near_to(height, fmax(0.0, fabs(off) < R ? 0.02 + sqrt(R * R - off * off) - R : 0.0), 1e-12);
    }
}

// Slopes: distance (z - a x) cos; arcs z = c x^2/2: the nearest point by a cubic's root.
static void slopes_and_arcs(void **unused)
{
    (void)unused;
    const double a = 0.3;
    const terrain_term ramp = {0.0, a, 1}, bowl = {0.0, 0.5, 2};
    terrain_terms t = {&ramp, 1, 0.0, 0.0, 0};
    terrain_layer layer = of_terms(&t);
    const road_terrain g = one_layer(&layer);
    for (double z = 0.6; z < 1.5; z += 0.1) {
        const terrain_touch p = meet(&g, 1.0, z, 2.0);
        near_to(p.gap, (z - a) / sqrt(1.0 + a * a) - R, 1e-13);
        near_to(p.normal[0], -a / sqrt(1.0 + a * a), 1e-10);
        near_to(p.normal[2], 1.0 / sqrt(1.0 + a * a), 1e-10);
    }
    t.terms = &bowl; // z = x^2/2 for x > 0: nearest to (x0, z0): x^3/2 + x (1 - z0) = x0
    for (double x0 = 0.3; x0 < 2.0; x0 += 0.17) {
        const double z0 = 0.5 * x0 * x0 + 0.3;
        double x = x0;
        for (int i = 0; i < 60; i++)
            x -= (0.5 * x * x * x + x * (1.0 - z0) - x0) / (1.5 * x * x + 1.0 - z0);
        near_to(meet(&g, x0, z0, 2.0).gap, hypot(x - x0, 0.5 * x * x - z0) - R, 1e-12);
    }
}

// On a plane a x + b y the cut of a wheel with any axis is a line: distance by its slope in the
// plane of the wheel.
static void a_steered_cambered_wheel(void **unused)
{
    (void)unused;
    const road_shape *slope = road_shape_at(0);
    road_surface s = {.shape = slope, .shape_p = {0.2, -0.15}};
    terrain_layer layer = {&terrain_surface_kind, &s, {TERRAIN_BOTH, 0.0, 0.1}};
    const road_terrain g = one_layer(&layer);
    const double normal = 1.0 / sqrt(1.0 + 0.04 + 0.0225);
    for (double steer = -0.9; steer < 0.95; steer += 0.3)
        for (double camber = -0.3; camber < 0.35; camber += 0.1) {
            terrain_wheel wheel = {{1.0, 2.0, 0.9}, {0}, R, 0.3, 5};
            wheel.axis[0] = -sin(steer) * cos(camber), wheel.axis[1] = cos(steer) * cos(camber);
            wheel.axis[2] = sin(camber);
            terrain_touch p[TERRAIN_PLANES_MAX];
            const int nearest = terrain_meet(&g, &wheel, 2.0, p);
            for (int k = 0; k < 5; k++) {
                double c[3], n[3] = {-0.2 * normal, 0.15 * normal, normal}, along = 0.0, h = 0.0;
                for (int i = 0; i < 3; i++)
                    c[i] = wheel.centre[i] + p[k].offset * wheel.axis[i],
                    along += n[i] * wheel.axis[i];
                h = normal * (c[2] - 0.2 * c[0] + 0.15 * c[1]); // distance from the plane
                near_to(p[k].gap, h / sqrt(1.0 - along * along) - R, 1e-11);
                for (int i = 0; i < 3; i++)
                    near_to(p[k].normal[i], n[i], 1e-9);
                assert_true(p[nearest].gap <= p[k].gap);
            }
        }
}

// On a side slope of 10 degrees the normal leans, though the wheel does not.
static void one_side_is_met_by_one_edge(void **unused)
{
    (void)unused;
    const terrain_term term = {0.0, 0.1, 0};
    const terrain_terms t = {&term, 1, -5.0, 0.0, 0};
    terrain_layer layer = {&terrain_terms_kind, &t, {TERRAIN_LEFT, 0.05, 1e-3}};
    const road_terrain g = one_layer(&layer);
    const terrain_wheel wheel = {{0.0, 0.0, 0.45}, {0.0, 1.0, 0.0}, R, 0.2, 5};
    terrain_touch p[TERRAIN_PLANES_MAX];
    assert_int_equal(terrain_meet(&g, &wheel, 1.0, p), 4);
    near_to(p[4].gap, -0.05, 1e-12);
    near_to(p[3].gap, 0.0, 1e-9); // in the middle of the seam
    near_to(p[2].gap, 0.05, 1e-12);
}

// ---- the bound ----

// Random small motions over a rough ground: no gap shrinks more than allowed.
static void gaps_keep_their_bound(void **unused)
{
    (void)unused;
    const terrain_term terms[] = {{0.2, 0.08, 0}, {0.5, -0.3, 1}, {0.7, 0.3, 1}, {1.0, -0.02, 0}};
    const terrain_terms t = {terms, 4, 0.0, 1.3, 0};
    terrain_layer layer = {&terrain_terms_kind, &t, {TERRAIN_LEFT, 0.0, 0.4}};
    const road_terrain g = one_layer(&layer);
    srand(5);
    double worst = 0.0;
    for (int k = 0; k < 20000; k++) {
        double r[12];
        for (int i = 0; i < 12; i++)
            r[i] = 2.0 * rand() / RAND_MAX - 1.0;
        const double steer = 0.5 * r[0], camber = 0.2 * r[1], h = 1e-4;
        terrain_wheel wheel = {{3.0 + 2.0 * r[2], 0.3 * r[3], 0.5 + 0.15 * r[4]}, {0}, R, 0.2, 3};
        wheel.axis[0] = -sin(steer) * cos(camber), wheel.axis[1] = cos(steer) * cos(camber);
        wheel.axis[2] = sin(camber);
        const double *v = r + 5, *w = r + 8;
        terrain_touch a[TERRAIN_PLANES_MAX], b[TERRAIN_PLANES_MAX];
        terrain_meet(&g, &wheel, 0.5, a);
        const double most = terrain_approach_max(&g, &wheel, 0.5, v, w);
        terrain_wheel moved = wheel;
        double size = 0.0;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            moved.centre[i] += h * v[i];
            moved.axis[i] += h * (w[j] * wheel.axis[l] - w[l] * wheel.axis[j]);
            size += moved.axis[i] * moved.axis[i];
        }
        for (int i = 0; i < 3; i++)
            moved.axis[i] /= sqrt(size);
        terrain_meet(&g, &moved, 0.5, b);
        for (int i = 0; i < 3; i++) {
            const double shrunk = (a[i].gap - b[i].gap) / h;
            worst = fmax(worst, shrunk / most);
            assert_true(shrunk <= most * 1.001 + 1e-6);
        }
    }
    assert_true(worst > 0.3); // not so far above that it says nothing
}

// ---- random roads ----

typedef struct octave {
    double n, power[2], cross;
} octave;

enum { OCTAVES = 25 }; // 0.011 .. 2.83

// Power of the third octaves: every line of the transform is a whole number of waves.
static void octaves_of(const terrain_table *left, const terrain_table *right, octave *o)
{
    const int count = left->count - 1, lines = count / 2 + 1;
    const double length = count * left->step, scale = 2.0 / ((double)count * count);
    double *re[2], *im[2];
    mc_error error;
    for (int k = 0; k < 2; k++) {
        re[k] = malloc((size_t)lines * sizeof(double));
        im[k] = malloc((size_t)lines * sizeof(double));
        assert_int_equal(fft_real(count, k ? right->z : left->z, re[k], im[k], &error), MC_OK);
    }
    for (int k = 0; k < OCTAVES; k++) {
        const double centre = 0.011 * pow(2.0, k / 3.0), side = pow(2.0, 1.0 / 6.0);
        o[k].n = centre;
        for (int i = (int)ceil(centre / side * length); i < centre * side * length; i++) {
            for (int track = 0; track < 2; track++)
                o[k].power[track] +=
                    scale * (re[track][i] * re[track][i] + im[track][i] * im[track][i]);
            o[k].cross += scale * (re[0][i] * re[1][i] + im[0][i] * im[1][i]);
        }
    }
    for (int k = 0; k < 2; k++)
        free(re[k]), free(im[k]);
}

// ISO 8608: Gd(n0) within 5 %, slope -2 within 0.05, mean of 20 seeds (3 in `make test`: their
// spectra are the same); coherence as stated.
static void a_class_has_its_spectrum(void **unused)
{
    (void)unused;
    octave o[OCTAVES] = {{0}};
    const int seeds = series_share() < 1.0 ? 3 : 20;
    for (int seed = 1; seed <= seeds; seed++) {
        arena memory = {0};
        terrain_table left, right;
        mc_error error;
        const terrain_roughness r = {terrain_class('C'),      2.0, 0.005, 4.0, 2000.0, 2.0,
                                     (unsigned long long)seed};
        assert_int_equal(terrain_random(&memory, &r, &left, &right, &error), MC_OK);
        octaves_of(&left, &right, o);
        arena_free(&memory);
    }
    for (int track = 0; track < 2; track++) {
        double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
        for (int k = 0; k < OCTAVES; k++) {
            const double side = pow(2.0, 1.0 / 6.0), width = o[k].n * (side - 1.0 / side);
            const double x = log(o[k].n / 0.1), y = log(o[k].power[track] / seeds / width);
            sx += x, sy += y, sxx += x * x, sxy += x * y;
        }
        const double slope = (OCTAVES * sxy - sx * sy) / (OCTAVES * sxx - sx * sx);
        const double gd = exp((sy - slope * sx) / OCTAVES);
        printf("%s track, %d seeds: Gd(n0) %.4f of the class, slope %.4f\n",
               track ? "right" : "left", seeds, gd / 256e-6, slope);
        near_to(slope, -2.0, 0.05);
        near_to(gd / 256e-6, 1.0, 0.05);
    }
    double worst = 0.0;
    for (int k = 0; k < OCTAVES; k++)
        worst = fmax(worst,
                     fabs(o[k].cross / sqrt(o[k].power[0] * o[k].power[1]) - exp(-2.0 * o[k].n)));
    printf("coherence off by at most %.3f\n", worst);
    assert_true(worst < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_their_sums),
        cmocka_unit_test(every_break_is_found),
        cmocka_unit_test(sides_and_spots),
        cmocka_unit_test(tables_repeat_and_end),
        cmocka_unit_test(a_step_is_met_by_its_corner),
        cmocka_unit_test(slopes_and_arcs),
        cmocka_unit_test(a_steered_cambered_wheel),
        cmocka_unit_test(one_side_is_met_by_one_edge),
        cmocka_unit_test(gaps_keep_their_bound),
        cmocka_unit_test(a_class_has_its_spectrum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
