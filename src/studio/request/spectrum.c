// spectrum.c - amplitude of a quantity by frequency.
//
// Power spectral density after Welch: the stretch is cut into pieces that overlap by half, each is
// freed from its mean, weighted by Hann's window and transformed; squares are averaged. The sum of
// density times the step of frequency is the mean square of the quantity (less its mean). Rows that
// are not evenly spaced are interpolated linearly first.
#include "studio/request/requests.h"

#include "studio/hub/json.h"
#include "studio/request/quantity.h"
#include "studio/request/read.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { PIECE_MAX = 8192, PIECE_MIN = 16 };

// Radix 2, in place; n is a power of two.
static void transform(double complex *x, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            const double complex t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
    }
    for (int length = 2; length <= n; length *= 2)
        for (int k = 0; k < length / 2; k++) {
            const double complex w = cexp(-2.0 * PI * I * k / length);
            for (int i = k; i < n; i += length) {
                const double complex u = x[i], v = w * x[i + length / 2];
                x[i] = u + v;
                x[i + length / 2] = u - v;
            }
        }
}

// Values at even steps; NAN counts as the value before.
static int resample(const quantity_curve *c, double step, double *out, int max)
{
    int n = 0, at = 0;
    double last = 0.0;
    const double end = c->t[c->count - 1];
    for (; n < max; n++) {
        const double t = c->t[0] + n * step;
        if (t > end + 1e-9)
            break;
        while (at + 2 < c->count && c->t[at + 1] < t)
            at++;
        const double share = (t - c->t[at]) / (c->t[at + 1] - c->t[at]);
        const double y = c->y[at] + fmin(fmax(share, 0.0), 1.0) * (c->y[at + 1] - c->y[at]);
        last = isnan(y) ? last : y;
        out[n] = last;
    }
    return n;
}

// density: piece / 2 + 1 values. Returns how many pieces were averaged; 0: no memory.
static int welch(const double *y, int count, int piece, double step, double *density)
{
    double complex *x = malloc((size_t)piece * sizeof *x);
    if (!x)
        return 0;
    double weight = 0.0; // sum of the window's squares
    for (int k = 0; k < piece; k++) {
        const double hann = 0.5 - 0.5 * cos(2.0 * PI * k / piece);
        weight += hann * hann;
    }
    int pieces = 0;
    memset(density, 0, ((size_t)piece / 2 + 1) * sizeof *density);
    for (int first = 0; first + piece <= count; first += piece / 2, pieces++) {
        double mean = 0.0;
        for (int k = 0; k < piece; k++)
            mean += y[first + k] / piece;
        for (int k = 0; k < piece; k++)
            x[k] = (y[first + k] - mean) * (0.5 - 0.5 * cos(2.0 * PI * k / piece));
        transform(x, piece);
        for (int k = 0; k <= piece / 2; k++) {
            const double both = k == 0 || k == piece / 2 ? 1.0 : 2.0; // negative frequencies
            density[k] +=
                both * (creal(x[k]) * creal(x[k]) + cimag(x[k]) * cimag(x[k])) * step / weight;
        }
    }
    for (int k = 0; k <= piece / 2; k++)
        density[k] /= pieces > 0 ? pieces : 1;
    free(x);
    return pieces;
}

typedef struct spectrum {
    double step; // s
    int piece, averages;
    json_t *density;
} spectrum;

static bool spectrum_of(const quantity_curve *c, spectrum *s)
{
    const int max = c->count;
    double *y = malloc((size_t)max * sizeof *y), *density = malloc((PIECE_MAX / 2 + 1) * sizeof *y);
    bool good = y && density;
    if (good) {
        const int n = resample(c, s->step, y, max);
        if (s->piece == 0) { // about seven pieces that overlap
            for (s->piece = PIECE_MIN; 2 * s->piece <= n / 4 && 2 * s->piece <= PIECE_MAX;)
                s->piece *= 2;
        }
        s->averages = n >= s->piece ? welch(y, n, s->piece, s->step, density) : 0;
        good = s->averages > 0;
        s->density = good ? json_values(density, s->piece / 2 + 1) : NULL;
    }
    free(y);
    free(density);
    return good;
}

static json_t *spectra(request *r, branch **branches, int count, const char *vehicle,
                       const char *field, double from, double to)
{
    spectrum s = {0};
    json_t *list = json_array(), *f = json_array(), *numbers = json_array();
    mc_error error = {0};
    for (int k = 0; k < count; k++) {
        history_view view;
        quantity_curve c = {0};
        s.density = NULL;
        if (history_look(&branches[k]->past, &view)) {
            if (!quantity_read(&view, vehicle, field, from, to, &c, &error)) {
                history_view_end(&view);
                json_decref(list), json_decref(f), json_decref(numbers);
                request_reject_error(r, &error);
                return NULL;
            }
            history_view_end(&view);
        }
        if (c.count > PIECE_MIN && s.step == 0.0)
            s.step = (c.t[c.count - 1] - c.t[0]) / (c.count - 1);
        if (c.count > PIECE_MIN)
            spectrum_of(&c, &s);
        json_array_append_new(list, s.density ? s.density : json_array());
        json_array_append_new(numbers, json_integer(branches[k]->number));
        quantity_free(&c);
    }
    for (int k = 0; s.piece && k <= s.piece / 2; k++)
        json_array_append_new(f, json_value(k / (s.piece * s.step)));
    json_t *out = json_object();
    json_put(out, "f", f);
    json_put(out, "density", list);
    json_put(out, "worlds", numbers);
    json_put(out, "window", json_string("Hann"));
    json_put(out, "averages", json_integer(s.averages));
    json_put(out, "step", json_value(s.step));
    return out;
}

void request_spectrum(request *r)
{
    branch *branches[MAX_BRANCHES];
    int count;
    const char *vehicle, *field;
    double from, to;
    if (!read_text(r, "vehicle", NAME_SIZE - 1, NULL, &vehicle) ||
        !read_text(r, "field", NAME_SIZE - 1, "v", &field) ||
        !read_number(r, "from", -1e9, 1e9, -1e9, &from) ||
        !read_number(r, "to", -1e9, 1e9, 1e9, &to) || !read_branches(r, branches, &count))
        return;
    json_t *out = spectra(r, branches, count, vehicle, field, from, to);
    if (out)
        request_done(r, out);
    for (int k = 0; k < count; k++)
        branch_drop(branches[k]);
}
