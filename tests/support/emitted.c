// emitted.c - from a mechanism to a shared object.
#include "support/emitted.h"

#include "base/cpu.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

void *emitted_build(const run_folder *folder, mc_multibody *m, mc_language language, mc_code code,
                    const char *file, const char *compiler)
{
    char path[160], call[400];
    mc_error error = {0};
    snprintf(path, sizeof path, "%s/%s", folder->path, file);
    if (mc_multibody_write_code(m, language, code, path, &error) != MC_OK)
        fail_msg("%s", error.text);
    snprintf(call, sizeof call, "command -v %s >/dev/null 2>&1", compiler);
    if (system(call) != 0)
        return NULL;
    snprintf(call, sizeof call,
             "%s -O1 -Wall -Wextra -Werror -ffp-contract=off %s -shared -fPIC %s -o "
             "%s.%s.so -lm",
             compiler, cpu_level_best() == CPU_AVX2 ? "-mavx2 -mfma" : "-O1", file, file, compiler);
    run_result r = run(folder, "/usr/bin/env", call);
    if (r.code != 0)
        fail_msg("%s:\n%s", call, r.err);
    run_result_free(&r);
    snprintf(path, sizeof path, "%s/%s.%s.so", folder->path, file, compiler);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        fail_msg("%s", dlerror());
    return object;
}

void *emitted_symbol(void *object, const char *name)
{
    void *found = dlsym(object, name);
    if (!found)
        fail_msg("no %s", name);
    return found;
}
