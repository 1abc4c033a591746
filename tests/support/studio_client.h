// studio_client.h - a hand-made client: raw sockets, so that it can misbehave.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct client_frame {
    int opcode;
    size_t length;
    uint8_t bytes[1 << 20];
} client_frame;

int client_connect(int port); // a socket; fails the test when it cannot
void client_send(int fd, const void *bytes, size_t length); // all of it
void client_text(int fd, const char *text);

// Reads until the peer closes or an answer with Content-Length is whole; '\0' at the end. Returns
// the status, 0 when closed without one, -1 after 5 s of silence.
int client_answer(int fd, char *out, size_t size);
// Sends a request and reads the answer on a new connection.
int client_ask(int port, const char *request, char *out, size_t size);

int client_page(int port); // a WebSocket that was agreed on
void client_frame_send(int fd, int first_byte, const void *bytes, size_t length, bool masked);
void client_say(int fd, const char *text); // a whole text message
// The next frame; false: closed, or 5 s of silence.
bool client_frame_read(int fd, client_frame *frame);
// Reads frames until a close; returns its code, 0 when closed without one, -1 after 5 s of silence.
int client_close_code(int fd, char *reason, size_t size);
