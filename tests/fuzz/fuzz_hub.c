// fuzz_hub.c - requests of a page to the real hub: one per line, any text.
//
// Whatever the request, the hub answers the next one, all it sends is JSON with a kind or complete
// frames, and it can be stopped. A hub serves many inputs, and a page several, because creating a
// hub takes as long as a thousand requests, and greeting a page as long as ten; what one input
// changes, the next one sees. So an input is a few requests only, and the world waits for one that
// starts it.
#include "studio/hub/intake.h"
#include "studio/hub/mail.h"
#include "studio/request/table.h"

#include "base/assert.h"
#include "fuzz/fuzz.h"

#include <errno.h>
#include <jansson.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static hub *served;
static hub_page *page; // asks; NULL: the next input brings its own
static char scenario[] = "/tmp/motorcade-fuzz-hub-XXXXXX.yaml";

static sem_t said; // the hub has something for a page

static void wake(void *context)
{
    (void)context;
    sem_post(&said);
}

static void leave(void)
{
    if (page)
        page_leave(page);
    page = NULL;
}

static void end(void)
{
    leave();
    if (served)
        hub_destroy(served);
    served = NULL;
    unlink(scenario);
}

static hub *the_hub(void)
{
    enum { INPUTS = 500 };
    static const char text[] =
        "motorcade: scenario\ntime: {end: 5, step: 0.05}\nroad: {lanes: 2}\n"
        "models: {car: {kind: point}}\ncontrollers: {follow: {law: platoon}}\n"
        "platoons:\n  - leader: {model: car, profile: moderate}\n"
        "    cars: [{model: car, count: 3, controller: follow}]\n";
    static int inputs;
    if (served && inputs++ < INPUTS)
        return served;
    leave();
    if (served)
        hub_destroy(served);
    else {
        const int fd = mkstemps(scenario, 5);
        mc_assert(fd >= 0 && write(fd, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
        close(fd);
        atexit(end);
        mc_assert(sem_init(&said, 0, 0) == 0);
    }
    inputs = 0;
    const mc_studio_options o = {.file = scenario, .threads = 1, .paused = true};
    mc_error error;
    served = hub_create(&o, &table_of_requests, wake, NULL, &error);
    mc_assert(served);
    return served;
}

// Takes what has come; true: the answer with that id is among it.
static bool hear(int id)
{
    bool found = false;
    for (message *next; (next = mail_next(page)) != NULL; message_drop(next)) {
        const service_message *m = &next->out;
        if (m->binary) {
            mc_assert(m->length >= 64 && memcmp(m->bytes, "MCF1", 4) == 0);
            continue;
        }
        json_t *object = json_loadb((const char *)m->bytes, m->length, 0, NULL);
        mc_assert(json_is_object(object));
        mc_assert(json_is_string(json_object_get(object, "kind")));
        found = found || json_integer_value(json_object_get(object, "id")) == id;
        json_decref(object);
    }
    return found;
}

// Asks something harmless and waits for its answer: all before it is dealt with then.
static bool settle(int id, const char *rest)
{
    char text[128];
    snprintf(text, sizeof text, "{\"id\": %d, %s}", id, rest);
    if (!intake_take(page, text, strlen(text)))
        return false;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    do {
        if (hear(id))
            return true;
        if (page_closing(page))
            return false;
    } while (sem_timedwait(&said, &until) == 0 || errno == EINTR);
    mc_assert(false && "the hub does not answer");
    return false;
}

// A page that has said hello; false: the hub has sent it away.
static bool join(hub *h)
{
    enum { INPUTS = 20 };
    static const char hello[] = "{\"id\": 1, \"kind\": \"hello\", \"version\": 1}";
    static int inputs;
    if (page && inputs++ < INPUTS)
        return true;
    leave();
    inputs = 0;
    page = page_join(h, false);
    mc_assert(page);
    return intake_take(page, hello, sizeof hello - 1);
}

FUZZ_KEEPS_SOMETHING

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { FIRST = 1900000001, SECOND, LINES_MAX = 4 };
    if (size > 65536)
        return 0;
    bool stays = join(the_hub());
    char *text = calloc(1, size + 1);
    mc_assert(text);
    if (size > 0)
        memcpy(text, data, size);
    int lines = 0;
    for (char *at = text, *next; stays && at < text + size && lines++ < LINES_MAX; at = next) {
        char *stop = memchr(at, '\n', (size_t)(text + size - at));
        next = stop ? stop + 1 : text + size;
        if (stop)
            *stop = '\0';
        stays = intake_take(page, at, (size_t)((stop ? stop : text + size) - at));
        hear(0);
    }
    if (stays)
        stays = settle(FIRST, "\"kind\": \"log\", \"world\": 0");
    if (stays)
        stays = settle(SECOND, "\"kind\": \"branch\", \"world\": 99");
    if (!stays)
        leave();
    free(text);
    return 0;
}
