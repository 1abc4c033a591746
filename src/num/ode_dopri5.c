// ode_dopri5.c - Dormand and Prince's pair of orders 5 and 4 with an interpolant of order 4.
//
// The stages are those of rk5 in integrate.h. Error weights: J. Dormand and P. Prince (1980).
// Interpolant: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.6.
#include "num/integrate.h"
#include "num/ode_kinds.h"
#include "num/ode_pair.h"

#include "base/assert.h"

#include <string.h>

static void fill(ode_pair *pair)
{
    const rk_kind *rk = rk_kind_find("rk5");
    mc_assert(rk && rk->stages == 6);
    *pair = (ode_pair){
        .order = 5,
        .stages = 6,
        .error_order = 4,
        .all_stages = 7,
        .dense_count = 1,
        .e = {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525,
              -1.0 / 40},
        .dense = {{-12715105075.0 / 11282082432, 0.0, 87487479700.0 / 32700410799,
                   -10690763975.0 / 1880347072, 701980252875.0 / 199316789632,
                   -1453857185.0 / 822651844, 69997945.0 / 29380423}},
        // Some memory of the last error steadies the step where stability binds it.
        .alpha = 0.2 - 0.75 * 0.04,
        .beta = 0.04,
        .min_factor = 0.2,
        .max_factor = 10.0,
    };
    for (int i = 0; i < rk->stages; i++) {
        pair->c[i] = rk->c[i];
        pair->b[i] = rk->b[i];
        memcpy(pair->a[i], rk->a[i], (size_t)i * sizeof(double));
    }
}

const ode_pair_maker ode_dopri5_maker = {fill};

const ode_kind ode_dopri5 = {.name = "dopri5",
                             .doc = "Dormand and Prince 5(4), explicit, interpolated rows",
                             .order = 5,
                             .adaptive = true,
                             .method = &ode_pair_method,
                             .table = &ode_dopri5_maker};
