// test_connection.c - the time limits of a connection, with a clock that the test moves.
#include "studio/net/connection.h"

#include "studio/net/fake_service.h"
#include "studio/net/page_file.h"
#include "support/studio_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

// A page of its own in place of the program's.
const page_file page_files[] = {
    {"/app.js", (const uint8_t *)"let x = 1;", 10, (const uint8_t *)"packed", 6,
     "0123456789abcdef"},
    {"/index.html", (const uint8_t *)"<title>x</title>", 16, NULL, 0, "fedcba9876543210"},
};
const int page_file_count = 2;

typedef struct fixture {
    connection_host host;
    fake *fake;
    connection c;
    int peer;
} fixture;

static char answer[4096];

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    int pair[2];
    assert_non_null(f);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    f->host = (connection_host){.rules = {.address = "127.0.0.1", .port = 8080}, .now = 1000000};
    f->host.service = fake_service(f->fake = fake_create(NULL, NULL));
    f->peer = pair[1];
    assert_true(connection_start(&f->c, &f->host, pair[0], false));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    connection_end(&f->c);
    fake_destroy(f->fake);
    close(f->c.fd);
    close(f->peer);
    free(f);
    return 0;
}

static bool say(fixture *f, const char *text)
{
    return connection_take(&f->c, (const uint8_t *)text, strlen(text));
}

static bool wait_ms(fixture *f, int64_t ms)
{
    f->host.now += ms;
    return connection_tick(&f->c);
}

static void test_silent(void **state)
{
    fixture *f = *state;
    assert_true(wait_ms(f, 9999));
    assert_false(wait_ms(f, 1)); // there is nothing to answer
}

static void test_head_drips(void **state)
{
    fixture *f = *state;
    assert_true(wait_ms(f, 5000));
    assert_true(say(f, "GET / HTTP/1.1\r\n"));
    for (int k = 0; k < 4; k++) { // sending a byte every second does not help
        assert_true(wait_ms(f, 1000));
        assert_true(say(f, "A"));
        assert_int_equal(f->c.phase, CONNECTION_REQUEST);
    }
    assert_true(wait_ms(f, 1000));
    assert_int_equal(client_answer(f->peer, answer, sizeof answer), 408);
    assert_int_equal(f->c.phase, CONNECTION_LINGER);
    assert_true(wait_ms(f, 1999));
    assert_false(wait_ms(f, 1));
}

static void test_kept_alive(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < 3; k++) {
        assert_true(wait_ms(f, k ? 29999 : 9999));
        assert_true(say(f, "GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"));
        assert_int_equal(client_answer(f->peer, answer, sizeof answer), 200);
    }
    assert_true(wait_ms(f, 29999));
    assert_false(wait_ms(f, 1));
}

static void test_head_after_keep_alive(void **state)
{
    fixture *f = *state;
    assert_true(say(f, "GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\nGET"));
    assert_int_equal(client_answer(f->peer, answer, sizeof answer), 200);
    assert_true(wait_ms(f, 1000));
    assert_true(say(f, " / HTTP/1.1\r\n"));
    assert_true(wait_ms(f, 30000));
    assert_int_equal(client_answer(f->peer, answer, sizeof answer), 408);
}

static int ask(fixture *f, const char *first, const char *headers)
{
    char request[512];
    snprintf(request, sizeof request, "%s HTTP/1.1\r\nHost: localhost:8080\r\n%s\r\n", first,
             headers);
    assert_true(say(f, request));
    return client_answer(f->peer, answer, sizeof answer);
}

// Compressed for who takes that, and not again what is known.
static void test_files(void **state)
{
    fixture *f = *state;
    assert_int_equal(ask(f, "GET /app.js", ""), 200);
    assert_non_null(strstr(answer, "\r\n\r\nlet x = 1;"));
    assert_null(strstr(answer, "Content-Encoding"));
    assert_int_equal(ask(f, "GET /app.js", "Accept-Encoding: deflate, gzip, br\r\n"), 200);
    assert_non_null(strstr(answer, "Content-Encoding: gzip\r\n"));
    assert_non_null(strstr(answer, "Content-Length: 6\r\n"));
    assert_non_null(strstr(answer, "\r\n\r\npacked"));
    assert_int_equal(ask(f, "GET /", "Accept-Encoding: gzip\r\n"), 200);
    assert_null(strstr(answer, "Content-Encoding"));
    assert_non_null(strstr(answer, "ETag: W/\"fedcba9876543210\"\r\n"));
    assert_int_equal(ask(f, "GET /", "If-None-Match: \"x\", W/\"fedcba9876543210\"\r\n"), 304);
    assert_null(strstr(answer, "Content-Length"));
    assert_null(strstr(answer, "<title>"));
    assert_int_equal(ask(f, "GET /", "If-None-Match: W/\"0123456789abcdef\"\r\n"), 200);
    assert_non_null(strstr(answer, "Connection: keep-alive\r\n")); // all on one connection
    assert_true(say(f, "HEAD / HTTP/1.0\r\nHost: localhost:8080\r\n\r\n"));
    const ssize_t n = recv(f->peer, answer, sizeof answer - 1, 0);
    assert_true(n > 0);
    answer[n] = '\0';
    assert_non_null(strstr(answer, "Content-Length: 16\r\n"));
    assert_null(strstr(answer, "<title>"));
    assert_non_null(strstr(answer, "Connection: close\r\n"));
}

static void test_head_of_nothing(void **state)
{
    fixture *f = *state;
    assert_true(say(f, "HEAD /none HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"));
    const ssize_t n = recv(f->peer, answer, sizeof answer - 1, 0);
    assert_true(n > 4);
    answer[n] = '\0';
    assert_non_null(strstr(answer, "404"));
    assert_string_equal(answer + n - 4, "\r\n\r\n"); // no body
}

static const char upload[] = "POST /upload?name=a HTTP/1.1\r\nHost: localhost:8080\r\n"
                             "Content-Length: 1000000\r\n\r\n";

static void test_upload_stalls(void **state)
{
    fixture *f = *state;
    assert_true(say(f, upload));
    assert_int_equal(f->c.phase, CONNECTION_BODY);
    assert_int_equal(f->host.upload_bytes, 1000000);
    assert_true(say(f, "xxxx"));
    assert_true(wait_ms(f, 10000 + 1000000 / 64 - 1)); // 64 kB/s
    assert_true(say(f, "xxxx"));
    assert_true(wait_ms(f, 1));
    assert_int_equal(client_answer(f->peer, answer, sizeof answer), 408);
    assert_non_null(strstr(answer, "too slow"));
    assert_int_equal(f->host.upload_bytes, 0);
}

static void test_uploads_together(void **state)
{
    fixture *f = *state;
    f->host.upload_bytes = ((size_t)256 << 20) - 999999; // of others
    assert_true(say(f, upload));
    assert_int_equal(client_answer(f->peer, answer, sizeof answer), 503);
    assert_non_null(strstr(answer, "256 MB"));
}

// An upload that is broken off gives its share back.
static void test_upload_ends(void **state)
{
    fixture *f = *state;
    assert_true(say(f, upload));
    connection_end(&f->c);
    assert_int_equal(f->host.upload_bytes, 0);
    f->c.phase = CONNECTION_REQUEST;
}

static void test_continue(void **state)
{
    fixture *f = *state;
    assert_true(say(f, "POST /upload?name=a HTTP/1.1\r\nHost: localhost:8080\r\n"
                       "Content-Length: 3\r\nExpect: 100-continue\r\n\r\n"));
    const ssize_t n = recv(f->peer, answer, sizeof answer - 1, 0);
    assert_true(n > 0);
    answer[n] = '\0';
    assert_string_equal(answer, "HTTP/1.1 100 Continue\r\n\r\n");
    assert_true(say(f, "abcGET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n")); // and the next one
    assert_int_equal(client_answer(f->peer, answer, sizeof answer), 200);
    assert_non_null(strstr(answer, "{\"upload\": \"00017862"));
    assert_non_null(strstr(answer, "<title>")); // both came at once
}

static void join(fixture *f)
{
    assert_true(say(f, "GET /ws HTTP/1.1\r\nHost: localhost:8080\r\nUpgrade: websocket\r\n"
                       "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                       "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: motorcade.1\r\n\r\n"));
    assert_int_equal(client_answer(f->peer, answer, sizeof answer), 101);
    assert_int_equal(f->c.phase, CONNECTION_PAGE);
}

static void test_page_is_asked(void **state)
{
    fixture *f = *state;
    join(f);
    for (int k = 0; k < 3; k++) {
        assert_true(wait_ms(f, 20000));
        assert_int_equal(recv(f->peer, answer, sizeof answer, 0), -1);
        assert_true(wait_ms(f, 1)); // a ping
        assert_int_equal(recv(f->peer, answer, sizeof answer, 0), 2);
        assert_memory_equal(answer, "\x89\x00", 2);
        assert_true(connection_take(&f->c, (const uint8_t *)"\x8a\x80\x01\x02\x03\x04", 6)); // pong
    }
    assert_true(wait_ms(f, 60000));
    assert_false(wait_ms(f, 1)); // no pong any more
}

// A page that takes nothing is left after a while, whatever it says.
static void test_page_stalls(void **state)
{
    fixture *f = *state;
    join(f);
    const uint8_t ask[] = "\x81\x8e\x00\x00\x00\x00"
                          "binary 9000000";
    assert_true(connection_take(&f->c, ask, sizeof ask - 1));
    assert_true(f->c.wants_write);
    const uint8_t pong[] = "\x8a\x80\x01\x02\x03\x04";
    assert_true(wait_ms(f, 30000));
    assert_true(connection_take(&f->c, pong, 6));
    assert_false(wait_ms(f, 1));
}

// The last words come after the message under way, not within it.
static void test_close_in_the_middle(void **state)
{
    fixture *f = *state;
    join(f);
    const uint8_t ask[] = "\x81\x8d\x00\x00\x00\x00"
                          "binary 900000";
    assert_true(connection_take(&f->c, ask, sizeof ask - 1));
    assert_true(f->c.wants_write);
    connection_close_page(&f->c, WEBSOCKET_GOING_AWAY, "the end");
    static uint8_t got[1000000];
    size_t length = 0;
    for (int turn = 0; turn < 1000 && f->c.phase == CONNECTION_PAGE; turn++) {
        const ssize_t n = recv(f->peer, got + length, sizeof got - length, 0);
        length += n > 0 ? (size_t)n : 0;
        assert_true(connection_send(&f->c));
    }
    for (ssize_t n; (n = recv(f->peer, got + length, sizeof got - length, 0)) > 0;)
        length += (size_t)n;
    const char bye[] =
        "\x81\x24{\"kind\": \"bye\", \"reason\": \"the end\"}\x88\x09\x03\xe9the end";
    assert_int_equal(length, 10 + 900000 + sizeof bye - 1);
    assert_memory_equal(got + 10 + 900000, bye, sizeof bye - 1);
    for (size_t i = 0; i < 900000; i++)
        assert_int_equal(got[10 + i], (uint8_t)(i * 7));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_files),
        TEST(test_head_of_nothing),
        TEST(test_silent),
        TEST(test_head_drips),
        TEST(test_kept_alive),
        TEST(test_head_after_keep_alive),
        TEST(test_upload_stalls),
        TEST(test_uploads_together),
        TEST(test_upload_ends),
        TEST(test_continue),
        TEST(test_page_is_asked),
        TEST(test_page_stalls),
        TEST(test_close_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
