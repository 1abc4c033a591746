// fuzz_studio.c - the bytes of a client: requests, uploads, frames, in pieces of any size.
//
// The first byte says how large the pieces are and whether a token is asked for. Whatever comes,
// the connection ends in order; a request is answered with a status it may have; without the token
// nothing but 4xx and 5xx is.
#include "studio/net/connection.h"

#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "studio/net/fake_service.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// All that has been sent to the peer, from its start.
static size_t read_peer(int peer, char *out, size_t used, size_t size)
{
    for (ssize_t n; (n = recv(peer, out + used, size - 1 - used, MSG_DONTWAIT)) > 0;)
        used = used + (size_t)n < size - 1 ? used + (size_t)n : 0;
    out[used] = '\0';
    return used;
}

static void feed(connection *c, const uint8_t *data, size_t size, size_t piece)
{
    for (size_t at = 0; at < size; at += piece) {
        const size_t n = size - at < piece ? size - at : piece;
        c->host->now += 1;
        if (!connection_take(c, data + at, n) || !connection_tick(c))
            return;
        mc_assert(c->in_length <= HTTP_HEAD_MAX + CONNECTION_TAKE_MAX);
        mc_assert(c->reader.length <= WEBSOCKET_MESSAGE_MAX);
        mc_assert(c->control_length <= sizeof c->control);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char said[1 << 16];
    if (size < 1)
        return 0;
    connection_host host = {.rules = {.address = "127.0.0.1", .machine = "box", .port = 8080}};
    if (data[0] & 0x80)
        host.rules.token = "0123456789abcdef";
    const size_t piece = (data[0] & 0x40) ? 1 + (data[0] & 0x3f) : CONNECTION_TAKE_MAX;
    int pair[2];
    mc_assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
    fake *behind = fake_create(NULL, NULL);
    host.service = fake_service(behind);
    connection *c = calloc(1, sizeof *c);
    mc_assert(c && connection_start(c, &host, pair[0], false));
    feed(c, data + 1, size - 1, piece);
    read_peer(pair[1], said, 0, sizeof said);
    if (said[0] && strncmp(said, "HTTP/1.1 ", 9) == 0) {
        const int status = atoi(said + 9);
        mc_assert((status >= 100 && status <= 101) || status == 200 || status == 304 ||
                  (status >= 400 && status <= 507));
    }
    mc_assert(c->page || c->phase != CONNECTION_PAGE);
    const bool has_token = memmem(data, size, "0123456789abcdef", 16) || memmem(data, size, "%", 1);
    if (host.rules.token && !has_token)
        mc_assert(!c->page && !strstr(said, "HTTP/1.1 200") && !strstr(said, "HTTP/1.1 101"));
    connection_end(c);
    mc_assert(host.upload_bytes == 0);
    fake_destroy(behind);
    free(c);
    close(pair[0]);
    close(pair[1]);
    return 0;
}
