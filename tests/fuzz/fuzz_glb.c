// fuzz_glb.c - glTF files of looks: a failure has a reason, and a mesh that was read is finite and
// within its box.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "io/glb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    mc_assert(text);
    memcpy(text, data, size); // at the end of a block, so that a read behind it is found
    arena memory = {0};
    glb_mesh m;
    mc_error error = {0};
    const mc_status status = glb_parse(text, size, "fuzz.glb", &memory, &m, &error);
    if (status == MC_OK) {
        mc_assert(m.count >= 1 && m.count <= GLB_TRIANGLES_MAX);
        for (int i = 0; i < 9 * m.count; i++)
            mc_assert(isfinite(m.position[i]) && fabsf(m.normal[i]) <= 1.0001f);
    } else {
        mc_assert(status == MC_BAD_INPUT && strcmp(error.file, "fuzz.glb") == 0);
        mc_assert(strlen(error.text) > 10 && !strchr(error.text, '\n'));
    }
    arena_free(&memory);
    free(text);
    return 0;
}
