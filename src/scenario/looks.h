// looks.h - how models of vehicles are drawn: words of the page, or a glTF file.
//
// A look is a picture: it changes no motion, and a vehicle is drawn in its own size whatever its
// look. The page has a body for every word (web/src/scene3d/kinds3d.ts).
#pragma once

#include "motorcade/observe.h"
#include "scenario/reader.h"

enum { LOOK_COUNT = 9 };
extern const char *const look_names[LOOK_COUNT];

// The value of the key `look`; a file is checked as a whole.
void scenario_read_look(scenario_reader *r, const yaml_node *node, scenario_model *m);

// Of a model that has a file.
mc_status scenario_look_mesh(const scenario_model *m, mc_look_mesh *out, mc_error *error);
