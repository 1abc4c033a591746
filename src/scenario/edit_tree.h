// edit_tree.h - what edit.c and edit_vehicles.c share.
#pragma once

#include "io/yaml_tree.h"
#include "reader/reader.h"
#include "scenario/scenario.h"

typedef struct scenario_editor {
    reader base; // failures name the edit
    arena memory;
    const scenario *s; // the version that is edited
    yaml_tree *root;   // of its text, changed step by step
    bool expanded;     // every vehicle has an entry and a name of its own
    double at;         // s
    int named;         // names made up so far
    scenario *scratch; // a copy on which numbers set by name are tried; NULL: none yet
} scenario_editor;

// A list or map of the tree's map, created if missing.
yaml_tree *scenario_edit_part(scenario_editor *e, yaml_tree *map, const char *key, yaml_kind kind);
// A part of the edit as a tree of its own.
yaml_tree *scenario_edit_copy(scenario_editor *e, const yaml_node *node);
void scenario_edit_put(scenario_editor *e, yaml_tree *map, const char *key, yaml_tree *value);

// edit_vehicles.c
void scenario_edit_add(scenario_editor *e, const yaml_node *node);
void scenario_edit_leave_ramps(scenario_editor *e);
void scenario_edit_remove(scenario_editor *e, const yaml_node *node);
void scenario_edit_vehicle(scenario_editor *e, const yaml_node *node, const yaml_node *all);
