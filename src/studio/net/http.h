// http.h - the little of HTTP/1.1 the studio speaks: requests read strictly, heads of answers.
//
// Pure functions on bytes, without sockets, so that they can be fuzzed. What is not clearly valid
// is rejected with a status and a reason; nothing is guessed, joined or repaired.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HTTP_HEAD_MAX = 8192,   // bytes of a request up to the empty line
    HTTP_HEADERS_MAX = 64,  // lines
    HTTP_TARGET_MAX = 2048, // bytes of path and query
    HTTP_ANSWER_MAX = 1536, // bytes of an answer's head
};

typedef enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_OTHER } http_method;

typedef struct http_request { // texts point into the bytes that were read; NULL: not given
    http_method method;
    const char *path, *query;
    const char *host, *origin, *cookie, *connection, *upgrade, *key, *version, *protocol;
    const char *if_none_match, *accept_encoding, *expect, *transfer_encoding, *length_text;
    int64_t content_length; // -1: not given
    bool keep_alive;
    size_t head_length; // with the empty line
} http_request;

// 0: more bytes are needed. 200: *out is filled, the head's bytes were cut into words. Anything
// else is the status to answer with, and *reason says why; the connection is then to be closed.
int http_read(char *bytes, size_t length, http_request *out, const char **reason);

// Whether a word is in a list with commas (Connection: keep-alive, Upgrade), in either case.
bool http_list_has(const char *list, const char *word);

typedef struct http_answer {
    int status;
    const char *type;      // of the body; NULL: none
    const char *etag;      // NULL: none
    const char *cookie;    // whole value of Set-Cookie; NULL: none
    const char *allow;     // for 405
    const char *socket;    // host:port, for the page's WebSocket in the policy
    bool gzip, keep_alive; // body is compressed; the connection stays
    size_t length;         // of the body
} http_answer;

// Returns the head's length; at most size - 1 are written, always ended with '\0'.
size_t http_write_head(const http_answer *answer, char *out, size_t size);
