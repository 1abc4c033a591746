// test_motion_dynavis.c - the shipped recordings of DYNAVIS, what is computed from them, and runs
// continued from them are those of motion_dynavis.txt (support/motion_trace.h).
#include "motorcade/dynavis.h"
#include "support/motion_rows.h"
#include "support/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define FOLDER SOURCE_DIR "/scenarios/dynavis/"

typedef struct recorded {
    const char *params, *data; // data NULL: the start that the parameters describe
    int frame;                 // from which a run continues
    const char *cars, *ramps, *model;
} recorded;

static void must(mc_status status, const mc_error *error)
{
    if (status != MC_OK)
        fail_msg("%s:%d: %s", error->file, error->line, error->text);
}

static mc_dynavis_data *read_data(const recorded *r, mc_dynavis_params *params)
{
    mc_error error;
    must(mc_dynavis_params_read(r->params, 2, params, &error), &error);
    mc_dynavis_data *data = r->data ? mc_dynavis_data_load(r->data, params, NULL, &error) : NULL;
    if (r->data && !data)
        must(MC_FAILED, &error);
    return data;
}

// Of a frame: t, headways of the lanes; of each car id, platoon, lane, x, y, v_x, v_y, a, jerk.
static void put_frame(motion_trace *t, const mc_dynavis_frame *frame)
{
    motion_put(t, MOTION, frame->t);
    for (int k = 0; k < MC_DYNAVIS_LANES_MAX; k++) {
        motion_put(t, MOTION, frame->time_headway[k]);
        motion_put(t, MOTION, frame->fixed_headway[k]);
    }
    for (int i = 0; i < frame->car_count; i++) {
        const mc_dynavis_car *car = &frame->cars[i];
        const double numbers[] = {car->id,  car->platoon, car->lane, car->x,   car->y,
                                  car->v_x, car->v_y,     car->a,    car->jerk};
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            motion_put(t, MOTION, numbers[k]);
    }
    motion_row_end(t);
}

static void read_frames(const motion_case *c, motion_trace *t)
{
    mc_dynavis_params params;
    mc_dynavis_data *data = read_data(c->detail, &params);
    motion_rows(t, data->frame_count);
    for (int f = 0; f < data->frame_count; f++)
        put_frame(t, &data->frames[f]);
    mc_dynavis_data_free(data);
}

// The scenario that the conversion writes.
static mc_scenario *convert(const recorded *r)
{
    mc_error error;
    mc_dynavis_params params;
    mc_dynavis_model *models = NULL;
    int model_count = 0;
    mc_dynavis_data *data = read_data(r, &params);
    if (r->cars)
        must(mc_dynavis_models_read(r->cars, &models, &model_count, &error), &error);
    const mc_dynavis_scenario from = {.params = &params,
                                      .data = data,
                                      .frame = r->frame,
                                      .models = models,
                                      .model_count = model_count,
                                      .model = r->model,
                                      .ramps = r->ramps};
    char path[96];
    const run_folder folder = run_folder_make();
    snprintf(path, sizeof path, "%s/converted.yaml", folder.path);
    must(mc_dynavis_write_scenario(path, &from, &error), &error);
    mc_scenario *s = mc_scenario_load(path, &error);
    if (!s)
        must(MC_FAILED, &error);
    run_folder_remove(&folder);
    mc_dynavis_data_free(data);
    free(models);
    return s;
}

static void resume(const motion_case *c, motion_trace *t)
{
    mc_scenario *s = convert(c->detail);
    motion_scenario(t, s);
    mc_scenario_free(s);
}

static const recorded demo4 = {FOLDER "demo4.par", FOLDER "demo4.dat", 300, NULL, NULL, NULL};
static const recorded demo4_cars = {FOLDER "demo4.par",   FOLDER "demo4.dat",     300,
                                    FOLDER "cars.models", FOLDER "freeway.ramps", "all"};
static const recorded demo5 = {FOLDER "demo5.par", FOLDER "demo5.dat", 200, NULL, NULL, NULL};
static const recorded sample = {FOLDER "sample.par", NULL, 0, NULL, NULL, NULL};

static const motion_case cases[] = {
    {"demo4", read_frames, &demo4},         {"demo5", read_frames, &demo5},
    {"demo4_goes_on", resume, &demo4_cars}, {"demo5_goes_on", resume, &demo5},
    {"sample_goes_on", resume, &sample},
};

int main(int argc, char **argv)
{
    return motion_main(argc, argv, "dynavis", cases, sizeof cases / sizeof cases[0]);
}
