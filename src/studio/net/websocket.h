// websocket.h - frames of RFC 6455, the server's side: bytes in, whole messages out.
//
// Pure functions on bytes, without sockets, so that they can be fuzzed. A reader takes bytes as
// they come, in pieces of any size, and stops at every event:
//
//     while ((event = websocket_read(&reader, &bytes, &length)) != WEBSOCKET_MORE) ...
//
// Read here and not by libwebsockets, which takes frames without a mask, has no bound for a message
// and closes some bad frames without saying why.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WEBSOCKET_MESSAGE_MAX = 65536,  // bytes, of all fragments together
    WEBSOCKET_FRAGMENTS_MAX = 1024, // of one message
    WEBSOCKET_CONTROL_MAX = 125,    // bytes of a ping, pong or close
    WEBSOCKET_HEAD_MAX = 10,        // bytes before a message that is sent
    WEBSOCKET_ACCEPT_SIZE = 29,     // of the answer to a key, with the '\0'
};

enum { // close codes
    WEBSOCKET_GOING_AWAY = 1001,
    WEBSOCKET_BAD_FRAME = 1002,
    WEBSOCKET_NOT_TEXT = 1003,
    WEBSOCKET_BAD_TEXT = 1007,
    WEBSOCKET_POLICY_VIOLATION = 1008,
    WEBSOCKET_TOO_LONG = 1009,
    WEBSOCKET_FAILED = 1011,
    WEBSOCKET_TRY_LATER = 1013,
};

typedef enum websocket_event {
    WEBSOCKET_MORE,  // all bytes are taken, nothing whole yet
    WEBSOCKET_TEXT,  // message, length
    WEBSOCKET_PING,  // control, control_length: to be answered with a pong
    WEBSOCKET_PONG,  //
    WEBSOCKET_CLOSE, // code (0: none given) and control: to be answered with the same
    WEBSOCKET_BAD,   // code and reason: close with them, read no more
} websocket_event;

typedef struct websocket_reader { // starts zeroed; ended by websocket_end
    char *message;                // ended with '\0', which is not counted
    size_t length;
    uint8_t control[WEBSOCKET_CONTROL_MAX];
    int control_length;
    int code;
    const char *reason;

    // state
    size_t room;
    uint64_t left; // payload bytes of the frame still to come
    uint8_t head[14];
    int head_length, head_needed; // needed 0: the first two bytes have not arrived yet
    unsigned mask_index;
    int fragments;
    bool in_payload, in_message;
} websocket_reader;

// Takes from *bytes and *length what it uses.
websocket_event websocket_read(websocket_reader *reader, const uint8_t **bytes, size_t *length);
void websocket_end(websocket_reader *reader);

// Writes the head of an unmasked frame into the bytes right before payload; returns where it
// begins.
uint8_t *websocket_prepend(uint8_t *payload, size_t length, int opcode);
enum {
    WEBSOCKET_OP_TEXT = 1,
    WEBSOCKET_OP_BINARY = 2,
    WEBSOCKET_OP_CLOSE = 8,
    WEBSOCKET_OP_PING = 9,
    WEBSOCKET_OP_PONG = 10,
};

// Payload of a close: code and as much of the reason as fits. Returns its length.
int websocket_close_payload(int code, const char *reason, uint8_t out[WEBSOCKET_CONTROL_MAX]);

bool websocket_key_good(const char *key); // 16 bytes in base 64
void websocket_accept(const char *key, char out[WEBSOCKET_ACCEPT_SIZE]);

bool websocket_utf8(const char *text, size_t length);
