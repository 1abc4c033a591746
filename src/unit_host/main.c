// main.c - motorcade-unit: a unit of FMI in a process of its own (src/unit/wire.h).
#include "unit_host/host.h"

#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// ---- messages ----------------------------------------------------------------------------------

bool host_fail(host *h, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(h->message, sizeof h->message, format, list);
    va_end(list);
    if (h->log[0]) {
        const size_t used = strlen(h->message);
        snprintf(h->message + used, sizeof h->message - used, "; it says: %s", h->log);
    }
    return false;
}

void (*host_find(host *h, const char *name))(void)
{
    union {
        void *data;
        void (*code)(void);
    } f = {.data = dlsym(h->library, name)};
    if (!f.data)
        host_fail(h, "its binary has no function %s", name);
    return f.code;
}

bool host_good(host *h, int status, const char *function)
{
    static const char *const names[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
    if (status == 0 || status == 1)
        return true;
    return host_fail(h, "%s returned %s", function,
                     status >= 0 && status <= 5 ? names[status] : "a status that does not exist");
}

// ---- the socket --------------------------------------------------------------------------------

static bool take(void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        const ssize_t got = read(WIRE_SOCKET, at, size);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool put(const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        const ssize_t done = write(WIRE_SOCKET, at, size);
        if (done < 0 && errno != EINTR)
            return false;
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

static bool answer(wire_answer what, const void *data, size_t size)
{
    const wire_head head = {WIRE_MARK, what, size};
    return put(&head, sizeof head) && put(data, size);
}

// ---- the end -----------------------------------------------------------------------------------

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *where)
{
    (void)what, (void)kind, (void)where;
    return remove(path);
}

// A run that ends properly removes what it unpacked; after a kill the host does. It runs beside a
// unit that may hang.
static void *watch(void *context)
{
    const host *h = context;
    struct pollfd f = {.fd = WIRE_SOCKET, .events = 0};
    while (poll(&f, 1, -1) < 0 && errno == EINTR)
        ;
    if (strncmp(h->open.folder, "/tmp/motorcade-unit-", 20) == 0)
        nftw(h->open.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    _exit(0);
}

// ---- calls -------------------------------------------------------------------------------------

static bool open_unit(host *h, const char *body, size_t size)
{
    if (size < sizeof h->open)
        return host_fail(h, "the call is cut off");
    memcpy(&h->open, body, sizeof h->open);
    const size_t count = (size_t)(h->open.input_count + h->open.output_count + h->open.start_count);
    if (size != sizeof h->open + count * sizeof *h->inputs)
        return host_fail(h, "the call is cut off");
    h->inputs = malloc((count + 1) * sizeof *h->inputs);
    if (!h->inputs)
        return host_fail(h, "no memory left");
    memcpy(h->inputs, body + sizeof h->open, count * sizeof *h->inputs);
    h->outputs = h->inputs + h->open.input_count;
    h->starts = h->outputs + h->open.output_count;
    pthread_t watcher;
    if (pthread_create(&watcher, NULL, watch, h) != 0)
        return host_fail(h, "cannot create a thread");
    pthread_detach(watcher);
    h->library = dlopen(h->open.library, RTLD_NOW | RTLD_LOCAL);
    if (!h->library)
        return host_fail(h, "its binary cannot be loaded: %s", dlerror());
    h->interface = h->open.version == 2 ? &host_fmi2
                   : h->open.exchange   ? &host_fmi3_exchange
                                        : &host_fmi3;
    return h->interface->load(h);
}

// Values of outputs as the answer.
static bool give_outputs(host *h)
{
    const int count = h->open.output_count;
    double *values = calloc((size_t)count + 1, sizeof *values);
    if (!values)
        return host_fail(h, "no memory left");
    const bool good = h->interface->get(h, h->outputs, count, values);
    if (good)
        answer(WIRE_DONE, values, (size_t)count * sizeof *values);
    free(values);
    return good;
}

static bool begin(host *h, const double *body, size_t size)
{
    const size_t count = 1 + (size_t)(h->open.start_count + h->open.input_count);
    if (size != count * sizeof *body)
        return host_fail(h, "the call is cut off");
    h->begun = h->interface->begin(h, body[0], body + 1, body + 1 + h->open.start_count);
    return h->begun && give_outputs(h);
}

static bool step(host *h, const double *body, size_t size)
{
    if (size != (2 + (size_t)h->open.input_count) * sizeof *body)
        return host_fail(h, "the call is cut off");
    return h->interface->set(h, h->inputs, h->open.input_count, body + 2) &&
           h->interface->step(h, body[0], body[1]) && give_outputs(h);
}

static bool save(host *h)
{
    void *data = NULL;
    size_t size = 0;
    const bool good = h->interface->save(h, &data, &size);
    if (good)
        answer(WIRE_DONE, data, size);
    free(data);
    return good;
}

static bool carry_out(host *h, uint32_t what, void *body, size_t size)
{
    h->log[0] = '\0';
    if (what != WIRE_OPEN && !h->instance)
        return host_fail(h, "no unit is loaded");
    switch (what) {
    case WIRE_OPEN:
        return open_unit(h, body, size) && answer(WIRE_DONE, NULL, 0);
    case WIRE_BEGIN:
        return begin(h, body, size);
    case WIRE_STEP:
        return step(h, body, size);
    case WIRE_SAVE:
        return save(h);
    case WIRE_RESTORE:
        return h->interface->restore(h, body, size) && give_outputs(h);
    case WIRE_CLOSE:
        h->interface->close(h);
        return answer(WIRE_DONE, NULL, 0);
    default:
        return host_fail(h, "an unknown call");
    }
}

int main(void)
{
    static host h;
    wire_head head;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); // a crash is reported, not dumped
    while (take(&head, sizeof head) && head.mark == WIRE_MARK && head.size <= WIRE_SIZE_MAX) {
        void *body = malloc((size_t)head.size + 1);
        if (!body || !take(body, (size_t)head.size))
            break;
        if (!carry_out(&h, head.what, body, (size_t)head.size))
            answer(WIRE_FAILED, h.message, strlen(h.message));
        free(body);
    }
    _exit(0);
}
