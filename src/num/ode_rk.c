// ode_rk.c - the explicit Runge-Kutta methods of integrate.h as methods of ode.h.
#include "num/integrate.h"
#include "num/ode_kinds.h"
#include "num/ode_method.h"

typedef struct rk_own {
    double *work;
    ode_answer answer; // of the first stage that was not ODE_OK
} rk_own;

static void layout(ode *o, ode_space *space)
{
    rk_own *own = ode_space_take(space, 1, sizeof *own);
    double *work = ode_space_doubles(space, (size_t)rk_work_size(o->kind.table, o->problem.n));
    if (own)
        own->work = work;
    o->own = own;
}

// rk_advance cannot be stopped: after a bad stage the others are not asked any more.
static void rate(void *context, double t, const double *y, double *dy)
{
    ode *o = context;
    rk_own *own = o->own;
    if (own->answer == ODE_OK)
        own->answer = ode_rate_at(o, t, y, dy);
    if (own->answer != ODE_OK)
        for (int i = 0; i < o->problem.n; i++)
            dy[i] = 0.0;
}

static ode_trouble advance(ode *o, double h)
{
    rk_own *own = o->own;
    own->answer = ODE_OK;
    rk_advance(o->kind.table, rate, o, o->problem.n, o->t, h, 1, o->y, own->work);
    return ode_trouble_of(o, own->answer);
}

static const ode_method method = {.layout = layout, .advance = advance};

ode_kind ode_kind_of_rk(const rk_kind *kind)
{
    return (ode_kind){.name = kind->name,
                      .doc = kind->doc,
                      .order = kind->order,
                      .method = &method,
                      .table = kind};
}
