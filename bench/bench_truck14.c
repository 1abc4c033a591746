// bench_truck14.c - a tractor with its semitrailer, 14 bodies, 13 joints, 6 wheels on the ground,
// in steps per second of the engine impulses against ODE's QuickStep and Bullet (20 iterations, 1
// ms); time per step of chains of 8 to 512 bodies; the three-axle truck of the concepts over its
// bump, in times of real time.
//
// All sides start from the same state and are timed over the same motion. Ours fails unless its
// joints are closed to 1e-10 m in every step; what the others reach is printed to stderr.
#include "measure.h"
#include "truck14.h"

#include "mechanism/by_impulses.h"
#include "motorcade/concept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 15, STEPS = 2000, CHAIN_MAX = 512 };

static void fail(const char *what)
{
    fprintf(stderr, "bench_truck14: %s\n", what);
    exit(1);
}

// ---- ours --------------------------------------------------------------------------------------

typedef struct subject {
    impulses *engine;
    double *start; // the state as a block
    int steps;
    double h, open, iterations;
} subject;

static double run_ours(void *context)
{
    subject *s = context;
    mc_error error;
    impulses_restore(s->engine, s->start);
    const double begun = measure_cpu();
    for (int k = 0; k < s->steps; k++) {
        if (impulses_step(s->engine, s->h, &error) != MC_OK)
            fail(error.text);
        s->open = fmax(s->open, impulses_report_of(s->engine)->open);
    }
    return measure_cpu() - begun;
}

static void take(subject *s, impulses *engine, int steps, double h)
{
    *s = (subject){.engine = engine, .steps = steps, .h = h};
    s->start = malloc((size_t)impulses_state_count(engine) * sizeof *s->start);
    if (!s->start)
        fail("no memory");
    impulses_save(engine, s->start);
}

static void load_truck(impulse_run *run)
{
    mc_error error;
    const mc_simulate_options options = {0};
    mc_multibody *m = mc_multibody_load(SOURCE_DIR "/models/truck14.yaml", NULL, &error);
    if (!m)
        fail(error.text);
    double *y = calloc((size_t)mc_multibody_info_of(m)->y_count + 1, sizeof *y);
    if (!y || impulse_run_make(m, &options, run, &error) != MC_OK)
        fail(y ? error.text : "no memory");
    mc_multibody_start(m, y);
    impulses_start(run->engine, 0.0, y);
    free(y);
}

// ---- theirs ------------------------------------------------------------------------------------

static double run_peer(void *context)
{
    const truck14_peer *kind = context;
    void *peer = kind->create();
    const double begun = measure_cpu();
    kind->step(peer, STEPS);
    const double taken = measure_cpu() - begun;
    kind->destroy(peer);
    return taken;
}

static void introduce(const truck14_peer *kind)
{
    void *peer = kind->create();
    double open = 0.0;
    for (int k = 0; k < STEPS; k++) {
        kind->step(peer, 1);
        open = fmax(open, kind->open(peer));
    }
    fprintf(stderr, "%s: after %d steps %.4f m/s, joints open by up to %.1e m\n", kind->name, STEPS,
            kind->speed(peer), open);
    kind->destroy(peer);
}

// ---- chains ------------------------------------------------------------------------------------

// Hinged rods that hang from the ground, alternately about y and x.
static impulses *chain(int count, impulse_body *bodies)
{
    impulse_model m = {.bodies = bodies,
                       .body_count = count,
                       .q_count = count,
                       .v_count = count,
                       .gravity = {0, 0, -9.81},
                       .settings = impulse_settings_default()};
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double y[2 * CHAIN_MAX];
    for (int i = 0; i < count; i++) {
        const int a = i % 2;
        bodies[i] = (impulse_body){.name = "rod",
                                   .body = i,
                                   .inboard = i - 1,
                                   .joint = MB_HINGE,
                                   .mass = 1.0,
                                   .inertia = {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.001},
                                   .com = {0, 0, -0.5},
                                   .on_inboard = {0, 0, i ? -0.5 : 0.0},
                                   .on_body = {0, 0, 0.5},
                                   .q = i,
                                   .v = i,
                                   .freedom_count = 1,
                                   .formula = -1};
        memcpy(bodies[i].inboard_axes, one, sizeof one);
        memcpy(bodies[i].body_axes, one, sizeof one);
        bodies[i].axis[!a] = bodies[i].axis_on_inboard[!a] = bodies[i].axis_on_body[!a] = 1.0;
        bodies[i].across_on_inboard[0][a ? 1 : 2] = bodies[i].across_on_body[a ? 1 : 2] = 1.0;
        bodies[i].across_on_inboard[1][a ? 2 : 0] = 1.0;
        y[i] = 0.3 / (1 + i);
        y[count + i] = 0.0;
    }
    mc_error error;
    impulses *e = impulses_create(&m, &error);
    if (!e)
        fail(error.text);
    impulses_start(e, 0.0, y);
    return e;
}

static void time_chains(void)
{
    static impulse_body bodies[7][CHAIN_MAX];
    subject s[7];
    measure_side side[7];
    for (int k = 0; k < 7; k++) {
        take(&s[k], chain(8 << k, bodies[k]), 4096 >> k, 1e-3);
        side[k] = (measure_side){run_ours, &s[k], 0.0};
    }
    measure_sides(side, 7, ROUNDS);
    for (int k = 0; k < 7; k++) {
        char name[40];
        const double per = side[k].seconds / s[k].steps / (8 << k);
        snprintf(name, sizeof name, "chain%d_impulses_body_step", 8 << k);
        measure_print_alone(name, 1e9 * per, "ns");
        free(s[k].start);
        impulses_destroy(s[k].engine);
    }
}

// ---- the three-axle truck ----------------------------------------------------------------------

static void time_class_7(void)
{
    mc_error error;
    mc_concept *c = mc_concept_load(SOURCE_DIR "/concepts/truck_11t.yaml", &error);
    const mc_concept_ride ride = {.speed = 6.0,
                                  .terrain = SOURCE_DIR "/concepts/terrain/one_bump.yaml"};
    char *text = c ? mc_concept_ride_mechanism(c, &ride, &error) : NULL;
    const mc_multibody_options compiled = {.compile = MC_COMPILE_WAIT};
    mc_multibody *m = text ? mc_multibody_parse(text, "ride", &compiled, &error) : NULL;
    const mc_simulate_options options = {0};
    impulse_run run;
    double *y = m ? calloc((size_t)mc_multibody_info_of(m)->y_count + 1, sizeof *y) : NULL;
    if (!y || impulse_run_make(m, &options, &run, &error) != MC_OK)
        fail(error.text);
    mc_multibody_start(m, y);
    impulses_start(run.engine, 0.0, y);
    subject s;
    take(&s, run.engine, 5 * STEPS, 1e-3);
    measure_side side = {run_ours, &s, 0.0};
    measure_sides(&side, 1, ROUNDS);
    fprintf(stderr, "truck_11t: joints open by up to %.1e m\n", s.open);
    measure_print_alone("truck_11t_real_time", s.steps * s.h / side.seconds, "x");
    free(s.start);
    free(y);
    free(text);
    impulse_run_free(&run);
    mc_multibody_free(m);
    mc_concept_free(c);
}

int main(void)
{
    impulse_run run;
    subject ours;
    load_truck(&run);
    take(&ours, run.engine, STEPS, 1e-3);
    introduce(&truck14_ode);
    introduce(&truck14_bullet);
    measure_side side[3] = {{run_ours, &ours, 0.0},
                            {run_peer, (void *)&truck14_ode, 0.0},
                            {run_peer, (void *)&truck14_bullet, 0.0}};
    measure_sides(side, 3, ROUNDS);
    fprintf(stderr, "impulses: joints open by up to %.1e m\n", ours.open);
    if (!(ours.open <= 1e-10))
        fail("joints are open by more than 1e-10 m");
    const double rate[3] = {STEPS / side[0].seconds, STEPS / side[1].seconds,
                            STEPS / side[2].seconds};
    measure_print("truck14_ode", "ode", rate[0], rate[1], "steps/s", 0);
    measure_print("truck14_bullet", "bullet", rate[0], rate[2], "steps/s", 0);
    time_chains();
    time_class_7();
    free(ours.start);
    mc_multibody *m = run.m;
    impulse_run_free(&run);
    mc_multibody_free(m);
    return 0;
}
