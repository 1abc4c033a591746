// series.h - long randomized series: a share of the cases in `make test`, all in `make campaign`.
//
//     struct { uint64_t seed; double worst; } kept = {.seed = 7};
//     series s = series_open("impacts", 500000, &kept, sizeof kept);
//     for (long i; series_next(&s, &i);)
//         kept.worst = fmax(kept.worst, one_impact(&kept.seed, i));
//     assert_true(kept.worst < 1e-12);
//
// The cases of a share are the first ones of the whole, so s.count is what statistics refer to.
//
// MOTORCADE_SERIES   the share, "1/50" (the default), "0.1" or "1"
// MOTORCADE_JOURNAL folder in which each series keeps a journal, or empty. A series that was killed
//                    resumes where its journal ends, less than a second back; one that is complete
//                    only restores what it kept. A journal of another build of the program, or of
//                    another share, is ignored.
//
// For that, all that passes from one case to the next must be in `kept`, which is saved byte by
// byte: the state of the random numbers, counts, worst values; no pointers.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// The share of this run, above 0 and at most 1; of what is long without being a series, too.
double series_share(void);

typedef struct series {
    long count; // cases of this run: the share of the whole, at least 1
    long next;  // case
    void *kept;
    size_t size;
    char journal[512]; // path; "": none
    double saved;      // s, when the journal was written
} series;

// Fails the test when the share or the folder is not usable.
series series_open(const char *name, long whole, void *kept, size_t size);

// The next case, *i = 0 .. count - 1; false when there is none left.
bool series_next(series *s, long *i);
