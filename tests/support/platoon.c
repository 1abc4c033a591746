// platoon.c - scenarios written in a test, and runs of them.
#include "support/platoon.h"

#include "scenario/handle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void no(const mc_error *error)
{
    char text[640];
    fail_msg("%s", mc_error_format(error, text, sizeof text));
}

mc_scenario *platoon_scenario(const char *text)
{
    mc_error error;
    mc_scenario *s = scenario_wrap(
        scenario_parse(text, strlen(text), SOURCE_DIR "/scenarios/test.yaml", &error), &error);
    if (!s)
        no(&error);
    return s;
}

mc_scenario *platoon_shipped(const char *name)
{
    mc_error error;
    char path[512];
    snprintf(path, sizeof path, SOURCE_DIR "/scenarios/%s.yaml", name);
    mc_scenario *s = mc_scenario_load(path, &error);
    if (!s)
        no(&error);
    return s;
}

mc_run *platoon_run(const mc_scenario *s, int threads)
{
    mc_error error;
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = threads}, &error);
    if (!run)
        no(&error);
    return run;
}

void platoon_steps(mc_run *run, int count)
{
    mc_error error;
    for (int k = 0; k < count; k++)
        if (mc_run_step(run, &error) != MC_OK)
            no(&error);
}

mc_run_view platoon_view(const mc_run *run, const char *vehicle)
{
    mc_run_view view;
    const int number = mc_run_find(run, vehicle);
    if (number < 0)
        fail_msg("no vehicle %s", vehicle);
    mc_run_look(run, number, &view);
    return view;
}

void platoon_command(mc_run *run, const mc_command *command)
{
    mc_error error;
    if (mc_run_command(run, command, &error) != MC_OK)
        no(&error);
}
