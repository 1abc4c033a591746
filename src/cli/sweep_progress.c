// sweep_progress.c - runs done, runs per second, time left.
#include "cli/sweep_progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void sweep_progress_format(char *out, size_t size, const mc_sweep_counts *c, double wall,
                           bool finished)
{
    const double rate = wall > 0.0 ? c->done / wall : 0.0;
    const int left = c->share - c->found - c->done;
    const double seconds = finished ? wall : left / fmax(rate, 1e-9);
    int used =
        snprintf(out, size, "%d of %d runs  %.3g runs/s", c->found + c->done, c->share, rate);
    if (c->done == 0 || seconds >= 360000.0)
        return;
    const long whole = lround(ceil(seconds));
    if (whole >= 3600)
        snprintf(out + used, size - (size_t)used, "  %s%ld:%02ld:%02ld%s", finished ? "took " : "",
                 whole / 3600, whole / 60 % 60, whole % 60, finished ? "" : " left");
    else
        snprintf(out + used, size - (size_t)used, "  %s%ld:%02ld%s", finished ? "took " : "",
                 whole / 60, whole % 60, finished ? "" : " left");
}

void sweep_progress_begin(sweep_progress *p, FILE *out, const mc_sweep *sweep)
{
    const char *kind = getenv("TERM");
    *p = (sweep_progress){.out = out, .sweep = sweep, .start = clock_now()};
    p->terminal = isatty(fileno(out)) && kind && strcmp(kind, "dumb") != 0;
    p->drawn = p->start;
}

static void draw(sweep_progress *p, bool finished)
{
    const mc_sweep_counts counts = mc_sweep_count(p->sweep);
    char line[120];
    sweep_progress_format(line, sizeof line, &counts, clock_now() - p->start, finished);
    fprintf(p->out, p->terminal ? "\r\033[K%s" : "%s\n", line);
    if (p->terminal && finished)
        fputc('\n', p->out);
    fflush(p->out);
}

void sweep_progress_update(void *context, double runs)
{
    (void)runs;
    sweep_progress *p = context;
    const double now = clock_now();
    if (now - p->drawn < (p->terminal ? 0.1 : 10.0))
        return;
    p->drawn = now;
    draw(p, false);
}

void sweep_progress_end(sweep_progress *p)
{
    draw(p, true);
}
