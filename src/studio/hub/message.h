// message.h - what is sent to pages: immutable bytes that several pages share.
//
// Any thread. A message goes with the last one that holds it.
#pragma once

#include "studio/history/frame.h"
#include "studio/net/service.h"

#include <jansson.h>
#include <stdatomic.h>

typedef struct message {
    service_message out; // first
    atomic_int refs;
} message;

message *message_text(json_t *json);                    // takes the object; NULL: no memory
message *message_copy(const void *text, size_t length); // JSON that was put together; the same
message *message_frames(frame_buffer *buffer);          // takes the bytes
message *message_hold(message *m);
void message_drop(message *m); // NULL is allowed
