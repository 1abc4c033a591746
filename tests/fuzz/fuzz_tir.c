// fuzz_tir.c - tyre property files: a failure has its place, and a tyre that was read gives finite
// forces inside its ellipse of friction, whatever the slip.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "io/tir.h"
#include "parts/tyre_pac2002.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_note(void *to, int line, int column, const char *text)
{
    mc_assert(!to && line >= 1 && column >= 1 && strlen(text) > 10 && !strchr(text, '\n'));
}

static void check_forces(const pac2002_tyre *tyre)
{
    enum { N = 4 };
    static const double slips[] = {0.0, 1e-3, -0.05, 0.2, -1.0, 100.0, -1e9};
    enum { SLIPS = sizeof slips / sizeof slips[0] };
    const double p[] = {[PAC2002_DAMPING] = 2000.0, [PAC2002_ELLIPSE] = 1.0};
    for (int k = 0; k < SLIPS * SLIPS; k++) {
        _Alignas(32) double fz[N] = {0.0, 100.0, 4000.0, 1e9}, v_x[N], v_y[N] = {0}, v_roll[N];
        _Alignas(32) double x[2 * N], drive[2 * N], fx[N], fy[N], mz[N], camber[N];
        for (int i = 0; i < N; i++) {
            v_x[i] = v_roll[i] = k % 2 ? 20.0 : 0.0, camber[i] = 0.1 * (k % 3 - 1);
            x[i] = slips[k % SLIPS], x[N + i] = slips[k / SLIPS];
        }
        const mc_tyre_in in = {
            .fz = fz, .v_x = v_x, .v_y = v_y, .v_roll = v_roll, .context = tyre, .camber = camber};
        pac2002_eval_plain(p, N, &in, x, drive, &(mc_tyre_out){.fx = fx, .fy = fy, .mz = mz});
        for (int i = 0; i < N; i++)
            mc_assert(isfinite(fx[i]) && isfinite(fy[i]) && isfinite(mz[i]) && isfinite(drive[i]) &&
                      isfinite(drive[N + i]));
        mc_assert(fx[0] == 0.0 && fy[0] == 0.0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    mc_assert(text);
    memcpy(text, data, size);
    text[size] = '\0';
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n' || text[i] == '\r';
    pac2002_tyre tyre;
    mc_error error = {0};
    const mc_tyre_file file = {text, size, "fuzz.tir", check_note, NULL};
    const mc_status status = pac2002_load(&file, &tyre, &error);
    if (status == MC_OK) {
        check_forces(&tyre);
    } else {
        mc_assert(status == MC_BAD_INPUT && strcmp(error.file, "fuzz.tir") == 0);
        mc_assert(error.line >= 1 && (size_t)error.line <= lines && error.column >= 1);
        mc_assert(strlen(error.text) > 10 && !strchr(error.text, '\n'));
    }
    free(text);
    return 0;
}
