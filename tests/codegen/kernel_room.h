// kernel_room.h - a separate cache folder, and the comparison of a kernel with the interpreter.
#pragma once

#include "codegen/kernel.h"
#include "expr/interpret.h"
#include "support/random_program.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KERNEL_BLOCKS = 5 };

static char kernel_cache[64]; // of the test that runs

static inline int kernel_room_make(void **state)
{
    (void)state;
    snprintf(kernel_cache, sizeof kernel_cache, "/tmp/motorcade_kernel_XXXXXX");
    unsetenv("MOTORCADE_CC");
    unsetenv("MOTORCADE_CPU");
    return mkdtemp(kernel_cache) && setenv("MOTORCADE_CACHE", kernel_cache, 1) == 0 ? 0 : -1;
}

static inline int kernel_room_remove(void **state)
{
    (void)state;
    char command[256]; // compilers of killed processes may still write there
    snprintf(command, sizeof command,
             "chmod -R u+rwx %s; for i in 1 2 3 4 5; do rm -rf %s 2>/dev/null && exit 0; sleep 1; "
             "done; exit 1",
             kernel_cache, kernel_cache);
    return system(command);
}

static inline double *kernel_vector(size_t count)
{
    double *p = NULL;
    assert_int_equal(posix_memalign((void **)&p, 32, (count + 4) * sizeof *p), 0);
    memset(p, 0xff, (count + 4) * sizeof *p);
    return p;
}

// Names in a folder of the cache that begin with `start`; the last one is written to name.
static inline int kernel_count_names(const char *start, char name[300])
{
    DIR *const dir = opendir(kernel_cache);
    assert_non_null(dir);
    int count = 0;
    for (const struct dirent *e; (e = readdir(dir)) != NULL;) {
        if (e->d_name[0] == '.' || strncmp(e->d_name, start, strlen(start)) != 0)
            continue;
        count++;
        if (name)
            snprintf(name, 300, "%s", e->d_name);
    }
    closedir(dir);
    return count;
}

// prepare, run and run_lanes of the kernel have the bits of the interpreter.
static inline void kernel_check(const expr_kernel *k, const expr_program *p)
{
    mc_error error = {0};
    expr_machine *const m = expr_machine_create(p, &error);
    assert_non_null(m);
    const size_t lanes = 4 * KERNEL_BLOCKS, variables = (size_t)p->variable_count;
    const size_t outputs = (size_t)p->output_count, kept = (size_t)p->kept_count;
    double *const x = kernel_vector(lanes * variables), *const k0 = kernel_vector(kept);
    double *const y0 = kernel_vector(lanes * outputs), *const y1 = kernel_vector(lanes * outputs);
    double *const k1 = kernel_vector(kept), *const w0 = kernel_vector((size_t)expr_machine_work(m));
    double *const w1 = kernel_vector((size_t)expr_kernel_work(k));
    unsigned long long seed = 17;
    double parameters[RANDOM_PARAMETERS];
    for (int i = 0; i < RANDOM_PARAMETERS; i++)
        parameters[i] = sample_uniform(&seed, -1.5, 1.5);
    for (size_t i = 0; i < lanes * variables; i++)
        x[i] = sample_uniform(&seed, -1.5, 1.5);

    expr_machine_prepare(m, parameters, k0, w0);
    expr_kernel_prepare(k, parameters, k1, w1);
    for (size_t i = 0; i < kept; i++)
        assert_true(same_bits(k0[i], k1[i]));
    expr_machine_run(m, x, k0, y0, w0);
    expr_kernel_run(k, x, k1, y1, w1);
    for (size_t i = 0; i < outputs; i++)
        assert_true(same_bits(y0[i], y1[i]));
    expr_machine_run_lanes(m, KERNEL_BLOCKS, x, k0, y0, w0);
    expr_kernel_run_lanes(k, KERNEL_BLOCKS, x, k1, y1, w1);
    for (size_t i = 0; i < lanes * outputs; i++)
        assert_true(same_bits(y0[i], y1[i]));
    expr_machine_destroy(m);
    free(x), free(k0), free(k1), free(y0), free(y1), free(w0), free(w1);
}
