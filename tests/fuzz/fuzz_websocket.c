// fuzz_websocket.c - frames: the pieces they come in do not matter, and what is taken keeps its
// bounds.
#include "studio/net/websocket.h"

#include "base/assert.h"
#include "fuzz/fuzz.h"

#include <string.h>

typedef struct story {
    int events;
    int code;
    uint64_t hash; // of all that was said
} story;

static void add(story *s, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        s->hash = (s->hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
}

static story tell(const uint8_t *data, size_t size, size_t piece)
{
    websocket_reader r = {0};
    story s = {.hash = 14695981039346656037u};
    for (size_t at = 0; at < size && !s.code; at += piece) {
        const uint8_t *bytes = data + at;
        size_t left = size - at < piece ? size - at : piece;
        for (websocket_event e; !s.code && (e = websocket_read(&r, &bytes, &left));) {
            s.events++;
            add(&s, &e, sizeof e);
            if (e == WEBSOCKET_TEXT) {
                mc_assert(r.length <= WEBSOCKET_MESSAGE_MAX && r.message[r.length] == '\0');
                mc_assert(websocket_utf8(r.message, r.length));
                add(&s, r.message, r.length);
            } else if (e == WEBSOCKET_BAD || e == WEBSOCKET_CLOSE) {
                mc_assert(e == WEBSOCKET_CLOSE || (r.code >= 1002 && r.reason));
                s.code = e == WEBSOCKET_BAD ? r.code : 1;
            } else {
                mc_assert(r.control_length >= 0 && r.control_length <= WEBSOCKET_CONTROL_MAX);
                add(&s, r.control, (size_t)r.control_length);
            }
        }
        mc_assert(s.code || left == 0);
    }
    websocket_end(&r);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const story whole = tell(data, size, size + 1), single = tell(data, size, 1),
                seven = tell(data, size, 7);
    mc_assert(whole.events == single.events && whole.events == seven.events);
    mc_assert(whole.code == single.code && whole.code == seven.code);
    mc_assert(whole.hash == single.hash && whole.hash == seven.hash);
    return 0;
}
