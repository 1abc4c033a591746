// transfer.c - transfer functions by time runs, beside the linearized ones.
//
// The excitation acts, and its response dies out within the length. Where a mode decays too slowly
// for that, input and output are both faded by exp(-a t): the ratio of their transforms is then
// H(a + i w), exactly, and the linearized one is taken at the same place.
#include "analysis/excited.h"
#include "num/fft.h"
#include "signal/spectrum.h"

#include <math.h>
#include <stdlib.h>

enum { LINES = 80 };

static const mc_analysis_parameter parameters[] = {
    EXCITED_PARAMETERS,
    {"excitation", MC_ANALYSIS_FORM_TEXT, "", "chirp", 0, 0,
     "chirp, sweep, impulse, step, multi_sine or random_road", false},
    {"amplitude", MC_ANALYSIS_FORM_NUMBER, "", "0.001", 1e-12, 1e12, "of the excitation, SI",
     false},
    {"derivative", MC_ANALYSIS_FORM_WHOLE, "", "0", 0, 2,
     "of the output: 2 makes an acceleration of a position", false},
};

// Transform of samples, faded; stays: of their differences.
static mc_status transform(const double *x, const excited *e, double decay, int stays, double *room,
                           double *re, double *im, mc_error *error)
{
    for (int k = 0; k < e->count; k++) {
        const double now = stays ? x[k] - (k > 0 ? x[k - 1] : 0.0) : x[k];
        room[k] = now * exp(-decay * k / e->rate);
    }
    return fft_real(e->count, room, re, im, error);
}

typedef struct measured {
    double *u, *y;                 // samples
    double *ure, *uim, *yre, *yim; // lines
    double decay;                  // 1/s
    signal_welch welch;
} measured;

static void measure(analysis *a, excited *e, const signal_excitation *by, measured *m)
{
    const size_t n = (size_t)e->count, lines = n / 2 + 1;
    double *u = excited_signal(a, e, by, analysis_number(a, "amplitude"));
    double *room = malloc((3 * n + 4 * lines) * sizeof *room);
    if (!room)
        analysis_no_memory(a);
    if (a->status != MC_OK) {
        free(u);
        free(room);
        return;
    }
    *m = (measured){.u = room, .y = room + n};
    m->ure = m->y + 2 * n;
    m->uim = m->ure + lines;
    m->yre = m->uim + lines;
    m->yim = m->yre + lines;
    for (int k = 0; k < e->count; k++)
        m->u[k] = u[2 * (size_t)e->sub * (size_t)k];
    plant_run(a, &e->p, &e->path, u, e->count, e->sub, e->rate, m->y);
    const double quiet = (1.0 - SIGNAL_ACTIVE) * e->band.length;
    m->decay = fmax(0.0, -log(EXCITED_LEFT) / quiet - e->p.slowest);
    double *work = m->y + n;
    if (a->status == MC_OK)
        a->status = transform(m->u, e, m->decay, by->stays, work, m->ure, m->uim, a->error);
    if (a->status == MC_OK)
        a->status = transform(m->y, e, m->decay, by->stays, work, m->yre, m->yim, a->error);
    const int size = fft_size(e->count / 16);
    if (a->status == MC_OK)
        a->status = signal_welch_make(m->u, m->y, e->count, e->rate, size,
                                      signal_window_find("hann"), &m->welch, a->error);
    free(u);
}

static void tabulate(analysis *a, const excited *e, const measured *m)
{
    const int order = (int)analysis_number(a, "derivative");
    double most = 0.0, worst = 0.0, largest = 0.0, at = 0.0;
    int last = -1;
    for (int k = 0; k <= e->count / 2; k++)
        most = fmax(most, hypot(m->ure[k], m->uim[k]));
    analysis_table(a, "transfer function",
                   "frequency [Hz]|magnitude|phase [deg]|linear|linear phase [deg]|coherence");
    for (int i = 0; i < LINES; i++) {
        const double f = e->band.low * pow(e->band.high / e->band.low, i / (LINES - 1.0));
        const int k = (int)lround(f * e->count / e->rate);
        if (k == last || k < 1 || k > e->count / 2)
            continue;
        last = k;
        const double real = k * e->rate / e->count;
        const double complex s = m->decay + 2.0 * M_PI * real * I;
        const double complex u = m->ure[k] + I * m->uim[k], y = m->yre[k] + I * m->yim[k];
        const double complex linear = plant_response(&e->p, &e->path, s) * cpow(s, order);
        const double complex h = cabs(u) > 1e-3 * most ? y / u * cpow(s, order) : (double)NAN;
        const int segment = (int)lround(real / m->welch.step);
        const double row[] = {real,
                              cabs(h),
                              carg(h) * 180.0 / M_PI,
                              cabs(linear),
                              carg(linear) * 180.0 / M_PI,
                              signal_coherence(&m->welch, segment)};
        analysis_row(a, NULL, row);
        largest = fmax(largest, cabs(linear));
        if (cabs(h - linear) > worst) {
            worst = cabs(h - linear);
            at = real;
        }
    }
    analysis_curves(a, true);
    analysis_note(a,
                  "largest difference from the linearized one: %.2e of its largest value, at "
                  "%.4g Hz",
                  worst / fmax(largest, 1e-300), at);
}

static void run(analysis *a)
{
    excited e;
    measured m = {0};
    const signal_excitation *by = excited_find(a, "excitation");
    if (a->status != MC_OK)
        return;
    excited_open(a, &e);
    if (a->status == MC_OK)
        measure(a, &e, by, &m);
    if (a->status == MC_OK) {
        analysis_note(a, "%s of %g; %s", by->name, analysis_number(a, "amplitude"), by->doc);
        if (m.decay > 0.0)
            analysis_note(a,
                          "faded by exp(-%.4g t): transfer functions are those at s = %.4g + "
                          "i w",
                          m.decay, m.decay);
        analysis_note(a, "coherence from %d segments of %.4g s", m.welch.segments,
                      m.welch.size / e.rate);
        tabulate(a, &e, &m);
    }
    signal_welch_free(&m.welch);
    free(m.u);
    excited_close(&e);
}

const analysis_kind analysis_transfer = {
    {"transfer",
     "transfer function of a mechanism by a standard excitation, beside the linearized one", true,
     false, parameters, sizeof parameters / sizeof parameters[0], false},
    run};
