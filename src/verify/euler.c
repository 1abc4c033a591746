// euler.c - a body with three unlike inertias, free of forces (Euler's case).
//
// I1 < I2 < I3, M the angular momentum, E the energy. For M^2 > 2 E I2 and w2(0) = 0
//     w1 = sqrt((2 E I3 - M^2)/(I1 (I3 - I1))) cn x
//     w2 = sqrt((2 E I3 - M^2)/(I2 (I3 - I2))) sn x
//     w3 = sqrt((M^2 - 2 E I1)/(I3 (I3 - I1))) dn x
//     x  = t sqrt((I3 - I2)(M^2 - 2 E I1)/(I1 I2 I3))
//     m  = (I2 - I1)(2 E I3 - M^2) / ((I3 - I2)(M^2 - 2 E I1));
// otherwise with 1 and 3 exchanged. Landau and Lifshitz, Mechanics, section 37.
#include "verify/verify.h"
#include "verify/elliptic.h"

#include <math.h>
#include <stddef.h>

static const char body_model[] = "motorcade: multibody\n"
                                 "name: body\n"
                                 "gravity: [0, 0, 0]\n"
                                 "bodies:\n"
                                 "  body: {joint: free, mass: 1, inertia: [2, 3, 4.5]}\n";
static const double inertia[3] = {2.0, 3.0, 4.5};

// ---- closed form -------------------------------------------------------------------------------

typedef struct turning {
    double amplitude[3], speed, m;
    bool about_third; // w3 keeps its sign; otherwise w1 does
} turning;

static turning turning_of(double w1, double w3)
{
    const double *I = inertia;
    const double two_E = I[0] * w1 * w1 + I[2] * w3 * w3;
    const double MM = I[0] * I[0] * w1 * w1 + I[2] * I[2] * w3 * w3;
    const bool third = MM > two_E * I[1];
    const int one = third ? 0 : 2, three = third ? 2 : 0;
    // With 1 and 3 exchanged all brackets change their signs, in pairs.
    const double g = two_E * I[three] - MM, h = MM - two_E * I[one];
    const double span = I[three] - I[one], near = I[three] - I[1];
    turning t = {.about_third = third};
    t.amplitude[one] = sqrt(g / (I[one] * span));
    t.amplitude[1] = sqrt(g / (I[1] * near));
    t.amplitude[three] = sqrt(h / (I[three] * span));
    t.speed = sqrt(near * h / (I[0] * I[1] * I[2]));
    t.m = (I[1] - I[one]) * g / (near * h);
    return t;
}

static void rates_at(const turning *t, double time, double w[3])
{
    const elliptic e = elliptic_functions(t->speed * time, t->m);
    w[0] = t->amplitude[0] * (t->about_third ? e.cn : e.dn);
    w[1] = t->amplitude[1] * e.sn;
    w[2] = t->amplitude[2] * (t->about_third ? e.dn : e.cn);
}

// ---- the motion --------------------------------------------------------------------------------

static mc_status open_body(verify_motion *motion, const double w[3], mc_error *error)
{
    static const char *const names[3] = {"body.wx", "body.wy", "body.wz"};
    mc_status status = verify_motion_open(motion, body_model, "body", "dop853", 1e-13, error);
    if (status != MC_OK)
        return status;
    for (int i = 0; i < 3 && status == MC_OK; i++)
        status = verify_motion_put(motion, names[i], w[i], error);
    if (status != MC_OK)
        verify_motion_close(motion);
    return status;
}

// Angular velocity in body axes, angular momentum in world axes.
static mc_status look(verify_motion *motion, double w[3], double momentum[3], mc_error *error)
{
    static const char *const names[7] = {"body.wx", "body.wy", "body.wz", "body.qw",
                                         "body.qx", "body.qy", "body.qz"};
    double v[7];
    for (int i = 0; i < 7; i++) {
        const mc_status status = verify_motion_get(motion, names[i], &v[i], error);
        if (status != MC_OK)
            return status;
    }
    const double *q = v + 3;
    double l[3];
    for (int i = 0; i < 3; i++) {
        w[i] = v[i];
        l[i] = inertia[i] * v[i];
    }
    // q l q*: l + 2 s (r x l) + 2 r x (r x l), with q = (s, r)
    const double c[3] = {q[2] * l[2] - q[3] * l[1], q[3] * l[0] - q[1] * l[2],
                         q[1] * l[1] - q[2] * l[0]};
    momentum[0] = l[0] + 2.0 * (q[0] * c[0] + q[2] * c[2] - q[3] * c[1]);
    momentum[1] = l[1] + 2.0 * (q[0] * c[1] + q[3] * c[0] - q[1] * c[2]);
    momentum[2] = l[2] + 2.0 * (q[0] * c[2] + q[1] * c[1] - q[2] * c[0]);
    return MC_OK;
}

static mc_status check_instant(verify_sink *sink, verify_motion *motion, const turning *t,
                               const double start[3], double time, mc_error *error)
{
    double w[3], momentum[3], expected[3];
    mc_status status = verify_motion_to(motion, time, error);
    if (status == MC_OK)
        status = look(motion, w, momentum, error);
    if (status != MC_OK)
        return status;
    rates_at(t, time, expected);
    const char *about = t->about_third ? "about 3" : "about 1";
    for (int i = 0; i < 3; i++)
        verify_note(sink, w[i], expected[i], 10.0, "%s: w%d at %g s", about, i + 1, time);
    const double M = hypot(inertia[0] * start[0], inertia[2] * start[2]);
    verify_note(sink,
                hypot(hypot(momentum[0] - inertia[0] * start[0], momentum[1]),
                      momentum[2] - inertia[2] * start[2]) /
                    M,
                0.0, 11.0, "%s: change of angular momentum at %g s", about, time);
    return MC_OK;
}

static mc_status check_start(verify_sink *sink, const double start[3], mc_error *error)
{
    static const double times[] = {0.5, 1.0, 2.0, 5.0, 10.0, 20.0};
    const turning t = turning_of(start[0], start[2]);
    verify_motion motion;
    mc_status status = open_body(&motion, start, error);
    if (status != MC_OK)
        return status;
    for (size_t i = 0; i < sizeof times / sizeof times[0] && status == MC_OK; i++)
        status = check_instant(sink, &motion, &t, start, times[i], error);
    if (status == MC_OK)
        verify_motion_note_drift(sink, &motion, 11.0,
                                 t.about_third ? "about 3: energy drift" : "about 1: energy drift");
    verify_motion_close(&motion);
    return status;
}

static mc_status run_free(verify_sink *sink, mc_error *error)
{
    static const double starts[2][3] = {{1.0, 0.0, 1.5}, {4.0, 0.0, 0.5}};
    mc_status status = check_start(sink, starts[0], error);
    return status == MC_OK ? check_start(sink, starts[1], error) : status;
}

// ---- the tennis racket -------------------------------------------------------------------------

// Nearly all of the turning is about the middle axis; it flips over every 2 K / speed. Begun a
// quarter period early, where w2 = 0, and timed between two zeros of w2.
static mc_status run_racket(verify_sink *sink, mc_error *error)
{
    // w1 and w3 on the separatrix, I1 (I2 - I1) w1^2 = I3 (I3 - I2) w3^2, but for one part in 1e4.
    const double w3 = 2.0;
    const double w1 =
        w3 *
        sqrt(inertia[2] * (inertia[2] - inertia[1]) / (inertia[0] * (inertia[1] - inertia[0]))) *
        (1.0 - 1e-4);
    const double start[3] = {w1, 0.0, w3};
    const turning t = turning_of(w1, w3);
    const double expected = 2.0 * elliptic_quarter(t.m) / t.speed;
    verify_motion motion;
    mc_status status = open_body(&motion, start, error);
    if (status != MC_OK)
        return status;
    double before = 0.0;
    for (int flip = 1; flip <= 3 && status == MC_OK; flip++) {
        status = verify_motion_zero(&motion, "body.wy", 0.05, 1000.0, error);
        if (status == MC_OK)
            verify_note(sink, motion.time - before, expected, 10.0, "time of flip %d", flip);
        before = motion.time;
    }
    if (status == MC_OK)
        verify_motion_note_drift(sink, &motion, 11.0, "energy drift");
    verify_motion_close(&motion);
    return status;
}

const verify_benchmark verify_free_body = {
    .text = {"free-body", "unlike inertias without forces: turning about axis 3 and axis 1, 20 s",
             "elliptic functions: Landau and Lifshitz, Mechanics, section 37"},
    .run = run_free,
};

const verify_benchmark verify_racket = {
    .text = {"racket", "the same body turning about its middle axis flips over and over",
             "complete elliptic integral: Landau and Lifshitz, Mechanics, section 37"},
    .run = run_racket,
};
