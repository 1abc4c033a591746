// test_server.c - the studio's transport with a service that only answers: files, handshake,
// messages.
#include "studio/net/fake_studio.h"
#include "support/studio_client.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char answer[1 << 16];
static client_frame frame;

typedef struct fixture {
    fake_studio *studio;
    int port;
} fixture;

static void start(fixture *f, const mc_studio_options *o)
{
    mc_error error = {0};
    f->studio = fake_studio_start(o, &error);
    if (!f->studio)
        fail_msg("%s", error.text);
    const char *colon = strrchr(server_address(f->studio->server), ':');
    f->port = atoi(colon + 1);
}

static int set_up(void **state)
{
    static fixture f;
    mc_studio_options o = mc_studio_defaults();
    o.port = 0;
    start(&f, &o);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    fake_studio_end(f->studio);
    return 0;
}

static int get(int port, const char *path, const char *headers)
{
    char request[1024];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\n%s\r\n", path, port,
             headers);
    return client_ask(port, request, answer, sizeof answer);
}

static void test_page(void **state)
{
    const fixture *f = *state;
    assert_int_equal(get(f->port, "/", ""), 200);
    assert_non_null(strstr(answer, "Content-Type: text/html; charset=utf-8\r\n"));
    assert_non_null(strstr(answer, "Content-Security-Policy: default-src 'self'"));
    assert_non_null(strstr(answer, "frame-ancestors 'none'"));
    assert_non_null(strstr(answer, "X-Content-Type-Options: nosniff\r\n"));
    assert_non_null(strstr(answer, "Referrer-Policy: no-referrer\r\n"));
    assert_non_null(strstr(answer, "<title>"));
}

static void test_messages(void **state)
{
    const fixture *f = *state;
    const int fd = client_page(f->port);
    client_say(fd, "echo {\"kind\": \"hello\"}");
    assert_true(client_frame_read(fd, &frame));
    assert_int_equal(frame.opcode, 1);
    assert_string_equal((char *)frame.bytes, "{\"kind\": \"hello\"}");
    client_say(fd, "binary 300000");
    assert_true(client_frame_read(fd, &frame));
    assert_int_equal(frame.opcode, 2);
    assert_int_equal(frame.length, 300000);
    for (size_t i = 0; i < frame.length; i++)
        assert_int_equal(frame.bytes[i], (uint8_t)(i * 7));
    close(fd);
}

// From another thread, to several pages, each all of them and in order.
static void test_frames(void **state)
{
    enum { PAGES = 20, FRAMES = 50 };
    const fixture *f = *state;
    int fd[PAGES];
    for (int i = 0; i < PAGES; i++) {
        fd[i] = client_page(f->port);
        client_say(fd[i], "echo here");
        assert_true(client_frame_read(fd[i], &frame));
    }
    client_say(fd[0], "frames 50 11000");
    for (int k = 0; k < FRAMES; k++)
        for (int i = 0; i < PAGES; i++) {
            assert_true(client_frame_read(fd[i], &frame));
            assert_int_equal(frame.opcode, 2);
            assert_int_equal(frame.length, 11000);
        }
    for (int i = 0; i < PAGES; i++)
        close(fd[i]);
    assert_int_equal(atomic_load(&f->studio->fake->dropped), 0);
}

static void test_end_tells_pages(void **state)
{
    (void)state;
    fixture f;
    mc_studio_options o = mc_studio_defaults();
    o.port = 0;
    start(&f, &o);
    const int fd = client_page(f.port);
    client_say(fd, "echo here");
    assert_true(client_frame_read(fd, &frame));
    fake_studio_end(f.studio);
    assert_true(client_frame_read(fd, &frame));
    assert_string_equal((char *)frame.bytes,
                        "{\"kind\": \"bye\", \"reason\": \"the studio has ended\"}");
    char reason[128];
    assert_int_equal(client_close_code(fd, reason, sizeof reason), 1001);
    assert_string_equal(reason, "the studio has ended");
    close(fd);
}

// From within the program.
static void test_ask(void **state)
{
    const fixture *f = *state;
    mc_error error = {0};
    for (int k = 0; k < 20; k++) {
        char *text = server_ask(f->studio->server, "{\"kind\": \"question\"}", &error);
        assert_non_null(text);
        assert_string_equal(text, "{\"id\":2,\"kind\":\"done\",\"value\":7}");
        free(text);
    }
    assert_null(server_ask(f->studio->server, "{\"kind\": \"objection\"}", &error));
    assert_string_equal(error.text, "not so");
    assert_null(server_ask(f->studio->server, "[1", &error));
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_null(server_ask(f->studio->server, "[1]", &error));
    assert_int_equal(atomic_load(&f->studio->fake->joined), 21);
    assert_int_equal(atomic_load(&f->studio->fake->left), 21);
    assert_int_equal(atomic_load(&f->studio->fake->lookers), 21); // who only asks may not change
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_page, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_messages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ask, set_up, tear_down),
        cmocka_unit_test(test_end_tells_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
