// medusa.c - the output printed in section 2.5 of the MEDUSA report, to its last digit.
//
// Six rows of the sample car: its height at every 10 ms. The report's program began with transposed
// directors; the option as_published does so too. The two input files are in memory only.
#include "verify/verify.h"
#include "motorcade/medusa.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char models[] = "NUMBER_OF_MODELS 1\n"
                             "MODEL 1\n"
                             "COSSERAT_POINT MASS 1573.0 IX 479.6 IY 2594.6 IZ 2782.0\n"
                             "  E 200.0e6 NU 0.30 VOLUME 0.42\n"
                             "SUSPENSION L1 1.034 L2 1.491 B 0.725 H1 0.0 H2 0.0\n"
                             "  SPRING_REF 0.15 C1 17000.0 C2 40000.0 D1 1500.0 D2 1200.0\n"
                             "TYRE 0.0016\n"
                             "CONTACT A1 1.5 A2 1.0 A3 1.0\n"
                             "EQUILIBRIUM R3 -0.0373\n"
                             "  D11 0.9972 D12 0.0 D13 -0.0748\n"
                             "  D21 0.0    D22 1.0 D23  0.0\n"
                             "  D31 0.0749 D32 0.0 D33  0.9972\n";
static const char platoon[] =
    "NUMBER_OF_VEHICLES 2\n"
    "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 0.0 Y 0.0 ORIENTATION 0.0 SPEED 24.4444 STEERING 0.0\n"
    "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 5.0 Y 0.0 ORIENTATION 0.0 SPEED 23.1111 STEERING 0.0\n";

static const char *const printed[6] = {"-3.730000e-02", "-3.691894e-02", "-3.579733e-02",
                                       "-3.398085e-02", "-3.152424e-02", "-2.849029e-02"};

// A file without a name in any folder; its path leads to it while it is open. -1 on failure.
static int memory_file(const char *name, const char *text, char *path, size_t size, mc_error *error)
{
    const int file = memfd_create(name, MFD_CLOEXEC);
    const size_t length = strlen(text);
    if (file >= 0 && write(file, text, length) == (ssize_t)length) {
        snprintf(path, size, "/proc/self/fd/%d", file);
        return file;
    }
    mc_error_set(error, MC_IO, NULL, 0, 0, "cannot create a file in memory: %s", strerror(errno));
    if (file >= 0)
        close(file);
    return -1;
}

static mc_medusa *open_sample(mc_error *error)
{
    char models_path[40], platoon_path[40];
    const int models_file =
        memory_file("model.dat", models, models_path, sizeof models_path, error);
    const int platoon_file = models_file < 0 ? -1
                                             : memory_file("platoon.dat", platoon, platoon_path,
                                                           sizeof platoon_path, error);
    mc_medusa *run = NULL;
    if (platoon_file >= 0) {
        mc_medusa_options options = mc_medusa_defaults();
        options.models = models_path;
        options.platoon = platoon_path;
        options.end_time = 0.05;
        options.scheme = MC_SCHEME_PUBLISHED;
        options.as_published = true;
        options.threads = 1;
        run = mc_medusa_load(&options, error);
        close(platoon_file);
    }
    if (models_file >= 0)
        close(models_file);
    return run;
}

static mc_status run_print(verify_sink *sink, mc_error *error)
{
    mc_medusa *run = open_sample(error);
    if (!run)
        return error->code;
    mc_world *world = mc_medusa_world(run);
    mc_batch *batch;
    int index;
    mc_world_vehicle(world, 0, &batch, &index);
    mc_status status = MC_OK;
    for (int k = 0; k < 6 && status == MC_OK; k++) {
        mc_ellipsoid surface; // its centre is the mass centre
        batch->kind->surface(batch, index, &surface);
        verify_note_print(sink, surface.centre[2], printed[k], "r3 at %g s", 0.01 * k);
        if (k < 5)
            status = mc_world_advance(world, 0.01, error);
    }
    mc_medusa_free(run);
    return status;
}

const verify_benchmark verify_medusa_print = {
    .text = {"medusa-print", "MEDUSA sample car as published: height at 0 .. 50 ms, every digit",
             "MEDUSA report, section 2.5"},
    .run = run_print,
};
