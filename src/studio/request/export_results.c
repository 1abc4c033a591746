// export_results.c - a branch as a results file.
//
// A branch keeps rows for the screen, not the columns of a results file. It is its scenario and its
// log, so both are run again, with a recorder, and the state at the end must have the same hash.
// This takes the simulation thread, so it is bounded; a longer run is saved as a scenario and
// recorded by `motorcade run -o`.
#include "studio/request/export_results.h"

#include "base/base64.h"
#include "motorcade/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RESULTS_MAX = 8 << 20 };        // bytes of the file; base64 makes 4 of 3
static const double WORK_MAX = 2e7;    // vehicle-steps, seconds of work
static const double NUMBERS_MAX = 8e4; // rows times vehicles

static char *too_long(mc_error *error)
{
    mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                 "too long for a results file from here: save the scenario with its commands, "
                 "then motorcade run SCENARIO -o run.h5");
    return NULL;
}

static char *read_file(const char *path, mc_error *error)
{
    FILE *in = fopen(path, "rb");
    unsigned char *data = malloc((size_t)RESULTS_MAX + 1);
    const size_t size = in && data ? fread(data, 1, (size_t)RESULTS_MAX + 1, in) : 0;
    if (in)
        fclose(in);
    char *out = size > RESULTS_MAX ? too_long(error) : size ? base64_text(data, size) : NULL;
    if (!size || (size <= RESULTS_MAX && !out))
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "the results file cannot be read back");
    free(data);
    return out;
}

// The scenario with its log, from its own folder: files that it names are read again.
static mc_run *again(const mc_run *run, mc_error *error)
{
    char *text = mc_run_export(run, true, error);
    const char *path = mc_scenario_info_of(mc_run_origin(run))->file;
    mc_scenario *s = text ? mc_scenario_parse(text, strlen(text), path, error) : NULL;
    const mc_run_options options = {.threads = 1, .interpret = true, .mileage = true};
    mc_run *own = s ? mc_run_create(s, &options, error) : NULL;
    mc_scenario_free(s);
    free(text);
    return own;
}

static bool record(mc_run *own, const mc_run *run, const char *path, mc_error *error)
{
    const mc_record_output output = {
        .hdf5 = path, .command = "motorcade studio", .end = mc_run_time(run)};
    mc_recording *rec = mc_recording_open(own, &output, error);
    if (!rec)
        return false;
    if (mc_recording_play(rec, NULL, error) != MC_OK) {
        mc_recording_abandon(rec);
        return false;
    }
    if (mc_recording_close(rec, error) != MC_OK)
        return false;
    if (mc_run_hash(own) == mc_run_hash(run))
        return true;
    mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                 "run again it led to another state: a file that the scenario names was changed, "
                 "or the world was run beyond a stop condition");
    return false;
}

char *export_results(const mc_run *run, const char *folder, mc_error *error)
{
    const mc_scenario_info *info = mc_scenario_info_of(mc_run_origin(run));
    const double count = mc_run_vehicle_count(run), t = mc_run_time(run);
    char path[160], *out = NULL;
    if (mc_run_step_count(run) < 1) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "nothing is simulated yet");
        return NULL;
    }
    if (count * (double)mc_run_step_count(run) > WORK_MAX || count * t / info->record > NUMBERS_MAX)
        return too_long(error);
    snprintf(path, sizeof path, "%s/export.h5", folder);
    mc_run *own = again(run, error);
    if (own && record(own, run, path, error))
        out = read_file(path, error);
    mc_run_destroy(own);
    unlink(path);
    return out;
}
