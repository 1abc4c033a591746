// measure.c - clocks, medians, rows.
#include "measure.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double measure_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int order(const void *p, const void *q)
{
    const double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

double measure_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, order);
    return values[count / 2];
}

void measure_both(measure_run *ours, void *our_context, measure_run *theirs, void *their_context,
                  int rounds, double *our_median, double *their_median)
{
    double a[101], b[101];
    for (int k = 0; k < rounds; k++) {
        a[k] = ours(our_context);
        b[k] = theirs(their_context);
    }
    *our_median = measure_median(a, rounds);
    *their_median = measure_median(b, rounds);
}

void measure_sides(measure_side *side, int count, int rounds)
{
    enum { ROUND_MAX = 101 };
    double *seconds = malloc((size_t)count * ROUND_MAX * sizeof *seconds);
    if (!seconds || rounds > ROUND_MAX)
        abort();
    for (int k = 0; k < rounds; k++)
        for (int i = 0; i < count; i++)
            seconds[i * ROUND_MAX + k] = side[i].run(side[i].context);
    for (int i = 0; i < count; i++) {
        qsort(seconds + i * ROUND_MAX, (size_t)rounds, sizeof *seconds, order);
        side[i].seconds = seconds[i * ROUND_MAX + rounds / 10];
    }
    free(seconds);
}

void measure_pin(bool pinned)
{
    static cpu_set_t all;
    static bool known;
    if (!known)
        known = sched_getaffinity(0, sizeof all, &all) == 0;
    cpu_set_t one = all;
    const int core = sched_getcpu();
    if (pinned && core >= 0) {
        CPU_ZERO(&one);
        CPU_SET((size_t)core, &one);
    }
    if (known)
        sched_setaffinity(0, sizeof one, &one); // where it is forbidden we measure unpinned
}

void measure_print(const char *benchmark, const char *peer, double ours, double theirs,
                   const char *unit, int less_is_better)
{
    printf("%s,%s,%.6g,%.6g,%s,%.4g\n", benchmark, peer, ours, theirs, unit,
           less_is_better ? theirs / ours : ours / theirs);
    fflush(stdout);
}

void measure_print_alone(const char *benchmark, double ours, const char *unit)
{
    printf("%s,-,%.6g,-,%s,-\n", benchmark, ours, unit);
    fflush(stdout);
}
