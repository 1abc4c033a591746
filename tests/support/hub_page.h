// hub_page.h - a page without a network: sends requests to a hub and waits for what comes back.
#pragma once

#include "studio/request/table.h"

#include <jansson.h>

typedef struct test_frame { // a decoded frame
    uint32_t seq, mask, n, block_count;
    int world;
    unsigned flags;
    double t, step, origin;
    uint64_t hash;
    uint32_t *id, *status;
    double *x, *s;    // absolute; NULL: not in the mask
    float *value[16]; // NULL: not in the mask
    uint8_t *blocks;
    size_t blocks_size;
} test_frame;

typedef struct test_page {
    hub_page *page;
    json_t *texts;      // messages that were not asked for yet, in order
    test_frame *frames; // live frames and answers, in order
    int frame_count;
    uint32_t id;      // of the next request
    bool acknowledge; // every live frame, at once
} test_page;

hub *test_hub(const char *scenario, bool read_only); // of SOURCE_DIR/scenarios, or a path
void test_hub_wake(void *context);

void test_page_open(test_page *p, hub *h); // joins, says hello, takes the welcome
json_t *test_page_hello(test_page *p, hub *h, const char *resume); // the welcome
void test_page_close(test_page *p);

void test_page_tell(test_page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The answer, done or rejected (or an empty object after 20 s); "{...}" without id.
json_t *test_page_ask(test_page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Sends it, and waits for frames up to the last of the answer; how many came. The frames stand at
// the end of p->frames.
int test_page_ask_frames(test_page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
json_t *test_page_wait(test_page *p, const char *kind);       // the next message of that kind
void test_page_fetch(test_page *p);                           // whatever is there now
void test_page_clear(test_page *p);                           // forgets frames
double test_page_wait_end(test_page *p, int world, double t); // until that world is at t: its end

// Simulates beyond the present end to t, and rests; where. The hub is told the place: a page that
// pauses when it sees t would, on a busy machine, pause seconds later.
double test_page_play_to(test_page *p, int world, double t);

int test_frame_find(const test_frame *f, uint32_t id);         // -1: not there
double test_number(const json_t *object, const char *name);    // NAN: none
const char *test_text(const json_t *object, const char *name); // "": none
