// bench_ellipsoid.c - gap of two ellipsoids against libccd's GJK/EPA with support functions.
#include "measure.h"

#include "contact/ellipsoid.h"
#include "num/vec3.h"

#include <ccd/ccd.h>

#include <math.h>
#include <stdio.h>

enum { PAIRS = 2000 };

static ellipsoid first[PAIRS], second[PAIRS];

static double uniform(unsigned long long *state, double low, double high)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void random_ellipsoid(unsigned long long *state, ellipsoid *e)
{
    const double yaw = uniform(state, -3.14, 3.14), c = cos(yaw), s = sin(yaw);
    const double a = uniform(state, 1.0, 2.5), b = uniform(state, 0.7, 1.1);
    const double axes[9] = {c * a, -s * b, 0.0, s * a, c * b, 0.0, 0.0, 0.0, b};
    for (int k = 0; k < 9; k++)
        e->axes[k] = axes[k];
    e->centre[0] = e->centre[1] = e->centre[2] = 0.0;
}

static double ours(void *context)
{
    (void)context;
    double sum = 0.0;
    const double start = measure_cpu();
    for (int k = 0; k < PAIRS; k++) {
        ellipsoid_gap gap;
        ellipsoid_gap_find(&first[k], &second[k], 0, &gap);
        sum += gap.gap;
    }
    const double taken = measure_cpu() - start;
    return sum < 1e300 ? taken / PAIRS : 0.0;
}

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    const ellipsoid *e = object;
    const double n[3] = {direction->v[0], direction->v[1], direction->v[2]};
    double local[3], point[3];
    mat3_tmul_vec(e->axes, n, local);
    const double length = vec3_norm(local);
    for (int k = 0; k < 3; k++)
        local[k] /= length;
    mat3_mul_vec(e->axes, local, point);
    for (int k = 0; k < 3; k++)
        out->v[k] = e->centre[k] + point[k];
}

static double theirs(void *context)
{
    (void)context;
    double sum = 0.0;
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.max_iterations = 200;
    ccd.epa_tolerance = 1e-6;
    const double start = measure_cpu();
    for (int k = 0; k < PAIRS; k++) {
        ccd_real_t depth = 0.0;
        ccd_vec3_t direction, position;
        ccdGJKPenetration(&first[k], &second[k], &ccd, &depth, &direction, &position);
        sum += depth;
    }
    const double taken = measure_cpu() - start;
    return sum < 1e300 ? taken / PAIRS : 0.0;
}

int main(void)
{
    unsigned long long state = 1;
    for (int k = 0; k < PAIRS; k++) { // car-sized, overlapping by 1 to 20 cm
        random_ellipsoid(&state, &first[k]);
        random_ellipsoid(&state, &second[k]);
        second[k].centre[0] = 6.0;
        second[k].centre[1] = uniform(&state, -1.0, 1.0);
        ellipsoid_gap gap;
        ellipsoid_gap_find(&first[k], &second[k], 0, &gap);
        const double overlap = uniform(&state, 0.01, 0.2);
        for (int j = 0; j < 3; j++)
            second[k].centre[j] -= (gap.gap + overlap) * gap.normal[j];
    }
    double a, b;
    measure_both(ours, NULL, theirs, NULL, 11, &a, &b);
    fprintf(stderr, "ellipsoids: ours exact to 1e-12 m, libccd to 1e-6 m\n");
    measure_print("ellipsoid_depth", "libccd", 1e9 * a, 1e9 * b, "ns per pair", 1);
    return 0;
}
