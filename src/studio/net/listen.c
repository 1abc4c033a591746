// listen.c - opening the socket.
#include "studio/net/listen.h"

#include "studio/net/access.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

static mc_status explain(const char *address, int port, int failure, mc_error *error)
{
    switch (failure) {
    case EADDRINUSE:
        return mc_error_set(
            error, MC_IO, NULL, 0, 0,
            "port %d of %s is already in use; choose another one, or 0 for any free one", port,
            address);
    case EACCES:
        return mc_error_set(error, MC_IO, NULL, 0, 0,
                            "port %d needs special privileges; choose one of 1024 .. 65535", port);
    case EADDRNOTAVAIL:
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s is not an address of this machine",
                            address);
    default:
        return mc_error_set(error, MC_IO, NULL, 0, 0, "cannot listen on %s, port %d: %s", address,
                            port, strerror(failure));
    }
}

static int port_of(int listener)
{
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    if (getsockname(listener, (struct sockaddr *)&bound, &size) != 0)
        return 0;
    return ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                             : ((struct sockaddr_in *)&bound)->sin_port);
}

mc_status listen_open(const char *address, int *port, int *listener, mc_error *error)
{
    if (*port < 0 || *port > 65535)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "port %d is out of range, expected 0 .. 65535", *port);
    char service[16];
    snprintf(service, sizeof service, "%d", *port);
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    const int failure = getaddrinfo(address, service, &hints, &found);
    if (failure != 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "address \"%s\": %s", address,
                            gai_strerror(failure));
    const int one = 1;
    const int fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int problem = fd < 0 ? errno : 0;
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (fd >= 0 && (bind(fd, found->ai_addr, found->ai_addrlen) != 0 || listen(fd, 512) != 0))
        problem = errno;
    freeaddrinfo(found);
    if (problem != 0) {
        if (fd >= 0)
            close(fd);
        return explain(address, *port, problem, error);
    }
    *port = port_of(fd);
    *listener = fd;
    return MC_OK;
}

void listen_address(const char *address, const char *machine, int port, const char *token,
                    char *out, size_t size)
{
    const char *name = access_is_any(address) && machine[0] ? machine : address;
    const bool bracket = strchr(name, ':') != NULL;
    snprintf(out, size, "http://%s%s%s:%d/%s%s", bracket ? "[" : "", name, bracket ? "]" : "", port,
             token ? "?token=" : "", token ? token : "");
}

bool listen_random(char *hex, int digits)
{
    unsigned char bytes[64];
    if (digits > 128 || getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (int i = 0; i < digits; i++)
        hex[i] = "0123456789abcdef"[bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
    hex[digits] = '\0';
    return true;
}
