// fuzz_hub.c - requests of a page to the real hub: one a line, any text.
//
// Whatever is asked, the hub answers what comes after it, all it says is JSON with a kind or whole
// frames, and it can be ended. A hub serves many inputs, each with a page of its own, because
// making one takes as long as a thousand requests; what it has been told before is told to the next
// one.
#include "studio/hub.h"

#include "base/assert.h"
#include "fuzz/fuzz.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static hub *served;
static char scenario[] = "/tmp/motorcade-fuzz-hub-XXXXXX.yaml";

static void no_wake(void *context)
{
    (void)context;
}

static void end(void)
{
    if (served)
        hub_destroy(served);
    served = NULL;
    unlink(scenario);
}

static hub *the_hub(void)
{
    enum { INPUTS = 200 };
    static const char text[] =
        "motorcade: scenario\ntime: {end: 20, step: 0.05}\nroad: {lanes: 2}\n"
        "models: {car: {kind: point}}\ncontrollers: {follow: {law: platoon}}\n"
        "platoons:\n  - leader: {model: car, profile: moderate}\n"
        "    cars: [{model: car, count: 3, controller: follow}]\n";
    static int inputs;
    if (served && inputs++ < INPUTS)
        return served;
    if (served)
        hub_destroy(served);
    else {
        const int fd = mkstemps(scenario, 5);
        mc_assert(fd >= 0 && write(fd, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
        close(fd);
        atexit(end);
    }
    inputs = 0;
    const mc_studio_options o = {.file = scenario, .threads = 1};
    mc_error error;
    served = hub_create(&o, no_wake, NULL, &error);
    mc_assert(served);
    return served;
}

// Takes what has come; true: the answer with that id is among it.
static bool hear(hub_page *page, int id)
{
    bool found = false;
    for (hub_message *m; (m = hub_next(page)) != NULL; hub_release(m)) {
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
static bool settle(hub_page *page, int id, const char *rest)
{
    char text[128];
    snprintf(text, sizeof text, "{\"id\": %d, %s}", id, rest);
    if (!hub_take(page, text, strlen(text)))
        return false;
    for (int k = 0; k < 20000; k++) { // 10 s
        if (hear(page, id))
            return true;
        if (hub_page_closing(page))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    mc_assert(!"the hub does not answer");
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { FIRST = 1900000001, SECOND, LINES_MOST = 20 };
    if (size > 65536)
        return 0;
    hub_page *page = hub_join(the_hub(), false);
    mc_assert(page);
    static const char hello[] = "{\"id\": 1, \"kind\": \"hello\", \"version\": 1}";
    bool stays = hub_take(page, hello, sizeof hello - 1);
    char *text = calloc(1, size + 1);
    mc_assert(text);
    if (size > 0)
        memcpy(text, data, size);
    int lines = 0;
    for (char *at = text, *next; stays && at < text + size && lines++ < LINES_MOST; at = next) {
        char *stop = memchr(at, '\n', (size_t)(text + size - at));
        next = stop ? stop + 1 : text + size;
        if (stop)
            *stop = '\0';
        stays = hub_take(page, at, (size_t)((stop ? stop : text + size) - at));
        hear(page, 0);
    }
    if (stays)
        stays = settle(page, FIRST, "\"kind\": \"log\", \"world\": 0");
    if (stays)
        settle(page, SECOND, "\"kind\": \"branch\", \"world\": 99");
    hub_leave(page);
    free(text);
    return 0;
}
