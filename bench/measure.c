// measure.c - clocks, medians, rows.
#include "measure.h"

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

void measure_both(measure_run *ours, void *our_context, measure_run *theirs, void *their_context,
                  int rounds, double *our_median, double *their_median)
{
    double a[101], b[101];
    for (int k = 0; k < rounds; k++) {
        a[k] = ours(our_context);
        b[k] = theirs(their_context);
    }
    qsort(a, (size_t)rounds, sizeof *a, order);
    qsort(b, (size_t)rounds, sizeof *b, order);
    *our_median = a[rounds / 2];
    *their_median = b[rounds / 2];
}

void measure_print(const char *benchmark, const char *peer, double ours, double theirs,
                   const char *unit, int less_is_better)
{
    printf("%s,%s,%.6g,%.6g,%s,%.4g\n", benchmark, peer, ours, theirs, unit,
           less_is_better ? theirs / ours : ours / theirs);
    fflush(stdout);
}
