// studio_client.c - raw sockets to the studio.
#include "support/studio_client.h"

#include "base/assert.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

int client_connect(int port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    mc_assert(fd >= 0);
    const struct timeval limit = {.tv_sec = 5};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    mc_assert(connect(fd, (const struct sockaddr *)&to, sizeof to) == 0);
    return fd;
}

void client_send(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        const ssize_t n = send(fd, at, length, MSG_NOSIGNAL);
        if (n <= 0)
            return; // closed by the server: what it said is read later
        at += n;
        length -= (size_t)n;
    }
}

void client_text(int fd, const char *text)
{
    client_send(fd, text, strlen(text));
}

// Whether the answer in out is whole: its head, and as much body as it says.
static bool is_whole(const char *out, size_t length)
{
    const char *end = strstr(out, "\r\n\r\n"), *field = strcasestr(out, "\r\nContent-Length:");
    if (!end)
        return false;
    const size_t head = (size_t)(end + 4 - out);
    if (strncmp(out, "HTTP/1.1 101", 12) == 0 || strncmp(out, "HTTP/1.1 304", 12) == 0)
        return true;
    return field && field < end && length - head >= (size_t)atol(field + 17);
}

int client_answer(int fd, char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    while (length + 1 < size && !is_whole(out, length)) {
        const ssize_t n = recv(fd, out + length, size - 1 - length, 0);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return -1;
        if (n <= 0)
            break;
        length += (size_t)n;
        out[length] = '\0';
    }
    return strncmp(out, "HTTP/1.1 ", 9) == 0 ? atoi(out + 9) : 0;
}

int client_ask(int port, const char *request, char *out, size_t size)
{
    const int fd = client_connect(port);
    client_text(fd, request);
    const int status = client_answer(fd, out, size);
    close(fd);
    return status;
}

int client_page(int port)
{
    char request[512], answer[512];
    const int fd = client_connect(port);
    snprintf(request, sizeof request,
             "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
             "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: motorcade.1\r\n\r\n",
             port);
    client_text(fd, request);
    size_t length = 0; // byte by byte: what follows the head are frames
    while (length + 1 < sizeof answer && (length < 4 || memcmp(answer + length - 4, "\r\n\r\n", 4)))
        if (recv(fd, answer + length++, 1, 0) != 1)
            break;
    answer[length] = '\0';
    mc_assert(strncmp(answer, "HTTP/1.1 101 ", 13) == 0);
    mc_assert(strstr(answer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")); // RFC 6455, section 1.3
    return fd;
}

void client_frame_send(int fd, int first_byte, const void *bytes, size_t length, bool masked)
{
    static const uint8_t mask[4] = {0x12, 0x34, 0x56, 0x78};
    uint8_t *frame = malloc(14 + length), *at = frame;
    mc_assert(frame);
    const int extra = length < 126 ? 0 : length < 65536 ? 2 : 8;
    *at++ = (uint8_t)first_byte;
    *at++ = (uint8_t)((masked ? 0x80 : 0) | (extra == 0 ? (int)length : extra == 2 ? 126 : 127));
    for (int i = extra - 1; i >= 0; i--)
        *at++ = (uint8_t)((uint64_t)length >> 8 * i);
    for (int i = 0; masked && i < 4; i++)
        *at++ = mask[i];
    for (size_t i = 0; i < length; i++)
        *at++ = ((const uint8_t *)bytes)[i] ^ (masked ? mask[i & 3] : 0);
    client_send(fd, frame, (size_t)(at - frame));
    free(frame);
}

void client_say(int fd, const char *text)
{
    client_frame_send(fd, 0x81, text, strlen(text), true);
}

static bool read_all(int fd, uint8_t *out, size_t length)
{
    while (length > 0) {
        const ssize_t n = recv(fd, out, length, 0);
        if (n <= 0)
            return false;
        out += n;
        length -= (size_t)n;
    }
    return true;
}

bool client_frame_read(int fd, client_frame *frame)
{
    uint8_t head[10];
    if (!read_all(fd, head, 2))
        return false;
    mc_assert((head[0] & 0xf0) == 0x80 && !(head[1] & 0x80)); // whole, not masked
    frame->opcode = head[0] & 15;
    frame->length = head[1];
    const int extra = head[1] == 126 ? 2 : head[1] == 127 ? 8 : 0;
    if (!read_all(fd, head + 2, (size_t)extra))
        return false;
    for (int i = 0; i < extra; i++)
        frame->length = (i ? frame->length << 8 : 0) | head[2 + i];
    mc_assert(frame->length < sizeof frame->bytes);
    frame->bytes[frame->length] = 0;
    return read_all(fd, frame->bytes, frame->length);
}

int client_close_code(int fd, char *reason, size_t size)
{
    client_frame *frame = malloc(sizeof *frame);
    mc_assert(frame);
    int code = 0;
    errno = 0;
    reason[0] = '\0';
    while (client_frame_read(fd, frame))
        if (frame->opcode == 8) {
            code = frame->length >= 2 ? frame->bytes[0] << 8 | frame->bytes[1] : 1005;
            if (frame->length >= 2)
                snprintf(reason, size, "%s", (const char *)frame->bytes + 2);
            break;
        }
    if (code == 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        code = -1;
    free(frame);
    return code;
}
