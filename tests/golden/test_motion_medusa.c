// test_motion_medusa.c - the crashes of the MEDUSA report move as motion_medusa.txt has it
// (support/motion_trace.h).
#include "motorcade/medusa.h"
#include "support/motion_rows.h"
#include "support/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct crash {
    const char *models, *platoon;
    double end; // s
    mc_scheme scheme;
    bool as_published;
    double energy_tolerance, friction, restitution;
    const char *blocks; // behind the last model of the file; NULL: none
} crash;

static const char blocks[] = "TYRE_MODEL calspan SN 0.5 A1 12\n"
                             "SUSPENSION_MODEL linear lift_off 0\n"
                             "CONTACT_MODEL ellipsoid x 0.2\n"
                             "CHASSIS_MODEL plastic yield_strain 0.01\n";

#define MEDUSA SOURCE_DIR "/scenarios/medusa/model.dat", SOURCE_DIR "/scenarios/medusa/platoon.dat"
#define PILEUP SOURCE_DIR "/scenarios/pileup/model.dat", SOURCE_DIR "/scenarios/pileup/platoon.dat"

// Where the file of models stands, with the blocks of this crash behind its last model.
static const char *models_file(const crash *c, const run_folder *folder, char path[96])
{
    size_t size;
    if (!c->blocks)
        return c->models;
    run_copy(folder, "model.dat", c->models);
    char *models = run_get(folder, "model.dat", &size), *text = NULL;
    assert_true(asprintf(&text, "%s\n%s", models, c->blocks) > 0);
    run_put(folder, "model.dat", text);
    free(models);
    free(text);
    snprintf(path, 96, "%s/model.dat", folder->path);
    return path;
}

static mc_medusa *open(const crash *c)
{
    mc_error error;
    char path[96];
    const run_folder folder = run_folder_make();
    mc_medusa_options o = mc_medusa_defaults();
    o.models = models_file(c, &folder, path);
    o.platoon = c->platoon;
    o.end_time = c->end;
    o.scheme = c->scheme;
    o.as_published = c->as_published;
    o.threads = 1;
    o.energy_tolerance = c->energy_tolerance;
    o.friction = c->friction;
    o.restitution = c->restitution;
    mc_medusa *run = mc_medusa_load(&o, &error);
    run_folder_remove(&folder);
    if (!run)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    return run;
}

// A row every 0.01 s, as in the command.
static void crash_rows(const motion_case *c, motion_trace *t)
{
    const crash *detail = c->detail;
    const double interval = 0.01;
    const long long rows = llround(detail->end / interval);
    mc_error error;
    mc_medusa *medusa = open(detail);
    mc_world *world = mc_medusa_world(medusa);
    motion_rows(t, rows + 1);
    motion_world_row(t, world);
    while (motion_more(t)) {
        if (mc_world_advance(world, interval, &error) != MC_OK)
            fail_msg("%s", error.text);
        motion_world_row(t, world);
    }
    mc_medusa_free(medusa);
}

static const motion_case cases[] = {
    {"medusa", crash_rows, &(crash){MEDUSA, .end = 3.0, .restitution = 1.0}},
    {"medusa_friction", crash_rows,
     &(crash){MEDUSA, .end = 3.0, .friction = 0.4, .restitution = 0.2}},
    {"medusa_adaptive", crash_rows,
     &(crash){MEDUSA, .end = 2.0, .restitution = 1.0, .energy_tolerance = 1e-6}},
    {"medusa_published", crash_rows,
     &(crash){MEDUSA, .end = 2.0, .restitution = 1.0, .scheme = MC_SCHEME_PUBLISHED}},
    {"medusa_as_published", crash_rows,
     &(crash){MEDUSA, .end = 2.0, .restitution = 1.0, .scheme = MC_SCHEME_PUBLISHED,
              .as_published = true}},
    {"medusa_blocks", crash_rows,
     &(crash){MEDUSA, .end = 3.0, .restitution = 1.0, .blocks = blocks}},
    {"pileup", crash_rows, &(crash){PILEUP, .end = 3.0, .restitution = 1.0}},
    {"pileup_friction", crash_rows,
     &(crash){PILEUP, .end = 3.0, .friction = 0.4, .restitution = 0.2}},
    {"pileup_adaptive", crash_rows,
     &(crash){PILEUP, .end = 3.0, .restitution = 1.0, .energy_tolerance = 1e-6}},
    {"pileup_published", crash_rows,
     &(crash){PILEUP, .end = 1.5, .restitution = 1.0, .scheme = MC_SCHEME_PUBLISHED}},
};

int main(int argc, char **argv)
{
    return motion_main(argc, argv, "medusa", cases, sizeof cases / sizeof cases[0]);
}
