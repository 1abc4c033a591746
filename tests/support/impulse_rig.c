// impulse_rig.c - see impulse_rig.h.
#include "support/impulse_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

rig *open_rig(const char *text, const mc_simulate_options *options)
{
    static const mc_simulate_options none = {0};
    const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};
    mc_error error = {0};
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->m = mc_multibody_parse(text, "test", &interpreted, &error);
    if (!r->m)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    if (impulse_run_make(r->m, options ? options : &none, &r->run, &error) != MC_OK)
        fail_msg("%s", error.text);
    mc_multibody_start(r->m, r->y);
    impulses_start(r->run.engine, 0.0, r->y);
    return r;
}

void close_rig(rig *r)
{
    impulse_run_free(&r->run);
    mc_multibody_free(r->m);
    free(r);
}

void steps(rig *r, double h, long count)
{
    mc_error error;
    for (long k = 0; k < count; k++)
        if (impulses_step(r->run.engine, h, &error) != MC_OK)
            fail_msg("%s", error.text);
    impulses_read(r->run.engine, r->y);
}

double *value(rig *r, const char *name)
{
    mc_quantity quantity;
    int i;
    mc_error error;
    if (mc_multibody_find(r->m, name, &quantity, &i, &error) != MC_OK)
        fail_msg("%s", error.text);
    return &r->y[quantity == MC_QUANTITY_VELOCITY ? r->m->system.q_count + i : i];
}

void restart(rig *r)
{
    impulses_start(r->run.engine, 0.0, r->y);
}
