// batch_surface.c - the surface of deformable vehicles, its reach, and impulses on it.
//
// The contact surface is the ellipsoid of the block CONTACT, carried by the material: each of its
// points goes where the deformation takes it. Directors 1 to 3 keep it an ellipsoid. Directors 4 to
// 7 bend it; cosserat_surface_toward() then gives the ellipsoid that touches it where its normal is
// known, and contact/cluster.c finds the common normal of two vehicles with that.
#include "cosserat/batch_parts.h"

#include "num/vec3.h"

#include <math.h>
#include <string.h>

enum { TURNS = 50 }; // of the iterations below: each converges by the strain of bending

void cosserat_prepare_surface(cosserat_batch *b)
{
    const double *shape = b->model.shape, *p = b->model.p;
    const double cy = cos(shape[SHAPE_YAW]), sy = sin(shape[SHAPE_YAW]);
    const double cp = cos(shape[SHAPE_PITCH]), sp = sin(shape[SHAPE_PITCH]);
    const double cr = cos(shape[SHAPE_ROLL]), sr = sin(shape[SHAPE_ROLL]);
    const double turn[9] = {cy * cp,
                            cy * sp * sr - sy * cr,
                            cy * sp * cr + sy * sr,
                            sy * cp,
                            sy * sp * sr + cy * cr,
                            sy * sp * cr - cy * sr,
                            -sp,
                            cp * sr,
                            cp * cr};
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        const double axis = p[COSSERAT_A1 + k];
        longest = fmax(longest, axis);
        b->ellipsoid_centre[k] = shape[SHAPE_X + k];
        for (int j = 0; j < 3; j++)
            b->ellipsoid_axes[3 * j + k] = turn[3 * j + k] * axis;
    }
    b->reach_length = vec3_norm(b->ellipsoid_centre) + longest;
}

double cosserat_contact_window(const mc_batch *batch)
{
    return 1.0 / cosserat_look(batch)->constants.max_omega; // one sixth of the shortest period
}

void cosserat_surface(const mc_batch *batch, int i, mc_ellipsoid *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    const double *z = cosserat_values(b, i);
    double f[9], r[3];
    cosserat_gather(z, VALUE_R, 3, r);
    cosserat_gather_matrix(z, VALUE_D, f);
    mat3_mul_vec(f, b->ellipsoid_centre, out->centre);
    for (int j = 0; j < 3; j++)
        out->centre[j] += r[j];
    mat3_mul(f, b->ellipsoid_axes, out->axes);
}

// Turn of the chassis: d1 and d2 made orthonormal.
static void chassis_frame(const double f[9], double frame[9])
{
    double x[3] = {f[0], f[3], f[6]}, y[3] = {f[1], f[4], f[7]}, z[3];
    const double length = vec3_norm(x);
    for (int k = 0; k < 3; k++)
        x[k] /= length;
    const double along = vec3_dot(x, y);
    for (int k = 0; k < 3; k++)
        y[k] -= along * x[k];
    const double width = vec3_norm(y);
    for (int k = 0; k < 3; k++)
        y[k] /= width;
    vec3_cross(x, y, z);
    for (int k = 0; k < 3; k++) {
        frame[3 * k] = x[k];
        frame[3 * k + 1] = y[k];
        frame[3 * k + 2] = z[k];
    }
}

void cosserat_batch_rest_axes(const mc_batch *batch, int i, double axes[9])
{
    const cosserat_batch *b = cosserat_look(batch);
    double f[9], frame[9];
    cosserat_gather_matrix(cosserat_values(b, i), VALUE_D, f);
    chassis_frame(f, frame);
    mat3_mul(frame, b->ellipsoid_axes, axes);
}

// Directors 4 to 7 or their velocities; false where there are none.
static bool higher(const cosserat_batch *b, const double *z, int from, double g[HIGHER_SIZE])
{
    if (b->constants.seven)
        cosserat_gather(z, cosserat_tail_place(b) + from, HIGHER_SIZE, g);
    return b->constants.seven;
}

// Sum of phi_k(X) g_k, added to out.
static void add_higher(const cosserat_batch *b, const double x[3], const double g[HIGHER_SIZE],
                       double out[3])
{
    double phi[HIGHER_DIRECTORS];
    higher_shape(b->constants.higher.moment, x, phi);
    for (int k = 0; k < HIGHER_SIZE; k++)
        out[k % 3] += phi[k / 3] * g[k];
}

// Gradient at X: F + X_n H_n.
static void gradient_at(const double f[9], double h[3][9], const double x[3], double out[9])
{
    for (int k = 0; k < 9; k++)
        out[k] = f[k] + x[0] * h[0][k] + x[1] * h[1][k] + x[2] * h[2][k];
}

// The point s of the unit sphere whose image has the outward normal n: s along A' n, A the gradient
// there times the axes.
bool cosserat_surface_toward(const mc_batch *batch, int i, const double normal[3],
                             mc_ellipsoid *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    const double *z = cosserat_values(b, i);
    double f[9], g[HIGHER_SIZE], h[3][9], x[3], s[3] = {0.0, 0.0, 0.0}, gradient[9], place[3];
    if (!higher(b, z, 0, g))
        return false;
    cosserat_gather_matrix(z, VALUE_D, f);
    higher_gradient(g, h);
    memcpy(gradient, f, sizeof f);
    double change = 1.0;
    for (int turn = 0; turn < TURNS && change > 1e-14; turn++) {
        double next[3];
        mat3_mul(gradient, b->ellipsoid_axes, out->axes);
        mat3_tmul_vec(out->axes, normal, next);
        const double length = vec3_norm(next);
        change = 0.0;
        for (int k = 0; k < 3; k++) {
            change = fmax(change, fabs(next[k] / length - s[k]));
            s[k] = next[k] / length;
        }
        mat3_mul_vec(b->ellipsoid_axes, s, x);
        for (int k = 0; k < 3; k++)
            x[k] += b->ellipsoid_centre[k];
        gradient_at(f, h, x, gradient);
    }
    mat3_mul(gradient, b->ellipsoid_axes, out->axes);
    cosserat_gather(z, VALUE_R, 3, out->centre);
    mat3_mul_vec(f, x, place);
    for (int j = 0; j < 3; j++)
        out->centre[j] += place[j];
    add_higher(b, x, g, out->centre);
    mat3_mul_vec(out->axes, s, place);
    for (int j = 0; j < 3; j++)
        out->centre[j] -= place[j];
    return true;
}

// Upper bound of the further plastic strain when `energy` vibrates: yield starts at an elastic
// energy of limit^2 / (3 two_mu) at least, and the plastic work can take what is above; |Ep'| =
// sqrt(3/2) alpha'.
static double plastic_growth(const cosserat_batch *b, const double *z, double energy)
{
    const double alpha = z[BLOCK_LANES * (cosserat_tail_place(b) + PLASTIC_ALPHA)];
    const double limit = b->plastic.yield + b->plastic.hardening * alpha;
    const double min = limit * limit / (3.0 * b->plastic.two_mu);
    return sqrt(1.5) * fmax(energy - min, 0.0) / limit;
}

// What directors 4 to 7 add: by their largest shape within the reach, as fast as they are and as
// all elastic energy could make them.
static void reach_higher(const cosserat_batch *b, const double *z, double elastic, mc_reach *out)
{
    const higher_constants *c = &b->constants.higher;
    const double square = b->reach_length * b->reach_length;
    double g[HIGHER_SIZE], u[HIGHER_SIZE];
    higher(b, z, 0, g);
    higher(b, z, HIGHER_SIZE, u);
    for (int k = 0; k < HIGHER_DIRECTORS; k++) {
        const double shape = k == 0 ? fmax(square, c->moment[0]) : 0.5 * square;
        const double speed = vec3_norm(u + 3 * k) + sqrt(2.0 * elastic * c->my_inverse[k]);
        out->spread += shape * speed;
        out->radius += shape * (vec3_norm(g + 3 * k) + speed / b->slowest);
    }
}

void cosserat_reach(const mc_batch *batch, int i, mc_reach *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    const double *z = cosserat_values(b, i);
    double w[9], f[9], turn = 0.0, stretch = 0.0;
    cosserat_deformation now;
    cosserat_gather(z, VALUE_R, 3, out->centre);
    cosserat_gather(z, VALUE_V, 3, out->velocity);
    cosserat_gather_matrix(z, VALUE_D, f);
    cosserat_gather_matrix(z, VALUE_W, w);
    cosserat_deform(b, z, &now);
    for (int k = 0; k < 9; k++) {
        turn += w[k] * w[k];
        stretch += f[k] * f[k] / 3.0; // 1 for a rigid body
    }
    // What sits in the elastic modes can all become director velocity: sum my_i |w_i|^2 / 2 <= E.
    out->spread = b->reach_length * (sqrt(turn) + sqrt(2.0 * now.elastic / b->min_my));
    // A stretch grows by its rate over the slowest elastic frequency at most.
    out->radius =
        b->reach_length * (1.02 * sqrt(stretch) + 2.0 * (now.strain + now.rate / b->slowest));
    if (b->model.plastic)
        out->radius +=
            2.0 * b->reach_length * plastic_growth(b, z, cosserat_vibration(b, z) + now.elastic);
    if (b->constants.seven)
        reach_higher(b, z, now.elastic, out);
    out->acceleration = 10.0 * fabs(b->constants.gravity) + 10.0;
}

// Material coordinates of a world point: X with F X + sum of phi_k(X) g_k = point - r.
static void material(const cosserat_batch *b, const double *z, const double point[3], double x[3])
{
    double f[9], r[3], g[HIGHER_SIZE], h[3][9], gradient[9];
    cosserat_gather(z, VALUE_R, 3, r);
    cosserat_gather_matrix(z, VALUE_D, f);
    const double offset[3] = {point[0] - r[0], point[1] - r[1], point[2] - r[2]};
    mat3_solve(f, offset, x);
    if (!higher(b, z, 0, g))
        return;
    higher_gradient(g, h);
    double change = 1.0;
    for (int turn = 0; turn < TURNS && change > 1e-15 * b->reach_length; turn++) { // Newton's
        double left[3];
        mat3_mul_vec(f, x, left);
        add_higher(b, x, g, left);
        for (int j = 0; j < 3; j++)
            left[j] = offset[j] - left[j];
        gradient_at(f, h, x, gradient);
        mat3_solve(gradient, left, left);
        for (int j = 0; j < 3; j++)
            x[j] += left[j];
        change = vec3_norm(left);
    }
}

void cosserat_point_velocity(const mc_batch *batch, int i, const double point[3], double out[3])
{
    const cosserat_batch *b = cosserat_look(batch);
    const double *z = cosserat_values(b, i);
    double x[3], w[9], v[3], u[HIGHER_SIZE];
    material(b, z, point, x);
    cosserat_gather(z, VALUE_V, 3, v);
    cosserat_gather_matrix(z, VALUE_W, w);
    mat3_mul_vec(w, x, out);
    for (int j = 0; j < 3; j++)
        out[j] += v[j];
    if (higher(b, z, HIGHER_SIZE, u))
        add_higher(b, x, u, out);
}

// An impulse J at the material point X: m dv = J, my_i dw_i = X^i J. So the point Y gets
// (1/m + sum X^i Y^i / my_i) J: the answer is parallel to the impulse. Directors 4 to 7 do the same
// with phi_k in place of X^i.
void cosserat_impulse_response(const mc_batch *batch, int i, const double point[3],
                               const double impulse[3], const double seen[3], double out[3])
{
    const cosserat_batch *b = cosserat_look(batch);
    const double *z = cosserat_values(b, i);
    double x[3], y[3];
    material(b, z, point, x);
    material(b, z, seen, y);
    double mobility = b->constants.mass_inverse;
    for (int k = 0; k < 3; k++)
        mobility += x[k] * y[k] * b->constants.my_inverse[k];
    if (b->constants.seven) {
        double at[HIGHER_DIRECTORS], answer[HIGHER_DIRECTORS];
        higher_shape(b->constants.higher.moment, x, at);
        higher_shape(b->constants.higher.moment, y, answer);
        for (int k = 0; k < HIGHER_DIRECTORS; k++)
            mobility += at[k] * answer[k] * b->constants.higher.my_inverse[k];
    }
    for (int j = 0; j < 3; j++)
        out[j] = mobility * impulse[j];
}

void cosserat_apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3])
{
    const cosserat_batch *b = cosserat_look(batch);
    double *z = cosserat_values(b, i), x[3];
    material(b, z, point, x);
    for (int j = 0; j < 3; j++) {
        z[BLOCK_LANES * (VALUE_V + j)] += impulse[j] * b->constants.mass_inverse;
        for (int k = 0; k < 3; k++)
            z[BLOCK_LANES * (VALUE_W + 3 * k + j)] +=
                x[k] * impulse[j] * b->constants.my_inverse[k];
    }
    if (!b->constants.seven)
        return;
    double phi[HIGHER_DIRECTORS];
    higher_shape(b->constants.higher.moment, x, phi);
    for (int k = 0; k < HIGHER_SIZE; k++)
        z[BLOCK_LANES * (cosserat_tail_place(b) + HIGHER_SIZE + k)] +=
            phi[k / 3] * impulse[k % 3] * b->constants.higher.my_inverse[k / 3];
}
