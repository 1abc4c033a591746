// bench_medusa.c - deformable vehicles: work to reach an accuracy against the published scheme,
// growth with the number of vehicles, and speed against real time.
#include "measure.h"

#include "cosserat/equilibrium.h"
#include "medusa/files.h"
#include "motorcade/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Model 1 of the report's sample file; at rest if asked.
static cosserat_model sample(bool at_rest)
{
    arena a = {0};
    medusa_models models;
    mc_error error;
    if (medusa_models_read("scenarios/medusa/model.dat", &a, &models, &error) != MC_OK) {
        fprintf(stderr, "%s: %s\n", error.file, error.text);
        exit(1);
    }
    cosserat_model model = models.model[0];
    arena_free(&a);
    if (at_rest)
        cosserat_equilibrium(&model, &model.p[COSSERAT_R3], NULL, &error);
    return model;
}

// ---- steering for 10 s: work to reach 1e-5 m ----

typedef struct steering {
    cosserat_scheme scheme;
    double step;
    double end[3]; // m, where it arrives
} steering;

static double steer(void *context)
{
    steering *s = context;
    const cosserat_model model = sample(false);
    mc_batch *batch = cosserat_batch_create(&model, 1, s->scheme, s->step);
    cosserat_batch_place(batch, 0, 0.0, 0.0, 0.0, 20.0, 0.02, 0);
    const double start = measure_cpu();
    batch->kind->advance(batch, 0, 1, 10.0);
    const double taken = measure_cpu() - start;
    double state[64];
    batch->kind->save(batch, 0, state);
    memcpy(s->end, state, sizeof s->end);
    batch->kind->destroy(batch);
    return taken;
}

static double distance(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

// Longest step, by factors of `factor` down from `from`, whose end point is within the tolerance.
static double step_for(cosserat_scheme scheme, double from, double factor, const double truth[3],
                       double tolerance)
{
    for (double step = from;; step *= factor) {
        steering s = {scheme, step, {0}};
        steer(&s);
        if (distance(s.end, truth) <= tolerance)
            return step;
    }
}

static void bench_steering(void)
{
    steering truth = {COSSERAT_EXPONENTIAL, 2e-5, {0}};
    steer(&truth);
    steering ours = {COSSERAT_EXPONENTIAL, 0.0, {0}}, theirs = {COSSERAT_PUBLISHED, 0.0, {0}};
    ours.step = step_for(COSSERAT_EXPONENTIAL, 4e-3, 0.9, truth.end, 1e-5);
    theirs.step = step_for(COSSERAT_PUBLISHED, 4e-6, 0.7, truth.end, 1e-5);
    fprintf(stderr, "steering to 1e-5 m: step %.3g s against %.3g s\n", ours.step, theirs.step);
    double a, b;
    measure_both(steer, &ours, steer, &theirs, 5, &a, &b);
    measure_print("steering_1e-5m", "published", a, b, "CPU s", 1);
}

// ---- sample collision: work to reach 1e-2 in restitution ----

typedef struct crash {
    mc_world_options options;
    double restitution;
} crash;

static double collide_once(void *context)
{
    crash *c = context;
    mc_error error;
    const cosserat_model model = sample(false);
    mc_world *world = mc_world_create(&c->options, &error);
    mc_batch *batch = cosserat_batch_create(
        &model, 2,
        c->options.contact == MC_CONTACT_LAW_PENALTY ? COSSERAT_PUBLISHED : COSSERAT_EXPONENTIAL,
        c->options.step);
    int id;
    cosserat_batch_place(batch, 0, 0.0, 0.0, 0.0, 24.4444, 0.0, 0);
    cosserat_batch_place(batch, 1, 5.0, 0.0, 0.0, 23.1111, 0.0, 0);
    mc_world_give(world, batch, &error);
    mc_world_add(world, batch, 0, &id, &error);
    mc_world_add(world, batch, 1, &id, &error);
    mc_world_start(world, NULL, NULL, &error);
    const double start = measure_cpu();
    mc_world_advance(world, 3.0, &error);
    const double taken = measure_cpu() - start;
    double a[3], b[3];
    batch->kind->momentum(batch, 0, a);
    batch->kind->momentum(batch, 1, b);
    c->restitution = (b[0] - a[0]) / 1573.0 / (24.4444 - 23.1111);
    mc_world_destroy(world);
    return taken;
}

// A sample is the mean of a few runs: one alone is too short to measure after the other side's.
static double collide(void *context)
{
    enum { RUNS = 5 };
    double sum = 0.0;
    for (int k = 0; k < RUNS; k++)
        sum += collide_once(context);
    return sum / RUNS;
}

// The published scheme has three numbers to choose: the cheapest choice that is right is taken.
static crash cheapest_published(double truth)
{
    crash best = {.options = mc_world_defaults()};
    double min = HUGE_VAL;
    static const double steps[] = {5e-5, 2e-4, 5e-4};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        for (double stiffness = 3e9; stiffness < 1e11; stiffness *= 3.1623)
            for (double smallest = 4e-6; smallest > 1e-7; smallest *= 0.5) {
                crash c = {.options = mc_world_defaults()};
                c.options.contact = MC_CONTACT_LAW_PENALTY;
                c.options.threads = 1;
                c.options.step = steps[i];
                c.options.penalty_stiffness = stiffness;
                c.options.penalty_smallest_step = smallest;
                const double taken = collide_once(&c);
                if (fabs(c.restitution - truth) <= 1e-2 && taken < min) {
                    min = taken;
                    best = c;
                }
            }
    return best;
}

static void bench_collision(void)
{
    crash truth = {.options = mc_world_defaults()};
    truth.options.threads = 1;
    truth.options.step = 3e-5;
    collide(&truth);
    crash ours = {.options = mc_world_defaults()};
    ours.options.threads = 1;
    for (ours.options.step = 5e-3;; ours.options.step *= 0.8) {
        collide(&ours);
        if (fabs(ours.restitution - truth.restitution) <= 1e-2)
            break;
    }
    crash theirs = cheapest_published(truth.restitution);
    fprintf(stderr,
            "collision to 1e-2: step %.3g s (restitution %.5f) against step %.3g s, stiffness %.3g "
            "N/m, contact step below %.3g s (%.5f); converged %.5f\n",
            ours.options.step, ours.restitution, theirs.options.step,
            theirs.options.penalty_stiffness, theirs.options.penalty_smallest_step,
            theirs.restitution, truth.restitution);
    double a, b;
    measure_both(collide, &ours, collide, &theirs, 15, &a, &b);
    measure_print("collision_1e-2", "published_tuned", a, b, "CPU s", 1);
    theirs.options.step = 5e-5;
    measure_both(collide, &ours, collide, &theirs, 15, &a, &b);
    measure_print("collision_1e-2", "published_contact_tuned", a, b, "CPU s", 1);
    // As it comes the published scheme never gets there: its contact is soft.
    theirs.options = mc_world_defaults();
    theirs.options.contact = MC_CONTACT_LAW_PENALTY;
    theirs.options.threads = 1;
    theirs.options.step = 5e-5;
    measure_both(collide, &ours, collide, &theirs, 5, &a, &b);
    fprintf(stderr, "published as it comes: restitution %.5f\n", theirs.restitution);
    measure_print("collision_1e-2", "published_as_it_comes", a, b, "CPU s", 1);
}

// ---- growth and real time ----

static const double FREE_STEP = 1e-3; // s, of vehicles that touch no other (medusa --free-step)

typedef struct crowd {
    int copies; // of a row of `cars`
    int cars;
    double spacing; // m
    double slowing; // m/s from car to car
    double duration;
    double step;  // s, of free vehicles; 0: that of contact, too
    double taken; // CPU s
} crowd;

static double drive(void *context)
{
    crowd *c = context;
    mc_error error;
    const cosserat_model model = sample(true);
    mc_world_options options = mc_world_defaults();
    options.threads = 1;
    mc_world *world = mc_world_create(&options, &error);
    const int count = c->copies * c->cars;
    mc_batch *batch = cosserat_batch_create(&model, count, COSSERAT_EXPONENTIAL,
                                            c->step > 0.0 ? c->step : options.step);
    mc_world_give(world, batch, &error);
    for (int i = 0; i < count; i++) {
        int id;
        const int row = i / c->cars, car = i % c->cars;
        cosserat_batch_place(batch, i, c->spacing * car, 20.0 * row, 0.0, 20.0 - c->slowing * car,
                             0.0, 0);
        mc_world_add(world, batch, i, &id, &error);
    }
    mc_world_start(world, NULL, NULL, &error);
    const double start = measure_cpu();
    for (int k = 0; k < (int)lround(c->duration / 0.01); k++)
        mc_world_advance(world, 0.01, &error);
    c->taken = measure_cpu() - start;
    mc_world_destroy(world);
    return c->taken;
}

// Largest errors of place and directors of the steering manoeuvre within 10 s.
static void bench_free_step(void)
{
    const cosserat_model model = sample(false);
    static const double steps[2] = {FREE_STEP, 2e-5};
    mc_batch *batch[2];
    for (int k = 0; k < 2; k++) {
        batch[k] = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, steps[k]);
        cosserat_batch_place(batch[k], 0, 0.0, 0.0, 0.0, 20.0, 0.02, 0);
    }
    double off[2] = {0.0, 0.0};
    for (int row = 0; row < 1000; row++) {
        double state[2][64];
        for (int k = 0; k < 2; k++) {
            batch[k]->kind->advance(batch[k], 0, 1, 0.01);
            batch[k]->kind->save(batch[k], 0, state[k]);
        }
        for (int k = 0; k < 12; k++)
            off[k >= 3] = fmax(off[k >= 3], fabs(state[0][k] - state[1][k]));
    }
    measure_print("free_step_place", "limit", off[0], 1e-5, "m", 1);
    measure_print("free_step_directors", "limit", off[1], 1e-7, "-", 1);
    for (int k = 0; k < 2; k++)
        batch[k]->kind->destroy(batch[k]);
}

static void bench_growth(void)
{
    double a, b;
    crowd many = {100, 100, 30.0, 0.0, 0.1, 0.0, 0.0}, few = {1, 100, 30.0, 0.0, 10.0, 0.0, 0.0};
    measure_both(drive, &many, drive, &few, 5, &a, &b);
    measure_print("free_10000", "real_time", many.duration / a, 1.0, "x", 0);
    crowd longer = {100, 100, 30.0, 0.0, 0.1, FREE_STEP, 0.0};
    double c, d;
    measure_both(drive, &longer, drive, &many, 5, &c, &d);
    measure_print("free_10000_long_step", "real_time", longer.duration / c, 1.0, "x", 0);
    const double steps = 1.0 / mc_world_defaults().step;
    measure_print("growth_free_10000", "n=100", 1e9 * a / (10000.0 * many.duration * steps),
                  1e9 * b / (100.0 * few.duration * steps), "ns per vehicle-step", 1);
    // A hundred pile-ups one after the other against a thousand at once.
    crowd piles = {1000, 10, 3.3, 1.5, 0.5, 0.0, 0.0}, pile = {1, 10, 3.3, 1.5, 0.5, 0.0, 0.0};
    measure_both(drive, &piles, drive, &pile, 3, &a, &b);
    measure_print("growth_pileup_1000", "one_pileup", 1e6 * a / 10000.0, 1e6 * b / 10.0,
                  "us per vehicle", 1);
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "free") != 0) { // "free": vehicles that touch no other alone
        bench_steering();
        bench_collision();
    }
    bench_free_step();
    bench_growth();
    return 0;
}
