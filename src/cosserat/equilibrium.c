// equilibrium.c - Newton's method for rest; eigenvalues of one step for stability.
#include "cosserat/equilibrium.h"

#include "num/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX = COSSERAT_EQUILIBRIUM_MAX, BORDERED = MAX + 1, ITERATIONS = 100 };

// The unknowns: r3, directors 1 to 3 and, unless they are held, 4 to 7.
static int unknowns(const cosserat_model *model)
{
    return model->seven && !(model->higher_p[HIGHER_HELD] > 0.0) ? MAX : COSSERAT_EQUILIBRIUM;
}

// The state of a vehicle at rest.
static void rest_state(const mc_batch *batch, const double *x, int count, double *state)
{
    const int values = cosserat_batch_value_count(batch);
    memset(state, 0, COSSERAT_SAVE_MAX * sizeof *state);
    memcpy(state + VALUE_R + 2, x, COSSERAT_EQUILIBRIUM * sizeof *x); // d follows r
    if (count == MAX)
        memcpy(state + values - HIGHER_VALUES, x + COSSERAT_EQUILIBRIUM, HIGHER_SIZE * sizeof *x);
    state[values] = 1.0; // wheels straight
}

// Accelerations of the unknowns x with everything at rest.
static void accelerations(mc_batch *batch, const double *x, int count, double *out)
{
    double state[COSSERAT_SAVE_MAX], rate[VALUE_MAX];
    rest_state(batch, x, count, state);
    batch->kind->restore(batch, 0, state);
    cosserat_batch_rate(batch, 0, rate);
    out[0] = rate[VALUE_V + 2];
    memcpy(out + 1, rate + VALUE_W, 9 * sizeof *out);
    if (count == MAX)
        memcpy(out + COSSERAT_EQUILIBRIUM, rate + cosserat_batch_value_count(batch) - HIGHER_SIZE,
               HIGHER_SIZE * sizeof *out);
}

static double largest(const double *x, int n)
{
    double size = 0.0;
    for (int k = 0; k < n; k++)
        size = fmax(size, fabs(x[k]));
    return isfinite(size) ? size : HUGE_VAL;
}

static double force_at_rest(const cosserat_model *model, double stiffness, double stretch)
{
    enum { N = 4 };
    _Alignas(32) double s[N], rate[N] = {0}, k[N], damping[N] = {0}, force[N], lost[N];
    for (int l = 0; l < N; l++)
        s[l] = stretch, k[l] = stiffness;
    const suspension_in in = {s, rate, k, damping};
    suspension_eval_at(model->suspension, CPU_PLAIN)(model->suspension_p, N, &in,
                                                     &(suspension_out){force, lost});
    return force[0];
}

// Stretch at which a spring carries its load; linear: where it would if it were linear. Force grows
// as a spring is compressed, so the answer is found between half and twice of what was tried.
static double stretch_at_rest(const cosserat_model *model, double stiffness, double linear)
{
    enum { DOUBLINGS = 60, HALVINGS = 60 };
    const double load = -stiffness * linear;
    double more = linear, less = linear; // compressed
    if (fabs(force_at_rest(model, stiffness, linear) - load) <= 1e-9 * fabs(load))
        return linear;
    for (int k = 0; k < DOUBLINGS && force_at_rest(model, stiffness, more) < load; k++)
        more *= 2.0;
    for (int k = 0; k < DOUBLINGS && force_at_rest(model, stiffness, less) > load; k++)
        less *= 0.5;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (more + less);
        *(force_at_rest(model, stiffness, middle) < load ? &less : &more) = middle;
    }
    return more;
}

// The rigid vehicle on its springs: axle heights from the moments about the other axle.
static void rigid_guess(const cosserat_model *model, double x[MAX])
{
    const double *p = model->p, length = p[COSSERAT_L1] + p[COSSERAT_L2];
    const double weight = p[COSSERAT_MASS] * model->gravity;
    const double front = stretch_at_rest(
        model, p[COSSERAT_C1], -weight * p[COSSERAT_L2] / length / (2.0 * p[COSSERAT_C1]));
    const double rear = stretch_at_rest(model, p[COSSERAT_C2],
                                        -weight * p[COSSERAT_L1] / length / (2.0 * p[COSSERAT_C2]));
    const double rise = front + p[COSSERAT_H1] - rear - p[COSSERAT_H2];
    const double sine = fmin(fmax(rise / length, -0.9), 0.9), cosine = sqrt(1.0 - sine * sine);
    const double d[9] = {cosine, 0.0, sine, 0.0, 1.0, 0.0, -sine, 0.0, cosine};
    memset(x, 0, MAX * sizeof *x);
    memcpy(x + 1, d, sizeof d);
    x[0] = p[COSSERAT_SPRING_REF] + front + p[COSSERAT_H1] * cosine - p[COSSERAT_L1] * sine;
}

// One Newton step: J dx = -f, with a border that keeps the heading, which the forces leave free.
static bool newton_step(mc_batch *batch, const double *x, int count, const double *f,
                        double dx[BORDERED])
{
    double a[BORDERED * BORDERED] = {0};
    const int rows = count + 1;
    for (int j = 0; j < count; j++) {
        const double h = 1e-6;
        double up[MAX], down[MAX], f_up[MAX], f_down[MAX];
        memcpy(up, x, sizeof up);
        memcpy(down, x, sizeof down);
        up[j] += h;
        down[j] -= h;
        accelerations(batch, up, count, f_up);
        accelerations(batch, down, count, f_down);
        for (int i = 0; i < count; i++)
            a[rows * j + i] = (f_up[i] - f_down[i]) / (2.0 * h);
    }
    for (int d = 1; d < count; d += 3) { // tangent of a turn about z: (-d_k2, d_k1, 0)
        a[rows * d + count] = a[rows * count + d] = -x[d + 1];
        a[rows * (d + 1) + count] = a[rows * count + d + 1] = x[d];
    }
    for (int i = 0; i < count; i++)
        dx[i] = -f[i];
    dx[count] = 0.0;
    return dense_solve(rows, a, dx);
}

mc_status cosserat_equilibrium(const cosserat_model *model, double *out, double *residual,
                               mc_error *error)
{
    cosserat_model still = *model; // at rest a drive does nothing
    still.gear.driven = false;
    mc_batch *batch = cosserat_batch_create(&still, 1, COSSERAT_EXPONENTIAL, 1e-3);
    if (!batch)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the equilibrium");
    const int count = unknowns(model);
    double value[MAX], f[MAX], trial[MAX] = {0}, dx[BORDERED], f_trial[MAX];
    rigid_guess(model, value);
    accelerations(batch, value, count, f);
    // Rounding of the elastic forces: a few units in the last place of w^2.
    const double fastest = cosserat_batch_constants(batch)->max_omega;
    const double rounding = 16.0 * DBL_EPSILON * fastest * fastest;
    bool better = true;
    for (int k = 0; k < ITERATIONS && better; k++) {
        better = false;
        if (!newton_step(batch, value, count, f, dx))
            break;
        for (double share = 1.0; share > 1e-6 && !better; share *= 0.5) {
            for (int i = 0; i < count; i++)
                trial[i] = value[i] + share * dx[i];
            accelerations(batch, trial, count, f_trial);
            better = largest(f_trial, count) < largest(f, count);
        }
        if (better) { // continues until rounding stops it
            memcpy(value, trial, sizeof trial);
            memcpy(f, f_trial, (size_t)count * sizeof *f);
        }
    }
    batch->kind->destroy(batch);
    const double left = largest(f, count);
    if (residual)
        *residual = left;
    if (left > rounding + 1e-9)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "no equilibrium found: an acceleration of %.3g remains; the springs "
                            "cannot carry the vehicle upright",
                            left);
    for (int k = 0; k < count; k++) // symmetric: what should be 0 is
        if (fabs(value[k]) < 1e-14)
            value[k] = 0.0;
    memcpy(out, value, (model->seven ? MAX : COSSERAT_EQUILIBRIUM) * sizeof *out);
    return MC_OK;
}

// ---- stability ----

enum { STATE_MAX = VALUE_TYRE + WHEELS * WHEEL_STATE_MAX + HIGHER_VALUES };

// Number k of the states: those of body and wheels, then directors 4 to 7, which are the last of
// the values.
static double state_of(const double *saved, int k, int body, int skipped)
{
    return saved[k < body ? k : skipped + k];
}

double cosserat_spectral_radius(const cosserat_model *model, cosserat_scheme scheme, double step,
                                double speed)
{
    const int wheel_states = model->gear.driven
                                 ? WHEEL_TYRE + tyre_for_spin(model->gear.tyre)->state_count
                                 : model->gear.tyre->state_count;
    const int higher = unknowns(model) == MAX ? HIGHER_VALUES : 0;
    const int body = VALUE_TYRE + WHEELS * wheel_states, states = body + higher;
    double rest[MAX];
    mc_error error;
    mc_batch *batch = cosserat_batch_create(model, 2 * states, scheme, step);
    if (!batch || cosserat_equilibrium(model, rest, NULL, &error) != MC_OK) {
        if (batch)
            batch->kind->destroy(batch);
        return NAN;
    }
    // Every state moved up and down a little, one step, difference of the results. The places x and
    // y change nothing and are left out: with v_x, v_y they would only add double eigenvalues 1.
    double start[COSSERAT_SAVE_MAX], up[COSSERAT_SAVE_MAX], down[COSSERAT_SAVE_MAX];
    const int values = cosserat_batch_value_count(batch);
    rest_state(batch, rest, unknowns(model), start);
    start[VALUE_V] = speed;
    for (int q = 0; q < WHEELS && model->gear.driven; q++)
        start[VALUE_TYRE + WHEELS * WHEEL_SPIN + q] = speed / model->gear.drive[DRIVE_RADIUS];
    const double h = 1e-5;
    for (int k = 0; k < 2 * states; k++) {
        memcpy(up, start, sizeof up);
        up[k / 2 < body ? k / 2 : values - states + k / 2] += k % 2 ? -h : h;
        batch->kind->restore(batch, k, up);
    }
    batch->kind->advance(batch, 0, 2 * states, step);
    double a[STATE_MAX * STATE_MAX], real[STATE_MAX], imaginary[STATE_MAX];
    const int n = states - 2;
    for (int j = 0; j < n; j++) {
        batch->kind->save(batch, 2 * (j + 2), up);
        batch->kind->save(batch, 2 * (j + 2) + 1, down);
        for (int i = 0; i < n; i++)
            a[n * j + i] = (state_of(up, i + 2, body, values - states) -
                            state_of(down, i + 2, body, values - states)) /
                           (2.0 * h);
    }
    batch->kind->destroy(batch);
    for (int k = 0; k < n * n; k++)
        if (!isfinite(a[k]))
            return HUGE_VAL;
    const bool found = dense_eigenvalues(n, a, real, imaginary);
    double radius = found ? 0.0 : HUGE_VAL;
    for (int k = 0; k < n && found; k++)
        if (hypot(real[k] - 1.0, imaginary[k]) > 1e-6) // not the free heading, not the free speed
            radius = fmax(radius, hypot(real[k], imaginary[k]));
    return radius;
}

double cosserat_stability_bound(const cosserat_model *model, cosserat_scheme scheme, double speed,
                                double from)
{
    double stable = 0.0, unstable = from;
    while (cosserat_spectral_radius(model, scheme, unstable, speed) <=
           1.0 + COSSERAT_GROWTH_TOLERANCE) {
        stable = unstable;
        unstable *= 1.03;
        if (unstable > 1.0)
            return 1.0;
    }
    if (stable == 0.0) // unstable already: look below
        for (stable = 0.5 * from; stable > 1e-12; stable *= 0.5) {
            if (cosserat_spectral_radius(model, scheme, stable, speed) <=
                1.0 + COSSERAT_GROWTH_TOLERANCE)
                break;
            unstable = stable;
        }
    while (unstable > 1.0001 * stable) {
        const double middle = 0.5 * (stable + unstable);
        if (cosserat_spectral_radius(model, scheme, middle, speed) <=
            1.0 + COSSERAT_GROWTH_TOLERANCE)
            stable = middle;
        else
            unstable = middle;
    }
    return stable;
}
