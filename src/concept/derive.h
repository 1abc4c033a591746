// derive.h - the tree of a mechanism in the graph of bodies.
//
// A joint that can be in a tree becomes the joint of its outer body, those with the fewest
// coordinates first; the others close loops. Where no joint leads to the ground, a body is free.
#pragma once

#include "concept/connection.h"

typedef struct derive_body {
    bool used;        // is part of what is derived
    bool boundary;    // moves as prescribed
    int inboard;      // body; -1: ground
    int edge;         // of its joint; -1: free
    bool reversed;    // the edge leads from this body to its inboard one
    double origin[3]; // of its frame, as drawn
} derive_body;

typedef struct derivation {
    const mc_concept *concept;
    const mc_concept_options *options;
    derive_body *bodies;
    int *order, order_count; // bodies, inboard first
    bool *in_tree;           // by edge
    bool *used;              // by edge
} derivation;

enum { CONCEPT_RECORDED = 8 }; // coefficients of a recorded coordinate

// Body of a part in what is derived; -1: the ground.
int derive_body_of(const derivation *d, int part);

mc_status derive_tree(derivation *d, arena *memory, mc_error *error);
// Prints the mechanism.
mc_status derive_print(const derivation *d, FILE *out, mc_error *error);
// The keys wheels and motors.
void derive_print_ground(const derivation *d, FILE *out);
// The key load of a driven wheel.
void derive_print_drive(const derivation *d, int axle, FILE *out);
bool derive_has_wheel(const derivation *d, int axle, int side);
// The key shape of a body, if its parts have an outline.
bool derive_print_shape(const derivation *d, int body, FILE *out);
