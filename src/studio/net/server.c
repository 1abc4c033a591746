// server.c - listening, the loop, waking.
#include "studio/net/server.h"

#include "studio/net/ask.h"
#include "studio/net/connection.h"
#include "studio/net/listen.h"
#include "studio/net/page_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_MS = 500,
    PATIENCE_MS = 1000, // a connection that asked nothing for so long may have to go for another
    GOODBYE_MS = 500,   // for the last words at the end
};

struct server {
    connection_host host;
    char address[300], listened[256], machine[256], token[ACCESS_TOKEN_MAX + 1];
    int listener; // socket; -1: handed over to the loop
    int spare;    // a descriptor given up when there are no more, to send the caller away
    struct lws_context *context;
    struct lws_vhost *vhost;
    lws_sorted_usec_list_t tick;
    connection *first;
    int count;
    pthread_t thread;
    bool running;           // there is a thread to be joined
    pthread_mutex_t waking; // the loop does not go away while it is woken
    bool can_wake;          // with the lock
    atomic_bool woken, stop, failed;
    ask_desk desk;
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// ---- connections ----

static void link_in(server *s, connection *c)
{
    c->next = s->first;
    c->previous = NULL;
    if (s->first)
        s->first->previous = c;
    s->first = c;
    s->count++;
}

static void link_out(server *s, connection *c)
{
    if (!c->host)
        return; // was never linked in
    if (c->previous)
        c->previous->next = c->next;
    else
        s->first = c->next;
    if (c->next)
        c->next->previous = c->previous;
    s->count--;
    connection_end(c);
    c->host = NULL;
}

// What the loop has to do for the connection after a call. Returns what lws wants: 0 or -1, close.
static int follow(connection *c, bool stays)
{
    struct lws *wsi = c->handle;
    if (!stays)
        return -1;
    if (c->wants_write)
        lws_callback_on_writable(wsi);
    lws_rx_flow_control(wsi, c->rests ? 0 : 1);
    return 0;
}

// The same outside of the connection's own turn.
static void follow_later(connection *c, bool stays)
{
    if (follow(c, stays) != 0)
        lws_set_timeout(c->handle, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

static void send_away(int fd)
{
    static const char text[] =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n"
        "Content-Length: 40\r\nConnection: close\r\n\r\ntoo many connections; try again later..\n";
    (void)!send(fd, text, sizeof text - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(fd);
}

// Who waits longest without having asked for anything gives up its place: so idle connections
// cannot keep pages out.
static void make_room(server *s)
{
    connection *idle = NULL;
    for (connection *c = s->first; c; c = c->next) // newest first
        if (c->phase == CONNECTION_REQUEST && s->host.now - c->since > PATIENCE_MS)
            idle = c;
    if (idle)
        lws_set_timeout(idle->handle, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

static void adopt(server *s, int fd)
{
    if (s->count >= SERVER_CONNECTIONS_MAX)
        make_room(s);
    if (s->count >= SERVER_CONNECTIONS_MAX + SERVER_CROWD_MAX) {
        send_away(fd);
        return;
    }
    const int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const bool crowded = s->count >= SERVER_CONNECTIONS_MAX;
    const lws_sock_file_fd_type descriptor = {.sockfd = fd};
    struct lws *wsi =
        lws_adopt_descriptor_vhost(s->vhost, LWS_ADOPT_SOCKET, descriptor, "connection", NULL);
    if (!wsi)
        return; // closed by lws
    connection *c = lws_wsi_user(wsi);
    c->handle = wsi;
    link_in(s, c);
    follow_later(c, connection_start(c, &s->host, fd, crowded));
}

static void accept_all(server *s, int listener)
{
    for (int i = 0; i < 64; i++) {
        const int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            adopt(s, fd);
        } else if ((errno == EMFILE || errno == ENFILE) && s->spare >= 0) {
            close(s->spare);
            const int last = accept(listener, NULL, NULL);
            if (last >= 0)
                send_away(last);
            s->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return;
        }
    }
}

// ---- the loop's calls ----

static void feed_pages(server *s)
{
    for (connection *c = s->first, *next; c; c = next) {
        next = c->next;
        if (c->phase == CONNECTION_PAGE && !c->wants_write)
            follow_later(c, connection_send(c));
    }
}

static void tick(lws_sorted_usec_list_t *sul)
{
    server *s = lws_container_of(sul, server, tick);
    s->host.now = now_ms();
    for (connection *c = s->first, *next; c; c = next) {
        next = c->next;
        follow_later(c, connection_tick(c));
    }
    const int next = atomic_load(&s->stop) ? TICK_MS / 10 : TICK_MS;
    lws_sul_schedule(s->context, 0, &s->tick, tick, next * 1000);
}

static server *server_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

static int on_connection(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                         size_t length)
{
    server *s = server_of(wsi);
    connection *c = user;
    switch (reason) {
    case LWS_CALLBACK_RAW_RX:
        s->host.now = now_ms();
        return follow(c, connection_take(c, in, length));
    case LWS_CALLBACK_RAW_WRITEABLE:
        s->host.now = now_ms();
        return follow(c, connection_send(c));
    case LWS_CALLBACK_RAW_CLOSE:
        link_out(s, c);
        return 0;
    default:
        return 0;
    }
}

static int on_listener(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                       size_t length)
{
    (void)user, (void)in, (void)length;
    server *s = server_of(wsi);
    switch (reason) {
    case LWS_CALLBACK_RAW_RX_FILE:
        s->host.now = now_ms();
        accept_all(s, lws_get_socket_fd(wsi));
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        if (atomic_exchange(&s->woken, false)) {
            s->host.now = now_ms();
            feed_pages(s);
            ask_serve(&s->desk, &s->host.service);
        }
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "listener", .callback = on_listener},
    {.name = "connection",
     .callback = on_connection,
     .per_session_data_size = sizeof(connection),
     .rx_buffer_size = CONNECTION_TAKE_MAX},
    {0},
};

// ---- the thread ----

static void set_can_wake(server *s, bool can_wake)
{
    pthread_mutex_lock(&s->waking);
    s->can_wake = can_wake;
    pthread_mutex_unlock(&s->waking);
}

static bool has_pages(const server *s)
{
    for (const connection *c = s->first; c; c = c->next)
        if (c->page)
            return true;
    return false;
}

// Tells the pages, and waits a moment until they have heard it.
static void say_goodbye(server *s)
{
    s->host.now = now_ms();
    for (connection *c = s->first, *next; c; c = next) {
        next = c->next;
        if (c->phase == CONNECTION_PAGE) {
            connection_close_page(c, WEBSOCKET_GOING_AWAY, "the studio has ended");
            follow_later(c, connection_send(c));
        }
    }
    lws_sul_schedule(s->context, 0, &s->tick, tick, TICK_MS * 100);
    const int64_t end = s->host.now + GOODBYE_MS;
    while (has_pages(s) && s->host.now < end && lws_service(s->context, 0) >= 0)
        continue;
}

static void *serve(void *context)
{
    server *s = context;
    pthread_setname_np(pthread_self(), "studio-server");
    lws_sul_schedule(s->context, 0, &s->tick, tick, TICK_MS * 1000);
    while (!atomic_load(&s->stop))
        if (lws_service(s->context, 0) < 0) {
            atomic_store(&s->failed, true);
            break;
        }
    say_goodbye(s);
    lws_sul_cancel(&s->tick);
    set_can_wake(s, false);
    lws_context_destroy(s->context); // every connection ends: pages leave the service
    return NULL;
}

static mc_status make_loop(server *s, mc_error *error)
{
    lws_set_log_level(0, NULL);
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .user = s,
        .gid = -1,
        .uid = -1,
        .pt_serv_buf_size = CONNECTION_TAKE_MAX,
        .fd_limit_per_thread = SERVER_CONNECTIONS_MAX + SERVER_CROWD_MAX + 16,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
    };
    s->context = lws_create_context(&info);
    s->vhost = s->context ? lws_create_vhost(s->context, &info) : NULL;
    const lws_sock_file_fd_type descriptor = {.filefd = s->listener};
    if (!s->vhost || !lws_adopt_descriptor_vhost(s->vhost, LWS_ADOPT_RAW_FILE_DESC, descriptor,
                                                 "listener", NULL)) {
        if (s->vhost)
            s->listener = -1; // closed by lws
        if (s->context)
            lws_context_destroy(s->context);
        s->context = NULL;
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "cannot create the server's loop (libwebsockets)");
    }
    s->listener = -1;
    return MC_OK;
}

mc_status server_start(server *s, const service *behind, mc_error *error)
{
    s->host.service = *behind;
    mc_status status = make_loop(s, error);
    if (status != MC_OK)
        return status;
    sigset_t all, before; // signals are for the thread that called
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    set_can_wake(s, true);
    const int failure = pthread_create(&s->thread, NULL, serve, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    s->running = failure == 0;
    if (failure == 0)
        return MC_OK;
    set_can_wake(s, false);
    lws_context_destroy(s->context);
    return mc_error_set(error, MC_FAILED, NULL, 0, 0, "cannot start a thread for the server: %s",
                        strerror(failure));
}

void server_wake(void *context)
{
    server *s = context;
    pthread_mutex_lock(&s->waking);
    if (s->can_wake && !atomic_exchange(&s->woken, true))
        lws_cancel_service(s->context);
    pthread_mutex_unlock(&s->waking);
}

char *server_ask(server *s, const char *request, mc_error *error)
{
    return ask_and_wait(&s->desk, request, server_wake, s, error);
}

bool server_failed(const server *s)
{
    return atomic_load(&s->failed);
}

void server_stop(server *s)
{
    if (!s->running)
        return;
    atomic_store(&s->stop, true);
    server_wake(s);
    pthread_join(s->thread, NULL);
    s->running = false;
}

// ---- making ----

static mc_status choose_token(server *s, const mc_studio_options *o, mc_error *error)
{
    if (o->token && !access_token_good(o->token))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the token must have %d .. %d letters, digits, - or _",
                            ACCESS_TOKEN_MIN, ACCESS_TOKEN_MAX);
    if (o->token)
        snprintf(s->token, sizeof s->token, "%s", o->token);
    else if (!access_is_loopback(s->listened) && !listen_random(s->token, 32))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "cannot get random numbers for a token");
    s->host.rules.token = s->token[0] ? s->token : NULL;
    return MC_OK;
}

server *server_create(const mc_studio_options *o, mc_error *error)
{
    server *s = calloc(1, sizeof *s);
    if (!s) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the server");
        return NULL;
    }
    pthread_mutex_init(&s->waking, NULL);
    ask_open(&s->desk);
    s->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    s->listener = -1;
    snprintf(s->listened, sizeof s->listened, "%s", o->address ? o->address : "127.0.0.1");
    if (gethostname(s->machine, sizeof s->machine - 1) == 0)
        s->host.rules.machine = s->machine;
    s->host.rules.address = s->listened;
    s->host.folder = o->page;
    s->host.read_only = o->read_only;
    int port = o->port;
    mc_status status = o->page ? page_file_check_folder(o->page, error) : MC_OK;
    if (status == MC_OK)
        status = choose_token(s, o, error);
    if (status == MC_OK)
        status = listen_open(s->listened, &port, &s->listener, error);
    if (status != MC_OK) {
        server_destroy(s);
        return NULL;
    }
    s->host.rules.port = port;
    listen_address(s->listened, s->machine, port, s->host.rules.token, s->address,
                   sizeof s->address);
    return s;
}

const char *server_address(const server *s)
{
    return s->address;
}

void server_destroy(server *s)
{
    if (!s)
        return;
    server_stop(s);
    if (s->listener >= 0)
        close(s->listener);
    if (s->spare >= 0)
        close(s->spare);
    pthread_mutex_destroy(&s->waking);
    ask_close(&s->desk);
    free(s);
}
