// yaml_edit.h - one value of a YAML text changed; comments, line breaks and everything else stay.
//
// A place is a path of keys and numbers of list elements, from 0: "axles.front.hardpoints.wheel.1".
//
//     char *text = yaml_edit(bytes, length, "car.yaml", "axles.front.spring.stiffness", "30 kN/m",
//                            &memory, &error);
//
// A value that is there is replaced. A key that is missing is added at the end of its map, which
// must be there. Value NULL: the key is removed with its value. Values are YAML on one line.
#pragma once

#include "io/yaml.h"

// The new text, in the arena; NULL: see *error. It is not read again: whether the value makes sense
// is for its reader to say.
char *yaml_edit(const char *bytes, size_t length, const char *file, const char *path,
                const char *value, arena *memory, mc_error *error);

// The node of a path; NULL: there is none.
const yaml_node *yaml_at(const yaml_node *root, const char *path);
// The text of a node as it is in the file, in the arena; NULL: no memory.
char *yaml_source(const char *bytes, size_t length, const yaml_node *n, arena *memory);
