// edited.h - a concept file with numbers changed, for one analysis.
//
// Values of `set` that name a place in the file, axles.rear.spring.stiffness, are taken out of the
// list, and the analysis runs on a copy with these numbers.
#pragma once

#include "analysis/analysis.h"

typedef struct edited {
    const char *file;          // as it was given
    char path[64];             // of the copy; "": there is none
    mc_analysis_value *values; // the others
} edited;

void edited_open(analysis *a, edited *e);
// Messages name the file that was given.
void edited_close(analysis *a, edited *e);
