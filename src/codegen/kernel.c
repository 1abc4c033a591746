// kernel.c - a program that is interpreted until its compiled code is ready.
//
// One thread per kernel looks into the cache, compiles if needed, and loads. It publishes the
// loaded functions by one atomic pointer; callers that run the kernel read that pointer. The
// environment is read and the source is generated before the thread starts, so both environment and
// graph may change while it works.
#include "codegen/kernel.h"
#include "base/assert.h"
#include "base/interrupt.h"
#include "base/wide.h"
#include "codegen/cache.h"
#include "codegen/compile.h"
#include "codegen/emit.h"
#include "expr/functions_lanes.h"
#include "expr/interpret.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ENTRY_MAX = 200,      // of the cache
    PARALLEL_STEPS = 700, // from this length on, scalar and vector code are compiled side by side
};
static const long long byte_max = 256LL << 20;

typedef void prepare_code(const double *p, double *k, const expr_functions *f);
typedef void run_code(const double *x, const double *k, double *y, const expr_functions *f);
typedef void lanes_code(int block_count, const double *x, const double *k, double *y,
                        const expr_functions *f);

typedef struct loaded {
    void *handle;
    prepare_code *prepare;
    run_code *run;
    lanes_code *run_lanes;
} loaded;

struct expr_kernel {
    expr_machine *machine;
    const expr_functions *functions, *lanes_functions;
    cpu_level level;
    bool wide;     // compiled lanes go two blocks at a time
    int counts[6]; // what the object must say of itself
    int steps;

    compile_tool tool;
    cache cache;
    expr_text source[2]; // scalar, lanes
    expr_text material;  // what the key is a hash of
    cache_key key;

    compile_stop stop;
    pthread_t thread;
    bool has_stop, has_thread;

    loaded code; // written before `published` points to it
    _Atomic(const loaded *) published;
    atomic_int state; // expr_kernel_state; message is written before it
    char message[640];
};

static void set_message(expr_kernel *k, const mc_error *error)
{
    mc_error_format(error, k->message, sizeof k->message);
}

static void set_state(expr_kernel *k, expr_kernel_state state)
{
    atomic_store_explicit(&k->state, (int)state, memory_order_release);
}

// ---- loading -----------------------------------------------------------------------------------

// ISO C has no conversion from an object's address to a function's.
static bool find_function(void *handle, const char *name, void *function, size_t size)
{
    void *const address = dlsym(handle, name);
    mc_assert(size == sizeof address);
    memcpy(function, &address, size);
    return address != NULL;
}

// The object must match: key and counts.
static bool fits(const expr_kernel *k, void *handle)
{
    const char *const key = dlsym(handle, "motorcade_kernel_key");
    const int *const counts = dlsym(handle, "motorcade_kernel_counts");
    return key && counts && strcmp(key, k->key.hex) == 0 &&
           memcmp(counts, k->counts, sizeof k->counts) == 0;
}

// The loader of the process is one for all threads. It has a lock of its own, which
// ThreadSanitizer cannot see; this one it can.
static pthread_mutex_t loader = PTHREAD_MUTEX_INITIALIZER;

static void *open_object(const char *object)
{
    pthread_mutex_lock(&loader);
    void *const handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    pthread_mutex_unlock(&loader);
    return handle;
}

static void close_object(void *handle)
{
    pthread_mutex_lock(&loader);
    dlclose(handle);
    pthread_mutex_unlock(&loader);
}

static bool load(expr_kernel *k, const char *object, mc_error *error)
{
    void *const handle = open_object(object);
    if (!handle) {
        const char *const why = dlerror();
        mc_error_set(error, MC_FAILED, NULL, 0, 0, "formulas are interpreted: %s",
                     why ? why : "the compiled code cannot be loaded");
        return false;
    }
    loaded code = {.handle = handle};
    if (!fits(k, handle) ||
        !find_function(handle, "motorcade_kernel_prepare", &code.prepare, sizeof code.prepare) ||
        !find_function(handle, "motorcade_kernel_run", &code.run, sizeof code.run) ||
        !find_function(handle, "motorcade_kernel_run_lanes", &code.run_lanes,
                       sizeof code.run_lanes)) {
        close_object(handle);
        mc_error_set(error, MC_FAILED, object, 0, 0,
                     "formulas are interpreted: the compiled code is not that of this program");
        return false;
    }
    k->code = code;
    atomic_store_explicit(&k->published, &k->code, memory_order_release);
    return true;
}

// ---- compiling ---------------------------------------------------------------------------------

static bool write_sources(const expr_kernel *k, const char *draft)
{
    expr_text scalar = {0};
    expr_text_put(&scalar, k->source[0].text, k->source[0].size);
    expr_text_add(&scalar, "\nconst char motorcade_kernel_key[] = \"%s\";\n", k->key.hex);
    const bool written = scalar.status == MC_OK &&
                         cache_write_file(draft, "run.c", scalar.text, scalar.size) &&
                         cache_write_file(draft, "lanes.c", k->source[1].text, k->source[1].size);
    expr_text_free(&scalar);
    return written;
}

static mc_status compile(expr_kernel *k, const cache *c, mc_error *error)
{
    static const char *const names[] = {"run.c", "lanes.c"};
    char draft[CACHE_FILE_MAX];
    mc_status status = cache_draft(c, draft, error);
    if (status != MC_OK)
        return status;
    if (!write_sources(k, draft))
        status = mc_error_set(error, MC_IO, draft, 0, 0, "cannot write source to the cache");
    if (status == MC_OK)
        status = compile_run(&k->tool, compile_options(k->level, k->wide), draft, names, 2,
                             k->steps > PARALLEL_STEPS, &k->stop, error);
    if (status == MC_OK)
        status = cache_commit(c, draft, k->key, k->material.text, k->material.size, error);
    if (status != MC_OK)
        cache_abandon(draft);
    else
        cache_trim(c, ENTRY_MAX, byte_max);
    return status;
}

// From the cache; else compiled. An entry that looks complete but cannot be loaded is rebuilt once.
static expr_kernel_state obtain(expr_kernel *k, mc_error *error)
{
    const cache *const c = &k->cache;
    char object[CACHE_FILE_MAX];
    for (int attempt = 0; attempt < 3; attempt++) {
        if (cache_find(c, k->key, k->material.text, k->material.size, object)) {
            if (load(k, object, error))
                return EXPR_KERNEL_COMPILED;
            cache_remove(c, k->key);
            if (attempt > 1)
                break;
        }
        if (compile(k, c, error) != MC_OK)
            break;
        mc_error_set(error, MC_FAILED, c->folder, 0, 0,
                     "formulas are interpreted: compiled code disappears from the cache");
    }
    return EXPR_KERNEL_FAILED;
}

static void *work(void *context)
{
    expr_kernel *const k = context;
    mc_error error = {0};
    const expr_kernel_state state = obtain(k, &error);
    if (state != EXPR_KERNEL_COMPILED)
        set_message(k, &error);
    set_state(k, state);
    return NULL;
}

// ---- making ------------------------------------------------------------------------------------

static mc_status emit_sources(expr_kernel *k, const expr_program *p, mc_error *error)
{
    static const expr_language languages[] = {EXPR_C, EXPR_C_LANES};
    expr_text_add(&k->material, "motorcade kernel %d\n%s\n%s\n", EXPR_KERNEL_VERSION,
                  k->tool.identity, compile_options(k->level, k->wide));
    for (int i = 0; i < 2; i++) {
        const expr_emit_options options = {
            .language = languages[i], .name = "motorcade_kernel", .plain = true, .wide = k->wide};
        const mc_status status = expr_emit(p, &options, &k->source[i], error);
        if (status != MC_OK)
            return status;
        if (k->source[i].status == MC_OK)
            expr_text_put(&k->material, k->source[i].text, k->source[i].size);
    }
    if (k->source[0].status != MC_OK || k->source[1].status != MC_OK || k->material.status != MC_OK)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                            "no memory for the source of formulas");
    k->key = cache_key_of(k->material.text, k->material.size);
    return MC_OK;
}

// Workers block all signals: Ctrl-C is for the thread that made the kernel.
static bool start_thread(expr_kernel *k)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    k->has_thread = pthread_create(&k->thread, NULL, work, k) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return k->has_thread;
}

static void begin_compilation(expr_kernel *k, const expr_program *p)
{
    mc_error error = {0};
    if (!compile_find(&k->tool, &error) || cache_open(&k->cache, &error) != MC_OK) {
        set_message(k, &error);
        return;
    }
    k->has_stop = compile_stop_create(&k->stop);
    set_state(k, EXPR_KERNEL_COMPILING);
    if (emit_sources(k, p, &error) == MC_OK) {
        if (k->has_stop && start_thread(k))
            return;
        mc_error_set(&error, MC_FAILED, NULL, 0, 0,
                     "formulas are interpreted: cannot start a thread to compile them");
    }
    set_message(k, &error);
    set_state(k, EXPR_KERNEL_FAILED);
}

expr_kernel *expr_kernel_create(const expr_program *p, expr_compile how, mc_error *error)
{
    expr_kernel *const k = calloc(1, sizeof *k);
    if (!k) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a kernel");
        return NULL;
    }
    k->machine = expr_machine_create(p, error);
    if (!k->machine) {
        free(k);
        return NULL;
    }
    k->level = cpu_level_best();
    k->wide = cpu_is_wide();
    k->functions = k->lanes_functions = expr_functions_of(k->level);
#if defined __x86_64__
    if (k->wide)
        k->lanes_functions = &expr_functions_avx512;
#endif
    k->steps = p->run.count;
    const int counts[6] = {EXPR_KERNEL_VERSION, p->variable_count,
                           p->parameter_count,  p->kept_count,
                           p->output_count,     (int)(sizeof(expr_functions) / sizeof(void *))};
    memcpy(k->counts, counts, sizeof counts);
    atomic_init(&k->published, NULL);
    atomic_init(&k->state, (int)EXPR_KERNEL_INTERPRETED);
    expr_kernel_compile(k, p, how);
    return k;
}

void expr_kernel_compile(expr_kernel *k, const expr_program *p, expr_compile how)
{
    if (how != EXPR_INTERPRET && expr_kernel_state_of(k) == EXPR_KERNEL_INTERPRETED)
        begin_compilation(k, p);
    if (how == EXPR_COMPILE_WAIT)
        expr_kernel_wait(k);
}

void expr_kernel_wait(expr_kernel *k)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    while (k->has_thread && expr_kernel_state_of(k) == EXPR_KERNEL_COMPILING) {
        if (interrupt_requested() && k->has_stop) // Ctrl-C does not wait for a compiler
            compile_stop_set(&k->stop);
        nanosleep(&pause, NULL);
    }
    if (k->has_thread)
        pthread_join(k->thread, NULL);
    k->has_thread = false;
}

void expr_kernel_destroy(expr_kernel *k)
{
    if (!k)
        return;
    if (k->has_stop)
        compile_stop_set(&k->stop);
    expr_kernel_wait(k);
    if (k->has_stop)
        compile_stop_destroy(&k->stop);
    if (k->code.handle)
        close_object(k->code.handle);
    for (int i = 0; i < 2; i++)
        expr_text_free(&k->source[i]);
    expr_text_free(&k->material);
    expr_machine_destroy(k->machine);
    free(k);
}

expr_kernel_state expr_kernel_state_of(const expr_kernel *k)
{
    return (expr_kernel_state)atomic_load_explicit(&k->state, memory_order_acquire);
}

const char *expr_kernel_message(const expr_kernel *k)
{
    return expr_kernel_state_of(k) == EXPR_KERNEL_COMPILING ? "" : k->message;
}

int expr_kernel_work(const expr_kernel *k)
{
    return expr_machine_work(k->machine);
}

// ---- running -----------------------------------------------------------------------------------

static const loaded *code_of(const expr_kernel *k)
{
    return atomic_load_explicit(&k->published, memory_order_acquire);
}

void expr_kernel_prepare(const expr_kernel *k, const double *p, double *kept, double *work_memory)
{
    const loaded *const code = code_of(k);
    if (code)
        code->prepare(p, kept, k->functions);
    else
        expr_machine_prepare(k->machine, p, kept, work_memory);
}

void expr_kernel_run(const expr_kernel *k, const double *x, const double *kept, double *y,
                     double *work_memory)
{
    const loaded *const code = code_of(k);
    if (code)
        code->run(x, kept, y, k->functions);
    else
        expr_machine_run(k->machine, x, kept, y, work_memory);
}

void expr_kernel_run_lanes(const expr_kernel *k, int block_count, const double *x,
                           const double *kept, double *y, double *work_memory)
{
    const loaded *const code = code_of(k);
    if (code)
        code->run_lanes(block_count, x, kept, y, k->lanes_functions);
    else
        expr_machine_run_lanes(k->machine, block_count, x, kept, y, work_memory);
}
