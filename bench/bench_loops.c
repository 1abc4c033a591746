// bench_loops.c - accelerations of closed mechanisms against Simbody and MuJoCo: the HMMWV with its
// wishbones, one state at a time and in blocks of four lanes, and a row of 40 four-bars; growth of
// time and code with the number of four-bars.
//
// All sides get the same bodies, joints and states, which are closed. Simbody's accelerations agree
// with ours; MuJoCo's constraints are springs, so that its agreement is only as good as they are
// stiff. Timing starts after that.
#include "measure.h"

#include "mechanism/mechanism.h"
#include "motorcade/multibody.h"
#include "support/closed_model.h"
#include "support/peer_kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STATES = 32, COUNT_MAX = 256, ROUNDS = 21 };

static char folder[] = "/tmp/motorcade_bench_XXXXXX";

static void fail(const char *what)
{
    fprintf(stderr, "bench_loops: %s\n", what);
    exit(1);
}

// Processor time with that of the compilers, which run side by side on two cores.
static double worked(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return measure_cpu() + (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void *room(int count)
{
    double *p = aligned_alloc(64, ((size_t)count / 8 + 1) * 64);
    if (!p)
        fail("no memory");
    memset(p, 0, ((size_t)count / 8 + 1) * 64);
    return p;
}

// ---- a mechanism and its states ----------------------------------------------------------------

typedef struct subject {
    mc_multibody *m;
    int nq, nv, rows, states, repeats;
    double *q, *v, *tau; // by states
    double *q_lanes, *v_lanes, *tau_lanes, *vdot_lanes;
    const peer_closed_kind *kind; // of the side that is timed
    void *peer;
} subject;

static void to_lanes(const double *from, int states, int count, double *to)
{
    for (int s = 0; s < states; s++)
        for (int k = 0; k < count; k++)
            to[((s / 4) * count + k) * 4 + s % 4] = from[s * count + k];
}

static void take(subject *s, mc_multibody *m, int states, int repeats)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    *s = (subject){.m = m,
                   .nq = info->q_count,
                   .nv = info->v_count,
                   .rows = m->system.rows.kept_count,
                   .states = states,
                   .repeats = repeats};
    s->q = room(states * s->nq), s->q_lanes = room(states * s->nq);
    s->v = room(states * s->nv), s->v_lanes = room(states * s->nv);
    s->tau = room(states * s->nv), s->tau_lanes = room(states * s->nv);
    s->vdot_lanes = room(states * s->nv);
}

static void set_lanes(subject *s)
{
    to_lanes(s->q, s->states, s->nq, s->q_lanes);
    to_lanes(s->v, s->states, s->nv, s->v_lanes);
    to_lanes(s->tau, s->states, s->nv, s->tau_lanes);
}

static void drop(subject *s)
{
    free(s->q), free(s->v), free(s->tau);
    free(s->q_lanes), free(s->v_lanes), free(s->tau_lanes), free(s->vdot_lanes);
    mc_multibody_free(s->m);
}

static void check_compiled(mc_multibody *m)
{
    const char *message;
    if (mc_multibody_kernel_state(m, &message) != MC_KERNEL_STATE_COMPILED)
        fail(message);
}

// ---- sides -------------------------------------------------------------------------------------

static double time_ours(void *context)
{
    const subject *s = context;
    double vdot[COUNT_MAX], lambda[COUNT_MAX], sum = 0.0;
    const double start = measure_cpu();
    for (int r = 0; r < s->repeats; r++)
        for (int i = 0; i < s->states; i++) {
            mc_multibody_multipliers(s->m, s->q + i * s->nq, s->v + i * s->nv, s->tau + i * s->nv,
                                     vdot, lambda);
            sum += vdot[s->nv - 1] + lambda[0];
        }
    const double taken = measure_cpu() - start;
    if (!isfinite(sum))
        fail("an acceleration is not finite");
    return taken / (s->repeats * s->states);
}

static double time_lanes(void *context)
{
    const subject *s = context;
    const double start = measure_cpu();
    for (int r = 0; r < s->repeats; r++)
        mc_multibody_accelerations_lanes(s->m, s->states / 4, s->q_lanes, s->v_lanes, s->tau_lanes,
                                         s->vdot_lanes);
    return (measure_cpu() - start) / (s->repeats * s->states);
}

static double time_peer(void *context)
{
    const subject *s = context;
    double vdot[COUNT_MAX];
    const double start = measure_cpu();
    for (int i = 0; i < s->states; i++)
        s->kind->accelerations(s->peer, s->q + i * s->nq, s->v + i * s->nv, s->tau + i * s->nv,
                               vdot);
    return (measure_cpu() - start) / s->states;
}

static void open_peer(const subject *s, const peer_closed_kind *kind, double bound, subject *out)
{
    static closed c;
    *out = *s;
    out->kind = kind;
    if (!closed_of_model(s->m, &c))
        fail("the mechanism has a joint that the other programs do not have");
    out->peer = kind->create(&c);
    if (!out->peer)
        exit(1);
    double worst = 0.0;
    for (int i = 0; i < s->states; i++) {
        double ours[COUNT_MAX], theirs[COUNT_MAX], off = 0.0, largest = 0.0;
        const double *q = s->q + i * s->nq, *v = s->v + i * s->nv, *tau = s->tau + i * s->nv;
        mc_multibody_accelerations(s->m, q, v, tau, ours);
        kind->accelerations(out->peer, q, v, tau, theirs);
        for (int k = 0; k < s->nv; k++) {
            off = fmax(off, fabs(ours[k] - theirs[k]));
            largest = fmax(largest, fabs(ours[k]));
        }
        worst = fmax(worst, off / largest);
    }
    fprintf(stderr, "%s: %s agrees to %.1e\n", s->m->model.name, kind->name, worst);
    if (!(worst <= bound))
        fail("the accelerations differ");
}

// ---- the HMMWV with its wishbones --------------------------------------------------------------

static mc_multibody *load_hmmwv(void)
{
    mc_error error;
    const mc_multibody_options options = {.compile = MC_COMPILE_WAIT};
    mc_multibody *m = mc_multibody_load(SOURCE_DIR "/models/hmmwv_loops.yaml", &options, &error);
    if (!m)
        fail(error.text);
    return m;
}

static void hmmwv_states(subject *s)
{
    unsigned long long seed = 1985;
    double y[COUNT_MAX];
    mc_error error;
    for (int i = 0; i < s->states; i++) {
        mc_multibody_start(s->m, y);
        for (int k = 0; k < s->nq; k++)
            y[k] += tree_uniform(&seed, -0.05, 0.05);
        for (int k = 0; k < s->nv; k++)
            y[s->nq + k] = tree_uniform(&seed, -1.0, 1.0);
        mc_multibody_normalise(s->m, y);
        if (mc_multibody_assemble(s->m, 0.0, y, &error) != MC_OK)
            fail(error.text);
        memcpy(s->q + i * s->nq, y, (size_t)s->nq * sizeof *y);
        memcpy(s->v + i * s->nv, y + s->nq, (size_t)s->nv * sizeof *y);
        for (int k = 0; k < s->nv; k++)
            s->tau[i * s->nv + k] = tree_uniform(&seed, -300.0, 300.0);
    }
    set_lanes(s);
}

static void bench_hmmwv(void)
{
    subject s, simbody, mujoco;
    double vdot[COUNT_MAX];
    const double start = worked();
    mc_multibody *m = load_hmmwv();
    take(&s, m, STATES, 40);
    mc_multibody_start(m, vdot);
    mc_multibody_accelerations(m, vdot, s.v, s.tau, vdot + s.nq);
    const double compiled = worked() - start;
    check_compiled(m);
    hmmwv_states(&s);
    open_peer(&s, &peer_simbody_closed, 1e-10, &simbody);
    open_peer(&s, &peer_mujoco_closed, 0.05, &mujoco);
    measure_side sides[] = {{time_ours, &s, 0.0},
                            {time_lanes, &s, 0.0},
                            {time_peer, &simbody, 0.0},
                            {time_peer, &mujoco, 0.0}};
    measure_pin(true);
    measure_sides(sides, 4, ROUNDS);
    measure_pin(false);
    const double scalar = 1e9 * sides[0].seconds, lanes = 1e9 * sides[1].seconds;
    measure_print("hmmwv_loops_fd", "simbody", scalar, 1e9 * sides[2].seconds, "ns", 1);
    measure_print("hmmwv_loops_fd", "mujoco", scalar, 1e9 * sides[3].seconds, "ns", 1);
    measure_print("hmmwv_loops_fd_batch", "simbody", lanes, 1e9 * sides[2].seconds,
                  "ns per vehicle", 1);
    measure_print("hmmwv_loops_fd_batch", "mujoco", lanes, 1e9 * sides[3].seconds, "ns per vehicle",
                  1);
    measure_print("compile_hmmwv_loops", "limit", compiled, 2.0, "s of processor time", 1);
    peer_simbody_closed.destroy(simbody.peer);
    peer_mujoco_closed.destroy(mujoco.peer);
    drop(&s);
}

// ---- four-bars in a row ------------------------------------------------------------------------

// Posts on the ground, beams between their tops; each beam's end is held by two rows.
static mc_multibody *load_windows(int count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        fail("no memory");
    fprintf(out, "motorcade: multibody\nname: fourbar%d\ngravity: [0, -9.81, 0]\nbodies:\n", count);
    for (int i = 0; i <= count; i++)
        fprintf(out,
                "  post%d: {joint: hinge, at: [%d, 0, 0], axis: z, mass: 1, com: [0, 0.5, 0],\n"
                "          inertia: [0.0833, 0.001, 0.0833]}\n",
                i, i);
    for (int i = 0; i < count; i++)
        fprintf(out,
                "  beam%d: {inboard: post%d, joint: hinge, at: [0, 1, 0], axis: z, mass: 1,\n"
                "          com: [0.5, 0, 0], inertia: [0.001, 0.0833, 0.0833]}\n",
                i, i);
    fprintf(out, "joints:\n");
    for (int i = 0; i < count; i++)
        fprintf(out,
                "  pin%d: {joint: point_on_line, from: post%d, at: [0, 1, 0], to: beam%d,\n"
                "         to_at: [1, 0, 0], axis: z}\n",
                i, i + 1, i);
    fclose(out);
    mc_error error;
    const mc_multibody_options options = {.compile = MC_COMPILE_WAIT};
    mc_multibody *m = mc_multibody_parse(text, "windows", &options, &error);
    if (!m)
        fail(error.text);
    free(text);
    return m;
}

// All posts at one angle: closed as it is.
static void window_states(subject *s)
{
    for (int i = 0; i < s->states; i++) {
        const double angle = 0.4 + 0.6 * sin(1.0 + i), rate = cos(2.0 * i);
        for (int k = 0; k < s->nv; k++) {
            const double sign = k <= s->nv / 2 ? 1.0 : -1.0;
            s->q[i * s->nv + k] = sign * angle;
            s->v[i * s->nv + k] = sign * rate;
            s->tau[i * s->nv + k] = sin(1.0 + i + 3.0 * k);
        }
    }
    set_lanes(s);
}

static void bench_four_bars(void)
{
    subject s, simbody;
    take(&s, load_windows(40), 4, 400);
    window_states(&s);
    open_peer(&s, &peer_simbody_closed, 1e-9, &simbody);
    check_compiled(s.m);
    measure_side sides[] = {{time_ours, &s, 0.0}, {time_peer, &simbody, 0.0}};
    measure_pin(true);
    measure_sides(sides, 2, ROUNDS);
    measure_pin(false);
    measure_print("fourbar40_fd", "simbody", 1e9 * sides[0].seconds, 1e9 * sides[1].seconds, "ns",
                  1);
    peer_simbody_closed.destroy(simbody.peer);
    drop(&s);
}

// The exponent of growth between the last two sizes.
static void bench_growth(void)
{
    static const int count[] = {16, 32, 64};
    double flops[3];
    subject s[3];
    measure_side sides[3];
    for (int k = 0; k < 3; k++) {
        double vdot[COUNT_MAX];
        take(&s[k], load_windows(count[k]), 4, 100);
        window_states(&s[k]);
        mc_multibody_accelerations(s[k].m, s[k].q, s[k].v, s[k].tau, vdot);
        check_compiled(s[k].m);
        flops[k] = mc_multibody_info_of(s[k].m)->forward.flops;
        sides[k] = (measure_side){time_ours, &s[k], 0.0};
    }
    measure_pin(true);
    measure_sides(sides, 3, ROUNDS);
    measure_pin(false);
    fprintf(stderr, "four-bars: 16, 32, 64: %.0f, %.0f, %.0f flops; %.0f, %.0f, %.0f ns\n",
            flops[0], flops[1], flops[2], 1e9 * sides[0].seconds, 1e9 * sides[1].seconds,
            1e9 * sides[2].seconds);
    measure_print("growth_time_fourbar_64", "limit", log2(sides[2].seconds / sides[0].seconds) / 2,
                  1.15, "exponent", 1);
    measure_print("growth_code_fourbar_64", "limit", log2(flops[2] / flops[0]) / 2, 1.15,
                  "exponent", 1);
    for (int k = 0; k < 3; k++)
        drop(&s[k]);
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "bench_loops: %s is left over\n", folder);
}

int main(void)
{
    char cache[96];
    if (!mkdtemp(folder))
        fail("cannot make a folder in /tmp");
    atexit(remove_folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("MOTORCADE_CACHE", cache, 1);
    bench_hmmwv();
    bench_four_bars();
    bench_growth();
    return 0;
}
