// terrain_random.c - random roads by their spectrum.
#include "road/terrain_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double N0 = 0.1;       // cycles/m
static const double APART = 0.01;   // of the frequency, between lines
static const double PER_WAVE = 6.0; // points per shortest wave
enum { POINTS_MAX = 1 << 21, LINES_MAX = 20000 };

double terrain_class(char letter)
{
    return letter >= 'A' && letter <= 'H' ? 16e-6 * pow(4.0, letter - 'A') : NAN;
}

static double uniform(uint64_t *state) // [0, 1), splitmix64
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// Integral of Gd from a to b.
static double power(const terrain_roughness *r, double a, double b)
{
    const double w = r->waviness;
    if (fabs(w - 1.0) < 1e-9)
        return r->gd * N0 * log(b / a);
    return r->gd * pow(N0, w) * (pow(a, 1.0 - w) - pow(b, 1.0 - w)) / (w - 1.0);
}

typedef struct line { // z = cos_part cos(2 pi n x) + sin_part sin(2 pi n x), per track
    double n;         // cycles/m
    double cosine[2], sine[2];
} line;

static int draw_lines(const terrain_roughness *r, line *lines)
{
    uint64_t state = r->seed * 0x9e3779b97f4a7c15u + 0x1234567;
    const double dn = 1.0 / r->length;
    int count = 0;
    double i = fmax(ceil(r->n_min / dn), 1.0), low = fmax(r->n_min, 0.5 * dn);
    while (i * dn < r->n_max && count < LINES_MAX) {
        const double step = fmax(floor(APART * i), 1.0), next = i + step;
        const double high = fmin(0.5 * (i + next) * dn, r->n_max), n = i * dn;
        const double size = sqrt(2.0 * power(r, low, high)), same = exp(-n * r->coherence);
        // The mean of the cross spectrum over lines is cos(apart): both signs are as likely.
        const double a = 2.0 * M_PI * uniform(&state), apart = acos(same);
        const double b = uniform(&state) < 0.5 ? a + apart : a - apart;
        lines[count++] = (line){n, {size * cos(a), size * cos(b)}, {size * sin(a), size * sin(b)}};
        low = high;
        i = next;
    }
    return count;
}

// Adds one line to heights and slopes; its rotation is set exactly every 128 points.
static void add_line(const line *l, double step, int count, double *z[2], double *slope[2])
{
    const double k = 2.0 * M_PI * l->n, dc = cos(k * step), ds = sin(k * step);
    double c = 1.0, s = 0.0;
    for (int i = 0; i < count; i++) {
        if (i % 128 == 0) {
            c = cos(k * step * i);
            s = sin(k * step * i);
        }
        for (int track = 0; track < 2; track++) {
            z[track][i] += l->cosine[track] * c + l->sine[track] * s;
            slope[track][i] += k * (l->sine[track] * c - l->cosine[track] * s);
        }
        const double turned = c * dc - s * ds;
        s = s * dc + c * ds;
        c = turned;
    }
}

mc_status terrain_random(arena *memory, const terrain_roughness *r, terrain_table *left,
                         terrain_table *right, mc_error *error)
{
    const double needed = ceil(r->length * r->n_max * PER_WAVE);
    if (!(r->n_min < r->n_max) || !(r->length * r->n_max >= 2.0) || !(needed < POINTS_MAX))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%g m of waves from %g to %g cycles/m; expected n_min below n_max, at "
                            "least two of the shortest waves, and at most %d points",
                            r->length, r->n_min, r->n_max, POINTS_MAX);
    const int count = (int)needed + 1;
    const double step = r->length / (count - 1);
    line *lines = malloc(LINES_MAX * sizeof *lines);
    double *z[2], *slope[2];
    bool room = lines != NULL;
    for (int track = 0; track < 2; track++) {
        z[track] = arena_alloc(memory, (size_t)count * sizeof(double));
        slope[track] = arena_alloc(memory, (size_t)count * sizeof(double));
        room = room && z[track] && slope[track];
    }
    if (!room) {
        free(lines);
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the road");
    }
    const int line_count = draw_lines(r, lines);
    for (int k = 0; k < line_count; k++)
        add_line(&lines[k], step, count - 1, z, slope);
    free(lines);
    for (int track = 0; track < 2; track++) {
        z[track][count - 1] = z[track][0];
        slope[track][count - 1] = slope[track][0];
    }
    *left = (terrain_table){NULL, 0.0, step, z[0], slope[0], count, true};
    *right = (terrain_table){NULL, 0.0, step, z[1], slope[1], count, true};
    return MC_OK;
}
