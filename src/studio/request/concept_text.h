// concept_text.h - the concept that a request speaks of, with the changes it asks for.
#pragma once

#include "studio/request/bench.h"

typedef struct concept_text {
    char *text; // to be freed
    char file[256];
    json_t *lost; // what a change of the template could not keep; owned
} concept_text;

// `world`, or `text`; `changes` and `template` are made to it. False: it was rejected.
// concept_text_drop in any case.
bool concept_text_read(request *r, concept_text *out);
void concept_text_drop(concept_text *t);
