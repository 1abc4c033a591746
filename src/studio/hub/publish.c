// publish.c - frames packed once and sent to pages.
#include "studio/hub/publish.h"

#include "studio/hub/capture.h"
#include "studio/hub/inside.h"
#include "studio/hub/mail.h"
#include "studio/hub/step.h"

#include <math.h>
#include <stdlib.h>

enum { INSTANTS_LIVE = 256 }; // that go with a frame

static int64_t tick_of(double now, double rate)
{
    return (int64_t)floor(now * rate);
}

static bool same_frame(const packed *a, const packed *b)
{
    return a->slot == b->slot && a->number == b->number && a->version == b->version &&
           a->tick == b->tick && a->rate == b->rate && a->mask == b->mask &&
           a->bodies == b->bodies && a->windowed == b->windowed &&
           (!a->windowed || (a->from == b->from && a->to == b->to));
}

static packed *find_packed(hub *h, const packed *due)
{
    for (int k = 0; k < h->packed_count; k++)
        if (same_frame(&h->packed[k], due))
            return &h->packed[k];
    return NULL;
}

// What a page is to see of a branch now; false: nothing. Under the lock.
static bool frame_due(const hub *h, const hub_page *p, int slot, double now, packed *out)
{
    const page_frames *f = &p->frames[slot];
    const branch *b = h->branches[slot];
    if (!b || !b->run || !p->greeted || !p->subscribed || f->shown == b->instant ||
        f->sent_count >= 2 || !(p->place.live || f->shown == 0) || step_is_behind(h, b))
        return false;
    const double cell = FRAME_CELL;
    *out = (packed){.slot = slot,
                    .number = b->number,
                    .version = b->vehicles_version,
                    .rate = p->rate,
                    .tick = tick_of(now, p->rate),
                    .mask = p->mask,
                    .windowed = p->windowed,
                    .bodies = p->bodies,
                    .from = p->windowed ? cell * floor(p->from / cell) : 0.0,
                    .to = p->windowed ? cell * ceil(p->to / cell) : 0.0};
    return f->shown == 0 || f->tick != out->tick;
}

// The instants of collisions since the frames before go with the frame that follows them.
static bool pack_instants(branch *b, const frame_spec *like, frame_buffer *buffer)
{
    history_view view;
    frame_spec spec = *like;
    bool good = true;
    if (history_memory(&b->instants) == 0 || !history_look(&b->instants, &view))
        return true;
    spec.flags = FRAME_LIVE | FRAME_INSTANT;
    const int rows = history_view_rows(&view);
    int row = history_view_at(&view, b->packed_from);
    for (row = row < rows - INSTANTS_LIVE ? rows - INSTANTS_LIVE : row; row < rows && good; row++) {
        const history_row at = history_view_row(&view, row);
        good = frame_pack(buffer, &at, &spec);
    }
    history_view_end(&view);
    return good;
}

static void pack(hub *h, packed *p)
{
    branch *b = h->branches[p->slot];
    if (!capture_look(h, b))
        return;
    const frame_spec spec = {.seq = b->seq,
                             .branch = b->number,
                             .flags = FRAME_LIVE | (b->now.hash ? (unsigned)FRAME_EXACT : 0),
                             .step = mc_run_step_size(b->run),
                             .mask = p->mask,
                             .windowed = p->windowed,
                             .from = p->from,
                             .to = p->to,
                             .bodies = p->bodies,
                             .contacts = b->contacts,
                             .contact_count = b->impact_count};
    frame_buffer buffer = {0};
    if (pack_instants(b, &spec, &buffer) && frame_pack(&buffer, &b->now, &spec))
        p->message = message_frames(&buffer);
    else
        free(buffer.data);
}

// Forgets what was packed for ticks that are over, and, if all, everything: the list was full, and
// others wait.
static void forget_packed(hub *h, double now, bool all)
{
    int kept = 0;
    for (int k = 0; k < h->packed_count; k++) {
        packed *p = &h->packed[k];
        if (!all && p->tick == tick_of(now, p->rate))
            h->packed[kept++] = *p;
        else
            message_drop(p->message);
    }
    h->packed_count = kept;
}

// Packs what pages subscribe to and no other page had at this tick. True: there is something to
// send.
static bool collect(hub *h, double now)
{
    bool any_due = false;
    const int old = h->packed_count;
    h->frames_next = INFINITY;
    pthread_mutex_lock(&h->lock);
    h->running_told = h->running;
    h->started = h->started || h->running;
    for (const hub_page *p = h->pages; p; p = p->next) {
        if (p->subscribed)
            h->frames_next = fmin(h->frames_next, (double)(tick_of(now, p->rate) + 1) / p->rate);
        for (int slot = 0; slot < h->slot_count; slot++) {
            packed due;
            if (!h->branches[slot] || !frame_due(h, p, slot, now, &due))
                continue;
            any_due = true;
            if (h->packed_count < MAX_PACKED && !find_packed(h, &due))
                h->packed[h->packed_count++] = due;
        }
    }
    pthread_mutex_unlock(&h->lock);
    uint64_t raised = 0; // branches whose seq was counted up
    for (int k = old; k < h->packed_count; k++) {
        packed *p = &h->packed[k];
        branch *b = h->branches[p->slot];
        if (!(raised >> p->slot & 1)) {
            b->seq++;
            b->packed_from = b->packed_to;
            b->packed_to = b->end;
        }
        raised |= (uint64_t)1 << p->slot;
        p->seq = b->seq;
        p->instant = b->instant;
        pack(h, p);
    }
    return any_due;
}

static void hand_out(hub *h, double now)
{
    pthread_mutex_lock(&h->lock);
    for (hub_page *p = h->pages; p; p = p->next)
        for (int slot = 0; slot < h->slot_count; slot++) {
            packed due;
            if (!h->branches[slot] || !frame_due(h, p, slot, now, &due))
                continue;
            const packed *k = find_packed(h, &due);
            if (!k || !k->message)
                continue;
            page_frames *f = &p->frames[slot];
            message_drop(f->waiting);
            f->waiting = message_hold(k->message);
            f->waiting_seq = k->seq;
            f->shown = k->instant;
            f->tick = k->tick;
        }
    pthread_mutex_unlock(&h->lock);
}

void publish_frames(hub *h)
{
    const double now = hub_now();
    if (now < h->frames_next && h->packed_count < MAX_PACKED)
        return;
    forget_packed(h, now, h->packed_count == MAX_PACKED);
    if (!collect(h, now))
        return;
    hand_out(h, now);
    mail_wake(h);
}
_Static_assert(MAX_BRANCHES <= 64, "one bit per world");

void publish_end(hub *h)
{
    forget_packed(h, 0.0, true);
}
