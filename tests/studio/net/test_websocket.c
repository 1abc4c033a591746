// test_websocket.c - frames in pieces of any size, the handshake, UTF-8.
#include "studio/net/websocket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_accept(void **state)
{
    (void)state;
    char out[WEBSOCKET_ACCEPT_SIZE];
    websocket_accept("dGhlIHNhbXBsZSBub25jZQ==", out); // RFC 6455, section 1.3
    assert_string_equal(out, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    websocket_accept("x3JJHMbDL1EzLkh9GBhXDw==", out); // another one, as widely printed
    assert_string_equal(out, "HSmrc0sMlYUkAGmm5OPpG2HaGWk=");
    assert_true(websocket_key_good("dGhlIHNhbXBsZSBub25jZQ=="));
    assert_false(websocket_key_good("dGhlIHNhbXBsZSBub25jZQ="));
    assert_false(websocket_key_good("dGhlIHNhbXBsZSBub25jZQ=a"));
    assert_false(websocket_key_good("dGhlIHNhbXBsZSBub25j===="));
    assert_false(websocket_key_good("dGhlIHNhbXBsZSBub25jZ!=="));
    assert_false(websocket_key_good(""));
}

// What a reader says of the bytes, handed in as pieces of that size.
static void tell(const uint8_t *bytes, size_t length, size_t piece, char *out, size_t size)
{
    websocket_reader r = {0};
    size_t used = 0;
    out[0] = '\0';
    for (size_t at = 0; at < length; at += piece) {
        size_t left = length - at < piece ? length - at : piece;
        const uint8_t *p = bytes + at;
        websocket_event event;
        while ((event = websocket_read(&r, &p, &left)) != WEBSOCKET_MORE) {
            if (event == WEBSOCKET_TEXT)
                used += (size_t)snprintf(out + used, size - used, "text %s;", r.message);
            else if (event == WEBSOCKET_BAD || event == WEBSOCKET_CLOSE)
                used += (size_t)snprintf(out + used, size - used, "end %d;", r.code);
            else
                used += (size_t)snprintf(out + used, size - used, "%s %.*s;",
                                         event == WEBSOCKET_PING ? "ping" : "pong",
                                         r.control_length, (const char *)r.control);
            if (event == WEBSOCKET_BAD || event == WEBSOCKET_CLOSE) {
                websocket_end(&r);
                return;
            }
        }
        assert_int_equal(left, 0);
    }
    websocket_end(&r);
}

static void test_pieces(void **state)
{
    (void)state;
    // "Hello" masked as in RFC 6455, section 5.7; in two fragments with a ping between; empty;
    // close
    static const uint8_t bytes[] =
        "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"
        "\x01\x83\x00\x00\x00\x00Hel\x89\x82\x00\x00\x00\x00yo\x80\x82\x00\x00\x00\x00lo"
        "\x81\x80\x01\x02\x03\x04"
        "\x8a\x80\x01\x02\x03\x04"
        "\x88\x82\x00\x00\x00\x00\x03\xe8";
    char out[200];
    for (size_t piece = 1; piece <= sizeof bytes; piece++) {
        tell(bytes, sizeof bytes - 1, piece, out, sizeof out);
        assert_string_equal(out, "text Hello;ping yo;text Hello;text ;pong ;end 1000;");
    }
}

static void test_lengths(void **state)
{
    (void)state;
    static uint8_t frame[70000];
    static const size_t lengths[] = {0, 1, 125, 126, 127, 65535, 65536};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        const size_t length = lengths[k];
        const int extra = length < 126 ? 0 : length < 65536 ? 2 : 8;
        uint8_t *payload = frame + 20;
        memset(payload, 'a', length);
        // what the server writes: the same head as a page's but for the mask
        const uint8_t *head = websocket_prepend(payload, length, WEBSOCKET_OP_TEXT);
        assert_int_equal(payload - head, 2 + extra);
        assert_int_equal(head[0], 0x81);
        uint8_t masked[14] = {0};
        memcpy(masked, head, (size_t)(2 + extra));
        masked[1] |= 0x80;
        websocket_reader r = {0};
        const uint8_t *p = masked;
        size_t left = (size_t)(6 + extra);
        websocket_event event = websocket_read(&r, &p, &left);
        if (length > 0) {
            assert_int_equal(event, WEBSOCKET_MORE);
            p = payload;
            left = length;
            event = websocket_read(&r, &p, &left);
        }
        assert_int_equal(event, WEBSOCKET_TEXT);
        assert_int_equal(r.length, length);
        assert_int_equal(left, 0);
        websocket_end(&r);
    }
}

static void test_close_payload(void **state)
{
    (void)state;
    uint8_t out[WEBSOCKET_CONTROL_MAX];
    assert_int_equal(websocket_close_payload(1008, "no", out), 4);
    assert_memory_equal(out, "\x03\xf0no", 4);
    char reason[200]; // euro signs of three bytes: 123 bytes are 41 of them, 122 + 1 are cut
    for (int i = 0; i < 60; i++)
        memcpy(reason + 3 * i, "\xe2\x82\xac", 4);
    assert_int_equal(websocket_close_payload(1000, reason, out), 2 + 123);
    reason[0] = 'a', memmove(reason + 1, reason + 3, 170);
    const int n = websocket_close_payload(1000, reason, out);
    assert_int_equal(n, 2 + 121);
    assert_true(websocket_utf8((const char *)out + 2, (size_t)n - 2));
}

static void test_utf8(void **state)
{
    (void)state;
    static const char *const good[] = {"",
                                       "a",
                                       "\xc2\x80",
                                       "\xdf\xbf",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf"};
    static const char *const wrong[] = {"\x80",
                                        "\xbf",
                                        "\xc0\x80",
                                        "\xc1\xbf",
                                        "\xc2",
                                        "\xc2z",
                                        "\xe0\x9f\xbf",
                                        "\xed\xa0\x80",
                                        "\xe0\xa0",
                                        "\xf0\x8f\xbf\xbf",
                                        "\xf4\x90\x80\x80",
                                        "\xf5\x80\x80\x80",
                                        "\xfe",
                                        "\xff"};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++)
        assert_true(websocket_utf8(good[k], strlen(good[k])));
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        assert_false(websocket_utf8(wrong[k], strlen(wrong[k])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accept),  cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_lengths), cmocka_unit_test(test_close_payload),
        cmocka_unit_test(test_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
