// branch_list.c - slots for branches.
#include "studio/hub/branch_list.h"

#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/mail.h"

int branch_list_add(hub *h, branch *b)
{
    return branch_list_add_as(h, b, h->branch_number++ & 0xffff);
}

int branch_list_add_as(hub *h, branch *b, int number)
{
    pthread_mutex_lock(&h->lock);
    int slot = 0;
    while (slot < MAX_BRANCHES && h->branches[slot])
        slot++;
    if (slot < MAX_BRANCHES) {
        b->slot = slot;
        b->number = number;
        h->branches[slot] = b;
        h->slot_count = slot >= h->slot_count ? slot + 1 : h->slot_count;
        b->instant = 1;
        for (hub_page *p = h->pages; p; p = p->next)
            p->frames[slot] = (page_frames){0};
    }
    pthread_mutex_unlock(&h->lock);
    return slot < MAX_BRANCHES ? b->number : -1;
}

static void take_out(hub *h, branch *b)
{
    pthread_mutex_lock(&h->lock);
    h->branches[b->slot] = NULL;
    while (h->slot_count > 0 && !h->branches[h->slot_count - 1])
        h->slot_count--;
    for (hub_page *p = h->pages; p; p = p->next) {
        message_drop(p->frames[b->slot].waiting);
        p->frames[b->slot] = (page_frames){0};
    }
    pthread_mutex_unlock(&h->lock);
    b->slot = -1;
}

void branch_list_set_aside(hub *h, branch *b)
{
    json_t *gone = json_object();
    json_put(gone, "kind", json_string("gone"));
    json_put(gone, "world", json_integer(b->number));
    take_out(h, b);
    mail_broadcast(h, message_text(gone), NULL);
}

void branch_list_remove(hub *h, branch *b)
{
    branch_list_set_aside(h, b);
    branch_end_run(b);
    branch_drop(b);
}

void branch_list_clear(hub *h)
{
    for (int k = 0; k < MAX_BRANCHES; k++)
        if (h->branches[k]) {
            branch *b = h->branches[k];
            take_out(h, b);
            branch_end_run(b);
            branch_drop(b);
        }
}

branch *branch_list_find(hub *h, int number)
{
    branch *found = NULL;
    pthread_mutex_lock(&h->lock);
    for (int k = 0; k < h->slot_count && !found; k++)
        if (h->branches[k] && h->branches[k]->number == number)
            found = branch_hold(h->branches[k]);
    pthread_mutex_unlock(&h->lock);
    return found;
}

int branch_list_all(hub *h, branch **out)
{
    int count = 0;
    pthread_mutex_lock(&h->lock);
    for (int main = 1; main >= 0; main--)
        for (int k = 0; k < h->slot_count; k++) {
            branch *b = h->branches[k];
            if (b && (b->number == h->main_branch) == (main == 1))
                out[count++] = branch_hold(b);
        }
    pthread_mutex_unlock(&h->lock);
    // By number, behind the main one.
    for (int k = 2; k < count; k++)
        for (int j = k; j > 1 && out[j]->number < out[j - 1]->number; j--) {
            branch *b = out[j];
            out[j] = out[j - 1];
            out[j - 1] = b;
        }
    return count;
}
