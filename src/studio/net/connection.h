// connection.h - one connection to the studio: requests answered, then possibly a page's WebSocket.
//
// Works on a non-blocking socket and on bytes passed in; the loop around it (server.c) says when.
// After every call the caller looks at wants_write and rests. A connection is in one phase:
//
//   request --> answer --> request ...      a file, a rejection
//   request --> body --> answer ...         an upload
//   request --> page                        /ws
//   answer, page --> linger --> closed      our last word is sent, the peer's are thrown away
//
// Every phase has a time limit, so no peer holds a place by being slow.
#pragma once

#include "studio/net/access.h"
#include "studio/net/http.h"
#include "studio/net/service.h"
#include "studio/net/websocket.h"

enum {
    CONNECTION_TAKE_MAX = 16384,   // bytes a call may hand in
    CONNECTION_UPLOAD_MAX = 256,   // MB, of all uploads under way together
    CONNECTION_REQUEST_MS = 10000, // for the head of a request
    CONNECTION_IDLE_MS = 30000,    // between two requests
    CONNECTION_STALL_MS = 30000,   // for the peer to take or send anything
    CONNECTION_LINGER_MS = 2000,
    CONNECTION_PING_MS = 20000,   // a page that says nothing is asked
    CONNECTION_SILENT_MS = 60000, // and left when it does not answer
};

typedef struct connection_host { // what all connections share
    access_rules rules;
    service service;    // behind it
    const char *folder; // of the page; NULL: the embedded one
    bool read_only;
    size_t upload_bytes; // announced by uploads under way
    int64_t now;         // ms, set before calls
} connection_host;

typedef enum connection_phase {
    CONNECTION_REQUEST,
    CONNECTION_BODY,
    CONNECTION_ANSWER,
    CONNECTION_PAGE,
    CONNECTION_LINGER,
} connection_phase;

typedef struct connection { // starts zeroed
    connection_host *host;
    struct connection *next, *previous; // for the caller
    void *handle;                       // for the caller
    int fd;
    connection_phase phase;
    bool wants_write; // call connection_send when the socket takes bytes
    bool rests;       // hand in no bytes now
    int64_t deadline; // ms
    int64_t since;    // ms: begin of the wait for a request

    char *in; // bytes of requests that are not dealt with
    size_t in_length;

    const uint8_t *out[2]; // what is being sent: head and body, or a message
    size_t out_left[2];
    uint8_t *owned; // body of an answer, freed when it is sent
    char head[HTTP_ANSWER_MAX];
    char text[320]; // short body of an answer
    bool keep_alive, head_only;

    uint8_t *upload;
    size_t upload_length, upload_room, upload_expected;
    char upload_name[256];

    service_page *page;
    service_message *message; // being sent
    websocket_reader reader;
    uint8_t control[640]; // ready frames: pongs, pings, the last words
    size_t control_length;
    bool closing;            // the control frames are the last
    int64_t heard, progress; // ms: last byte from the page; last byte the peer took
    bool asked;              // a ping is out
} connection;

// crowded: there is no place; the connection gets its answer and is closed.
bool connection_start(connection *c, connection_host *host, int fd, bool crowded);
void connection_end(connection *c); // frees what it holds; the socket is the caller's

// False: close the socket now.
bool connection_take(connection *c, const uint8_t *bytes, size_t length);
bool connection_send(connection *c);
bool connection_tick(connection *c); // time limits; once in a while

// Ends a page with a code and a reason, after what is being sent.
void connection_close_page(connection *c, int code, const char *reason);
