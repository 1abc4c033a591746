// ode_kinds.h - one line for each method of ode.h; ode.c lists them in its table.
#pragma once

#include "num/integrate.h"
#include "num/ode.h"

ode_kind ode_kind_of_rk(const rk_kind *kind); // ode_rk.c: every explicit method of integrate.h

extern const ode_kind ode_gauss2, ode_gauss4, ode_gauss6; // ode_gauss.c
extern const ode_kind ode_dopri5;                         // ode_dopri5.c
extern const ode_kind ode_dop853;                         // ode_dop853.c
extern const ode_kind ode_radau5;                         // ode_radau5.c
extern const ode_kind ode_cvode, ode_cvode_adams;         // ode_cvode.c
