// test_undisturbed.c - a simulation under attack comes to the same state, to the bit, as a quiet
// one.
#include "motorcade/studio.h"
#include "support/studio_client.h"

#include <jansson.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct attack {
    int port;
    atomic_bool stop;
    int rounds;
} attack;

static void connect_and(int port, const char *request)
{
    static const struct timeval soon = {.tv_usec = 50000};
    const int fd = client_connect(port);
    char answer[512];
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon);
    client_text(fd, request);
    client_answer(fd, answer, sizeof answer);
    close(fd);
}

static void page_and(int port, int first_byte, const void *bytes, size_t length, bool masked)
{
    const int fd = client_page(port);
    client_frame_send(fd, first_byte, bytes, length, masked);
    close(fd);
}

// Everything that is rejected, again and again, and a page that reads nothing.
static void *harass(void *context)
{
    attack *a = context;
    static char giant[70000];
    memset(giant, '[', sizeof giant);
    const int slow = client_page(a->port);
    client_say(slow, "{\"id\": 1, \"kind\": \"hello\", \"version\": 1}");
    client_say(
        slow,
        "{\"id\": 2, \"kind\": \"subscribe\", \"fields\": [\"middle\", \"v\", \"a\", \"target\"], "
        "\"rate\": 60, \"window\": null}");
    while (!atomic_load(&a->stop)) {
        connect_and(a->port, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        connect_and(a->port, "\x16\x03\x01 this is not HTTP");
        connect_and(a->port, "GET /../../etc/passwd HTTP/1.1\r\n");
        page_and(a->port, 0x81, giant, 70000, true);
        page_and(a->port, 0x81, giant, 65536, true); // deeply nested JSON
        page_and(a->port, 0x81, "{", 1, false);
        page_and(a->port, 0xff, "{}", 2, true);
        page_and(a->port, 0x81, "\xff\xff", 2, true);
        const int fd = client_page(a->port);
        client_say(fd, "{\"id\": 3, \"kind\": \"set\", \"world\": 0, \"controller\": \"follow\", "
                       "\"param\": \"k3\", \"value\": 1e9}"); // before hello: rejected
        client_say(fd, "{\"id\": 1, \"kind\": \"hello\", \"version\": 1}");
        client_say(fd, "{\"id\": 4, \"kind\": \"set\", \"world\": 0, \"controller\": \"follow\", "
                       "\"param\": \"k3\", \"value\": 1e9}"); // out of range
        client_say(fd, "{\"id\": 8, \"kind\": \"set\", \"world\": 0, \"vehicle\": \"car2\", "
                       "\"param\": \"nonsense\", \"value\": 1}"); // found when carried out
        client_say(fd, "{\"id\": 5, \"kind\": \"law\", \"world\": 0, \"controller\": \"follow\", "
                       "\"text\": \"a = 1/\"}");
        client_say(fd, "{\"id\": 6, \"kind\": \"open\", \"file\": \"/etc/passwd\"}");
        for (int k = 0; k < 80; k++)
            client_say(fd, "{\"id\": 7, \"kind\": \"nonsense\"}");
        close(fd);
        a->rounds++;
    }
    close(slow);
    return NULL;
}

// The next message of that kind; binary frames: NULL as kind, *hash is theirs.
static json_t *hear(int fd, const char *kind, uint64_t *hash)
{
    static client_frame frame;
    while (client_frame_read(fd, &frame)) {
        if (frame.opcode == 2) {
            uint16_t flags;
            uint32_t seq;
            memcpy(&seq, frame.bytes + 8, 4);
            memcpy(&flags, frame.bytes + 14, 2);
            if (!kind && (flags & 8)) { // an answer
                memcpy(hash, frame.bytes + 40, 8);
                return NULL;
            }
            continue;
        }
        json_t *object = frame.opcode == 1 ? json_loads((char *)frame.bytes, 0, NULL) : NULL;
        const char *its_kind = json_string_value(json_object_get(object, "kind"));
        if (kind && its_kind && strcmp(kind, its_kind) == 0)
            return object;
        if (its_kind && strcmp(its_kind, "refused") == 0)
            fail_msg("rejected: %s", (char *)frame.bytes);
        json_decref(object);
    }
    fail_msg("the studio went away");
    return NULL;
}

// Plays 10 s and returns the hash of the state there.
static uint64_t play(int port)
{
    const int fd = client_page(port);
    client_say(fd, "{\"id\": 1, \"kind\": \"hello\", \"version\": 1, \"name\": \"good\"}");
    json_decref(hear(fd, "welcome", NULL));
    double end = 0.0;
    const time_t limit = time(NULL) + 40;
    while (end < 10.5 && time(NULL) < limit) {
        client_say(
            fd, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, \"rate\": 10, "
                "\"select\": \"\", \"world\": 0, \"ui\": {}}");
        json_t *clock = hear(fd, "clock", NULL);
        const json_t *world = json_array_get(json_object_get(clock, "worlds"), 0);
        end = json_number_value(json_object_get(world, "end"));
        json_decref(clock);
    }
    assert_true(end >= 10.5);
    uint64_t hash = 0;
    client_say(
        fd, "{\"id\": 9, \"kind\": \"seek\", \"world\": 0, \"t\": 10, \"fields\": [\"middle\"]}");
    hear(fd, NULL, &hash);
    close(fd);
    return hash;
}

static uint64_t run(bool attacked, int *rounds)
{
    mc_error error = {0};
    mc_studio_options o = mc_studio_defaults();
    o.file = SOURCE_DIR "/scenarios/two_gains.yaml";
    o.port = 0;
    o.threads = 1;
    mc_studio *studio = mc_studio_create(&o, &error);
    if (!studio)
        fail_msg("%s", error.text);
    attack a = {.port = atoi(strrchr(mc_studio_address(studio), ':') + 1)};
    pthread_t thread;
    if (attacked)
        assert_int_equal(pthread_create(&thread, NULL, harass, &a), 0);
    const uint64_t hash = play(a.port);
    atomic_store(&a.stop, true);
    if (attacked)
        pthread_join(thread, NULL);
    *rounds = a.rounds;
    mc_studio_destroy(studio);
    return hash;
}

static void test_same_state(void **state)
{
    (void)state;
    int rounds;
    const uint64_t quiet = run(false, &rounds), attacked = run(true, &rounds);
    assert_true(rounds > 0);
    assert_true(quiet != 0);
    assert_int_equal(quiet, attacked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
