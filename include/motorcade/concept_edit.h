// concept_edit.h - the text of a concept changed value by value; comments and layout stay.
//
//     const mc_concept_change stiffer = {"axles.front.spring.stiffness", "95 kN/m"};
//     char *text = mc_concept_edit(old, "pickup.yaml", &stiffer, 1, &error); // freed by the caller
//     if (!text)
//         puts(error.text); // what the reader has against it
//     free(text);
//
// A place is a path of the keys of the file and of numbers of list elements, from 0:
// "assemblies.frame.components.engine.at.2". Values are as in the file, with units if any.
//
// Threads: texts belong to the caller; calls are independent.
#pragma once

#include "motorcade/concept.h"

#include "motorcade/begin.h"

typedef struct mc_concept_change {
    const char *path;
    const char *value; // NULL: the key is removed
} mc_concept_change;

// The changed text, if it is a concept; freed by the caller. NULL: see *error, which has the place
// in the changed text and the words of the reader; nothing is changed then.
char *mc_concept_edit(const char *text, const char *name, const mc_concept_change *changes,
                      int count, mc_error *error);

// Every single value of a file in its order; line and column from 1.
typedef struct mc_concept_value {
    const char *path, *text;
    int line, column;
} mc_concept_value;
mc_status mc_concept_values(const char *text, const char *name,
                            void (*value)(void *context, const mc_concept_value *value),
                            void *context, mc_error *error);

// Another suspension template for an axle. The wheel centres stay, and so do the rate, the damping
// and the load of the springs at the wheel, as far as a suspension of the new kind can have them.
// Hardpoints and masses of the same name stay; those that the new template needs are proposed about
// the wheel. lost: called with a line for each thing that could not be kept. NULL: see *error.
char *mc_concept_change_template(const char *text, const char *name, const char *axle,
                                 const char *to, void (*lost)(void *context, const char *line),
                                 void *context, mc_error *error);

#include "motorcade/end.h"
