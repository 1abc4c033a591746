// access.h - access to the studio: pure checks of the headers of a request.
//
// A studio on 127.0.0.1 is open to every page of every site the user's browser shows, unless it
// looks twice: a foreign page can send requests here, and a foreign name can be made to mean
// 127.0.0.1 (DNS rebinding). So:
// 1. Host must be a name of this server, with its port: 127.0.0.1, localhost, [::1] or the address
//    given at the start. Listening on all addresses (0.0.0.0, ::) any address in digits is one, and
//    the machine's own name: neither can be rebound.
// 2. Origin, where there is one, must be http:// and the Host of the same request.
// 3. With a token, every request brings it: query `token` or cookie `motorcade_token`.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ACCESS_COOKIE "motorcade_token"
enum { ACCESS_TOKEN_MIN = 8, ACCESS_TOKEN_MAX = 128 };

typedef struct access_rules {
    const char *address; // as given at the start: digits or a name
    const char *machine; // name of this machine; NULL: not known
    const char *token;   // NULL: none needed
    int port;
} access_rules;

bool access_is_loopback(const char *address); // reached from this machine only
bool access_is_any(const char *address);      // 0.0.0.0, ::

bool access_host(const access_rules *rules, const char *host);
bool access_origin(const char *origin, const char *host); // host has passed access_host

// query and cookie may be NULL. The time does not depend on how much of the token is right.
bool access_token(const access_rules *rules, const char *query, const char *cookie);
bool access_token_good(const char *token); // may be one: length, letters, digits, - and _

// Value of a key of a query (a=1&b=%20), with its escapes resolved; false: not there, longer than
// size - 1, a wrong escape or a '\0' in it.
bool access_query(const char *query, const char *key, char *out, size_t size);

// A file's own name: no folder, no control characters, not hidden.
bool access_file_name(const char *name);
