// message.c - messages: made, shared, dropped.
#include "studio/hub/message.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

message *message_text(json_t *json)
{
    message *m = NULL;
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(12);
    const size_t length = json ? json_dumpb(json, NULL, 0, flags) : 0;
    uint8_t *bytes = length ? malloc(SERVICE_HEADROOM + length) : NULL;
    if (bytes && (m = calloc(1, sizeof *m))) {
        json_dumpb(json, (char *)bytes + SERVICE_HEADROOM, length, flags);
        m->out = (service_message){.length = length, .bytes = bytes + SERVICE_HEADROOM};
        atomic_init(&m->refs, 1);
    } else {
        free(bytes);
    }
    json_decref(json);
    return m;
}

message *message_copy(const void *text, size_t length)
{
    message *m = NULL;
    uint8_t *copy = malloc(SERVICE_HEADROOM + length);
    if (copy && (m = calloc(1, sizeof *m))) {
        memcpy(copy + SERVICE_HEADROOM, text, length);
        m->out = (service_message){.length = length, .bytes = copy + SERVICE_HEADROOM};
        atomic_init(&m->refs, 1);
    } else {
        free(copy);
    }
    return m;
}

static_assert((int)FRAME_HEADROOM == (int)SERVICE_HEADROOM, "frames are sent as they are");

message *message_frames(frame_buffer *buffer)
{
    message *m = buffer->data ? calloc(1, sizeof *m) : NULL;
    if (m) {
        m->out = (service_message){true, buffer->size, buffer->data + SERVICE_HEADROOM};
        atomic_init(&m->refs, 1);
    } else {
        free(buffer->data);
    }
    *buffer = (frame_buffer){0};
    return m;
}

message *message_hold(message *m)
{
    atomic_fetch_add(&m->refs, 1);
    return m;
}

void message_drop(message *m)
{
    if (!m || atomic_fetch_sub(&m->refs, 1) > 1)
        return;
    free(m->out.bytes - SERVICE_HEADROOM);
    free(m);
}
