// edit.h - the text of a concept changed: what concept_study uses of it.
#pragma once

#include "motorcade/concept_edit.h"

// As mc_concept_change_template with springs and dampers as they are.
char *concept_retemplate(const char *text, const char *name, const char *axle, const char *to,
                         void (*lost)(void *context, const char *line), void *context,
                         mc_error *error);
