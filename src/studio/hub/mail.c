// mail.c - queues of pages.
#include "studio/hub/mail.h"

#include "studio/hub/inside.h"

#include <stdlib.h>

void mail_wake(const hub *h)
{
    h->wake(h->wake_context);
}

enum { MAX_WAITING = 16 << 20 }; // bytes that may wait for a page

// Under the lock. Takes the message.
static void enqueue(hub_page *page, message *m)
{
    queued *q = page->gone || page->closing ? NULL : malloc(sizeof *q);
    if (!q) {
        message_drop(m);
        return;
    }
    *q = (queued){NULL, m};
    *(page->last ? &page->last->next : &page->first) = q;
    page->last = q;
    page->waiting += m->out.length;
    if (page->waiting > MAX_WAITING)
        page->closing = "the page does not read: 16 MB are waiting for it";
}

void mail_send(hub_page *page, message *m)
{
    hub *h = page->h;
    pthread_mutex_lock(&h->lock);
    enqueue(page, m);
    pthread_mutex_unlock(&h->lock);
    mail_wake(h);
}

void mail_broadcast(hub *h, message *m, const hub_page *except)
{
    if (!m)
        return;
    pthread_mutex_lock(&h->lock);
    for (hub_page *p = h->pages; p; p = p->next)
        if (p->greeted && p != except)
            enqueue(p, message_hold(m));
    pthread_mutex_unlock(&h->lock);
    message_drop(m);
    mail_wake(h);
}

void mail_followers(hub *h, int page, message *m)
{
    if (!m)
        return;
    pthread_mutex_lock(&h->lock);
    for (hub_page *p = h->pages; p; p = p->next)
        if (p->greeted && p->follows == page)
            enqueue(p, message_hold(m));
    pthread_mutex_unlock(&h->lock);
    message_drop(m);
    mail_wake(h);
}

bool mail_vehicles_known(hub *h, int slot, uint32_t version)
{
    bool known = true;
    pthread_mutex_lock(&h->lock);
    for (const hub_page *p = h->pages; p && known; p = p->next)
        known = !p->greeted || p->frames[slot].vehicles == version;
    pthread_mutex_unlock(&h->lock);
    return known;
}

void mail_branch(hub *h, int slot, uint32_t version, message *brief, message *full)
{
    pthread_mutex_lock(&h->lock);
    for (hub_page *p = h->pages; p; p = p->next) {
        if (!p->greeted)
            continue;
        const bool is_new = full && p->frames[slot].vehicles != version;
        if (is_new)
            p->frames[slot].vehicles = version;
        if (is_new || brief)
            enqueue(p, message_hold(is_new ? full : brief));
    }
    pthread_mutex_unlock(&h->lock);
    message_drop(brief);
    message_drop(full);
    mail_wake(h);
}

message *mail_next(hub_page *page)
{
    hub *h = page->h;
    message *m = NULL;
    pthread_mutex_lock(&h->lock);
    queued *q = page->first;
    if (q) {
        page->first = q->next;
        if (!q->next)
            page->last = NULL;
        m = q->message;
        page->waiting -= m->out.length;
        free(q);
    }
    for (int k = 0; k < h->slot_count && !m; k++) {
        page_frames *f = &page->frames[k];
        if (!f->waiting || f->sent_count >= 2)
            continue;
        m = f->waiting;
        f->waiting = NULL;
        f->sent[f->sent_count++] = f->waiting_seq;
    }
    pthread_mutex_unlock(&h->lock);
    return m;
}
