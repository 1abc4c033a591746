// test_cone.c - impacts with friction as numbers: energy, cones, Coulomb's law, closed forms.
//
// Random responses are w = A A' for random A of any rank, velocities u = A z: then z is a velocity
// in units in which every mass is 1, the energy is |z|^2 / 2, and impulses change z by A'p. All
// figures of the tests come from z, not from w.
#include "support/planar.h"
#include "support/sample.h"
#include "support/series.h"

#include "contact/cone.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CONTACTS_MAX = 8, FREEDOM = 3 * CONTACTS_MAX + 6 };

typedef struct problem {
    int n, freedom;
    double a[3 * CONTACTS_MAX][FREEDOM], z[FREEDOM];
    double w[9 * CONTACTS_MAX * CONTACTS_MAX], u[3 * CONTACTS_MAX];
} problem;

static void finish(problem *q)
{
    for (int i = 0; i < 3 * q->n; i++) {
        q->u[i] = 0.0;
        for (int m = 0; m < q->freedom; m++)
            q->u[i] += q->a[i][m] * q->z[m];
        for (int j = 0; j < 3 * q->n; j++) {
            double sum = 0.0;
            for (int m = 0; m < q->freedom; m++)
                sum += q->a[i][m] * q->a[j][m];
            q->w[i * 3 * q->n + j] = sum;
        }
    }
}

// Any responses: every contact feels every freedom.
static problem random_problem(unsigned long long *seed, int n, int freedom)
{
    problem q = {.n = n, .freedom = freedom};
    for (int i = 0; i < 3 * n; i++)
        for (int m = 0; m < freedom; m++)
            q.a[i][m] = sample_uniform(seed, -1.0, 1.0);
    for (int m = 0; m < freedom; m++)
        q.z[m] = sample_uniform(seed, -1.0, 1.0);
    finish(&q);
    return q;
}

// Changes z by the impulses; returns the energy.
static double energy_after(problem *q, const double *p)
{
    double energy = 0.0;
    for (int m = 0; m < q->freedom; m++) {
        for (int i = 0; i < 3 * q->n; i++)
            q->z[m] += q->a[i][m] * p[i];
        energy += 0.5 * q->z[m] * q->z[m];
    }
    return energy;
}

static double energy_of(const problem *q)
{
    double energy = 0.0;
    for (int m = 0; m < q->freedom; m++)
        energy += 0.5 * q->z[m] * q->z[m];
    return energy;
}

static void velocities(const problem *q, double *v)
{
    for (int i = 0; i < 3 * q->n; i++) {
        v[i] = 0.0;
        for (int m = 0; m < q->freedom; m++)
            v[i] += q->a[i][m] * q->z[m];
    }
}

typedef struct tally {
    int hit, left_closing;
    double growth, balance, closing; // largest, of the energy before; m/s
} tally;

static void add_impact(problem *q, double mu, double e, tally *sum)
{
    const double before = energy_of(q);
    double lost = 0.0, worst = 0.0, v[3 * CONTACTS_MAX];
    cone_result r;
    cone_impact(q->n, q->w, mu, e, q->u, &r);
    const double after = energy_after(q, r.p);
    velocities(q, v);
    for (int k = 0; k < q->n; k++) {
        const double *p = r.p + 3 * k;
        lost += r.friction_loss[k] + r.restitution_loss[k];
        assert_true(p[0] >= 0.0);
        assert_true(hypot(p[1], p[2]) <= mu * p[0] * (1.0 + 1e-12));
        sum->hit += p[0] > 0.0;
        worst = fmax(worst, -v[3 * k]);
    }
    sum->growth = fmax(sum->growth, (after - before) / before);
    sum->balance = fmax(sum->balance, fabs(before - after - lost) / before);
    sum->closing = fmax(sum->closing, worst);
    sum->left_closing += worst > 1e-9;
}

// What passes from one case of a series to the next.
struct kept {
    unsigned long long seed;
    tally sum;
};

static void print_tally(const char *what, long count, const tally *sum)
{
    printf("%ld %s: %d contacts hit, largest growth of energy %.1e, energy balance %.1e, %d left "
           "closing\n",
           count, what, sum->hit, sum->growth, sum->balance, sum->left_closing);
}

static void energy_never_grows(void **unused)
{
    (void)unused;
    struct kept k = {.seed = 11, .sum.growth = -1.0};
    series s = series_open("impacts", 500000, &k, sizeof k);
    for (long i; series_next(&s, &i);) {
        const int n = 1 + (int)(i % 5);
        problem q = random_problem(&k.seed, n, 3 * n + (int)(i % 7));
        const double mu = pow(10.0, sample_uniform(&k.seed, -2.0, 0.0));
        add_impact(&q, mu, i % 3 == 0 ? 1.0 : sample_uniform(&k.seed, 0.0, 1.0), &k.sum);
    }
    print_tally("impacts", s.count, &k.sum);
    assert_true(k.sum.hit > s.count);
    assert_true(k.sum.growth <= 1e-14);
    assert_true(k.sum.balance <= 1e-12);
    assert_true(1000 * k.sum.left_closing <= s.count);
}

// More contacts than freedoms, and friction up to 3: bodies that jam. Impulses may be large against
// what they change, so the energy balance loses digits; the energy still never grows.
static void jammed_bodies(void **unused)
{
    (void)unused;
    struct kept k = {.seed = 21, .sum.growth = -1.0};
    series s = series_open("jammed", 50000, &k, sizeof k);
    for (long i; series_next(&s, &i);) {
        const int n = 1 + (int)(i % 6);
        const int freedom = 1 + (int)sample_uniform(&k.seed, 0.0, 3.0 * n - 1.0);
        problem q = random_problem(&k.seed, n, freedom);
        const double mu = pow(10.0, sample_uniform(&k.seed, -2.0, 0.5));
        add_impact(&q, mu, i % 3 == 0 ? 1.0 : sample_uniform(&k.seed, 0.0, 1.0), &k.sum);
    }
    print_tally("jammed", s.count, &k.sum);
    assert_true(k.sum.hit > s.count);
    assert_true(k.sum.growth <= 1e-13);
    assert_true(k.sum.balance <= 1e-7);
    assert_true(100 * k.sum.left_closing <= s.count);
}

// Compression: nothing closes, who is pushed does not part, who slips is held back in full.
static void compression_is_coulombs_law(void **unused)
{
    (void)unused;
    struct {
        unsigned long long seed;
        long stick, slip, apart, slow;
        double worst;
    } kept = {.seed = 12};
    series cases = series_open("compression", 150000, &kept, sizeof kept);
    for (long i; series_next(&cases, &i);) {
        const int n = 1 + (int)(i % 4);
        problem q = random_problem(&kept.seed, n, 3 * n + 4);
        const double mu = pow(10.0, sample_uniform(&kept.seed, -2.0, 1.0));
        double p[3 * CONTACTS_MAX], v[3 * CONTACTS_MAX], worst = kept.worst;
        if (cone_compress(n, q.w, mu, q.u, p) >= CONE_SWEEPS) {
            kept.slow++;
            continue;
        }
        energy_after(&q, p);
        velocities(&q, v);
        for (int k = 0; k < n; k++) {
            const double *f = p + 3 * k, *s = v + 3 * k;
            const double size = hypot(f[1], f[2]), speed = hypot(s[1], s[2]);
            worst = fmax(worst, fmax(-s[0], f[0] > 0.0 ? fabs(s[0]) : 0.0));
            worst = fmax(worst, size - mu * f[0]);
            // v_T |p_T| = -|v_T| p_T and |v_T| (mu p_N - |p_T|) = 0
            worst = fmax(worst, speed * (mu * f[0] - size));
            for (int j = 1; j < 3; j++)
                worst = fmax(worst, fabs(s[j] * size + speed * f[j]));
            kept.apart += f[0] <= 0.0;
            kept.stick += f[0] > 0.0 && speed < 1e-10;
            kept.slip += f[0] > 0.0 && speed >= 1e-10;
        }
        kept.worst = worst;
    }
    printf("%ld stick, %ld slip, %ld apart, %ld of %ld slow; largest breach %.1e\n", kept.stick,
           kept.slip, kept.apart, kept.slow, cases.count, kept.worst);
    const long tenth = cases.count / 10;
    assert_true(kept.stick > tenth && kept.slip > tenth && kept.apart > tenth);
    assert_true(100 * kept.slow <= cases.count);
    assert_true(kept.worst < 1e-10);
}

// ---- one contact in a plane: every case by hand ----

// The plane may stand in any direction around the normal; across it nothing moves, or a freedom of
// its own does.
static void planar_cases(void **unused)
{
    (void)unused;
    unsigned long long seed = 13;
    int compared = 0, back = 0;
    double worst = 0.0;
    for (int trial = 0; trial < 5000; trial++) {
        const double mu = sample_uniform(&seed, 0.02, 1.0), e = sample_uniform(&seed, 0.0, 1.0);
        const double turn = sample_uniform(&seed, 0.0, 6.28), across = trial % 2 ? 0.7 : 0.0;
        planar q = {.nn = sample_uniform(&seed, 0.3, 2.0), .tt = sample_uniform(&seed, 0.3, 2.0)};
        q.nt = sample_uniform(&seed, -0.9, 0.9) * sqrt(q.nn * q.tt);
        if (q.nn <= mu * fabs(q.nt))
            continue;
        q.n = sample_uniform(&seed, -1.0, -0.1);
        q.t = sample_uniform(&seed, -1.0, 1.0);
        const planar_result hand = planar_impact(&q, mu, e);
        const double c = cos(turn), s = sin(turn);
        const double w[9] = {q.nn,
                             q.nt * c,
                             q.nt * s,
                             q.nt * c,
                             q.tt * c * c + across * s * s,
                             (q.tt - across) * c * s,
                             q.nt * s,
                             (q.tt - across) * c * s,
                             q.tt * s * s + across * c * c};
        double u[3] = {q.n, q.t * c, q.t * s};
        cone_result r;
        cone_impact(1, w, mu, e, u, &r);
        if (r.rounds > 1)
            continue;
        worst = fmax(worst, fabs(r.p[0] - hand.n) / hand.n);
        worst = fmax(worst, fabs(r.p[1] - c * hand.t) / hand.n);
        worst = fmax(worst, fabs(r.p[2] - s * hand.t) / hand.n);
        back += hand.back;
        compared++;
    }
    printf("%d impacts in a plane, %d slip back: largest difference %.1e\n", compared, back, worst);
    assert_true(compared > 3000 && back > 20);
    assert_true(worst < 1e-12);
}

// Newton's law (v_N after is -e times before, friction from the slip at the end) creates energy in
// some of these; ours in none.
static void newtons_law_would_create_energy(void **unused)
{
    (void)unused;
    unsigned long long seed = 14;
    int newton = 0;
    for (int trial = 0; trial < 5000; trial++) {
        const double mu = 0.6, e = 0.9;
        planar q = {.nn = 1.0, .tt = sample_uniform(&seed, 0.8, 3.0)};
        q.nt = sample_uniform(&seed, -0.95, 0.95) * sqrt(q.tt);
        q.n = -1.0;
        q.t = sample_uniform(&seed, -1.0, 1.0);
        if (q.nn <= mu * fabs(q.nt))
            continue;
        // Newton: as compression with the normal velocity (1 + e) n to be undone.
        planar whole = q;
        whole.n *= 1.0 + e;
        double p_n, p_t;
        int stick;
        planar_compression(&whole, mu, &p_n, &p_t, &stick);
        const double change = p_n * q.n + p_t * q.t +
                              0.5 * (q.nn * p_n * p_n + 2.0 * q.nt * p_n * p_t + q.tt * p_t * p_t);
        newton += change > 1e-3;
        const double w[9] = {q.nn, q.nt, 0.0, q.nt, q.tt, 0.0, 0.0, 0.0, 0.0};
        double u[3] = {q.n, q.t, 0.0};
        cone_result r;
        cone_impact(1, w, mu, e, u, &r);
        const double ours =
            r.p[0] * q.n + r.p[1] * q.t +
            0.5 * (q.nn * r.p[0] * r.p[0] + 2.0 * q.nt * r.p[0] * r.p[1] + q.tt * r.p[1] * r.p[1]);
        assert_true(ours <= 1e-14);
        assert_true(r.p[2] == 0.0); // nothing moves there
    }
    printf("Newton's law creates energy in %d of 5000 impacts\n", newton);
    assert_true(newton > 50);
}

// Nothing gives way along the normal, or nothing closes: nothing happens.
static void nothing_to_do(void **unused)
{
    (void)unused;
    const double stiff[9] = {0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double free_body[9] = {1.0, 0.3, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0, 1.0};
    cone_result r;
    double u[3] = {-1.0, 0.5, 0.0};
    cone_impact(1, stiff, 0.5, 0.5, u, &r);
    assert_true(r.p[0] == 0.0 && r.p[1] == 0.0 && u[0] == -1.0);
    double v[3] = {0.1, 3.0, 0.0};
    cone_impact(1, free_body, 0.5, 0.5, v, &r);
    assert_true(r.p[0] == 0.0 && r.p[1] == 0.0 && r.rounds == 0);
    double still[3] = {0.0, 0.0, 0.0};
    cone_impact(1, free_body, 0.5, 0.5, still, &r);
    assert_true(r.p[0] == 0.0);
    double straight[3] = {-1.0, 0.0, 0.0}; // frictionless as soon as nothing slides
    const double ball[9] = {2.0, 0.0, 0.0, 0.0, 7.0, 0.0, 0.0, 0.0, 7.0};
    cone_impact(1, ball, 0.5, 0.25, straight, &r);
    assert_true(fabs(r.p[0] - 0.625) < 1e-15 && r.p[1] == 0.0 && r.p[2] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_never_grows),
        cmocka_unit_test(jammed_bodies),
        cmocka_unit_test(compression_is_coulombs_law),
        cmocka_unit_test(planar_cases),
        cmocka_unit_test(newtons_law_would_create_energy),
        cmocka_unit_test(nothing_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
