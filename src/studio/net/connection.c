// connection.c - the phases of a connection, answers to requests.
#include "studio/net/connection.h"
#include "studio/net/page_file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum { IN_ROOM = HTTP_HEAD_MAX + CONNECTION_TAKE_MAX };

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// ---- answers ----

// The answer in c->head, c->out[1] is ready to be sent.
static void send_answer(connection *c, http_answer *answer, const void *body)
{
    answer->keep_alive = c->keep_alive;
    c->out[0] = (const uint8_t *)c->head;
    c->out_left[0] = http_write_head(answer, c->head, sizeof c->head);
    c->out[1] = body;
    c->out_left[1] = c->head_only ? 0 : answer->length;
    c->phase = CONNECTION_ANSWER;
    c->progress = c->host->now;
}

static void answer_text(connection *c, int status, const char *type, const char *text)
{
    snprintf(c->text, sizeof c->text, "%s\n", text);
    http_answer answer = {.status = status,
                          .type = type,
                          .allow = status == 405 ? "GET, HEAD, POST" : NULL,
                          .length = strlen(c->text)};
    send_answer(c, &answer, c->text);
}

// A rejection ends the connection: what follows may not be what the peer thinks it is.
static void reject(connection *c, int status, const char *reason)
{
    c->keep_alive = false;
    answer_text(c, status, "text/plain; charset=utf-8", reason);
}

static bool etag_known(const http_request *request, const char *etag)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", etag);
    return request->if_none_match && strstr(request->if_none_match, quoted);
}

static void answer_file(connection *c, const http_request *request)
{
    const connection_host *host = c->host;
    const page_file *file = host->folder ? NULL : page_file_find(request->path);
    uint8_t *read = NULL;
    size_t read_length = 0;
    if (!file &&
        !(host->folder && page_file_read(host->folder, request->path, &read, &read_length))) {
        reject(c, 404, "no such file");
        return;
    }
    c->owned = read;
    http_answer answer = {.status = 200,
                          .type = page_file_type(request->path),
                          .etag = file ? file->etag : NULL,
                          .socket = request->host,
                          .length = file ? file->length : read_length};
    const void *body = file ? file->bytes : read;
    if (file && file->gzip && http_list_has(request->accept_encoding, "gzip")) {
        answer.gzip = true;
        answer.length = file->gzip_length;
        body = file->gzip;
    }
    if (file && etag_known(request, file->etag)) {
        answer.status = 304;
        answer.length = 0;
    }
    char cookie[256], given[ACCESS_TOKEN_MAX + 1];
    if (host->rules.token && access_query(request->query, "token", given, sizeof given)) {
        snprintf(cookie, sizeof cookie, ACCESS_COOKIE "=%s; HttpOnly; SameSite=Strict; Path=/",
                 host->rules.token);
        answer.cookie = cookie;
    }
    send_answer(c, &answer, body);
}

// ---- uploads ----

static void start_upload(connection *c, const http_request *request)
{
    connection_host *host = c->host;
    const size_t limit = (size_t)CONNECTION_UPLOAD_MAX << 20;
    if (host->read_only) {
        reject(c, 403, "this studio is read-only (--read-only)");
    } else if (request->content_length < 0) {
        reject(c, 411, "an upload needs Content-Length");
    } else if (!access_query(request->query, "name", c->upload_name, sizeof c->upload_name) ||
               !access_file_name(c->upload_name)) {
        reject(c, 400, "an upload needs ?name=NAME, the file name without a folder");
    } else if ((uint64_t)request->content_length > limit) {
        reject(c, 413, "an upload may have at most 256 MB");
    } else if ((uint64_t)request->content_length > limit - host->upload_bytes) {
        reject(c, 503, "other uploads fill the 256 MB; try again when they are done");
    } else if (request->expect && strcasecmp(request->expect, "100-continue") != 0) {
        reject(c, 417, "Expect may only be 100-continue");
    } else {
        c->upload_expected = (size_t)request->content_length;
        host->upload_bytes += c->upload_expected;
        c->phase = CONNECTION_BODY;
        c->progress = host->now;
        // at least 64 kB/s
        c->deadline = host->now + CONNECTION_REQUEST_MS + request->content_length / 64;
        if (request->expect) {
            static const char continue_line[] = "HTTP/1.1 100 Continue\r\n\r\n";
            c->out[0] = (const uint8_t *)continue_line;
            c->out_left[0] = sizeof continue_line - 1;
        }
    }
}

static void drop_upload(connection *c)
{
    c->host->upload_bytes -= c->upload_expected;
    free(c->upload);
    c->upload = NULL;
    c->upload_length = c->upload_room = c->upload_expected = 0;
}

static void end_upload(connection *c)
{
    char key[33], text[64];
    mc_error error;
    void *bytes = c->upload;
    c->upload = NULL; // the service takes them
    const service *s = &c->host->service;
    const mc_status status =
        s->upload(s->context, c->upload_name, bytes, c->upload_length, key, &error);
    drop_upload(c);
    if (status == MC_OK) {
        snprintf(text, sizeof text, "{\"upload\": \"%.32s\"}", key);
        answer_text(c, 200, "application/json", text);
    } else {
        reject(c, status == MC_NO_MEMORY ? 507 : status == MC_BAD_INPUT ? 413 : 500, error.text);
    }
}

// Returns how many bytes it took.
static size_t take_body(connection *c, const uint8_t *bytes, size_t length)
{
    const size_t left = c->upload_expected - c->upload_length, n = length < left ? length : left;
    if (c->upload_length + n > c->upload_room) {
        size_t room = c->upload_room ? c->upload_room : 65536;
        while (room < c->upload_length + n)
            room *= 2;
        room = room < c->upload_expected ? room : c->upload_expected;
        uint8_t *upload = realloc(c->upload, room);
        if (!upload) {
            drop_upload(c);
            reject(c, 507, "no memory for the upload");
            return length;
        }
        c->upload = upload;
        c->upload_room = room;
    }
    if (n > 0)
        memcpy(c->upload + c->upload_length, bytes, n);
    c->upload_length += n;
    c->progress = c->host->now;
    if (c->upload_length == c->upload_expected)
        end_upload(c);
    return n;
}

// ---- requests ----

static void start_page(connection *c, const http_request *request)
{
    const service *s = &c->host->service;
    if (!request->upgrade || strcasecmp(request->upgrade, "websocket") != 0 ||
        !http_list_has(request->connection, "upgrade")) {
        reject(c, 426, "/ws is a WebSocket: the request needs Upgrade: websocket");
    } else if (!request->version || strcmp(request->version, "13") != 0) {
        reject(c, 400, "Sec-WebSocket-Version must be 13");
    } else if (!request->key || !websocket_key_good(request->key)) {
        reject(c, 400, "Sec-WebSocket-Key must be 16 bytes in base 64");
    } else if (!http_list_has(request->protocol, "motorcade.1")) {
        reject(c, 400, "Sec-WebSocket-Protocol must be motorcade.1");
    } else if (!(c->page = s->join(s->context, c->host->read_only))) {
        reject(c, 503, "no memory for another page");
    } else {
        char accept[WEBSOCKET_ACCEPT_SIZE];
        websocket_accept(request->key, accept);
        const int n = snprintf(c->head, sizeof c->head,
                               "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                               "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n"
                               "Sec-WebSocket-Protocol: motorcade.1\r\n\r\n",
                               accept);
        c->out[0] = (const uint8_t *)c->head;
        c->out_left[0] = (size_t)n;
        c->phase = CONNECTION_PAGE;
        c->heard = c->progress = c->host->now;
    }
}

static void handle_request(connection *c, const http_request *request)
{
    const connection_host *host = c->host;
    const bool upload = strcmp(request->path, "/upload") == 0;
    c->keep_alive = request->keep_alive;
    c->head_only = request->method == HTTP_HEAD;
    if (!access_host(&host->rules, request->host))
        reject(c, 403, "Host is not an address of this studio");
    else if (!access_origin(request->origin, request->host))
        reject(c, 403, "Origin is another site; only the page of the studio may send requests");
    else if (!access_token(&host->rules, request->query, request->cookie))
        reject(c, 403, "the token is missing or wrong; open the address that the studio printed");
    else if (request->method == HTTP_OTHER || (request->method == HTTP_POST && !upload))
        reject(c, 405, "only GET, HEAD and POST /upload are supported");
    else if (upload && request->method != HTTP_POST)
        reject(c, 405, "/upload expects POST");
    else if (upload)
        start_upload(c, request);
    else if (request->content_length > 0)
        reject(c, 413, "GET and HEAD have no body");
    else if (strcmp(request->path, "/ws") == 0)
        start_page(c, request);
    else if (request->upgrade && http_list_has(request->connection, "upgrade"))
        reject(c, 400, "the WebSocket is at /ws");
    else
        answer_file(c, request);
}

// ---- bytes in ----

static bool flush(connection *c);

static void take_page(connection *c, const uint8_t *bytes, size_t length)
{
    while (!c->closing) {
        switch (websocket_read(&c->reader, &bytes, &length)) {
        case WEBSOCKET_MORE:
            return;
        case WEBSOCKET_TEXT:
            if (!c->host->service.take(c->page, c->reader.message, c->reader.length)) {
                const char *reason = c->host->service.closing(c->page);
                connection_close_page(c, WEBSOCKET_POLICY_VIOLATION, reason ? reason : "refused");
            }
            break;
        case WEBSOCKET_PING:
            if (c->control_length + 2 + (size_t)c->reader.control_length <= 256) {
                uint8_t *at = c->control + c->control_length + 2;
                memcpy(at, c->reader.control, (size_t)c->reader.control_length);
                websocket_prepend(at, (size_t)c->reader.control_length, WEBSOCKET_OP_PONG);
                c->control_length += 2 + (size_t)c->reader.control_length;
            }
            break;
        case WEBSOCKET_PONG:
            break;
        case WEBSOCKET_CLOSE:
            connection_close_page(c, c->reader.code, "");
            break;
        case WEBSOCKET_BAD:
            connection_close_page(c, c->reader.code, c->reader.reason);
            break;
        }
    }
}

// Deals with the requests in c->in as far as they are whole.
static bool take_requests(connection *c)
{
    while (c->phase == CONNECTION_REQUEST && c->in_length > 0) {
        http_request request;
        const char *reason = "";
        const int status = http_read(c->in, c->in_length, &request, &reason);
        if (status == 0)
            return true;
        c->head_only = false;
        if (status == 200)
            handle_request(c, &request);
        else
            reject(c, status, reason);
        size_t used = status == 200 ? request.head_length : c->in_length;
        if (c->phase == CONNECTION_BODY)
            used += take_body(c, (uint8_t *)c->in + used, c->in_length - used);
        else if (c->phase == CONNECTION_PAGE && used < c->in_length) {
            take_page(c, (uint8_t *)c->in + used, c->in_length - used);
            used = c->in_length;
        }
        memmove(c->in, c->in + used, c->in_length - used);
        c->in_length -= used;
        if (!flush(c))
            return false;
    }
    if (c->phase == CONNECTION_PAGE) {
        free(c->in);
        c->in = NULL;
        c->in_length = 0;
    }
    return true;
}

static bool keep(connection *c, const uint8_t *bytes, size_t length)
{
    if (length > IN_ROOM - c->in_length)
        return false;
    if (!c->in && !(c->in = malloc(IN_ROOM)))
        return false;
    if (c->in_length == 0)
        c->deadline = earlier(c->deadline, c->host->now + CONNECTION_REQUEST_MS);
    if (length > 0)
        memcpy(c->in + c->in_length, bytes, length);
    c->in_length += length;
    return true;
}

bool connection_take(connection *c, const uint8_t *bytes, size_t length)
{
    c->heard = c->host->now;
    c->asked = false;
    switch (c->phase) {
    case CONNECTION_LINGER:
        return true;
    case CONNECTION_PAGE:
        take_page(c, bytes, length);
        return flush(c);
    case CONNECTION_BODY: {
        const size_t used = take_body(c, bytes, length);
        if (!keep(c, bytes + used, length - used))
            return false;
        return c->phase == CONNECTION_BODY || connection_send(c);
    }
    default:
        return keep(c, bytes, length) && take_requests(c);
    }
}

// ---- bytes out ----

// 1: all of c->out is sent, 0: the socket is full, -1: it is broken.
static int push(connection *c)
{
    for (int i = 0; i < 2; i++)
        while (c->out_left[i] > 0) {
            const bool more = i == 0 && c->out_left[1] > 0;
            const ssize_t n = send(c->fd, c->out[i], c->out_left[i],
                                   MSG_NOSIGNAL | MSG_DONTWAIT | (more ? MSG_MORE : 0));
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
            c->out[i] += n;
            c->out_left[i] -= (size_t)n;
            c->progress = c->host->now;
        }
    return 1;
}

static void linger(connection *c)
{
    shutdown(c->fd, SHUT_WR);
    c->phase = CONNECTION_LINGER;
    c->deadline = c->host->now + CONNECTION_LINGER_MS;
}

// An answer is sent whole.
static void end_answer(connection *c)
{
    free(c->owned);
    c->owned = NULL;
    if (!c->keep_alive) {
        linger(c);
        return;
    }
    c->phase = CONNECTION_REQUEST;
    c->deadline = c->host->now + CONNECTION_IDLE_MS;
    c->since = c->host->now;
}

// The next frame of the page into c->out; false: there is none now.
static bool next_frame(connection *c)
{
    if (c->message)
        c->host->service.release(c->message);
    c->message = NULL;
    if (c->control_length > 0) { // copied: more may be added while these are on their way
        memcpy(c->head, c->control, c->control_length);
        c->out[0] = (const uint8_t *)c->head;
        c->out_left[0] = c->control_length;
        c->control_length = 0;
        return true;
    }
    if (c->closing) {
        linger(c);
        return false;
    }
    const char *reason = c->host->service.closing(c->page);
    if (reason) {
        connection_close_page(c, WEBSOCKET_TRY_LATER, reason);
        return next_frame(c);
    }
    c->message = c->host->service.next(c->page);
    if (!c->message)
        return false;
    const int opcode = c->message->binary ? WEBSOCKET_OP_BINARY : WEBSOCKET_OP_TEXT;
    const uint8_t *start = websocket_prepend(c->message->bytes, c->message->length, opcode);
    c->out[0] = start;
    c->out_left[0] = c->message->length + (size_t)(c->message->bytes - start);
    return true;
}

static bool flush(connection *c)
{
    enum { FRAMES_A_TURN = 64 }; // then the others
    for (int frames = 0; c->phase != CONNECTION_LINGER; frames++) {
        const int state = push(c);
        if (state < 0)
            return false;
        c->wants_write = state == 0 || frames == FRAMES_A_TURN;
        c->rests = c->phase == CONNECTION_ANSWER && state == 0;
        if (c->wants_write)
            return true;
        if (c->phase == CONNECTION_ANSWER)
            end_answer(c);
        else if (c->phase != CONNECTION_PAGE || !next_frame(c))
            break;
    }
    c->wants_write = c->rests = false;
    return true;
}

bool connection_send(connection *c)
{
    return flush(c) && take_requests(c);
}

// ---- the whole ----

static_assert((int)SERVICE_HEADROOM >= (int)WEBSOCKET_HEAD_MAX,
              "a frame's head fits before a message");

bool connection_start(connection *c, connection_host *host, int fd, bool crowded)
{
    c->host = host;
    c->fd = fd;
    c->deadline = host->now + CONNECTION_REQUEST_MS;
    c->since = host->now;
    if (crowded)
        reject(c, 503, "256 connections are open; close a page and try again");
    return !crowded || connection_send(c);
}

void connection_end(connection *c)
{
    if (c->phase == CONNECTION_BODY)
        drop_upload(c);
    if (c->message)
        c->host->service.release(c->message);
    if (c->page)
        c->host->service.leave(c->page);
    websocket_end(&c->reader);
    free(c->in);
    free(c->owned);
    c->message = NULL;
    c->page = NULL;
    c->in = NULL;
    c->owned = NULL;
}

// A text in JSON's quotes: what would end or break them becomes '.
static void quote(const char *text, char *out, size_t size)
{
    size_t i = 0;
    for (; text[i] && i + 1 < size; i++)
        out[i] = (unsigned char)text[i] < 0x20 || strchr("\"\\", text[i]) ? '\'' : text[i];
    out[i] = '\0';
}

void connection_close_page(connection *c, int code, const char *reason)
{
    if (c->closing || c->phase != CONNECTION_PAGE)
        return;
    c->closing = true;
    c->deadline = c->host->now + CONNECTION_LINGER_MS;
    if (code == WEBSOCKET_GOING_AWAY || code == WEBSOCKET_POLICY_VIOLATION ||
        code == WEBSOCKET_TRY_LATER) {
        char words[100], bye[160];
        quote(reason, words, sizeof words);
        const int n = snprintf(bye, sizeof bye, "{\"kind\": \"bye\", \"reason\": \"%s\"}", words);
        uint8_t *at = c->control + c->control_length + (n < 126 ? 2 : 4);
        memcpy(at, bye, (size_t)n);
        websocket_prepend(at, (size_t)n, WEBSOCKET_OP_TEXT);
        c->control_length = (size_t)(at - c->control) + (size_t)n;
    }
    uint8_t *at = c->control + c->control_length + 2;
    const int n = code ? websocket_close_payload(code, reason, at) : 0;
    websocket_prepend(at, (size_t)n, WEBSOCKET_OP_CLOSE);
    c->control_length += 2 + (size_t)n;
}

static bool tick_page(connection *c)
{
    const int64_t now = c->host->now;
    if (c->closing)
        return now < c->deadline;
    if (now - c->heard > CONNECTION_SILENT_MS ||
        ((c->out_left[0] > 0) && now - c->progress > CONNECTION_STALL_MS))
        return false;
    if (!c->asked && now - c->heard > CONNECTION_PING_MS && c->control_length == 0) {
        websocket_prepend(c->control + 2, 0, WEBSOCKET_OP_PING);
        c->control_length = 2;
        c->asked = true;
    }
    return connection_send(c);
}

bool connection_tick(connection *c)
{
    const int64_t now = c->host->now;
    switch (c->phase) {
    case CONNECTION_PAGE:
        return tick_page(c);
    case CONNECTION_ANSWER:
        return now - c->progress <= CONNECTION_STALL_MS;
    case CONNECTION_BODY:
        if (now < c->deadline && now - c->progress <= CONNECTION_STALL_MS)
            return true;
        drop_upload(c);
        reject(c, 408, "the upload was too slow");
        return connection_send(c);
    case CONNECTION_REQUEST:
        if (now < c->deadline)
            return true;
        if (c->in_length == 0)
            return false;
        c->in_length = 0;
        reject(c, 408, "the request was not complete within 10 s");
        return connection_send(c);
    default:
        return now < c->deadline;
    }
}
