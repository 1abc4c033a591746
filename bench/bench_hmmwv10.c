// bench_hmmwv10.c - accelerations of a ten-body vehicle: derived equations against other multibody
// programs and against SymPy, one state at a time and in blocks of four lanes; time to derive.
//
// Each side is given q, v and forces and computes dv/dt, including sines and cosines. The states
// cycle through a set, so that nothing can be reused from the previous one. Timing starts only
// after all sides have agreed on every acceleration.
#include "measure.h"

#include "base/cpu.h"
#include "motorcade/multibody.h"
#include "support/peer_kind.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATES = 256, NQ_MAX = 16, NV_MAX = 15, PEERS = 4, ROUNDS = 101 };

static const double tolerance = 1e-11; // of the largest acceleration

static double q[STATES][NQ_MAX], v[STATES][NV_MAX], tau[STATES][NV_MAX];
static double q_lanes[STATES * NQ_MAX], v_lanes[STATES * NV_MAX], tau_lanes[STATES * NV_MAX];
static double vdot_lanes[STATES * NV_MAX];
static tree vehicle;
static char folder[] = "/tmp/motorcade_bench_XXXXXX";

static void fail(const char *what)
{
    fprintf(stderr, "bench_hmmwv10: %s\n", what);
    exit(1);
}

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- states ------------------------------------------------------------------------------------

static void to_lanes(const double *from, int stride, int count, double *to)
{
    for (int s = 0; s < STATES; s++)
        for (int k = 0; k < count; k++)
            to[((s / 4) * count + k) * 4 + s % 4] = from[s * stride + k];
}

static void make_states(void)
{
    if (!tree_read(&vehicle, SOURCE_DIR "/tests/data/hmmwv10.model"))
        exit(1);
    if (tree_nq(&vehicle) != NQ_MAX || tree_nv(&vehicle) != NV_MAX)
        fail("hmmwv10 has 16 coordinates and 15 velocities");
    unsigned long long seed = 1985;
    for (int s = 0; s < STATES; s++) {
        tree_random_state(&vehicle, &seed, q[s], v[s]);
        tree_random_forces(&vehicle, &seed, tau[s]);
    }
    to_lanes(q[0], NQ_MAX, NQ_MAX, q_lanes);
    to_lanes(v[0], NV_MAX, NV_MAX, v_lanes);
    to_lanes(tau[0], NV_MAX, NV_MAX, tau_lanes);
}

// ---- sides -------------------------------------------------------------------------------------

typedef void accelerations(void *self, const double *q, const double *v, const double *tau,
                           double *vdot);

typedef struct side {
    const char *name;
    accelerations *run;
    void *self;
    int repeats; // passes over the states in a round
} side;

static void ours_run(void *self, const double *at, const double *speed, const double *force,
                     double *vdot)
{
    mc_multibody_accelerations(self, at, speed, force, vdot);
}

typedef void sympy_code(const double *, const double *, const double *, double *);

static void sympy_run(void *self, const double *at, const double *speed, const double *force,
                      double *vdot)
{
    (*(sympy_code **)self)(at, speed, force, vdot);
}

static double time_side(void *context)
{
    const side *s = context;
    double vdot[NV_MAX], sum = 0.0;
    const double start = measure_cpu();
    for (int r = 0; r < s->repeats; r++)
        for (int i = 0; i < STATES; i++) {
            s->run(s->self, q[i], v[i], tau[i], vdot);
            sum += vdot[NV_MAX - 1];
        }
    const double taken = measure_cpu() - start;
    if (!isfinite(sum))
        fail("an acceleration is not finite");
    return taken / (s->repeats * STATES);
}

static double time_lanes(void *context)
{
    enum { REPEATS = 20 };
    const double start = measure_cpu();
    for (int r = 0; r < REPEATS; r++)
        mc_multibody_accelerations_lanes(context, STATES / 4, q_lanes, v_lanes, tau_lanes,
                                         vdot_lanes);
    return (measure_cpu() - start) / (REPEATS * STATES);
}

// ---- agreement ---------------------------------------------------------------------------------

static double largest(const double *x)
{
    double max = 0.0;
    for (int k = 0; k < NV_MAX; k++)
        max = fmax(max, fabs(x[k]));
    return max;
}

static void compare(const char *name, const double *ours, const double *theirs, double *worst)
{
    for (int k = 0; k < NV_MAX; k++) {
        const double off = fabs(ours[k] - theirs[k]) / largest(ours);
        if (!(off <= tolerance)) {
            fprintf(stderr, "bench_hmmwv10: %s: acceleration %d is off by %.3g\n", name, k, off);
            exit(1);
        }
        *worst = fmax(*worst, off);
    }
}

static void check_agreement(mc_multibody *ours, const side *sides, int count)
{
    static double want[STATES][NV_MAX];
    for (int s = 0; s < STATES; s++)
        mc_multibody_accelerations(ours, q[s], v[s], tau[s], want[s]);
    for (int i = 0; i < count; i++) {
        double worst = 0.0;
        for (int s = 0; s < STATES; s++) {
            double got[NV_MAX];
            sides[i].run(sides[i].self, q[s], v[s], tau[s], got);
            compare(sides[i].name, want[s], got, &worst);
        }
        fprintf(stderr, "hmmwv10: %s agrees to %.1e\n", sides[i].name, worst);
    }
    double worst = 0.0;
    mc_multibody_accelerations_lanes(ours, STATES / 4, q_lanes, v_lanes, tau_lanes, vdot_lanes);
    for (int s = 0; s < STATES; s++) {
        double got[NV_MAX];
        for (int k = 0; k < NV_MAX; k++)
            got[k] = vdot_lanes[((s / 4) * NV_MAX + k) * 4 + s % 4];
        compare("lanes", want[s], got, &worst);
    }
}

// ---- SymPy -------------------------------------------------------------------------------------

typedef struct sympy {
    double derive, cse, compile; // s
    char library[96];
} sympy;

static double number_of(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? strtod(at + strlen(key), NULL) : NAN;
}

// False where SymPy is not installed.
static bool sympy_make(sympy *s)
{
    char command[512], line[512] = "";
    snprintf(s->library, sizeof s->library, "%s/sympy.so", folder);
    snprintf(command, sizeof command,
             "python3 '%s/bench/sympy_hmmwv10.py' '%s/tests/data/hmmwv10.model' --library %s "
             "--flags=-march=native",
             SOURCE_DIR, SOURCE_DIR, s->library);
    FILE *pipe = popen(command, "r");
    const bool read = pipe && fgets(line, sizeof line, pipe);
    if (!pipe || pclose(pipe) != 0 || !read) {
        fprintf(stderr, "bench_hmmwv10: no SymPy here: its rows are left out\n");
        return false;
    }
    fprintf(stderr, "%s", line);
    s->derive = number_of(line, "derive_s=");
    s->cse = number_of(line, "cse_s=");
    s->compile = number_of(line, "compile_s=");
    // The same without what only this processor can do.
    snprintf(command, sizeof command,
             "cc -O2 -fno-math-errno -shared -fPIC -o %s/sympy_plain.so %s/sympy.c -lm", folder,
             folder);
    return isfinite(s->derive) && isfinite(s->cse) && isfinite(s->compile) && system(command) == 0;
}

static sympy_code *sympy_load(const char *path)
{
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *const address = handle ? dlsym(handle, "sympy_accelerations") : NULL;
    sympy_code *code = NULL;
    memcpy(&code, &address, sizeof code);
    return code;
}

// ---- one state, four states --------------------------------------------------------------------

static mc_multibody *load(mc_form form, mc_compile compile)
{
    mc_error error;
    const mc_multibody_options options = {.form = form, .compile = compile};
    mc_multibody *m = mc_multibody_load(SOURCE_DIR "/models/hmmwv10.yaml", &options, &error);
    if (!m)
        fail(error.text);
    return m;
}

static mc_multibody *load_compiled(void)
{
    mc_multibody *m = load(MC_FORM_CHEAPER, MC_COMPILE_WAIT);
    const char *message;
    double vdot[NV_MAX];
    mc_multibody_accelerations(m, q[0], v[0], tau[0], vdot);
    if (mc_multibody_kernel_state(m, &message) != MC_KERNEL_STATE_COMPILED)
        fail(message);
    return m;
}

static void bench_forward(const char *suffix, const char *sympy_library)
{
    static const peer_kind *const kinds[PEERS] = {&peer_mujoco, &peer_bullet, &peer_dart,
                                                  &peer_simbody};
    static const char *const names[PEERS] = {"mujoco", "bullet", "dart", "simbody"};
    mc_multibody *ours = load_compiled();
    side sides[PEERS + 2];
    int count = 0;
    for (int i = 0; i < PEERS; i++) {
        sides[count] = (side){names[i], kinds[i]->accelerations, kinds[i]->create(&vehicle), 1};
        if (!sides[count++].self)
            exit(1);
    }
    sympy_code *code = *sympy_library ? sympy_load(sympy_library) : NULL;
    if (code)
        sides[count++] = (side){"sympy", sympy_run, &code, 2};
    check_agreement(ours, sides, count);

    side our_side = {"ours", ours_run, ours, 8};
    measure_side timed[PEERS + 3] = {{time_side, &our_side, 0.0}, {time_lanes, ours, 0.0}};
    for (int i = 0; i < count; i++)
        timed[2 + i] = (measure_side){time_side, &sides[i], 0.0};
    measure_pin(true);
    measure_sides(timed, 2 + count, ROUNDS);
    measure_pin(false);
    char name[64];
    snprintf(name, sizeof name, "hmmwv10_fd%s", suffix);
    for (int i = 0; i < count; i++)
        measure_print(name, sides[i].name, 1e9 * timed[0].seconds, 1e9 * timed[2 + i].seconds, "ns",
                      1);
    snprintf(name, sizeof name, "hmmwv10_fd_batch%s", suffix);
    measure_print(name, sides[0].name, 1e9 * timed[1].seconds, 1e9 * timed[2].seconds,
                  "ns per vehicle", 1);
    for (int i = 0; i < PEERS; i++)
        kinds[i]->destroy(sides[i].self);
    mc_multibody_free(ours);
}

// The same program again on the plain level, which is chosen when a program starts.
static void bench_plain(const char *self)
{
    const pid_t child = fork();
    if (child == 0) {
        setenv("MOTORCADE_CPU", "plain", 1);
        execl(self, self, "--plain", folder, (char *)NULL);
        _exit(127);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        fail("the run on the plain level failed");
}

// ---- time to derive ----------------------------------------------------------------------------

static double derive(void *context)
{
    const mc_form *form = context;
    double vdot[NV_MAX];
    const double start = measure_cpu();
    mc_multibody *m = load(*form, MC_COMPILE_NEVER);
    mc_multibody_accelerations(m, q[0], v[0], tau[0], vdot);
    const double taken = measure_cpu() - start;
    mc_multibody_free(m);
    return taken;
}

// From the file to compiled code, the cache being empty; time on the clock, as it uses two cores.
static double derive_compiled(void *context)
{
    (void)context;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s/cache", folder);
    if (system(command) != 0)
        fail("cannot empty the cache");
    const double start = wall();
    mc_multibody *m = load_compiled();
    const double taken = wall() - start;
    mc_multibody_free(m);
    return taken;
}

static void print_time(const char *name, double ours, double theirs)
{
    if (isfinite(theirs))
        measure_print(name, "sympy", ours, theirs, "ms", 1);
    else
        measure_print_alone(name, ours, "ms");
}

static void bench_derive(const sympy *s)
{
    mc_form both = MC_FORM_CHEAPER, recursive = MC_FORM_RECURSIVE;
    measure_side sides[] = {{derive, &both, 0.0}, {derive, &recursive, 0.0}};
    measure_sides(sides, 2, 21);
    measure_side compiled = {derive_compiled, NULL, 0.0};
    measure_sides(&compiled, 1, 5);
    print_time("derive_hmmwv10", 1e3 * sides[0].seconds, 1e3 * s->derive);
    print_time("derive_hmmwv10_recursive", 1e3 * sides[1].seconds, 1e3 * s->derive);
    print_time("derive_hmmwv10_compiled", 1e3 * compiled.seconds,
               1e3 * (s->derive + s->cse + s->compile));
    mc_multibody *m = load(MC_FORM_CHEAPER, MC_COMPILE_NEVER);
    const mc_multibody_info *info = mc_multibody_info_of(m);
    fprintf(stderr, "hmmwv10: %d flops recursive, %d lagrange; %d sincos\n",
            info->flops_of_form[MC_FORM_RECURSIVE], info->flops_of_form[MC_FORM_LAGRANGE],
            info->forward.sincos);
    mc_multibody_free(m);
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "bench_hmmwv10: %s is left over\n", folder);
}

int main(int argc, char **argv)
{
    make_states();
    if (argc == 3 && strcmp(argv[1], "--plain") == 0) {
        char library[96];
        snprintf(library, sizeof library, "%.60s/sympy_plain.so", argv[2]);
        bench_forward("_plain", access(library, R_OK) == 0 ? library : "");
        return 0;
    }
    char cache[96];
    if (!mkdtemp(folder))
        fail("cannot make a folder in /tmp");
    atexit(remove_folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("MOTORCADE_CACHE", cache, 1);
    sympy s = {NAN, NAN, NAN, ""};
    if (!sympy_make(&s))
        s = (sympy){NAN, NAN, NAN, ""};
    bench_forward("", s.library);
    if (cpu_level_best() != CPU_PLAIN)
        bench_plain(argv[0]);
    bench_derive(&s);
    return 0;
}
