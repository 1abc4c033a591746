// bench_tyre.c - tyre laws: time per wheel, in lanes of AVX2 where the processor has it.
//
// 64 wheels with combined slip, loads and camber as of a car in a turn; with and without aligning
// moment.
#include "measure.h"

#include "base/cpu.h"
#include "parts/tyre.h"

#include <stdio.h>
#include <string.h>

enum { WHEELS = 64, REPEATS = 2000, ROUNDS = 51 };

typedef struct wheels {
    _Alignas(32) double fz[WHEELS], v_x[WHEELS], v_y[WHEELS], v_roll[WHEELS], camber[WHEELS];
    _Alignas(32) double side[WHEELS], mu[WHEELS], x[TYRE_STATE_MAX * WHEELS];
    _Alignas(32) double drive[TYRE_STATE_MAX * WHEELS], fx[WHEELS], fy[WHEELS], mz[WHEELS];
    double p[TYRE_PARAM_MAX];
    const tyre_kind *law;
    bool moment;
    double sum;
} wheels;

static void fill(wheels *w, const tyre_kind *law, bool moment)
{
    memset(w, 0, sizeof *w);
    w->law = tyre_for_spin(law), w->moment = moment;
    tyre_defaults(w->law, w->p);
    for (int i = 0; i < WHEELS; i++) {
        w->fz[i] = 2000.0 + 70.0 * i, w->v_x[i] = 25.0, w->v_y[i] = 1.5 - 0.05 * i;
        w->v_roll[i] = 24.0 + 0.03 * i, w->camber[i] = 0.001 * (i - 32), w->mu[i] = 1.0;
        w->side[i] = i % 2 ? -1.0 : 1.0;
        w->x[i] = 0.0004 * (i - 30), w->x[WHEELS + i] = 0.0008 * (i - 20);
    }
}

static double run(void *context)
{
    wheels *w = context;
    tyre_eval *const eval = tyre_eval_at(w->law, cpu_level_best());
    const tyre_in in = {.fz = w->fz,
                        .v_x = w->v_x,
                        .v_y = w->v_y,
                        .v_roll = w->v_roll,
                        .mu = w->mu,
                        .context = w->law->context,
                        .camber = w->camber,
                        .side = w->side};
    const tyre_out out = {.fx = w->fx, .fy = w->fy, .mz = w->moment ? w->mz : NULL};
    const double start = measure_cpu();
    for (int k = 0; k < REPEATS; k++) {
        eval(w->p, WHEELS, &in, w->x, w->drive, &out);
        w->sum += w->fx[k % WHEELS] + w->fy[k % WHEELS];
    }
    return measure_cpu() - start;
}

int main(void)
{
    static wheels w;
    const tyre_kind *law;
    measure_pin(true);
    for (int k = 0; (law = tyre_kind_at(k)); k++)
        for (int moment = 0; moment < 2; moment++) {
            char name[80];
            fill(&w, law, moment);
            measure_side side = {run, &w, 0.0};
            measure_sides(&side, 1, ROUNDS);
            snprintf(name, sizeof name, "tyre %s%s", law->name, moment ? " with moment" : "");
            measure_print_alone(name, 1e9 * side.seconds / ((double)WHEELS * REPEATS), "ns");
        }
    return w.sum == w.sum ? 0 : 1;
}
