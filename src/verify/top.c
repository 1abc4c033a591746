// top.c - the heavy symmetric top on a fixed point (Lagrange's top).
//
// A: inertia about the tip, across the axis; C: about the axis; u = cos of the tilt. Kept are
// p_psi = C w3, p_phi = A sin^2 phi' + p_psi u, and the energy. Then
//     u'^2 = (1 - u^2) (e - b u) - (a_phi - a_psi u)^2,   b = 2 m g h / A,
// a cubic, and u runs between its roots u1 < u2 <= 1 < u3:
//     u = u1 + (u2 - u1) sn^2(p t + K, m),  p = sqrt(b (u3 - u1)) / 2,  m = (u2 - u1)/(u3 - u1).
// Whittaker, Analytical Dynamics, section 71; Goldstein, Classical Mechanics, section 5.7.
#include "verify/elliptic.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

static const char top_model[] = "motorcade: multibody\n"
                                "name: top\n"
                                "gravity: [0, 0, -9.81]\n"
                                "bodies:\n"
                                "  top: {joint: ball, mass: 0.5, com: [0, 0, 0.04],\n"
                                "        inertia: [3e-4, 3e-4, 5e-4]}\n"
                                "points:\n"
                                "  end: {body: top, at: [0, 0, 1]}\n"; // at 1 m: a unit vector

static const double C = 5e-4, A = 3e-4 + 0.5 * 0.04 * 0.04, weight = 0.5 * 9.81 * 0.04;

// Tilted about x, so that the vertical has the body components (0, sin, cos). Turning about the
// vertical at `precession` then needs w_y; w3 is all of the spin about the axis.
static mc_status open_top(verify_motion *motion, double tilt, double w3, double precession,
                          mc_error *error)
{
    mc_status status = verify_motion_open(motion, top_model, "top", "dop853", 1e-13, error);
    if (status != MC_OK)
        return status;
    const struct {
        const char *name;
        double value;
    } start[] = {{"top.qw", cos(0.5 * tilt)},
                 {"top.qx", sin(0.5 * tilt)},
                 {"top.wy", precession * sin(tilt)},
                 {"top.wz", w3}};
    for (int i = 0; i < 4 && status == MC_OK; i++)
        status = verify_motion_put(motion, start[i].name, start[i].value, error);
    if (status != MC_OK)
        verify_motion_close(motion);
    return status;
}

// The end of the axis, and the angular momentum about the vertical through the tip.
typedef struct top_view {
    double x, y, z, p_phi, p_psi;
} top_view;

static mc_status look(verify_motion *motion, top_view *out, mc_error *error)
{
    static const char *const names[] = {"end.x",  "end.y",  "end.z",  "top.qw", "top.qx",
                                        "top.qy", "top.qz", "top.wx", "top.wy", "top.wz"};
    double v[10];
    for (int i = 0; i < 10; i++) {
        const mc_status status = verify_motion_get(motion, names[i], &v[i], error);
        if (status != MC_OK)
            return status;
    }
    // The vertical in body axes is the third row of the rotation matrix.
    const double w = v[3], x = v[4], y = v[5], z = v[6];
    const double e[3] = {2.0 * (x * z - w * y), 2.0 * (y * z + w * x),
                         w * w - x * x - y * y + z * z};
    *out =
        (top_view){v[0], v[1], v[2], A * (v[7] * e[0] + v[8] * e[1]) + C * v[9] * e[2], C * v[9]};
    return MC_OK;
}

// ---- steady precession -------------------------------------------------------------------------

// A cos(tilt) W^2 - C w3 W + m g h = 0. Followed for 2 s; the angle turned over is counted at short
// intervals.
static mc_status check_precession(verify_sink *sink, double tilt, double w3, bool fast,
                                  mc_error *error)
{
    const double a = A * cos(tilt), b = C * w3;
    const double q = 0.5 * (b + sqrt(b * b - 4.0 * a * weight));
    const double expected = fast ? q / a : weight / q, end = 2.0;
    const int count = 2 + (int)(2.0 * expected * end);
    verify_motion motion;
    mc_status status = open_top(&motion, tilt, w3, expected, error);
    if (status != MC_OK)
        return status;
    top_view view = {0}, last = {0};
    status = verify_motion_to(&motion, 0.0, error);
    if (status == MC_OK)
        status = look(&motion, &last, error);
    double turned = 0.0;
    for (int i = 1; i <= count && status == MC_OK; i++) {
        status = verify_motion_to(&motion, end * i / count, error);
        if (status == MC_OK)
            status = look(&motion, &view, error);
        turned += atan2(last.x * view.y - last.y * view.x, last.x * view.x + last.y * view.y);
        last = view;
    }
    const char *which = fast ? "fast" : "slow";
    if (status == MC_OK) {
        verify_note(sink, turned / end, expected, 9.0, "%s precession rate", which);
        verify_note(sink, view.z, cos(tilt), 9.0, "%s: cos of the tilt at %g s", which, end);
        verify_motion_note_drift(sink, &motion, 11.0,
                                 fast ? "fast: energy drift" : "slow: energy drift");
    }
    verify_motion_close(&motion);
    return status;
}

static mc_status run_steady(verify_sink *sink, mc_error *error)
{
    const double tilt = 0.5235987755982988, w3 = 120.0;
    const mc_status status = check_precession(sink, tilt, w3, false, error);
    return status == MC_OK ? check_precession(sink, tilt, w3, true, error) : status;
}

// ---- nutation ----------------------------------------------------------------------------------

typedef struct nutation {
    double u1, u2, p, m; // of the elliptic function
    double a_phi, a_psi; // momenta by A, 1/s
} nutation;

// Released at u2 with spin w3 about its axis and no other motion. There e - b u2 = 0 and a_phi =
// a_psi u2, so (u2 - u) divides the cubic: u'^2 = (u2 - u) (b (1 - u^2) - a_psi^2 (u2 - u)).
static nutation released(double u2, double w3)
{
    const double b = 2.0 * weight / A, a = C * w3 / A;
    // The other factor, -b u^2 + a^2 u + b - a^2 u2, has the roots u1 < u3.
    const double q = a * a + sqrt(a * a * a * a + 4.0 * b * (b - a * a * u2));
    const double u3 = q / (2.0 * b), u1 = -2.0 * (b - a * a * u2) / q;
    return (nutation){u1, u2, 0.5 * sqrt(b * (u3 - u1)), (u2 - u1) / (u3 - u1), a * u2, a};
}

static double cos_tilt(const nutation *n, double t)
{
    const elliptic e = elliptic_functions(n->p * t, n->m);
    const double cd = e.cn / e.dn; // sn(x + K) = cd x
    return n->u1 + (n->u2 - n->u1) * cd * cd;
}

// phi' = (a_phi - a_psi u) / (1 - u^2), integrated by Gauss's rule of five points on short pieces.
static double azimuth(const nutation *n, double t)
{
    static const double point[3] = {0.0, 0.5384693101056830910, 0.9061798459386639928};
    static const double share[3] = {0.5688888888888888889, 0.4786286704993664680,
                                    0.2369268850561890875};
    const int pieces = 20 + (int)(40.0 * n->p * t);
    const double half = 0.5 * t / pieces;
    double sum = 0.0;
    for (int i = 0; i < pieces; i++)
        for (int k = -2; k <= 2; k++) {
            const double offset = copysign(point[abs(k)], k);
            const double u = cos_tilt(n, half * (2 * i + 1 + offset));
            sum += share[abs(k)] * half * (n->a_phi - n->a_psi * u) / (1.0 - u * u);
        }
    return sum;
}

// The axis starts towards -y: its azimuth is -90 deg + phi.
static mc_status check_instant(verify_sink *sink, verify_motion *motion, const nutation *n,
                               double t, mc_error *error)
{
    top_view view;
    mc_status status = verify_motion_to(motion, t, error);
    if (status == MC_OK)
        status = look(motion, &view, error);
    if (status != MC_OK)
        return status;
    const double u = cos_tilt(n, t), phi = azimuth(n, t);
    verify_note(sink, acos(view.z), acos(u), 8.0, "tilt at %g s", t);
    verify_note(sink, view.x, sqrt(1.0 - u * u) * sin(phi), 8.0, "end.x at %g s", t);
    verify_note(sink, view.y, -sqrt(1.0 - u * u) * cos(phi), 8.0, "end.y at %g s", t);
    verify_note(sink, view.p_phi, A * n->a_phi, 11.0, "p_phi at %g s", t);
    verify_note(sink, view.p_psi, A * n->a_psi, 11.0, "p_psi at %g s", t);
    return MC_OK;
}

static mc_status run_nutation(verify_sink *sink, mc_error *error)
{
    static const double times[] = {0.01, 0.05, 0.1, 0.5, 1.0, 2.0};
    const double tilt = 0.5235987755982988, w3 = 80.0; // slow enough to nod by far
    const nutation n = released(cos(tilt), w3);
    verify_motion motion;
    mc_status status = open_top(&motion, tilt, w3, 0.0, error);
    if (status != MC_OK)
        return status;
    for (size_t i = 0; i < sizeof times / sizeof times[0] && status == MC_OK; i++)
        status = check_instant(sink, &motion, &n, times[i], error);
    if (status == MC_OK)
        verify_motion_note_drift(sink, &motion, 11.0, "energy drift");
    verify_motion_close(&motion);
    return status;
}

const verify_benchmark verify_top_steady = {
    .text = {"top-steady", "heavy symmetric top in slow and in fast steady precession, 2 s",
             "closed form: Goldstein, Classical Mechanics, section 5.7"},
    .run = run_steady,
};

const verify_benchmark verify_top_nutation = {
    .text = {"top-nutation",
             "heavy symmetric top released with spin alone: nutation and precession, 2 s",
             "elliptic functions: Whittaker, Analytical Dynamics, section 71"},
    .run = run_nutation,
};
