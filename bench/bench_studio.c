// bench_studio.c - what pages cost the simulation: 1 and 50 of them on one studio.
//
// The pages are sockets of a second process that takes every frame and acknowledges it, 60 a
// second. CPU times are those of threads, from /proc: the server's own, and all others but this
// one, which are the hub's. A stall is the longest wait of any page for its next frame, in all
// the runs together.
#include "measure.h"

#include "motorcade/studio.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGES_MAX = 50, ROOM = 1 << 23, SECONDS = 8, PAIRS = 5 };

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "bench_studio: %s\n", what);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- the pages ----

typedef struct page {
    uint8_t *in;
    size_t length;
    double last, stall; // s
    long frames;
} page;

typedef struct shared { // between the two processes
    volatile bool ready, stop;
    double stall;
    long frames;
} shared;

static void say(int fd, const char *text)
{
    uint8_t frame[1024] = {0x81};
    const size_t n = strlen(text), head = n < 126 ? 6 : 8; // the mask is zero
    frame[1] = (uint8_t)(0x80 | (n < 126 ? n : 126));
    if (head == 8) {
        frame[2] = (uint8_t)(n >> 8);
        frame[3] = (uint8_t)n;
    }
    memcpy(frame + head, text, n);
    check(send(fd, frame, head + n, MSG_NOSIGNAL) == (ssize_t)(head + n), "cannot send");
}

static int join(int port)
{
    char text[512];
    const int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    check(connect(fd, (const struct sockaddr *)&to, sizeof to) == 0, "cannot connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const int n =
        snprintf(text, sizeof text,
                 "GET /ws HTTP/1.1\r\nHost: localhost:%d\r\nUpgrade: websocket\r\n"
                 "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                 "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: motorcade.1\r\n\r\n",
                 port);
    check(send(fd, text, (size_t)n, 0) == n, "cannot send");
    for (size_t got = 0; got < 4 || memcmp(text + got - 4, "\r\n\r\n", 4) != 0;)
        check(recv(fd, text + got++, 1, 0) == 1 && got < sizeof text, "no WebSocket");
    say(fd, "{\"id\": 1, \"kind\": \"hello\", \"version\": 1, \"name\": \"bench\"}");
    say(fd, "{\"id\": 2, \"kind\": \"subscribe\", \"fields\": [\"middle\", \"y\", \"psi\", \"v\", "
            "\"a\", \"jerk\", \"target\"], \"rate\": 60, \"window\": null, \"bodies\": false}");
    return fd;
}

// Handles the complete messages received so far.
static void take(page *p, int fd)
{
    size_t at = 0;
    for (;;) {
        const uint8_t *m = p->in + at;
        const size_t left = p->length - at;
        if (left < 2)
            break;
        const size_t head = m[1] < 126 ? 2 : m[1] == 126 ? 4 : 10;
        size_t length = m[1];
        if (left < head)
            break;
        for (size_t i = 2; i < head; i++)
            length = (i > 2 ? length << 8 : 0) | m[i];
        check(length + head < ROOM, "a message is too long");
        if (left < head + length)
            break;
        if ((m[0] & 15) == 2) {
            uint32_t seq;
            uint16_t world;
            char text[80];
            memcpy(&seq, m + head + 8, 4);
            memcpy(&world, m + head + 12, 2);
            snprintf(text, sizeof text, "{\"kind\": \"ack\", \"world\": %u, \"seq\": %u}", world,
                     seq);
            say(fd, text);
            const double t = now();
            if (p->last > 0.0 && t - p->last > p->stall)
                p->stall = t - p->last;
            p->last = t;
            p->frames++;
        }
        at += head + length;
    }
    memmove(p->in, p->in + at, p->length - at);
    p->length -= at;
}

static void be_pages(int port, int count, shared *s)
{
    static page pages[PAGES_MAX];
    struct pollfd polls[PAGES_MAX];
    for (int k = 0; k < count; k++) {
        polls[k] = (struct pollfd){.fd = join(port), .events = POLLIN};
        pages[k].in = malloc(ROOM);
        check(pages[k].in != NULL, "no memory");
    }
    double told = 0.0;
    while (!s->stop) {
        if (now() - told > 1.0) {
            told = now();
            for (int k = 0; k < count; k++)
                say(polls[k].fd,
                    "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                    "\"rate\": 1, \"select\": \"\", \"world\": 0, \"ui\": {}}");
        }
        poll(polls, (nfds_t)count, 100);
        for (int k = 0; k < count; k++)
            if (polls[k].revents) {
                page *p = &pages[k];
                const ssize_t n = recv(polls[k].fd, p->in + p->length, ROOM - p->length, 0);
                check(n > 0, "a page was closed");
                p->length += (size_t)n;
                take(p, polls[k].fd);
                if (!s->ready) // what comes before does not count
                    p->stall = 0.0, p->frames = 0;
            }
    }
    for (int k = 0; k < count; k++) {
        s->stall = pages[k].stall > s->stall ? pages[k].stall : s->stall;
        s->frames += pages[k].frames;
    }
}

// ---- CPU times ----

// s, of the server's thread and of the hub's.
static void thread_times(double *server, double *hub)
{
    DIR *tasks = opendir("/proc/self/task");
    check(tasks != NULL, "no /proc");
    *server = *hub = 0.0;
    for (const struct dirent *e; (e = readdir(tasks)) != NULL;) {
        char path[300], line[300] = "", name[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", e->d_name);
        FILE *in = e->d_name[0] == '.' || atoi(e->d_name) == getpid() ? NULL : fopen(path, "r");
        if (!in)
            continue;
        check(fgets(name, sizeof name, in) != NULL, "no name of a thread");
        fclose(in);
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", e->d_name);
        in = fopen(path, "r");
        check(in && fgets(line, sizeof line, in), "no times of threads");
        fclose(in);
        *(strncmp(name, "studio-server", 13) == 0 ? server : hub) += 1e-9 * atof(line);
    }
    closedir(tasks);
}

typedef struct result {
    double server, hub; // CPU s a simulated second
    double stall;       // s
    double frames;      // a second and page
} result;

static result measure(const char *scenario, int count)
{
    mc_error error;
    mc_studio_options o = mc_studio_defaults();
    o.file = scenario;
    o.port = 0;
    o.threads = 1;
    shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    check(s != MAP_FAILED, "no memory");
    mc_studio *studio = mc_studio_create(&o, &error);
    check(studio != NULL, error.text);
    const int port = atoi(strrchr(mc_studio_address(studio), ':') + 1);
    const pid_t child = fork();
    if (child == 0) {
        be_pages(port, count, s);
        _exit(0);
    }
    double server[2], hub[2];
    sleep(2);
    s->ready = true;
    thread_times(&server[0], &hub[0]);
    const double began = now();
    sleep(SECONDS);
    const double took = now() - began;
    thread_times(&server[1], &hub[1]);
    s->stop = true;
    int status;
    waitpid(child, &status, 0);
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the pages failed");
    const result r = {(server[1] - server[0]) / took, (hub[1] - hub[0]) / took, s->stall,
                      (double)s->frames / (took * count)};
    mc_studio_destroy(studio);
    munmap(s, sizeof *s);
    return r;
}

int main(int argc, char **argv)
{
    char scenario[] = "/tmp/motorcade-bench-XXXXXX.yaml";
    const int cars = argc > 1 ? atoi(argv[1]) : 300;
    const int fd = mkstemps(scenario, 5);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    check(out != NULL, "no temporary file");
    fprintf(out,
            "motorcade: scenario\ntime: {end: 600, step: 0.01, record: 0.02}\n"
            "models: {car: {kind: powertrain}}\ncontrollers: {follow: {law: pid}}\n"
            "platoons:\n  - leader: {model: car, profile: moderate}\n"
            "    cars: [{model: car, count: %d, controller: follow}]\n",
            cars - 1);
    fclose(out);
    enum { HUB_1, HUB_50, SERVER_1, SERVER_50, FRAMES_1, FRAMES_50, FIGURES };
    double figure[FIGURES][PAIRS], middle[FIGURES], wait_1 = 0.0, wait_50 = 0.0;
    for (int k = 0; k < PAIRS; k++) { // alternately: other load on the machine is the same for both
        const result one = measure(scenario, 1), many = measure(scenario, PAGES_MAX);
        figure[HUB_1][k] = 1e3 * one.hub, figure[HUB_50][k] = 1e3 * many.hub;
        figure[SERVER_1][k] = 1e3 * one.server, figure[SERVER_50][k] = 1e3 * many.server;
        figure[FRAMES_1][k] = one.frames, figure[FRAMES_50][k] = many.frames;
        wait_1 = fmax(wait_1, 1e3 * one.stall), wait_50 = fmax(wait_50, 1e3 * many.stall);
    }
    unlink(scenario);
    for (int i = 0; i < FIGURES; i++)
        middle[i] = measure_median(figure[i], PAIRS);
    measure_print("studio_hub_50_pages", "1 page", middle[HUB_50], middle[HUB_1],
                  "CPU ms a simulated s", 1);
    measure_print("studio_server_50_pages", "1 page", middle[SERVER_50], middle[SERVER_1],
                  "CPU ms a simulated s", 1);
    measure_print("studio_frames_50_pages", "1 page", middle[FRAMES_50], middle[FRAMES_1],
                  "frames a s", 0);
    measure_print("studio_longest_wait_50_pages", "1 page", wait_50, wait_1, "ms", 1);
    return 0;
}
