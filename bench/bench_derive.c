// bench_derive.c - growth of derivation, code and compiler time with the length of a chain.
//
// Chains: links in space, hinged about y and x in turn, the first one to the ground, as in
// models/chain8.yaml; no symmetry to profit from.
#include "measure.h"

#include "codegen/kernel.h"
#include "mechanism/mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N_MAX = 64 };

static char folder[] = "/tmp/motorcade_bench_XXXXXX";

static void fail(const char *what)
{
    fprintf(stderr, "bench_derive: %s\n", what);
    exit(1);
}

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- chains ------------------------------------------------------------------------------------

typedef struct chain {
    int links;
    mc_form form;
    char text[256 * N_MAX];
} chain;

static chain chain_of(int links, mc_form form)
{
    chain c = {.links = links, .form = form};
    size_t n = 0;
    n += (size_t)sprintf(c.text, "motorcade: multibody\nname: chain%d\nbodies:\n", links);
    for (int i = 0; i < links; i++) {
        char inboard[32] = "ground";
        if (i > 0)
            snprintf(inboard, sizeof inboard, "link%d", i - 1);
        n += (size_t)snprintf(c.text + n, sizeof c.text - n,
                              "  link%d:\n    inboard: %s\n    joint: hinge\n    at: [0, 0, %s]\n"
                              "    axis: %s\n    mass: 0.2\n    com: [0.01, 0.02, -0.125]\n"
                              "    inertia: [0.0011, 0.00104, 0.0002, 1e-5, 2e-5, 3e-5]\n",
                              i, inboard, i > 0 ? "-0.25" : "0", i % 2 ? "x" : "y");
    }
    return c;
}

static mc_multibody *parse(const chain *c, mc_compile compile)
{
    mc_error error;
    const mc_multibody_options options = {.form = c->form, .compile = compile};
    mc_multibody *m = mc_multibody_parse(c->text, "chain", &options, &error);
    if (!m)
        fail(error.text);
    return m;
}

// Reads, derives and evaluates once.
static void evaluate(mc_multibody *m)
{
    double q[N_MAX], v[N_MAX], vdot[N_MAX];
    for (int i = 0; i < N_MAX; i++)
        q[i] = 0.3 * sin(1.0 + i), v[i] = cos(2.0 * i);
    mc_multibody_accelerations(m, q, v, NULL, vdot);
    if (!isfinite(vdot[0]))
        fail("an acceleration is not finite");
}

static double derive(void *context)
{
    const double start = measure_cpu();
    mc_multibody *m = parse(context, MC_COMPILE_NEVER);
    evaluate(m);
    const double taken = measure_cpu() - start;
    mc_multibody_free(m);
    return taken;
}

// What SymPy's script reads.
static void write_records(int links, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        fail("cannot write the records of a chain");
    for (int i = 0; i < links; i++)
        fprintf(file,
                "body %d link%d %d hinge 0 0 %s 1 0 0 0 %s 0.2 0.01 0.02 -0.125 0.0011 0.00104 "
                "0.0002 1e-5 2e-5 3e-5\n",
                i, i, i - 1, i > 0 ? "-0.25" : "0", i % 2 ? "1 0 0" : "0 1 0");
    fclose(file);
}

static double number_of(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? strtod(at + strlen(key), NULL) : NAN;
}

// s to form the equations; NAN where SymPy is not installed.
static double sympy_time(int links)
{
    char path[64], command[512], line[256] = "";
    snprintf(path, sizeof path, "%s/chain.model", folder);
    write_records(links, path);
    snprintf(command, sizeof command, "python3 '%s/bench/sympy_hmmwv10.py' %s --derive", SOURCE_DIR,
             path);
    FILE *pipe = popen(command, "r");
    const bool read = pipe && fgets(line, sizeof line, pipe);
    if (!pipe || pclose(pipe) != 0 || !read)
        return NAN;
    return number_of(line, "derive_s=");
}

static int statements(const chain *c)
{
    mc_multibody *m = parse(c, MC_COMPILE_NEVER);
    const int count = m->code[MULTIBODY_FORWARD].program->run.count;
    mc_multibody_free(m);
    return count;
}

static double compile_time(const chain *c)
{
    const char *message;
    mc_multibody *m = parse(c, MC_COMPILE_WAIT);
    const double start = wall();
    evaluate(m);
    const double taken = wall() - start;
    if (mc_multibody_kernel_state(m, &message) != MC_KERNEL_STATE_COMPILED)
        fail(message);
    mc_multibody_free(m);
    return taken;
}

// Slope between the last length and a quarter of it.
static double exponent(const double *y, int count)
{
    return log(y[count - 1] / y[count - 3]) / log(4.0);
}

static void bench_chains(mc_form form, const char *word, int count)
{
    enum { SYMPY_LINKS = 4 }; // beyond these its time explodes
    static const int links[] = {2, 4, 8, 16, 32, 64};
    double seconds[6], size[6];
    for (int k = 0; k < count; k++) {
        chain c = chain_of(links[k], form);
        measure_side side = {derive, &c, 0.0};
        measure_sides(&side, 1, 31);
        seconds[k] = side.seconds;
        size[k] = statements(&c);
        char name[64];
        snprintf(name, sizeof name, "derive_chain%s_%d", word, links[k]);
        const double theirs =
            form == MC_FORM_RECURSIVE && links[k] <= SYMPY_LINKS ? sympy_time(links[k]) : NAN;
        if (isfinite(theirs))
            measure_print(name, "sympy", 1e3 * seconds[k], 1e3 * theirs, "ms", 1);
        else
            measure_print_alone(name, 1e3 * seconds[k], "ms");
        snprintf(name, sizeof name, "statements_chain%s_%d", word, links[k]);
        measure_print_alone(name, size[k], "statements");
    }
    char name[64];
    snprintf(name, sizeof name, "growth_derive_chain%s_%d", word, links[count - 1]);
    if (form == MC_FORM_RECURSIVE) {
        measure_print(name, "limit", exponent(seconds, count), 1.5, "exponent", 1);
        measure_print("growth_statements_chain_64", "limit", exponent(size, count), 1.5, "exponent",
                      1);
        const chain c = chain_of(links[count - 1], form);
        measure_print("compile_chain_64", "limit", compile_time(&c), 15.0, "s", 1);
    } else {
        measure_print_alone(name, exponent(seconds, count), "exponent");
        snprintf(name, sizeof name, "growth_statements_chain%s_%d", word, links[count - 1]);
        measure_print_alone(name, exponent(size, count), "exponent");
    }
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "bench_derive: %s is left over\n", folder);
}

int main(void)
{
    char cache[64];
    if (!mkdtemp(folder))
        fail("cannot make a folder in /tmp");
    atexit(remove_folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("MOTORCADE_CACHE", cache, 1);
    bench_chains(MC_FORM_RECURSIVE, "", 6);
    bench_chains(MC_FORM_LAGRANGE, "_lagrange", 4);
    return 0;
}
