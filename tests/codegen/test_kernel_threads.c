// test_kernel_threads.c - kernels compiled in the background: threads that run them meanwhile,
// processes that compile the same program at once, compilers that are stopped or killed, signals.
#include "kernel_room.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>

enum { THREADS = 3, PROCESSES = 4 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void rest(double time)
{
    const struct timespec t = {(time_t)time, (long)(1e9 * (time - (double)(time_t)time))};
    nanosleep(&t, NULL);
}

static void write_compiler(const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/slow_cc", kernel_cache);
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", text);
    fclose(f);
    assert_int_equal(chmod(path, 0700), 0);
    setenv("MOTORCADE_CC", path, 1);
}

static expr_kernel *start(const random_program *r)
{
    mc_error error = {0};
    expr_kernel *const k = expr_kernel_create(r->program, EXPR_COMPILE_BACKGROUND, &error);
    assert_non_null(k);
    return k;
}

static void no_child_is_left(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

// ---- running while it is compiled
// --------------------------------------------------------------------

typedef struct runner {
    pthread_t thread;
    const expr_kernel *kernel;
    const expr_program *program;
    const double *x, *kept, *want;
    atomic_bool *stop;
    int runs, wrong;
} runner;

static void *run_until_stopped(void *context)
{
    runner *const r = context;
    double *const work = kernel_vector((size_t)expr_kernel_work(r->kernel));
    const size_t count = 4 * KERNEL_BLOCKS * (size_t)r->program->output_count;
    double *const y = kernel_vector(count);
    while (!atomic_load(r->stop)) {
        memset(y, 0, count * sizeof *y);
        expr_kernel_run_lanes(r->kernel, KERNEL_BLOCKS, r->x, r->kept, y, work);
        for (size_t i = 0; i < count; i++)
            r->wrong += !same_bits(y[i], r->want[i]);
        r->runs++;
    }
    free(y);
    free(work);
    return NULL;
}

static void the_switch_changes_no_bit(void **state)
{
    (void)state;
    random_program r = random_program_make(31, 300);
    const expr_program *const p = r.program;
    mc_error error = {0};
    expr_machine *const m = expr_machine_create(p, &error);
    const size_t lanes = 4 * KERNEL_BLOCKS;
    double *const x = kernel_vector(lanes * (size_t)p->variable_count);
    double *const kept = kernel_vector((size_t)p->kept_count);
    double *const want = kernel_vector(lanes * (size_t)p->output_count);
    double *const work = kernel_vector((size_t)expr_machine_work(m));
    unsigned long long seed = 3;
    const double parameters[RANDOM_PARAMETERS] = {0.3, -0.2, 0.9, 1.1, -0.7, 0.4};
    for (size_t i = 0; i < lanes * (size_t)p->variable_count; i++)
        x[i] = sample_uniform(&seed, -1.5, 1.5);
    expr_machine_prepare(m, parameters, kept, work);
    expr_machine_run_lanes(m, KERNEL_BLOCKS, x, kept, want, work);

    expr_kernel *const k = start(&r);
    assert_int_equal(expr_kernel_state_of(k), EXPR_KERNEL_COMPILING);
    assert_string_equal(expr_kernel_message(k), "");
    atomic_bool stop;
    atomic_init(&stop, false);
    runner runners[THREADS];
    for (int i = 0; i < THREADS; i++) {
        runners[i] =
            (runner){.kernel = k, .program = p, .x = x, .kept = kept, .want = want, .stop = &stop};
        assert_int_equal(pthread_create(&runners[i].thread, NULL, run_until_stopped, &runners[i]),
                         0);
    }
    expr_kernel_wait(k);
    rest(0.02); // some runs of the compiled code
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(runners[i].thread, NULL);
        assert_true(runners[i].runs > 2);
        assert_int_equal(runners[i].wrong, 0);
    }
    assert_int_equal(expr_kernel_state_of(k), EXPR_KERNEL_COMPILED);
    expr_kernel_destroy(k);
    expr_machine_destroy(m);
    free(x), free(kept), free(want), free(work);
    random_program_free(&r);
}

static void kernels_of_the_same_program_at_once(void **state)
{
    (void)state;
    random_program r = random_program_make(32, 100);
    expr_kernel *k[THREADS];
    for (int i = 0; i < THREADS; i++)
        k[i] = start(&r);
    for (int i = 0; i < THREADS; i++) {
        expr_kernel_wait(k[i]);
        assert_int_equal(expr_kernel_state_of(k[i]), EXPR_KERNEL_COMPILED);
        kernel_check(k[i], r.program);
    }
    for (int i = 0; i < THREADS; i++) {
        expr_kernel_destroy(k[i]);
        for (int j = i + 1; j < THREADS; j++)
            kernel_check(k[j], r.program); // the others' code stays
    }
    assert_int_equal(kernel_count_names("", NULL), 1);
    no_child_is_left();
    random_program_free(&r);
}

// ---- processes
// -----------------------------------------------------------------------------------------

// What a child does: 0 when the kernel is compiled.
static int compile_in_child(const random_program *r)
{
    mc_error error = {0};
    expr_kernel *const k = expr_kernel_create(r->program, EXPR_COMPILE_WAIT, &error);
    if (!k)
        return 2;
    const int result = expr_kernel_state_of(k) == EXPR_KERNEL_COMPILED ? 0 : 1;
    if (result)
        fprintf(stderr, "%s\n", expr_kernel_message(k));
    expr_kernel_destroy(k);
    return result;
}

static void processes_compile_the_same_program_at_once(void **state)
{
    (void)state;
    for (int round = 0; round < 3; round++) {
        random_program r = random_program_make(40 + (unsigned)round, 60);
        pid_t children[PROCESSES];
        for (int i = 0; i < PROCESSES; i++) {
            children[i] = fork();
            assert_true(children[i] >= 0);
            if (children[i] == 0)
                _exit(compile_in_child(&r));
        }
        for (int i = 0; i < PROCESSES; i++) {
            int status = -1;
            assert_int_equal(waitpid(children[i], &status, 0), children[i]);
            assert_int_equal(status, 0);
        }
        assert_int_equal(kernel_count_names("", NULL), round + 1); // and no draft
        mc_error error = {0};
        expr_kernel *const k = expr_kernel_create(r.program, EXPR_COMPILE_WAIT, &error);
        assert_int_equal(expr_kernel_state_of(k), EXPR_KERNEL_COMPILED);
        kernel_check(k, r.program);
        expr_kernel_destroy(k);
        random_program_free(&r);
    }
}

// Killed at several moments, before, while and after the compiler writes its object.
static void a_killed_process_leaves_no_broken_entry(void **state)
{
    (void)state;
    random_program r = random_program_make(50, 150);
    for (int i = 0; i < 8; i++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(compile_in_child(&r));
        rest(0.02 + 0.04 * i);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
    }
    mc_error error = {0};
    expr_kernel *const k = expr_kernel_create(r.program, EXPR_COMPILE_WAIT, &error);
    assert_int_equal(expr_kernel_state_of(k), EXPR_KERNEL_COMPILED);
    kernel_check(k, r.program);
    expr_kernel_destroy(k);
    random_program_free(&r);
}

// ---- stopping
// --------------------------------------------------------------------------------------------

// The number in a file of the cache folder, when it is there within 5 s.
static long read_number(const char *file)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", kernel_cache, file);
    for (const double begun = seconds(); seconds() - begun < 5.0; rest(0.01)) {
        FILE *const f = fopen(path, "r");
        long number = 0;
        const int got = f ? fscanf(f, "%ld", &number) : 0;
        if (f)
            fclose(f);
        if (got == 1)
            return number;
    }
    fail_msg("%s was not written", path);
    return -1;
}

// A zombie that waits for its new parent counts as gone.
static bool gone(long pid)
{
    for (const double begun = seconds(); seconds() - begun < 5.0; rest(0.01)) {
        char path[64], line[256] = "";
        snprintf(path, sizeof path, "/proc/%ld/stat", pid);
        FILE *const f = fopen(path, "r");
        if (!f)
            return true;
        const bool read = fgets(line, sizeof line, f) != NULL;
        fclose(f);
        const char *const end = strrchr(line, ')');
        if (!read || (end && end[2] == 'Z'))
            return true;
    }
    return false;
}

static void destroying_stops_the_compiler(void **state)
{
    (void)state;
    random_program r = random_program_make(60, 50);
    char script[300];
    snprintf(script, sizeof script, "sleep 1000 & echo $! > %s/pid.tmp; mv %s/pid.tmp %s/pid; wait",
             kernel_cache, kernel_cache, kernel_cache);
    write_compiler(script);
    expr_kernel *const k = start(&r);
    const long grandchild = read_number("pid");
    kernel_check(k, r.program); // interpreted meanwhile
    assert_int_equal(expr_kernel_state_of(k), EXPR_KERNEL_COMPILING);
    const double begun = seconds();
    expr_kernel_destroy(k);
    assert_true(seconds() - begun < 2.0);
    no_child_is_left();
    assert_true(gone(grandchild));
    assert_int_equal(kernel_count_names("tmp-", NULL), 0);
    random_program_free(&r);
}

static void destroying_at_any_moment(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        random_program r = random_program_make(70 + (unsigned)i, 20);
        expr_kernel *const k = start(&r);
        rest(0.012 * i);
        expr_kernel_destroy(k);
        no_child_is_left();
        assert_int_equal(kernel_count_names("tmp-", NULL), 0);
        random_program_free(&r);
    }
}

// ---- signals
// ---------------------------------------------------------------------------------------------

static atomic_int interrupts;
static pthread_t main_thread;
static atomic_bool elsewhere;

static void on_interrupt(int number)
{
    (void)number;
    atomic_fetch_add(&interrupts, 1);
    if (!pthread_equal(pthread_self(), main_thread))
        atomic_store(&elsewhere, true);
}

static void an_interrupt_reaches_only_the_main_thread(void **state)
{
    (void)state;
    main_thread = pthread_self();
    struct sigaction action = {.sa_handler = on_interrupt}, before;
    assert_int_equal(sigaction(SIGINT, &action, &before), 0);
    random_program r = random_program_make(90, 100);
    expr_kernel *const k = start(&r);
    for (int i = 0; i < 20; i++) {
        kill(getpid(), SIGINT);
        rest(0.002);
    }
    expr_kernel_wait(k);
    assert_int_equal(expr_kernel_state_of(k), EXPR_KERNEL_COMPILED);
    assert_true(atomic_load(&interrupts) > 0);
    assert_false(atomic_load(&elsewhere));
    expr_kernel_destroy(k);
    sigaction(SIGINT, &before, NULL);
    random_program_free(&r);
}

// A host that ignores SIGCHLD gets no exit codes of children.
static void a_host_that_ignores_its_children(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = SIG_IGN}, before;
    assert_int_equal(sigaction(SIGCHLD, &action, &before), 0);
    random_program r = random_program_make(91, 50);
    mc_error error = {0};
    expr_kernel *k = expr_kernel_create(r.program, EXPR_COMPILE_WAIT, &error);
    assert_int_equal(expr_kernel_state_of(k), EXPR_KERNEL_COMPILED);
    kernel_check(k, r.program);
    expr_kernel_destroy(k);
    write_compiler("exit 1");
    k = expr_kernel_create(r.program, EXPR_COMPILE_WAIT, &error);
    assert_int_equal(expr_kernel_state_of(k), EXPR_KERNEL_FAILED);
    expr_kernel_destroy(k);
    sigaction(SIGCHLD, &before, NULL);
    random_program_free(&r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, kernel_room_make, kernel_room_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(processes_compile_the_same_program_at_once),
        TEST(a_killed_process_leaves_no_broken_entry),
        TEST(the_switch_changes_no_bit),
        TEST(kernels_of_the_same_program_at_once),
        TEST(destroying_stops_the_compiler),
        TEST(destroying_at_any_moment),
        TEST(an_interrupt_reaches_only_the_main_thread),
        TEST(a_host_that_ignores_its_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
