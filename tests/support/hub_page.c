// hub_page.c - a page without a network.
#include "support/hub_page.h"

#include "studio/hub/intake.h"
#include "studio/hub/mail.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE 60.0 // s

void test_hub_wake(void *context)
{
    (void)context;
}

hub *test_hub(const char *scenario, bool read_only)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", scenario[0] == '/' ? "" : SOURCE_DIR "/scenarios/",
             scenario);
    mc_studio_options o = {.file = path, .read_only = read_only, .paused = true, .threads = 1};
    mc_error error = {0};
    hub *h = hub_create(&o, &table_of_requests, test_hub_wake, NULL, &error);
    if (!h)
        fprintf(stderr, "%s\n", error.text);
    return h;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t u32(const uint8_t *at)
{
    uint32_t v;
    memcpy(&v, at, sizeof v);
    return v;
}

static double f64(const uint8_t *at)
{
    double v;
    memcpy(&v, at, sizeof v);
    return v;
}

static size_t padded(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

// One frame; its length, 0 when it is damaged.
static size_t decode(const uint8_t *at, size_t left, test_frame *f)
{
    *f = (test_frame){0};
    const size_t length = left >= 64 ? u32(at + 4) : 0;
    if (memcmp(at, "MCF1", 4) != 0 || length < 64 || length > left || length % 8 != 0)
        return 0;
    f->seq = u32(at + 8);
    f->world = at[12] | at[13] << 8;
    f->flags = (unsigned)(at[14] | at[15] << 8);
    f->t = f64(at + 16), f->step = f64(at + 24), f->origin = f64(at + 32);
    memcpy(&f->hash, at + 40, 8);
    f->mask = u32(at + 48), f->n = u32(at + 52), f->block_count = u32(at + 60);
    const size_t n = f->n, array = padded(4 * n), offset = u32(at + 56);
    const uint8_t *p = at + 64;
    f->id = malloc(4 * n + 1), f->status = malloc(4 * n + 1);
    memcpy(f->id, p, 4 * n);
    memcpy(f->status, p + array, 4 * n);
    p += 2 * array;
    for (int k = 0; k < 16; k++) {
        if (!(f->mask >> k & 1))
            continue;
        f->value[k] = malloc(4 * n + 1);
        memcpy(f->value[k], p, 4 * n);
        p += array;
        double **wide = k == 0 ? &f->x : k == 6 ? &f->s : NULL;
        if (!wide)
            continue;
        *wide = malloc(8 * n + 1);
        for (size_t c = 0; c < n; c++)
            (*wide)[c] = f->origin + (double)f->value[k][c];
    }
    if (offset) {
        f->blocks_size = length - offset;
        f->blocks = malloc(f->blocks_size + 1);
        memcpy(f->blocks, at + offset, f->blocks_size);
    }
    return (size_t)(p - at) <= length ? length : 0;
}

static void free_frame(test_frame *f)
{
    free(f->id), free(f->status), free(f->x), free(f->s), free(f->blocks);
    for (int k = 0; k < 16; k++)
        free(f->value[k]);
}

void test_page_clear(test_page *p)
{
    for (int k = 0; k < p->frame_count; k++)
        free_frame(&p->frames[k]);
    free(p->frames);
    p->frames = NULL;
    p->frame_count = 0;
}

void test_page_fetch(test_page *p)
{
    message *next;
    while ((next = mail_next(p->page))) {
        const service_message *m = &next->out;
        if (!m->binary) {
            json_t *text = json_loadb((const char *)m->bytes, m->length, 0, NULL);
            if (text)
                json_array_append_new(p->texts, text);
            else
                fprintf(stderr, "not JSON: %.*s\n", (int)m->length, (const char *)m->bytes);
        }
        for (size_t at = 0; m->binary && at < m->length;) {
            p->frames = realloc(p->frames, ((size_t)p->frame_count + 1) * sizeof *p->frames);
            test_frame *f = &p->frames[p->frame_count];
            const size_t length = decode(m->bytes + at, m->length - at, f);
            if (!length) {
                fprintf(stderr, "damaged frame\n");
                abort();
            }
            at += length;
            p->frame_count++;
            if ((f->flags & 1) && p->acknowledge)
                test_page_tell(p, "{\"kind\": \"ack\", \"world\": %d, \"seq\": %u}", f->world,
                               f->seq);
        }
        message_drop(next);
    }
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
}

json_t *test_page_wait(test_page *p, const char *kind)
{
    for (const double until = now() + PATIENCE; now() < until; nap()) {
        test_page_fetch(p);
        for (size_t k = 0; k < json_array_size(p->texts); k++) {
            json_t *text = json_array_get(p->texts, k);
            if (strcmp(test_text(text, "kind"), kind) != 0)
                continue;
            json_incref(text);
            json_array_remove(p->texts, k);
            return text;
        }
    }
    fprintf(stderr, "no message \"%s\" came\n", kind);
    return json_object();
}

static char *with_id(test_page *p, const char *format, va_list args)
{
    char body[8192];
    vsnprintf(body, sizeof body, format, args);
    static char text[8300];
    snprintf(text, sizeof text, "{\"id\": %u, %s", ++p->id, body + 1);
    return text;
}

void test_page_tell(test_page *p, const char *format, ...)
{
    char body[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(body, sizeof body, format, args);
    va_end(args);
    intake_take(p->page, body, strlen(body));
}

static json_t *take_answer(test_page *p, uint32_t id)
{
    for (size_t k = 0; k < json_array_size(p->texts); k++) {
        json_t *text = json_array_get(p->texts, k);
        const json_t *own = json_object_get(text, "id");
        if (!own || json_integer_value(own) != (json_int_t)id)
            continue;
        json_incref(text);
        json_array_remove(p->texts, k);
        return text;
    }
    return NULL;
}

json_t *test_page_ask(test_page *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = with_id(p, format, args);
    va_end(args);
    intake_take(p->page, text, strlen(text));
    for (const double until = now() + PATIENCE; now() < until; nap()) {
        test_page_fetch(p);
        json_t *answer = take_answer(p, p->id);
        if (answer)
            return answer;
    }
    fprintf(stderr, "no answer to %s\n", text);
    return json_object();
}

int test_page_ask_frames(test_page *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = with_id(p, format, args);
    va_end(args);
    const int before = p->frame_count;
    intake_take(p->page, text, strlen(text));
    for (const double until = now() + PATIENCE; now() < until; nap()) {
        test_page_fetch(p);
        json_t *answer = take_answer(p, p->id);
        if (answer) {
            fprintf(stderr, "answered %s: %s\n", test_text(answer, "kind"),
                    test_text(answer, "reason"));
            json_decref(answer);
            return 0;
        }
        int count = 0;
        bool last = false;
        for (int k = before; k < p->frame_count; k++)
            if ((p->frames[k].flags & 8) && p->frames[k].seq == p->id) {
                count++;
                last = p->frames[k].flags & 16;
            }
        if (last)
            return count;
    }
    fprintf(stderr, "no frames for %s\n", text);
    return 0;
}

double test_page_wait_end(test_page *p, int world, double t)
{
    double end = NAN;
    for (const double until = now() + PATIENCE; now() < until;) {
        json_t *clock = test_page_wait(p, "clock");
        const json_t *worlds = json_object_get(clock, "worlds");
        for (size_t k = 0; k < json_array_size(worlds); k++) {
            const json_t *w = json_array_get(worlds, k);
            if ((int)test_number(w, "world") == world)
                end = test_number(w, "end");
        }
        json_decref(clock);
        if (end >= t)
            break;
    }
    return end;
}

double test_page_play_to(test_page *p, int world, double t)
{
    test_page_tell(p,
                   "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                   "\"rate\": 100, \"until\": %.17g}",
                   t);
    const double end = test_page_wait_end(p, world, t - 1e-6);
    test_page_tell(p, "{\"kind\": \"time\", \"t\": 0, \"playing\": false, \"live\": true, "
                      "\"rate\": 1}");
    return end;
}

json_t *test_page_hello(test_page *p, hub *h, const char *resume)
{
    *p = (test_page){.page = page_join(h, false), .texts = json_array(), .acknowledge = true};
    test_page_tell(p, "{\"id\": 0, \"kind\": \"hello\", \"version\": 1, \"name\": \"Ann\"%s%s%s}",
                   resume ? ", \"resume\": \"" : "", resume ? resume : "", resume ? "\"" : "");
    return test_page_wait(p, "welcome");
}

void test_page_open(test_page *p, hub *h)
{
    json_decref(test_page_hello(p, h, NULL));
}

void test_page_close(test_page *p)
{
    test_page_clear(p);
    json_decref(p->texts);
    page_leave(p->page);
    *p = (test_page){0};
}

int test_frame_find(const test_frame *f, uint32_t id)
{
    for (uint32_t c = 0; c < f->n; c++)
        if (f->id[c] == id)
            return (int)c;
    return -1;
}

double test_number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *test_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}
