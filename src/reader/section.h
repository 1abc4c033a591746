// section.h - inside of mc_section: the map of a model, for the functions of its type.
#pragma once

#include "motorcade/vehicle_type.h"
#include "reader/reader.h"

struct mc_section {
    reader *base;
    const yaml_node *node; // of the model: a map, or the word of a type
};

// "unknown car "x"; did you mean y?", at the place of the key.
mc_status section_unknown(mc_section *section, const char *key, const char *what,
                          const char *const *names, int count);
