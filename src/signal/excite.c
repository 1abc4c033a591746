// excite.c - standard excitations.
#include "signal/excite.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// 0 at both ends of the active part, 1 between, over a tenth of it each.
static double fade(double t, double active)
{
    const double near = fmin(t, active - t) / (0.1 * active);
    return near <= 0.0 ? 0.0 : near >= 1.0 ? 1.0 : 0.5 - 0.5 * cos(M_PI * near);
}

static void impulse(const signal_band *b, double dt, int count, double *u)
{
    const double width = 1.0 / b->high; // its spectrum ends at 2 high
    for (int k = 0; k < count; k++)
        u[k] = k * dt < width ? 0.5 - 0.5 * cos(2.0 * M_PI * k * dt / width) : 0.0;
}

static void step(const signal_band *b, double dt, int count, double *u)
{
    const double width = 1.0 / b->high;
    for (int k = 0; k < count; k++)
        u[k] = k * dt < width ? 0.5 - 0.5 * cos(M_PI * k * dt / width) : 1.0;
}

// The phase of a sweep with rising frequency, by its logarithm or linearly.
static void sweep(const signal_band *b, double dt, int count, double *u)
{
    const double active = SIGNAL_ACTIVE * b->length, ratio = log(b->high / b->low);
    for (int k = 0; k < count; k++) {
        const double t = k * dt;
        u[k] = t < active ? fade(t, active) * sin(2.0 * M_PI * b->low * active / ratio *
                                                  (exp(ratio * t / active) - 1.0))
                          : 0.0;
    }
}

static void chirp(const signal_band *b, double dt, int count, double *u)
{
    const double active = SIGNAL_ACTIVE * b->length, rate = (b->high - b->low) / active;
    for (int k = 0; k < count; k++) {
        const double t = k * dt;
        u[k] = t < active ? fade(t, active) * sin(2.0 * M_PI * t * (b->low + 0.5 * rate * t)) : 0.0;
    }
}

// Lines 1/active apart; their phases and sizes by a rule.
static void lines(const signal_band *b, double dt, int count, double *u, int random)
{
    const double active = SIGNAL_ACTIVE * b->length, apart = 1.0 / active;
    const int from = (int)fmax(floor(b->low * active), 1.0), to = (int)ceil(b->high * active);
    uint64_t state = b->seed * 0x9e3779b97f4a7c15u + 77;
    double most = 0.0;
    memset(u, 0, (size_t)count * sizeof *u);
    for (int i = from; i <= to; i++) {
        double phase = -M_PI * (double)(i - from) * (i - from) / (to - from + 1); // Schroeder
        double size = 1.0;
        if (random) {
            uint64_t z = (state += 0x9e3779b97f4a7c15u); // splitmix64
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
            phase = 2.0 * M_PI * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
            size = (double)from / i; // a road at constant speed: density as f^-2
        }
        const double w = 2.0 * M_PI * i * apart, dc = cos(w * dt), ds = sin(w * dt);
        double c = cos(phase), s = sin(phase);
        for (int k = 0; k < count && k * dt < active; k++) {
            if (k % 256 == 0)
                c = cos(w * dt * k + phase), s = sin(w * dt * k + phase);
            u[k] += size * c;
            const double turned = c * dc - s * ds;
            s = s * dc + c * ds;
            c = turned;
        }
    }
    for (int k = 0; k < count; k++) {
        u[k] *= k * dt < active ? fade(k * dt, active) : 0.0;
        most = fmax(most, fabs(u[k]));
    }
    for (int k = 0; k < count && most > 0.0; k++)
        u[k] /= most;
}

static void multi_sine(const signal_band *b, double dt, int count, double *u)
{
    lines(b, dt, count, u, 0);
}

static void random_road(const signal_band *b, double dt, int count, double *u)
{
    lines(b, dt, count, u, 1);
}

static const signal_excitation rows[] = {
    {"chirp", "a sine whose frequency rises linearly", 0, chirp},
    {"sweep", "a sine whose frequency rises by equal ratios", 0, sweep},
    {"impulse", "a short pulse", 0, impulse},
    {"step", "a smooth step, which stays", 1, step},
    {"multi_sine", "sines at even distances with phases that keep it low", 0, multi_sine},
    {"random_road", "random phases, density falling as f^-2, as of a road at constant speed", 0,
     random_road},
};

const signal_excitation *signal_excitation_at(int index)
{
    return index >= 0 && index < (int)(sizeof rows / sizeof rows[0]) ? &rows[index] : NULL;
}

const signal_excitation *signal_excitation_find(const char *name)
{
    const signal_excitation *e;
    for (int k = 0; (e = signal_excitation_at(k)); k++)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}
