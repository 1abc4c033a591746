// higher.c - inertia, modes and energy of directors 4 to 7.
#include "cosserat/higher.h"

#include "base/assert.h"
#include "num/dense.h"
#include "num/vec3.h"

#include <math.h>

#define AT_REST(name, which)                                                                       \
    {                                                                                              \
        name, "1/m", 0.0, -1.0, 1.0, which " at rest"                                              \
    }

const mc_param higher_params[HIGHER_PARAM_COUNT] = {
    [HIGHER_D41 + 0] = {"D41", "1/m", 0.0, -1.0, 1.0, "director 4 along x at rest"},
    [HIGHER_D41 + 1] = {"D42", "1/m", 0.0, -1.0, 1.0, "director 4 along y at rest"},
    [HIGHER_D41 + 2] = {"D43", "1/m", 0.0, -1.0, 1.0, "director 4 along z at rest"},
    [HIGHER_D41 + 3] = {"D51", "1/m", 0.0, -1.0, 1.0, "director 5 along x at rest"},
    [HIGHER_D41 + 4] = {"D52", "1/m", 0.0, -1.0, 1.0, "director 5 along y at rest"},
    [HIGHER_D41 + 5] = {"D53", "1/m", 0.0, -1.0, 1.0, "director 5 along z at rest"},
    [HIGHER_D41 + 6] = {"D61", "1/m", 0.0, -1.0, 1.0, "director 6 along x at rest"},
    [HIGHER_D41 + 7] = {"D62", "1/m", 0.0, -1.0, 1.0, "director 6 along y at rest"},
    [HIGHER_D41 + 8] = {"D63", "1/m", 0.0, -1.0, 1.0, "director 6 along z at rest"},
    [HIGHER_D41 + 9] = {"D71", "1/m", 0.0, -1.0, 1.0, "director 7 along x at rest"},
    [HIGHER_D41 + 10] = {"D72", "1/m", 0.0, -1.0, 1.0, "director 7 along y at rest"},
    [HIGHER_D41 + 11] = {"D73", "1/m", 0.0, -1.0, 1.0, "director 7 along z at rest"},
    [HIGHER_HELD] = {"held", "-", 0.0, 0.0, 1.0, "1: directors 4 to 7 are held at 0"},
};

// Reflections x -> -x, y -> -y, z -> -z leave the body unchanged, so only components that they
// change alike are coupled: X1^2 e1, X1 X2 e2 and X1 X3 e3, for example, all change with x alone.
const int higher_member[HIGHER_GROUPS][3] = {
    {0, 4, 8},  // stretch that varies along x
    {1, 3, 11}, // bending to the side
    {2, 6, 10}, // bending up and down
    {5, 7, 9},  // torsion, with warping
};

void higher_gradient(const double g[HIGHER_SIZE], double h[3][9])
{
    for (int a = 0; a < 3; a++) {
        const double d4 = g[a], d5 = g[3 + a], d6 = g[6 + a], d7 = g[9 + a];
        h[0][3 * a] = 2.0 * d4, h[0][3 * a + 1] = d5, h[0][3 * a + 2] = d6;
        h[1][3 * a] = d5, h[1][3 * a + 1] = 0.0, h[1][3 * a + 2] = d7;
        h[2][3 * a] = d6, h[2][3 * a + 1] = d7, h[2][3 * a + 2] = 0.0;
    }
}

// sym(a'b).
static void symmetric_product(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 9; k += 3)
                sum += a[k + i] * b[k + j] + a[k + j] * b[k + i];
            out[3 * i + j] = 0.5 * sum;
        }
}

// a : S(b) for the stress S(b) = lambda tr(b) I + 2 mu b.
static double work(double lambda, double two_mu, const double a[9], const double b[9])
{
    double sum = 0.0;
    for (int k = 0; k < 9; k++)
        sum += a[k] * b[k];
    return lambda * (a[0] + a[4] + a[8]) * (b[0] + b[4] + b[8]) + two_mu * sum;
}

// With m_n = <X_n^2> and e = sum over n of m_n E_nn, twice the mean of E:S(E) less E:S(E) at the
// centre is
//     2 E:S(e) + sum m_n E_n:S(E_n) + 5/7 (e:S(e) + 2 sum over m, n of m_m m_n E_mn:S(E_mn))
double higher_energy(const higher_constants *c, double lambda, double two_mu, const double f[9],
                     const double g[HIGHER_SIZE])
{
    double h[3][9], strain[9], mean[9] = {0.0}, part[9], sum = 0.0, squares = 0.0;
    higher_gradient(g, h);
    symmetric_product(f, f, strain);
    for (int k = 0; k < 9; k++)
        strain[k] = 0.5 * (strain[k] - (k % 4 == 0));
    for (int m = 0; m < 3; m++) {
        symmetric_product(f, h[m], part);
        sum += c->moment[m] * work(lambda, two_mu, part, part);
        for (int n = 0; n < 3; n++) {
            symmetric_product(h[m], h[n], part);
            for (int k = 0; k < 9; k++) {
                part[k] *= 0.5;
                mean[k] += m == n ? c->moment[m] * part[k] : 0.0;
            }
            squares += c->moment[m] * c->moment[n] * work(lambda, two_mu, part, part);
        }
    }
    sum += 2.0 * work(lambda, two_mu, strain, mean);
    sum += 5.0 / 7.0 * (work(lambda, two_mu, mean, mean) + 2.0 * squares);
    return 0.5 * sum;
}

// Stiffness of small deformations between two components: sum m_n sym(H_n):S(sym(H_n')).
static double stiffness(const higher_constants *c, double lambda, double two_mu, int i, int j)
{
    static const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    double g[2][HIGHER_SIZE] = {{0.0}}, h[2][3][9], part[2][9], sum = 0.0;
    g[0][i] = g[1][j] = 1.0;
    higher_gradient(g[0], h[0]);
    higher_gradient(g[1], h[1]);
    for (int n = 0; n < 3; n++) {
        for (int k = 0; k < 2; k++)
            symmetric_product(identity, h[k][n], part[k]);
        sum += c->moment[n] * work(lambda, two_mu, part[0], part[1]);
    }
    return sum;
}

void higher_constants_of(double mass, const double my[3], double volume_lambda,
                         double volume_two_mu, bool held, higher_constants *out)
{
    for (int i = 0; i < 3; i++)
        out->moment[i] = my[i] / mass;
    const double *m = out->moment;
    out->my[0] = 8.0 / 7.0 * mass * m[0] * m[0];
    out->my[1] = 5.0 / 7.0 * mass * m[0] * m[1];
    out->my[2] = 5.0 / 7.0 * mass * m[0] * m[2];
    out->my[3] = 5.0 / 7.0 * mass * m[1] * m[2];
    for (int k = 0; k < HIGHER_DIRECTORS; k++)
        out->my_inverse[k] = held ? 0.0 : 1.0 / out->my[k];
    for (int group = 0; group < HIGHER_GROUPS; group++) {
        double a[9], square[3], inertia[3];
        for (int i = 0; i < 3; i++)
            inertia[i] = out->my[higher_member[group][i] / 3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                a[3 * j + i] = stiffness(out, volume_lambda, volume_two_mu, higher_member[group][i],
                                         higher_member[group][j]) /
                               sqrt(inertia[i] * inertia[j]);
        const bool found = dense_symmetric_eigen(3, a, square);
        mc_assert(found);
        for (int k = 0; k < 3; k++) {
            out->omega[3 * group + k] = sqrt(square[k]);
            for (int i = 0; i < 3; i++) {
                out->mode[group][3 * i + k] = a[3 * k + i] / sqrt(inertia[i]);
                out->mode_my[group][3 * i + k] = a[3 * k + i] * sqrt(inertia[i]);
            }
        }
    }
}
