// reader.h - what the files of the concept reader share: read_values.c takes single values,
// read_parts.c parts, read_connections.c connections, read_axles.c suspensions, read.c the rest.
#pragma once

#include "concept/connection.h"
#include "concept/keys.h"
#include "concept/template.h"
#include "reader/reader.h"

typedef struct concept_material {
    const char *name;
    double density; // kg/m3
} concept_material;

typedef struct concept_reader {
    reader base;
    mc_concept *c;
    concept_material *materials; // of the file
    int material_count;
    const char *material; // of the assembly; NULL: none
    int assembly;         // being read; -1: none
    bool mirrored;        // the assembly is
    arena scratch;
} concept_reader;

// ---- read_values.c ----

bool concept_check_keys(concept_reader *r, const yaml_node *map, concept_section_id section);
const yaml_node *concept_need(concept_reader *r, const yaml_node *map, concept_section_id section,
                              const char *key);
// A number of a key, in its range; `other` without it.
double concept_number(concept_reader *r, const yaml_node *map, concept_section_id section,
                      const char *key, double other);
double concept_number_at(concept_reader *r, const yaml_node *node, const char *unit);
void concept_vector(concept_reader *r, const yaml_node *node, const char *unit, double out[3]);
bool concept_vector_key(concept_reader *r, const yaml_node *map, const char *key, double out[3]);
void concept_axis(concept_reader *r, const yaml_node *node, double out[3]); // unit
bool concept_flag(concept_reader *r, const yaml_node *map, const char *key, bool other);
// A list of places; NULL on failure.
double (*concept_points(concept_reader *r, const yaml_node *node, int min, int max, int *count))[3];
void concept_inertia(concept_reader *r, const yaml_node *node, double out[6]);
void concept_turn(concept_reader *r, const yaml_node *node, double R[9]);
// Pairs of numbers, the first increasing.
void concept_table(concept_reader *r, const yaml_node *node, const char *x_unit, const char *y_unit,
                   template_table *out);
const char *concept_word(concept_reader *r, const yaml_node *key); // checked name of something
double concept_density(concept_reader *r, const yaml_node *node, const char *name);
// Factor and mass of the key build_out applied to a mass: what it is multiplied with.
double concept_build_out(concept_reader *r, const yaml_node *map, double mass);
// The map of a key, for its elements; NULL: missing or empty.
const yaml_node *concept_each(concept_reader *r, const yaml_node *map, const char *key);

// ---- parts ----

void concept_read_parts(concept_reader *r, const yaml_node *assembly);

// ---- connections ----

// The part that a word means: "frame.rail", within an assembly "rail", an assembly as a whole, or
// ground if allowed. side: of a mirrored connection. whole: gets the assembly + 1, or 0.
int concept_find_part(concept_reader *r, const yaml_node *node, int side, bool ground, int *whole);
void concept_read_connections(concept_reader *r, const yaml_node *map);
void concept_read_points(concept_reader *r, const yaml_node *root);

// A spring's formula beyond stiffness and relaxed length: curve, stops, degressive damper.
void concept_spring_law(mc_concept *c, concept_edge *e, const template_spring *law);

// ---- drive ----

void concept_read_drive(concept_reader *r, const yaml_node *root); // after the axles

// ---- axles ----

void concept_read_axles(concept_reader *r, const yaml_node *root);
