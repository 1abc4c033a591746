// excited.c - mechanisms under standard excitations.
#include "analysis/excited.h"

#include "base/text.h"
#include "num/fft.h"
#include "signal/spectrum.h"

#include <math.h>
#include <stdlib.h>

static const double LONGER_MAX = 20.0;
enum { SAMPLES_MAX = 1 << 22, VALUES_MAX = 1 << 27 };

// Hz, of the slowest mode that oscillates.
static double lowest(const plant *p)
{
    double f = HUGE_VAL;
    for (int k = 0; k < p->linear.count; k++)
        if (p->linear.modes[k].frequency > 1e-9 * p->f_max)
            f = fmin(f, p->linear.modes[k].frequency);
    return f;
}

void excited_open(analysis *a, excited *e)
{
    *e = (excited){0};
    plant_open(a, &e->p);
    if (a->status == MC_OK)
        plant_path_open(a, &e->p, analysis_text(a, "input"), analysis_text(a, "output"), &e->path);
    if (a->status != MC_OK)
        return;
    const double low = analysis_number(a, "low"), high = analysis_number(a, "high");
    const double resolution = analysis_number(a, "resolution");
    if (!(e->p.f_max > 0.0) && (isnan(low) || isnan(high))) {
        analysis_reject(a, "no mode oscillates: low and high must be given");
        return;
    }
    e->band.low = isnan(low) ? lowest(&e->p) / 5.0 : low;
    e->band.high = isnan(high) ? 1.5 * e->p.f_max : high;
    e->band.seed = (unsigned long long)analysis_number(a, "seed");
    if (!(e->band.low < e->band.high)) {
        analysis_reject(a, "low is %g Hz, not below high, %g Hz", e->band.low, e->band.high);
        return;
    }
    const double fine = isnan(resolution) ? 0.5 * e->band.low : resolution;
    const signal_plan plan =
        signal_plan_for(2.0 * e->band.high, fine, signal_window_find("rectangle"));
    e->rate = plan.rate;
    e->count = plan.count;
    // Long enough for the slowest mode to die out, unless that would take very long.
    const double quiet = -log(EXCITED_LEFT) / e->p.slowest, longer = quiet / (1.0 - SIGNAL_ACTIVE);
    if (longer > plan.length && longer < LONGER_MAX * plan.length)
        e->count = fft_size((int)ceil(1.001 * longer * plan.rate));
    e->band.length = e->count / e->rate;
    e->sub = plant_substeps(&e->p, e->rate);
    if (e->count > SAMPLES_MAX || 2.0 * e->count * e->sub > VALUES_MAX)
        analysis_reject(a,
                        "%g Hz over %g s take %d samples of %d steps; expected a coarser "
                        "resolution or a lower frequency",
                        e->rate, e->band.length, e->count, e->sub);
    analysis_note(a,
                  "modes up to %.5g Hz; from %.4g to %.4g Hz: rate %g Hz, %d samples, %.5g s, "
                  "lines %.4g Hz apart, no window, %d steps per sample",
                  e->p.f_max, e->band.low, e->band.high, e->rate, e->count, e->band.length,
                  1.0 / e->band.length, e->sub);
}

void excited_close(excited *e)
{
    plant_path_close(&e->path);
    plant_close(&e->p);
}

double *excited_signal(analysis *a, const excited *e, const signal_excitation *by, double amplitude)
{
    const int count = 2 * e->sub * e->count + 1;
    double *u = malloc((size_t)count * sizeof *u);
    if (!u) {
        analysis_no_memory(a);
        return NULL;
    }
    by->fill(&e->band, 0.5 / (e->rate * e->sub), count, u);
    for (int k = 0; k < count; k++)
        u[k] *= amplitude;
    return u;
}

const signal_excitation *excited_find(analysis *a, const char *parameter)
{
    const char *name = analysis_text(a, parameter), *names[16];
    const signal_excitation *by = signal_excitation_find(name);
    int count = 0;
    for (; count < 16 && signal_excitation_at(count); count++)
        names[count] = signal_excitation_at(count)->name;
    if (!by) {
        const char *near = text_nearest(name, names, count);
        analysis_reject(a, "unknown excitation \"%.40s\"; %s%s", name,
                        near ? "did you mean "
                             : "expected chirp, sweep, impulse, step, multi_sine "
                               "or random_road",
                        near ? near : "");
    }
    return by;
}
