// unit.h - a unit of FMI that runs in a process of its own.
//
// A unit is foreign machine code. In its own process it can crash, hang or return nonsense without
// taking the run down: each of these is an error with a text that names the unit. A call that takes
// longer than the limit of the wiring ends the process. After an error the unit is dead, and every
// further call fails with the same text.
//
//     unit_instance *u = unit_start(&wiring, "car1", &error);
//     unit_begin(u, 0.0, NULL, inputs, outputs, &error);
//     unit_step(u, 0.0, 0.05, inputs, outputs, &error);
//     unit_release(u);
//
// Values are those of the ports of the wiring, in their order. An output that is not finite is an
// error.
//
// Threads: a unit is used by one thread at a time.
#pragma once

#include "base/bytes.h"
#include "unit/wiring.h"

typedef struct unit_instance unit_instance;

// The wiring is copied; what it points at must outlive the unit. NULL: see *error.
unit_instance *unit_start(const unit_wiring *wiring, const char *name, mc_error *error);
unit_instance *unit_share(unit_instance *u); // for another owner, who releases it too
void unit_release(unit_instance *u);         // NULL is allowed

// begins: of the ports that are set before; NULL where there are none.
mc_status unit_begin(unit_instance *u, double t, const double *begins, const double *inputs,
                     double *outputs, mc_error *error);
mc_status unit_step(unit_instance *u, double t, double length, const double *inputs,
                    double *outputs, mc_error *error);

// The whole state as bytes, and back, also in another process of the same unit that has begun.
// MC_BAD_INPUT: the unit cannot do that.
mc_status unit_save(unit_instance *u, bytes *out, mc_error *error);
mc_status unit_restore(unit_instance *u, const void *data, size_t size, double *outputs,
                       mc_error *error);
