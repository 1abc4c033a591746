// test_hostile.c - clients that misbehave: rejected with a status or a close code and a reason, and
// the server keeps running.
#include "studio/net/fake_studio.h"
#include "support/studio_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char answer[1 << 16];
static client_frame frame;
static int port; // of the server that all tests share
static fake_studio *studio;

#define TOKEN "0123456789abcdef"

static fake_studio *start(const mc_studio_options *o, int *its_port)
{
    mc_error error = {0};
    fake_studio *s = fake_studio_start(o, &error);
    if (!s)
        fail_msg("%s", error.text);
    *its_port = atoi(strrchr(server_address(s->server), ':') + 1);
    return s;
}

static mc_studio_options plain(void)
{
    mc_studio_options o = mc_studio_defaults();
    o.port = 0;
    return o;
}

static int set_up(void **state)
{
    (void)state;
    const mc_studio_options o = plain();
    studio = start(&o, &port);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fake_studio_end(studio);
    return 0;
}

// Every test ends with it.
static void still_answers(void)
{
    char request[128];
    snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", port);
    assert_int_equal(client_ask(port, request, answer, sizeof answer), 200);
    const int fd = client_page(port);
    client_say(fd, "echo still here");
    assert_true(client_frame_read(fd, &frame));
    assert_string_equal((char *)frame.bytes, "still here");
    close(fd);
}

// ---- requests ----

typedef struct rejection {
    const char *request; // @ stands for the port
    int status;
    const char *reason;
} rejection;

static void fill_in(const char *request, int its_port, char *out, size_t size)
{
    size_t used = 0;
    for (const char *c = request; *c && used + 8 < size; c++)
        if (*c == '@')
            used += (size_t)snprintf(out + used, size - used, "%d", its_port);
        else
            out[used++] = *c;
    out[used] = '\0';
}

static void expect(int its_port, const rejection *r)
{
    char request[4096];
    fill_in(r->request, its_port, request, sizeof request);
    const int status = client_ask(its_port, request, answer, sizeof answer);
    if (status != r->status || !strstr(answer, r->reason))
        fail_msg("%s\n  gave %d and not %d \"%s\":\n%s", request, status, r->status, r->reason,
                 answer);
    if (status >= 400)
        assert_non_null(strstr(answer, "Connection: close\r\n"));
}

#define HOST "Host: localhost:@\r\n"
#define WS(host, origin, key, version, protocol)                                                   \
    "GET /ws HTTP/1.1\r\n" host origin "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n" \
    "Sec-WebSocket-Key: " key "\r\nSec-WebSocket-Version: " version "\r\n" protocol "\r\n"
#define KEY "dGhlIHNhbXBsZSBub25jZQ=="
#define PROTOCOL "Sec-WebSocket-Protocol: chat, motorcade.1\r\n"

static void test_rejections(void **state)
{
    (void)state;
    static const rejection rejections[] = {
        // who may ask
        {"GET / HTTP/1.1\r\nHost: evil.example:@\r\n\r\n", 403, "Host is not"},
        {"GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", 403, "Host is not"},
        {"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 403, "Host is not"},
        {"GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example:@\r\n\r\n", 403, "Host is not"},
        {"GET / HTTP/1.1\r\nHost: localhost:@@\r\n\r\n", 403, "Host is not"},
        {"GET / HTTP/1.1\r\nHost: \r\n\r\n", 403, "Host is not"},
        {"GET / HTTP/1.1\r\nHost: [::1:@\r\n\r\n", 403, "Host is not"},
        {"GET / HTTP/1.1\r\n" HOST "Origin: http://evil.example\r\n\r\n", 403, "Origin is another"},
        {"GET / HTTP/1.1\r\n" HOST "Origin: https://localhost:@\r\n\r\n", 403, "Origin is another"},
        {"GET / HTTP/1.1\r\n" HOST "Origin: http://127.0.0.1:@\r\n\r\n", 403, "Origin is another"},
        {"GET / HTTP/1.1\r\n" HOST "Origin: null\r\n\r\n", 403, "Origin is another"},
        {"GET / HTTP/1.1\r\n" HOST "Origin: http://localhost:@\r\n\r\n", 200, "<title>"},
        {"GET / HTTP/1.1\r\nHost: [::1]:@\r\n\r\n", 200, "<title>"},
        {"GET / HTTP/1.1\r\nHost: LocalHost:@\r\n\r\n", 200, "<title>"},
        {WS(HOST, "Origin: http://evil.example\r\n", KEY, "13", PROTOCOL), 403,
         "Origin is another"},
        {WS("Host: evil.example:@\r\n", "", KEY, "13", PROTOCOL), 403, "Host is not"},
        // what is asked
        {"PUT / HTTP/1.1\r\n" HOST "\r\n", 405, "Allow: GET, HEAD, POST"},
        {"DELETE /index.html HTTP/1.1\r\n" HOST "\r\n", 405, "only GET"},
        {"OPTIONS / HTTP/1.1\r\n" HOST "\r\n", 405, "only GET"},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n", 405, "only GET"},
        {"GET /upload?name=a HTTP/1.1\r\n" HOST "\r\n", 405, "expects POST"},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello", 413, "no body"},
        {"GET /none HTTP/1.1\r\n" HOST "\r\n", 404, "no such file"},
        {"GET /ws HTTP/1.1\r\n" HOST "\r\n", 426, "WebSocket"},
        {"GET / HTTP/1.1\r\n" HOST "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n", 400, "/ws"},
        {WS(HOST, "", KEY, "12", PROTOCOL), 400, "Version must be 13"},
        {WS(HOST, "", KEY, "13", ""), 400, "motorcade.1"},
        {WS(HOST, "", KEY, "13", "Sec-WebSocket-Protocol: motorcade.2\r\n"), 400, "motorcade.1"},
        {WS(HOST, "", "short", "13", PROTOCOL), 400, "Key must be"},
        {"GET /ws HTTP/1.1\r\n" HOST "Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n", 426,
         "WebSocket"},
        // how it is asked
        {"GET / HTTP/1.1\r\n\r\n", 400, "Host header is missing"},
        {"GET /\r\n\r\n", 400, "METHOD TARGET VERSION"},
        {"GET  / HTTP/1.1\r\n" HOST "\r\n", 400, "METHOD TARGET VERSION"},
        {"G=T / HTTP/1.1\r\n" HOST "\r\n", 400, "not a word"},
        {"GET index.html HTTP/1.1\r\n" HOST "\r\n", 400, "begin with /"},
        {"GET http://localhost:@/ HTTP/1.1\r\n" HOST "\r\n", 400, "begin with /"},
        {"CONNECT localhost:@ HTTP/1.1\r\n" HOST "\r\n", 400, "begin with /"},
        {"GET /\xc3\xa4 HTTP/1.1\r\n" HOST "\r\n", 400, "plain ASCII"},
        {"GET / HTTP/2.0\r\n" HOST "\r\n", 505, "HTTP/1.1"},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "begin with /"},
        {"GET / FTP/1.1\r\n" HOST "\r\n", 400, "HTTP/1.1"},
        {"GET / HTTP/1.1\r\n" HOST HOST "\r\n", 400, "given twice"},
        {"GET / HTTP/1.1\r\n" HOST "no colon\r\n\r\n", 400, "NAME: VALUE"},
        {"GET / HTTP/1.1\r\n" HOST "A : b\r\n\r\n", 400, "not a word"},
        {"GET / HTTP/1.1\r\n" HOST "A: b\r\n folded\r\n\r\n", 400, "NAME: VALUE"},
        {"GET / HTTP/1.1\n" HOST "\n", 400, "control characters"},
        {"GET / HTTP/1.1\r\n" HOST "A: \x01\r\n\r\n", 400, "control characters"},
        {"\x16\x03\x01\x02", 400, "control characters"}, // TLS
        {"GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n", 501, "Content-Length"},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n", 400, "not a number"},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: 1 1\r\n\r\n", 400, "not a number"},
        // uploads
        {"POST /upload HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx", 400, "?name=NAME"},
        {"POST /upload?name=../x HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx", 400,
         "?name=NAME"},
        {"POST /upload?name=%2e%2e%2fx HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx", 400,
         "?name="},
        {"POST /upload?name=a%00b HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx", 400,
         "?name=NAME"},
        {"POST /upload?name=a%zz HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx", 400,
         "?name=NAME"},
        {"POST /upload?name=.hidden HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx", 400, "?name="},
        {"POST /upload?name=a HTTP/1.1\r\n" HOST "\r\n", 411, "Content-Length"},
        {"POST /upload?name=a HTTP/1.1\r\n" HOST "Content-Length: 268435457\r\n\r\n", 413,
         "256 MB"},
        {"POST /upload?name=a HTTP/1.1\r\n" HOST "Content-Length: 99999999999999999999\r\n\r\n",
         413, "too large"},
        {"POST /upload?name=a HTTP/1.1\r\n" HOST "Content-Length: 13\r\n\r\n0123456789012", 413,
         "13 bytes are unlucky"},
        {"POST /upload?name=a HTTP/1.1\r\n" HOST "Content-Length: 1\r\nExpect: tea\r\n\r\nx", 417,
         "100-continue"},
        {"POST /upload?name=a HTTP/1.1\r\n" HOST "Origin: http://evil.example\r\n"
         "Content-Length: 1\r\n\r\nx",
         403, "Origin is another"},
        {"POST /upload?name=a+b%21 HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabc", 200,
         "{\"upload\": \"00017862000000000000000000000003\"}"},
        {"POST /upload?name=empty HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n", 200, "upload"},
    };
    for (size_t k = 0; k < sizeof rejections / sizeof rejections[0]; k++)
        expect(port, &rejections[k]);
    still_answers();
}

static void test_traversal(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "/../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/./index.html",
        "/index.html/",
        "/fonts/../index.html",
        "/..\\..\\etc\\passwd",
        "/index.html%00.js",
        "/....//....//etc/passwd",
        "/%c0%ae%c0%ae/etc/passwd",
        "/.git/config",
        "/INDEX.HTML",
        "/index.html?a/../b/../../etc/passwd#x",
    };
    const int count = sizeof paths / sizeof paths[0];
    for (int k = 0; k < count; k++) {
        char request[256];
        snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", paths[k],
                 port);
        const int status = client_ask(port, request, answer, sizeof answer);
        assert_int_equal(status, k == count - 1 ? 200 : 404); // the last is only a query
        assert_null(strstr(answer, "root:"));
    }
    still_answers();
}

static void test_long_heads(void **state)
{
    (void)state;
    char *request = malloc(1 << 20);
    assert_non_null(request);
    int n = snprintf(request, 256, "GET / HTTP/1.1\r\nHost: localhost:%d\r\nA: ", port);
    memset(request + n, 'a', 9000);
    strcpy(request + n + 9000, "\r\n\r\n");
    assert_int_equal(client_ask(port, request, answer, sizeof answer), 431);
    assert_non_null(strstr(answer, "8192 bytes"));
    // one that never ends
    memset(request + n, 'a', 1 << 19);
    request[n + (1 << 19)] = '\0';
    assert_int_equal(client_ask(port, request, answer, sizeof answer), 431);
    // many lines
    n = snprintf(request, 256, "GET / HTTP/1.1\r\nHost: localhost:%d\r\n", port);
    for (int k = 0; k < 64; k++)
        n += sprintf(request + n, "A%d: b\r\n", k);
    strcpy(request + n, "\r\n");
    assert_int_equal(client_ask(port, request, answer, sizeof answer), 431);
    assert_non_null(strstr(answer, "64 header lines"));
    // a long path
    n = sprintf(request, "GET /");
    memset(request + n, 'a', 3000);
    sprintf(request + n + 3000, " HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", port);
    assert_int_equal(client_ask(port, request, answer, sizeof answer), 414);
    free(request);
    still_answers();
}

// Byte by byte, two requests in one go, a client that closes its side after asking.
static void test_odd_but_right(void **state)
{
    (void)state;
    char request[256];
    snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", port);
    int fd = client_connect(port);
    for (const char *c = request; *c; c++)
        client_send(fd, c, 1);
    assert_int_equal(client_answer(fd, answer, sizeof answer), 200);
    close(fd);

    char three[1024];
    snprintf(three, sizeof three, "%s%sGET /none HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", request,
             request, port);
    fd = client_connect(port);
    client_text(fd, three);
    size_t length = 0;
    for (ssize_t got; length + 1 < sizeof answer; length += (size_t)got)
        if ((got = recv(fd, answer + length, sizeof answer - 1 - length, 0)) <= 0)
            break;
    answer[length] = '\0';
    close(fd);
    int ok = 0;
    for (const char *at = answer; (at = strstr(at, "HTTP/1.1 200 OK")); at++)
        ok++;
    assert_int_equal(ok, 2);
    assert_non_null(strstr(answer, "HTTP/1.1 404 Not Found"));

    fd = client_connect(port);
    client_text(fd, request);
    shutdown(fd, SHUT_WR);
    assert_int_equal(client_answer(fd, answer, sizeof answer), 200);
    close(fd);
    still_answers();
}

// ---- tokens ----

static void test_token(void **state)
{
    (void)state;
    mc_studio_options o = plain();
    o.address = "0.0.0.0";
    o.token = TOKEN;
    int its_port;
    fake_studio *s = start(&o, &its_port);
    assert_non_null(strstr(server_address(s->server), "/?token=" TOKEN));
    static const rejection rejections[] = {
        {"GET / HTTP/1.1\r\n" HOST "\r\n", 403, "token is missing or wrong"},
        {"GET /?token=" TOKEN "x HTTP/1.1\r\n" HOST "\r\n", 403, "token is missing or wrong"},
        {"GET /?token=0123456789abcde HTTP/1.1\r\n" HOST "\r\n", 403, "token is missing or wrong"},
        {"GET /?token= HTTP/1.1\r\n" HOST "\r\n", 403, "token is missing or wrong"},
        {"GET /?xtoken=" TOKEN " HTTP/1.1\r\n" HOST "\r\n", 403, "token is missing or wrong"},
        {"GET / HTTP/1.1\r\n" HOST "Cookie: motorcade_token=wrong\r\n\r\n", 403, "token is"},
        {"GET / HTTP/1.1\r\n" HOST "Cookie: token=" TOKEN "\r\n\r\n", 403, "token is"},
        {"POST /upload?name=a HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx", 403, "token is"},
        {WS(HOST, "", KEY, "13", PROTOCOL), 403, "token is missing or wrong"},
        {"GET /none HTTP/1.1\r\n" HOST "\r\n", 403, "token is missing or wrong"},
        {"GET /?a=b&token=" TOKEN " HTTP/1.1\r\n" HOST "\r\n", 200,
         "Set-Cookie: motorcade_token=" TOKEN "; HttpOnly; SameSite=Strict; Path=/\r\n"},
        {"GET / HTTP/1.1\r\n" HOST "Cookie: a=b; motorcade_token=" TOKEN "\r\n\r\n", 200,
         "<title>"},
        {WS(HOST, "Cookie: motorcade_token=" TOKEN "\r\n", KEY, "13", PROTOCOL), 101,
         "Sec-WebSocket-Protocol: motorcade.1\r\n"},
        // on all addresses: digits and this machine's name, no other
        {"GET /?token=" TOKEN " HTTP/1.1\r\nHost: 192.168.7.7:@\r\n\r\n", 200, "<title>"},
        {"GET /?token=" TOKEN " HTTP/1.1\r\nHost: evil.example:@\r\n\r\n", 403, "Host is not"},
    };
    for (size_t k = 0; k < sizeof rejections / sizeof rejections[0]; k++)
        expect(its_port, &rejections[k]);
    fake_studio_end(s);

    o.token = NULL; // made up
    s = start(&o, &its_port);
    assert_int_equal(strlen(strstr(server_address(s->server), "?token=") + 7), 32);
    expect(its_port, &rejections[0]);
    fake_studio_end(s);

    mc_error error;
    o.token = "short";
    assert_null(fake_studio_start(&o, &error));
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "8 .. 128"));
    o.token = "not=allowed;";
    assert_null(fake_studio_start(&o, &error));
}

static void test_bad_starts(void **state)
{
    (void)state;
    mc_error error;
    mc_studio_options o = plain();
    o.port = port; // in use
    assert_null(fake_studio_start(&o, &error));
    assert_int_equal(error.code, MC_IO);
    assert_non_null(strstr(error.text, "is already in use"));
    o.port = 70000;
    assert_null(fake_studio_start(&o, &error));
    assert_non_null(strstr(error.text, "0 .. 65535"));
    o.port = 0;
    o.address = "192.0.2.1"; // reserved for documentation
    assert_null(fake_studio_start(&o, &error));
    assert_non_null(strstr(error.text, "not an address of this machine"));
    o.address = "no such name";
    assert_null(fake_studio_start(&o, &error));
    assert_int_equal(error.code, MC_BAD_INPUT);
    o.address = "127.0.0.1";
    o.page = "/nonexistent";
    assert_null(fake_studio_start(&o, &error));
    assert_non_null(strstr(error.text, "index.html"));
    still_answers();
}

static void test_read_only(void **state)
{
    (void)state;
    mc_studio_options o = plain();
    o.read_only = true;
    int its_port;
    fake_studio *s = start(&o, &its_port);
    const rejection r = {"POST /upload?name=a HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx", 403,
                         "is read-only"};
    expect(its_port, &r);
    const int fd = client_page(its_port);
    client_say(fd, "echo x");
    assert_true(client_frame_read(fd, &frame));
    assert_int_equal(atomic_load(&s->fake->lookers), 1);
    close(fd);
    fake_studio_end(s);
}

// ---- frames ----

static void expect_close(int fd, int code, const char *reason)
{
    char text[128];
    assert_int_equal(client_close_code(fd, text, sizeof text), code);
    if (!strstr(text, reason))
        fail_msg("closed with \"%s\", expected \"%s\"", text, reason);
    char byte;
    assert_true(recv(fd, &byte, 1, 0) <= 0); // and then the connection
    close(fd);
}

static void test_bad_frames(void **state)
{
    (void)state;
    static const struct {
        int first;
        const char *bytes;
        size_t length;
        bool masked;
        int code;
        const char *reason;
    } frames[] = {
        {0x83, "x", 1, true, 1002, "opcode"},
        {0x87, "", 0, true, 1002, "opcode"},
        {0x8b, "", 0, true, 1002, "opcode"},
        {0x8f, "", 0, true, 1002, "opcode"},
        {0xc1, "x", 1, true, 1002, "reserved bits"},
        {0xa1, "x", 1, true, 1002, "reserved bits"},
        {0x91, "x", 1, true, 1002, "reserved bits"},
        {0x81, "x", 1, false, 1002, "masked"},
        {0x89, "x", 1, false, 1002, "masked"},
        {0x80, "x", 1, true, 1002, "has no beginning"},
        {0x00, "x", 1, true, 1002, "has no beginning"},
        {0x09, "x", 1, true, 1002, "control frame"},
        {0x08, "", 0, true, 1002, "control frame"},
        {0x82, "x", 1, true, 1003, "not binary"},
        {0x02, "x", 1, true, 1003, "not binary"},
        {0x81, "\xff", 1, true, 1007, "UTF-8"},
        {0x81, "a\xc0\xaf", 3, true, 1007, "UTF-8"},        // overlong
        {0x81, "\xed\xa0\x80", 3, true, 1007, "UTF-8"},     // surrogate
        {0x81, "\xf4\x90\x80\x80", 4, true, 1007, "UTF-8"}, // beyond
        {0x81, "\xe2\x82", 2, true, 1007, "UTF-8"},         // cut off
        {0x88, "\x03", 1, true, 1002, "close code"},
        {0x88, "\x03\xed", 2, true, 1002, "close code"}, // 1005
        {0x88, "\x00\x00", 2, true, 1002, "close code"},
        {0x88, "\x03\xe8\xff", 3, true, 1007, "UTF-8"},
        {0x88, "\x03\xe8\x62\x79\x65", 5, true, 1000, ""}, // a good one
        {0x88, "", 0, true, 1005, ""},                     // without a code
    };
    for (size_t k = 0; k < sizeof frames / sizeof frames[0]; k++) {
        const int fd = client_page(port);
        client_frame_send(fd, frames[k].first, frames[k].bytes, frames[k].length, frames[k].masked);
        expect_close(fd, frames[k].code, frames[k].reason);
    }
    still_answers();
}

static void test_long_messages(void **state)
{
    (void)state;
    char *text = malloc(200000);
    assert_non_null(text);
    memset(text, 'a', 200000);
    int fd = client_page(port); // the longest
    client_frame_send(fd, 0x81, text, 65536, true);
    assert_true(client_frame_read(fd, &frame));
    assert_string_equal((char *)frame.bytes, "got 65536");
    client_frame_send(fd, 0x81, text, 65537, true);
    expect_close(fd, 1009, "65536 bytes");

    fd = client_page(port); // a giant, announced: rejected before it comes
    client_send(fd, "\x81\xff\x00\x00\x00\x7f\xff\xff\xff\xff\x00\x00\x00\x00", 14);
    expect_close(fd, 1009, "65536 bytes");
    fd = client_page(port); // more than 63 bits
    client_send(fd, "\x81\xff\xff\x00\x00\x7f\xff\xff\xff\xff\x00\x00\x00\x00", 14);
    expect_close(fd, 1002, "first bit");
    fd = client_page(port); // 5 bytes, written with 8
    client_send(fd, "\x81\xff\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x00", 14);
    expect_close(fd, 1002, "shortest");

    fd = client_page(port); // fragments, a ping between them
    client_frame_send(fd, 0x01, text, 30000, true);
    client_frame_send(fd, 0x00, text, 30000, true);
    client_frame_send(fd, 0x89, "are you there", 13, true);
    client_frame_send(fd, 0x80, text, 5536, true);
    assert_true(client_frame_read(fd, &frame));
    assert_int_equal(frame.opcode, 10);
    assert_string_equal((char *)frame.bytes, "are you there");
    assert_true(client_frame_read(fd, &frame));
    assert_string_equal((char *)frame.bytes, "got 65536");
    client_frame_send(fd, 0x01, text, 30000, true); // and too many bytes in them
    client_frame_send(fd, 0x00, text, 30000, true);
    client_frame_send(fd, 0x80, text, 5537, true);
    expect_close(fd, 1009, "65536 bytes");

    fd = client_page(port); // empty ones without end
    client_frame_send(fd, 0x01, "", 0, true);
    for (int k = 0; k < 1024; k++)
        client_frame_send(fd, 0x00, "", 0, true);
    expect_close(fd, 1008, "fragments");

    fd = client_page(port); // a character cut by fragments is whole in the end
    client_frame_send(fd, 0x01, "echo \xe2\x82", 7, true);
    client_frame_send(fd, 0x80, "\xac", 1, true);
    assert_true(client_frame_read(fd, &frame));
    assert_string_equal((char *)frame.bytes, "\xe2\x82\xac");
    close(fd);

    fd = client_page(port); // byte by byte
    const uint8_t bytes[] = {0x81,    0x86,    1,       2,       3,       4,
                             'e' ^ 1, 'c' ^ 2, 'h' ^ 3, 'o' ^ 4, ' ' ^ 1, '!' ^ 2};
    for (size_t i = 0; i < sizeof bytes; i++)
        client_send(fd, &bytes[i], 1);
    assert_true(client_frame_read(fd, &frame));
    assert_string_equal((char *)frame.bytes, "!");
    close(fd);
    free(text);
    still_answers();
}

static void test_service_closes(void **state)
{
    (void)state;
    int fd = client_page(port);
    client_say(fd, "reject");
    assert_true(client_frame_read(fd, &frame));
    assert_string_equal((char *)frame.bytes,
                        "{\"kind\": \"bye\", \"reason\": \"too many requests\"}");
    expect_close(fd, 1008, "too many requests");
    fd = client_page(port);
    client_say(fd, "full");
    assert_true(client_frame_read(fd, &frame));
    assert_string_equal((char *)frame.bytes,
                        "{\"kind\": \"bye\", \"reason\": \"16 MB wait 'unread'\"}");
    expect_close(fd, 1013, "16 MB wait \"unread\"");
    still_answers();
}

static void test_pings(void **state)
{
    (void)state;
    const int fd = client_page(port);
    char text[125];
    memset(text, 'p', sizeof text);
    for (int k = 0; k < 2000; k++) // more than can be answered one by one
        client_frame_send(fd, 0x89, text, sizeof text, true);
    client_say(fd, "echo end");
    int pongs = 0;
    bool end = false;
    while (!end && client_frame_read(fd, &frame)) {
        if (frame.opcode == 10) {
            assert_int_equal(frame.length, 125);
            pongs++;
        } else {
            assert_string_equal((char *)frame.bytes, "end");
            end = true;
        }
    }
    assert_true(end && pongs > 0);
    close(fd);
    still_answers();
}

// ---- many, and slow ones ----

static void test_thousand_connects(void **state)
{
    (void)state;
    for (int k = 0; k < 1000; k++) {
        const int fd = k % 3 == 0 ? client_page(port) : client_connect(port);
        if (k % 3 == 1)
            client_text(fd, "GET / HT");
        close(fd);
    }
    still_answers();
}

static void test_three_hundred_at_once(void **state)
{
    (void)state;
    enum { ALL = 300, PAGES = 256 };
    int fd[ALL];
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); // those of the test before are gone
    for (int k = 0; k < PAGES; k++)
        fd[k] = client_page(port);
    int rejected = 0;
    for (int k = PAGES; k < ALL; k++) {
        fd[k] = client_connect(port);
        const int status = client_answer(fd[k], answer, sizeof answer);
        rejected += status == 503 && strstr(answer, "256 connections are open");
    }
    assert_int_equal(rejected, ALL - PAGES);
    for (int k = 0; k < PAGES; k++) { // the others do not notice
        client_say(fd[k], "echo here");
        assert_true(client_frame_read(fd[k], &frame));
        assert_string_equal((char *)frame.bytes, "here");
    }
    for (int k = 0; k < ALL; k++)
        close(fd[k]);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    still_answers();
}

// Connections that ask nothing give way.
static void test_idle_give_way(void **state)
{
    (void)state;
    enum { IDLE = 256 };
    int fd[IDLE];
    for (int k = 0; k < IDLE; k++)
        fd[k] = client_connect(port);
    nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 300000000}, NULL);
    still_answers();
    for (int k = 0; k < IDLE; k++)
        close(fd[k]);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    still_answers();
}

// A page that reads nothing does not delay others.
static void test_slow_reader(void **state)
{
    (void)state;
    mc_studio_options o = plain();
    int its_port;
    fake_studio *s = start(&o, &its_port);
    const int slow = client_page(its_port), quick = client_page(its_port);
    const int small = 4096;
    setsockopt(slow, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    client_say(slow, "echo x");
    client_say(quick, "echo x");
    assert_true(client_frame_read(quick, &frame));
    client_say(quick, "frames 300 200000"); // 60 MB: beyond all buffers between here and there
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    int frames = 0;
    for (; frames < 200 && client_frame_read(quick, &frame); frames++)
        assert_int_equal(frame.length, 200000);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    assert_int_equal(frames, 200);
    assert_true(difftime(t1.tv_sec, t0.tv_sec) < 30);
    assert_true(atomic_load(&s->fake->dropped) > 0); // by the slow one's queue
    close(slow);
    close(quick);
    fake_studio_end(s);
}

// When the machine has no more descriptors, callers are sent away and the loop does not spin.
static void test_no_descriptors(void **state)
{
    (void)state;
    enum { CALLERS = 40 };
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const int highest = dup(0);
    close(highest);
    const struct rlimit few = {(rlim_t)highest + 6, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    const pid_t child = fork(); // the callers: they have descriptors
    if (child == 0) {
        int fd[CALLERS], rejected = 0;
        setrlimit(RLIMIT_NOFILE, &before);
        for (int k = 0; k < CALLERS; k++)
            fd[k] = client_connect(port);
        for (int k = 10; k < CALLERS; k++)
            rejected += client_answer(fd[k], answer, sizeof answer) == 503;
        _exit(rejected == CALLERS - 10 ? 0 : 1);
    }
    int status = -1;
    const clock_t began = clock();
    waitpid(child, &status, 0);
    assert_true((double)(clock() - began) / CLOCKS_PER_SEC < 2.0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    still_answers();
}

static void test_version_6(void **state)
{
    (void)state;
    mc_studio_options o = plain();
    o.address = "::1";
    mc_error error;
    fake_studio *s = fake_studio_start(&o, &error);
    if (!s) { // a machine without it
        assert_true(error.code == MC_BAD_INPUT || error.code == MC_IO);
        skip();
    }
    int its_port = 0;
    assert_int_equal(sscanf(server_address(s->server), "http://[::1]:%d/", &its_port), 1);
    assert_null(strstr(server_address(s->server), "token")); // only this machine can connect
    fake_studio_end(s);
}

static void test_two_studios(void **state)
{
    (void)state;
    mc_studio_options o = plain();
    int ports[2];
    fake_studio *both[2] = {start(&o, &ports[0]), start(&o, &ports[1])};
    assert_int_not_equal(ports[0], ports[1]);
    for (int k = 0; k < 2; k++) {
        char request[128];
        snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", ports[k]);
        assert_int_equal(client_ask(ports[k], request, answer, sizeof answer), 200);
    }
    fake_studio_end(both[0]);
    fake_studio_end(both[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rejections),
        cmocka_unit_test(test_traversal),
        cmocka_unit_test(test_long_heads),
        cmocka_unit_test(test_odd_but_right),
        cmocka_unit_test(test_bad_frames),
        cmocka_unit_test(test_long_messages),
        cmocka_unit_test(test_service_closes),
        cmocka_unit_test(test_pings),
        cmocka_unit_test(test_thousand_connects),
        cmocka_unit_test(test_three_hundred_at_once),
        cmocka_unit_test(test_idle_give_way),
        cmocka_unit_test(test_bad_starts),
        cmocka_unit_test(test_token),
        cmocka_unit_test(test_read_only),
        cmocka_unit_test(test_slow_reader),
        cmocka_unit_test(test_two_studios),
        cmocka_unit_test(test_no_descriptors),
        cmocka_unit_test(test_version_6),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
