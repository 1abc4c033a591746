// http.c - reading requests, heads of answers.
#include "studio/net/http.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    int status;
    const char *text;
} statuses[] = {
    {101, "Switching Protocols"},
    {200, "OK"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {411, "Length Required"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {417, "Expectation Failed"},
    {426, "Upgrade Required"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
};

static int reject(int status, const char **reason, const char *text)
{
    *reason = text;
    return status;
}

// ---- reading ----

static bool is_token(const char *word)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";
    if (!*word)
        return false;
    for (const char *c = word; *c; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (!letter && !(*c >= '0' && *c <= '9') && !strchr(marks, *c))
            return false;
    }
    return true;
}

// Length of the head with its empty line; 0: not complete yet.
static size_t find_end(const char *bytes, size_t length)
{
    for (size_t i = 3; i < length; i++)
        if (bytes[i] == '\n' && memcmp(bytes + i - 3, "\r\n\r\n", 4) == 0)
            return i + 1;
    return 0;
}

// Bytes no head has: a caller who speaks something else is told at once.
static bool has_strange_bytes(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        const bool line_end = c == '\r' ? i + 1 == length || bytes[i + 1] == '\n'
                                        : c == '\n' && i > 0 && bytes[i - 1] == '\r';
        if ((c < 0x20 && c != '\t' && !line_end) || c == 0x7f)
            return true;
    }
    return false;
}

// Cuts the line that begins at *at and steps over its end.
static char *cut_line(char **at)
{
    char *line = *at, *end = strstr(line, "\r\n");
    *end = '\0';
    *at = end + 2;
    return line;
}

static int read_first_line(char *line, http_request *out, const char **reason)
{
    char *target = strchr(line, ' ');
    char *version = target ? strchr(target + 1, ' ') : NULL;
    if (!version || strchr(version + 1, ' '))
        return reject(400, reason, "the first line must be METHOD TARGET VERSION");
    *target++ = '\0';
    *version++ = '\0';
    if (!is_token(line))
        return reject(400, reason, "the method is not a word");
    out->method = strcmp(line, "GET") == 0    ? HTTP_GET
                  : strcmp(line, "HEAD") == 0 ? HTTP_HEAD
                  : strcmp(line, "POST") == 0 ? HTTP_POST
                                              : HTTP_OTHER;
    if (strlen(target) > HTTP_TARGET_MAX)
        return reject(414, reason, "path and query are longer than 2048 bytes");
    if (target[0] != '/')
        return reject(400, reason, "the path must begin with /");
    for (const char *c = target; *c; c++)
        if ((unsigned char)*c > 0x7e || *c == '\t')
            return reject(400, reason, "path and query must be plain ASCII");
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        return strncmp(version, "HTTP/", 5) == 0
                   ? reject(505, reason, "only HTTP/1.0 and HTTP/1.1 are spoken here")
                   : reject(400, reason, "the first line must end with HTTP/1.1");
    out->keep_alive = version[7] == '1';
    char *query = strchr(target, '?');
    if (query)
        *query++ = '\0';
    out->path = target;
    out->query = query;
    return 200;
}

static int read_header(char *line, http_request *out, const char **reason)
{
    const struct {
        const char *name;
        const char **value;
    } known[] = {
        {"host", &out->host},
        {"origin", &out->origin},
        {"cookie", &out->cookie},
        {"connection", &out->connection},
        {"upgrade", &out->upgrade},
        {"sec-websocket-key", &out->key},
        {"sec-websocket-version", &out->version},
        {"sec-websocket-protocol", &out->protocol},
        {"if-none-match", &out->if_none_match},
        {"accept-encoding", &out->accept_encoding},
        {"expect", &out->expect},
        {"transfer-encoding", &out->transfer_encoding},
        {"content-length", &out->length_text},
    };
    enum { KNOWN = sizeof known / sizeof known[0] };
    char *colon = strchr(line, ':');
    if (!colon || line[0] == ' ' || line[0] == '\t')
        return reject(400, reason, "a header line must be NAME: VALUE");
    *colon = '\0';
    if (!is_token(line))
        return reject(400, reason, "a header's name is not a word");
    char *value = colon + 1 + strspn(colon + 1, " \t");
    for (size_t n = strlen(value); n > 0 && (value[n - 1] == ' ' || value[n - 1] == '\t'); n--)
        value[n - 1] = '\0';
    for (int k = 0; k < KNOWN; k++)
        if (strcasecmp(line, known[k].name) == 0) {
            if (*known[k].value)
                return reject(400, reason, "a header is given twice");
            *known[k].value = value;
        }
    return 200;
}

static int read_length(http_request *out, const char **reason)
{
    out->content_length = -1;
    if (out->transfer_encoding)
        return reject(501, reason, "bodies in chunks are not taken; give Content-Length");
    const char *text = out->length_text;
    if (!text)
        return 200;
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || text[digits] != '\0')
        return reject(400, reason, "Content-Length is not a number");
    if (digits > 15)
        return reject(413, reason, "Content-Length is too large");
    out->content_length = 0;
    for (const char *c = text; *c; c++)
        out->content_length = 10 * out->content_length + (*c - '0');
    return 200;
}

int http_read(char *bytes, size_t length, http_request *out, const char **reason)
{
    *out = (http_request){.content_length = -1};
    const size_t head = find_end(bytes, length);
    if (has_strange_bytes(bytes, head ? head : length))
        return reject(400, reason, "this is not HTTP: control characters in the head");
    if (head > HTTP_HEAD_MAX || (!head && length >= HTTP_HEAD_MAX))
        return reject(431, reason, "the request's head is longer than 8192 bytes");
    if (!head)
        return 0;
    out->head_length = head;
    bytes[head - 2] = '\0'; // the empty line: what is left are whole lines
    char *at = bytes;
    int status = read_first_line(cut_line(&at), out, reason);
    int lines = 0;
    while (status == 200 && *at) {
        if (++lines > HTTP_HEADERS_MAX)
            return reject(431, reason, "more than 64 header lines");
        status = read_header(cut_line(&at), out, reason);
    }
    if (status == 200 && !out->host)
        status = reject(400, reason, "the Host header is missing");
    if (status == 200)
        status = read_length(out, reason);
    if (http_list_has(out->connection, "close"))
        out->keep_alive = false;
    else if (http_list_has(out->connection, "keep-alive"))
        out->keep_alive = true;
    return status;
}

bool http_list_has(const char *list, const char *word)
{
    const size_t expected = strlen(word);
    for (const char *at = list; at && *at;) {
        at += strspn(at, " \t,");
        size_t length = strcspn(at, ",");
        const char *next = at + length;
        while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t'))
            length--;
        if (length == expected && strncasecmp(at, word, length) == 0)
            return true;
        at = next;
    }
    return false;
}

// ---- answers ----

static const char *status_text(int status)
{
    for (size_t k = 0; k < sizeof statuses / sizeof statuses[0]; k++)
        if (statuses[k].status == status)
            return statuses[k].text;
    return "Unknown";
}

size_t http_write_head(const http_answer *a, char *out, size_t size)
{
    char type[96] = "", etag[64] = "", length[48] = "", cookie[256] = "", allow[64] = "",
         socket[300] = "";
    if (a->type)
        snprintf(type, sizeof type, "Content-Type: %s\r\n", a->type);
    if (a->etag)
        snprintf(etag, sizeof etag, "ETag: W/\"%s\"\r\nVary: Accept-Encoding\r\n", a->etag);
    if (a->status != 304)
        snprintf(length, sizeof length, "Content-Length: %zu\r\n", a->length);
    if (a->cookie)
        snprintf(cookie, sizeof cookie, "Set-Cookie: %s\r\n", a->cookie);
    if (a->allow)
        snprintf(allow, sizeof allow, "Allow: %s\r\n", a->allow);
    if (a->socket)
        snprintf(socket, sizeof socket, " ws://%s", a->socket);
    const int n = snprintf(
        out, size,
        "HTTP/1.1 %d %s\r\n%s%s%s%s%s%s"
        "Cache-Control: no-cache\r\n"
        "Content-Security-Policy: default-src 'self'; connect-src 'self'%s; style-src-attr "
        "'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; object-src 'none'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        "X-Frame-Options: DENY\r\n"
        "Referrer-Policy: no-referrer\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\n"
        "Connection: %s\r\n\r\n",
        a->status, status_text(a->status), type, etag, a->gzip ? "Content-Encoding: gzip\r\n" : "",
        cookie, allow, length, socket, a->keep_alive ? "keep-alive" : "close");
    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}
