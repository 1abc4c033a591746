// spectrum.c - spectra: of a column of a file, or of the free motion of a mechanism beside its
// modes.
//
// Without a column a mechanism is released from its rest, displaced a little along all of its
// modes at once, and the spectra of all coordinates are added. Rate, length and window follow from
// the highest mode and from the closest two that ring (damping below RINGS). Peaks whose own width
// says that they do not ring are not reported: an overdamped mode has no peak.
#include "analysis/plant.h"
#include "analysis/series.h"
#include "base/text.h"
#include "num/fft.h"
#include "signal/spectrum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RINGS = 0.1; // damping ratio
enum { PEAKS_MAX = 64, SAMPLES_MAX = 1 << 22 };

static const mc_analysis_parameter parameters[] = {
    {"column", MC_ANALYSIS_FORM_TEXT, "", NULL, 0, 0,
     "of the file; mechanism: default: its free motion, beside its modes", false},
    {"with", MC_ANALYSIS_FORM_TEXT, "", NULL, 0, 0,
     "second column: coherence and transfer function from the first to it", false},
    {"derivative", MC_ANALYSIS_FORM_WHOLE, "", "0", 0, 2,
     "of the column: 2 makes an acceleration of a position", false},
    {"window", MC_ANALYSIS_FORM_TEXT, "", "hann", 0, 0,
     "hann, rectangle, hamming, blackman or flat_top", false},
    {"resolution", MC_ANALYSIS_FORM_NUMBER, "Hz", NULL, 1e-6, 1e6,
     "distance of lines that are told apart; default: the whole record; mechanism: by its modes",
     false},
    {"share", MC_ANALYSIS_FORM_NUMBER, "", "0.01", 1e-6, 1, "of the largest line that is a peak",
     false},
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "mechanism: NAME=VALUE", false},
    {"hold", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "mechanism: coordinate or state that is held",
     false},
};

static const signal_window *find_window(analysis *a)
{
    const char *name = analysis_text(a, "window");
    const signal_window *w = signal_window_find(name);
    if (!w)
        analysis_reject(a,
                        "unknown window \"%.40s\"; expected hann, rectangle, hamming, blackman "
                        "or flat_top",
                        name);
    return w;
}

// ---- columns ----

static void print_peaks(analysis *a, const double *amplitude, int count, double step,
                        const signal_window *w)
{
    signal_peak peaks[PEAKS_MAX];
    const int found =
        signal_peaks(amplitude, count, step, w, analysis_number(a, "share"), peaks, PEAKS_MAX);
    analysis_table(a, "peaks", "frequency [Hz]|amplitude|width [Hz]");
    for (int k = 0; k < found; k++) {
        const double row[] = {peaks[k].frequency, peaks[k].amplitude, peaks[k].width};
        analysis_row(a, NULL, row);
    }
}

static void of_column(analysis *a, const signal_window *w)
{
    analysis_series s;
    analysis_series_read(a, analysis_text(a, "column"), &s);
    if (a->status != MC_OK)
        return;
    analysis_differentiate(&s, (int)analysis_number(a, "derivative"));
    const double resolution = analysis_number(a, "resolution");
    int size = s.count - s.count % 2;
    if (!isnan(resolution) && w->lobe * s.rate / resolution < size)
        size = (int)ceil(w->lobe * s.rate / resolution / 2.0) * 2;
    signal_welch welch = {0};
    a->status = signal_welch_make(s.x, NULL, s.count, s.rate, size, w, &welch, a->error);
    double *amplitude = a->status == MC_OK ? malloc((size_t)welch.count * sizeof *amplitude) : NULL;
    if (a->status == MC_OK && !amplitude)
        analysis_no_memory(a);
    if (a->status == MC_OK)
        a->status = signal_amplitude(s.x, size, w, amplitude, a->error);
    if (a->status == MC_OK) {
        analysis_note(a,
                      "%d rows at %.6g Hz; %d segment%s of %.5g s, window %s: lines %.4g Hz "
                      "apart, two are told apart from %.4g Hz on; up to %.5g Hz",
                      s.count, s.rate, welch.segments, welch.segments == 1 ? "" : "s",
                      size / s.rate, w->name, welch.step, w->lobe * welch.step, s.rate / 2.0);
        if (s.unit[0])
            analysis_note(a, "unit %s", s.unit);
        print_peaks(a, amplitude, welch.count, welch.step, w);
        analysis_table(a, "spectrum", "frequency [Hz]|amplitude|density [1/Hz]");
        for (int k = 1; k < welch.count; k++) {
            const double row[] = {k * welch.step, amplitude[k], welch.xx[k]};
            analysis_row(a, NULL, row);
        }
        analysis_curves(a, true);
    }
    free(amplitude);
    signal_welch_free(&welch);
    free(s.x);
}

static void of_two(analysis *a, const signal_window *w)
{
    analysis_series x, y = {0};
    signal_welch s = {0};
    analysis_series_read(a, analysis_text(a, "column"), &x);
    if (a->status == MC_OK)
        analysis_series_read(a, analysis_text(a, "with"), &y);
    if (a->status == MC_OK) {
        const double resolution = analysis_number(a, "resolution");
        int size = fft_size(x.count / 8);
        if (!isnan(resolution) && w->lobe * x.rate / resolution < x.count)
            size = (int)ceil(w->lobe * x.rate / resolution / 2.0) * 2;
        a->status = signal_welch_make(x.x, y.x, x.count, x.rate, size, w, &s, a->error);
    }
    if (a->status == MC_OK) {
        analysis_note(a, "%d segments of %.5g s, window %s", s.segments, s.size / x.rate, w->name);
        analysis_table(a, "transfer", "frequency [Hz]|magnitude|phase [deg]|coherence");
        for (int k = 1; k < s.count; k++) {
            const double size = hypot(s.xy_re[k], s.xy_im[k]);
            const double row[] = {k * s.step, s.xx[k] > 0.0 ? size / s.xx[k] : NAN,
                                  atan2(s.xy_im[k], s.xy_re[k]) * 180.0 / M_PI,
                                  signal_coherence(&s, k)};
            analysis_row(a, NULL, row);
        }
        analysis_curves(a, true);
    }
    signal_welch_free(&s);
    free(x.x);
    free(y.x);
}

// ---- free motion ----

typedef struct ringing { // coordinates of a run, row by row
    int q_count, count, room;
    double *q;
} ringing;

static void take_row(void *context, double t, const double *y, const double *outputs)
{
    ringing *r = context;
    (void)t, (void)outputs;
    if (r->count < r->room)
        memcpy(r->q + (size_t)r->count++ * (size_t)r->q_count, y, (size_t)r->q_count * sizeof *y);
}

// y displaced along the shapes of all modes; each to 1e-3 of its unit.
static void displace(const plant *p, double *y)
{
    const mc_linear *l = &p->linear;
    const mc_multibody_info *info = mc_multibody_info_of(p->m);
    memcpy(y, p->y, (size_t)info->y_count * sizeof *y);
    for (int k = 0; k < l->count; k++) {
        if (l->modes[k].imaginary <= 0.0)
            continue;
        for (int i = 0; i < l->position_count; i++) {
            const double by = 1e-3 * l->shape_real[(size_t)i + (size_t)l->count * (size_t)k];
            for (int j = 0; j < info->q_count; j++)
                y[j] += by * l->along[(size_t)j + (size_t)info->q_count * (size_t)i];
        }
    }
}

// The smallest distance of two modes that ring, Hz, and the lowest of them.
static double closest(const mc_linear *l, double *lowest)
{
    double least = HUGE_VAL;
    *lowest = HUGE_VAL;
    for (int i = 0; i < l->count; i++) {
        const mc_linear_mode *a = &l->modes[i];
        if (a->imaginary <= 0.0 || a->damping >= RINGS)
            continue;
        *lowest = fmin(*lowest, a->frequency);
        for (int k = 0; k < i; k++) {
            const mc_linear_mode *b = &l->modes[k];
            const double apart = fabs(a->frequency - b->frequency);
            if (b->imaginary > 0.0 && b->damping < RINGS && apart > 1e-6 * a->frequency)
                least = fmin(least, apart);
        }
    }
    return least;
}

static signal_plan plan_for(analysis *a, const plant *p, const signal_window *w)
{
    double lowest;
    const double apart = closest(&p->linear, &lowest), given = analysis_number(a, "resolution");
    double fine = isnan(given) ? fmin(0.5 * apart, 0.05 * fmin(lowest, p->f_max)) : given;
    fine = fmax(fine, p->f_max * 20.0 / SAMPLES_MAX);
    return signal_plan_for(p->f_max, fine, w);
}

// The spectra of all coordinates, added; each scaled to its largest line.
static void add_spectra(analysis *a, const ringing *r, const signal_window *w, double *sum)
{
    const int n = r->room - r->room % 2, lines = n / 2 + 1;
    double *x = malloc((size_t)(n + lines) * sizeof *x);
    if (!x)
        analysis_no_memory(a);
    for (int j = 0; j < r->q_count && a->status == MC_OK; j++) {
        double *amplitude = x + n, most = 0.0;
        for (int k = 0; k < n; k++)
            x[k] = r->q[(size_t)k * (size_t)r->q_count + (size_t)j];
        a->status = signal_amplitude(x, n, w, amplitude, a->error);
        for (int k = 1; k < lines; k++)
            most = fmax(most, amplitude[k]);
        for (int k = 0; k < lines && most > 1e-12; k++)
            sum[k] += amplitude[k] / most;
    }
    free(x);
}

static void compare(analysis *a, const plant *p, const double *sum, int lines, double step,
                    const signal_window *w)
{
    signal_peak peaks[PEAKS_MAX];
    const int count =
        signal_peaks(sum, lines, step, w, analysis_number(a, "share"), peaks, PEAKS_MAX);
    int rings = 0, met = 0;
    analysis_table(a, "modes", "mode [Hz]|damping|peak [Hz]|apart [bins]");
    for (int k = 0; k < p->linear.count; k++) {
        const mc_linear_mode *mode = &p->linear.modes[k];
        if (mode->imaginary <= 0.0)
            continue;
        double best = HUGE_VAL, at = NAN;
        for (int i = 0; i < count; i++)
            if (peaks[i].damping < RINGS && fabs(peaks[i].frequency - mode->frequency) < best) {
                best = fabs(peaks[i].frequency - mode->frequency);
                at = peaks[i].frequency;
            }
        const bool ringing_mode = mode->damping < RINGS;
        const bool shown = ringing_mode && best < 0.05 * mode->frequency;
        const double row[] = {mode->frequency, mode->damping, shown ? at : NAN,
                              shown ? best / step : NAN};
        analysis_row(a, !ringing_mode ? "too damped for a peak" : shown ? "" : "no peak", row);
        rings += ringing_mode;
        met += shown && best <= step;
    }
    int real = 0;
    for (int i = 0; i < count; i++)
        real += peaks[i].damping < RINGS;
    analysis_note(a, "%d peak%s; %d of %d modes with damping below %g met within one bin", real,
                  real == 1 ? "" : "s", met, rings, RINGS);
}

static void of_motion(analysis *a, const signal_window *w)
{
    plant p;
    ringing r = {0};
    double *y = NULL, *sum = NULL;
    plant_open(a, &p);
    if (a->status == MC_OK && !(p.f_max > 0.0))
        analysis_reject(a, "no mode oscillates");
    const signal_plan plan =
        a->status == MC_OK ? plan_for(a, &p, w) : (signal_plan){.rate = 1.0, .count = 2};
    if (a->status == MC_OK) {
        const mc_multibody_info *info = mc_multibody_info_of(p.m);
        r = (ringing){.q_count = info->q_count, .room = plan.count};
        y = malloc(((size_t)info->y_count + 1) * sizeof *y);
        r.q = malloc((size_t)r.room * (size_t)r.q_count * sizeof *r.q);
        sum = calloc((size_t)plan.count, sizeof *sum);
        if (!y || !r.q || !sum)
            analysis_no_memory(a);
    }
    if (a->status == MC_OK) {
        analysis_note(a,
                      "modes up to %.5g Hz: rate %g Hz, %d samples, %.5g s, window %s; lines "
                      "%.4g Hz apart, two are told apart from %.4g Hz on",
                      p.f_max, plan.rate, plan.count, plan.length, w->name, 1.0 / plan.length,
                      plan.resolution);
        displace(&p, y);
        const mc_simulate_options o = {.end = (plan.count - 1) / plan.rate,
                                       .step = 1.0 / plan.rate};
        const mc_simulate_output output = {.row = take_row, .context = &r};
        a->status = mc_multibody_assemble(p.m, 0.0, y, a->error);
        if (a->status == MC_OK)
            a->status = mc_simulate(p.m, &o, y, &output, NULL, NULL, a->error);
    }
    if (a->status == MC_OK)
        r.room = r.count;
    if (a->status == MC_OK)
        add_spectra(a, &r, w, sum);
    if (a->status == MC_OK) {
        const int n = r.room - r.room % 2, lines = n / 2 + 1;
        const double step = plan.rate / n;
        compare(a, &p, sum, lines, step, w);
        analysis_table(a, "spectrum", "frequency [Hz]|amplitude");
        for (int k = 1; k < lines && k * step < 1.5 * p.f_max; k++) {
            const double row[] = {k * step, sum[k]};
            analysis_row(a, NULL, row);
        }
        analysis_curves(a, true);
    }
    free(sum);
    free(y);
    free(r.q);
    plant_close(&p);
}

static void run(analysis *a)
{
    const signal_window *w = find_window(a);
    if (a->status != MC_OK)
        return;
    if (analysis_text(a, "with") && analysis_text(a, "column"))
        of_two(a, w);
    else if (analysis_text(a, "column"))
        of_column(a, w);
    else if (analysis_is_mechanism(a))
        of_motion(a, w);
    else
        analysis_reject(a, "spectrum needs --column (one of the file)");
}

const analysis_kind analysis_spectrum = {
    {"spectrum", "spectrum and peaks of a column, or of a mechanism's free motion beside its modes",
     true, true, parameters, sizeof parameters / sizeof parameters[0], false},
    run};
