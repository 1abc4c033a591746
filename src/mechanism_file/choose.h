// choose.h - which joints of a graph are in the tree, by what the equations cost.
#pragma once

#include "equations/derive.h"
#include "mechanism_file/read.h"

typedef struct mechanism_choice {
    int derived;      // trees whose equations were counted
    bool all;         // that is all spanning trees there are
    int flops, worst; // of the tree taken, of the most expensive one counted
    int *other;       // by edge: the cheapest counted with it cut, or in the tree if it is cut;
                      // 0: none. In the model's memory
} mechanism_choice;

// Reads a model; of a graph the tree is chosen with the fewest operations of the forward equations
// in the form. All spanning trees are counted where there are few; else the best is searched for by
// exchanging a cut joint with one of its loop, from several trees.
mc_status mechanism_choose(const char *bytes, size_t length, const char *name, mb_form form,
                           mb_model *out, mechanism_choice *choice, mc_error *error);
