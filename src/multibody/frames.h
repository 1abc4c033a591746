// frames.h - where links, bodies and points are and how they move: what loads and formulas ask.
//
// Everything is made when it is asked for first and kept. Velocities here are the true ones, with
// the motion of the base; the equations of motion themselves need none but angular velocities.
#pragma once

#include "multibody/link.h"

typedef struct mb_frames mb_frames;

mb_frames *mb_frames_create(const mb_links *links); // NULL: no memory
void mb_frames_destroy(mb_frames *f);

// Of link i, -1: ground. Orientation and origin in the world; velocity of the origin in world axes;
// angular velocity in link axes.
const mb_mat *mb_frames_turn(mb_frames *f, int link);
mb_vec mb_frames_origin(mb_frames *f, int link);
mb_vec mb_frames_velocity(mb_frames *f, int link);
mb_vec mb_frames_spin(mb_frames *f, int link);

// A point given in a body's frame: the link it moves with, and its position in that link. On a
// rotor the point turns in the link.
int mb_frames_on_link(mb_frames *f, int body, const expr_id at[3], mb_vec *in_link);
mb_vec mb_frames_point(mb_frames *f, int body, const expr_id at[3]);          // world
mb_vec mb_frames_point_velocity(mb_frames *f, int body, const expr_id at[3]); // world axes
mb_mat mb_frames_body_turn(mb_frames *f, int body);                           // to world
mb_vec mb_frames_body_spin(mb_frames *f, int body);                           // world axes

// The vector from one point to another, seen from the nearest link that carries both (or the
// ground), and its partial velocities: d' = sum of partial[k] * velocity[k]. Only velocities
// between the two bodies and that link take part (the paper's dependency list).
typedef struct mb_span {
    mb_vec d;
    int count;
    int *velocity; // count, places in v
    mb_vec *partial;
    int capacity;
} mb_span;

// The same for two frames: their turns as well, and the partial angular velocities of each.
typedef struct mb_pair {
    mb_span span;
    mb_mat from, to; // the bodies' axes as columns, seen from the common link
    int from_first;  // velocities from here on move `from`, those before it `to`
    mb_vec *spin;    // span.count: of the body that the velocity moves
    int capacity;
} mb_pair;

bool mb_frames_pair(mb_frames *f, int from_body, const expr_id from[3], int to_body,
                    const expr_id to[3], mb_pair *out); // false: no memory
void mb_pair_free(mb_pair *pair);

bool mb_frames_span(mb_frames *f, int from_body, const expr_id from[3], int to_body,
                    const expr_id to[3], mb_span *out); // false: no memory
void mb_span_free(mb_span *span);
