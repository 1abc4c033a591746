// batch_energy.c - energies of deformable vehicles.
#include "cosserat/batch_parts.h"

#include "num/vec3.h"

#include <math.h>
#include <string.h>

// Plastic strain as a matrix; 0 for an elastic chassis.
static void plastic_strain(const cosserat_batch *b, const double *z, double strain[9])
{
    double p[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (b->model.plastic)
        cosserat_gather(z, cosserat_tail_place(b) + PLASTIC_STRAIN, 6, p);
    const double m[9] = {p[0], p[5], p[4], p[5], p[1], p[3], p[4], p[3], p[2]};
    memcpy(strain, m, sizeof m);
}

// Elastic strain E = (F'F - I)/2 - plastic, rate of E, and the elastic energy; norms are of all
// nine components.
static double strain_energy(const cosserat_constants *c, const double f[9], const double w[9],
                            const double plastic[9], double *strain_norm, double *rate_norm)
{
    double trace = 0.0, square = 0.0, rate_square = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double product = 0.0, rate = 0.0;
            for (int k = 0; k < 9; k += 3) {
                product += f[k + i] * f[k + j];
                rate += f[k + i] * w[k + j] + w[k + i] * f[k + j];
            }
            const double strain = 0.5 * (product - (i == j)) - plastic[3 * i + j];
            const double twice = i == j ? 1.0 : 2.0;
            trace += i == j ? strain : 0.0;
            square += twice * strain * strain;
            rate_square += twice * 0.25 * rate * rate;
        }
    *strain_norm = sqrt(square);
    *rate_norm = sqrt(rate_square);
    return 0.5 * (c->volume_lambda * trace * trace + c->volume_two_mu * square);
}

void cosserat_deform(const cosserat_batch *b, const double *z, cosserat_deformation *out)
{
    const cosserat_constants *c = &b->constants;
    double f[9], w[9], plastic[9], g[HIGHER_SIZE];
    cosserat_gather_matrix(z, VALUE_D, f);
    cosserat_gather_matrix(z, VALUE_W, w);
    plastic_strain(b, z, plastic);
    out->elastic = strain_energy(c, f, w, plastic, &out->strain, &out->rate);
    if (!c->seven)
        return;
    cosserat_gather(z, cosserat_tail_place(b), HIGHER_SIZE, g);
    out->elastic += higher_energy(&c->higher, c->volume_lambda, c->volume_two_mu, f, g);
}

// Kinetic energy of the modes of deformation: the director velocities less the rigid rotation that
// carries the same angular momentum, seen in the shear and stretch modes.
static double vibration_kinetic(const cosserat_constants *c, const double f[9], const double w[9])
{
    // Velocity gradient in the body: u = F^-1 W, component a of director i at [3 a + i].
    double u[9];
    for (int i = 0; i < 3; i++) {
        const double column[3] = {w[i], w[3 + i], w[6 + i]};
        double x[3];
        mat3_solve(f, column, x);
        for (int a = 0; a < 3; a++)
            u[3 * a + i] = x[a];
    }
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double shear = u[3 * i + j] + u[3 * j + i];
        sum += 0.5 * c->my[i] * c->my[j] / (c->my[i] + c->my[j]) * shear * shear;
        sum += 0.5 * c->my[k] * u[4 * k] * u[4 * k];
    }
    return sum;
}

double cosserat_vibration(const cosserat_batch *b, const double *z)
{
    const cosserat_constants *c = &b->constants;
    double f[9], w[9];
    cosserat_gather_matrix(z, VALUE_D, f);
    cosserat_gather_matrix(z, VALUE_W, w);
    double sum = vibration_kinetic(c, f, w);
    if (!c->seven)
        return sum;
    // Directors 4 to 7, less what the motion of the first three takes along: W F^-1 g_k.
    double g[HIGHER_VALUES];
    cosserat_gather(z, cosserat_tail_place(b), HIGHER_VALUES, g);
    for (int k = 0; k < HIGHER_DIRECTORS; k++) {
        double x[3], taken[3];
        mat3_solve(f, g + 3 * k, x);
        mat3_mul_vec(w, x, taken);
        for (int j = 0; j < 3; j++) {
            const double own = g[HIGHER_SIZE + 3 * k + j] - taken[j];
            sum += 0.5 * c->higher.my[k] * own * own;
        }
    }
    return sum;
}

// With a drive: the spin of the wheels, the engine's work, losses. On a slope gravity is booked as
// work.
static void drive_energy(const cosserat_batch *b, const double *z, const double sums[SUM_MAX],
                         mc_energy *out)
{
    double spin[WHEELS];
    cosserat_gather(z, VALUE_TYRE + WHEELS * WHEEL_SPIN, WHEELS, spin);
    for (int q = 0; q < WHEELS; q++)
        out->kinetic += 0.5 * b->drive.wheel.inertia * spin[q] * spin[q];
    out->gravity = sums[SUM_GRAVITY];
    out->braked = sums[SUM_BRAKED];
    out->dragged = sums[SUM_DRAGGED];
    out->driven = sums[SUM_DRIVEN];
}

// What directors 4 to 7 add to the height of each spring's end, m.
static void spring_shift(const cosserat_batch *b, const double *z, double shift[WHEELS])
{
    double g[HIGHER_SIZE];
    memset(shift, 0, WHEELS * sizeof *shift);
    if (!b->constants.seven)
        return;
    cosserat_gather(z, cosserat_tail_place(b), HIGHER_SIZE, g);
    for (int q = 0; q < WHEELS; q++)
        for (int k = 0; k < HIGHER_DIRECTORS; k++)
            shift[q] += b->constants.spring_shape[q][k] * g[3 * k + 2];
}

void cosserat_energy(const mc_batch *batch, int i, mc_energy *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    const cosserat_constants *c = &b->constants;
    const double *z = cosserat_values(b, i);
    double r[3], v[3], f[9], w[9], sums[SUM_MAX], shift[WHEELS], bump[WHEELS];
    cosserat_deformation now;
    cosserat_gather(z, VALUE_R, 3, r);
    cosserat_gather(z, VALUE_V, 3, v);
    cosserat_gather(z, cosserat_sums_place(b), b->sum_count, sums);
    cosserat_deform(b, z, &now);
    spring_shift(b, z, shift);
    cosserat_bumps(b, i, bump);
    cosserat_gather_matrix(z, VALUE_D, f);
    cosserat_gather_matrix(z, VALUE_W, w);
    *out = (mc_energy){.kinetic = 0.5 * c->mass * vec3_dot(v, v),
                       .gravity = c->mass * c->gravity * r[2]};
    for (int k = 0; k < 9; k++)
        out->kinetic += 0.5 * c->my[k % 3] * w[k] * w[k];
    if (c->seven) {
        double u[HIGHER_SIZE];
        cosserat_gather(z, cosserat_tail_place(b) + HIGHER_SIZE, HIGHER_SIZE, u);
        for (int k = 0; k < HIGHER_SIZE; k++)
            out->kinetic += 0.5 * c->higher.my[k / 3] * u[k] * u[k];
    }
    out->elastic = now.elastic;
    for (int q = 0; q < WHEELS; q++) {
        const int axle = q / 2;
        const double side = q % 2 ? -c->half_b : c->half_b;
        const double stretch =
            r[2] + c->axle_x[axle] * f[6] + side * f[7] - c->axle_h[axle] * f[8] - c->spring_ref;
        out->spring += b->model.suspension->energy(b->model.suspension_p, c->spring[axle],
                                                   stretch + shift[q] - bump[q]);
    }
    out->vibration = out->elastic + cosserat_vibration(b, z);
    out->damped = sums[SUM_DAMPED];
    out->slipped = sums[SUM_SLIPPED];
    if (b->model.plastic)
        out->crushed = z[BLOCK_LANES * (cosserat_tail_place(b) + PLASTIC_WORK)];
    if (b->model.gear.driven)
        drive_energy(b, z, sums, out);
}
