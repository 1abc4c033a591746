// scope.h - the names a model's formulas may use.
//
//   t                                  time, s
//   parameters, inputs, states, variables    by their names
//   BODY.angle, BODY.angle_rate, ...   coordinates and velocities, as model.h names them
//   BODY.position .velocity .omega     of the body's origin and of the body; vectors, world axes
//   BODY.x_axis .y_axis .z_axis        its axes in the world
//   POINT.position .velocity           vectors, world axes
//   SPRING.length .rate                m, m/s
//   JOINT.force_x .., CONSTRAINT.load  in conditions
#pragma once

#include "multibody/frames.h"

typedef struct mb_scope mb_scope;

mb_scope *mb_scope_create(const mb_links *links, mb_frames *frames, expr_id time,
                          const expr_id *states,
                          const expr_id *inputs); // NULL: no memory
void mb_scope_destroy(mb_scope *scope);

mc_status mb_scope_formula(mb_scope *scope, const mb_formula *formula, int want_size,
                           expr_unit want_unit, expr_value *out, mc_error *error);
// What a name stands for; false: nothing has it. Only names of formulas that were read before.
bool mb_scope_find(mb_scope *scope, const char *name, expr_value *out);
// Length of a spring, its rate, and the partial velocities of the rate.
mc_status mb_scope_spring(mb_scope *scope, int spring, expr_id *length, expr_id *rate,
                          const mb_span **span, expr_id **by, mc_error *error);
// Variables read in the order of the file never stand inside each other.
mc_status mb_scope_variable(mb_scope *scope, int variable, expr_value *out, mc_error *error);

// From now on formulas may speak of the loads of joints and constraints: node of each, of
// rows->load. Both must outlive the scope.
struct mb_rows;
void mb_scope_loads(mb_scope *scope, const struct mb_rows *rows, const expr_id *node);

expr_unit mb_unit(int length, int mass, int time); // whole exponents
