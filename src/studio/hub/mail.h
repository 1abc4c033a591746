// mail.h - messages on their way to pages: queued by any thread, fetched by the transport's.
//
// All lock hub.lock; all but mail_next take the messages they are given.
#pragma once

#include "studio/hub/page.h"

void mail_wake(const hub *h); // the transport looks whether pages have something to be sent
void mail_send(hub_page *page, message *m);
void mail_broadcast(hub *h, message *m, const hub_page *except); // NULL: no message, or all pages
void mail_followers(hub *h, int page, message *m); // to those that follow the page of that number
// A branch described, with its vehicles to pages that have another version of them. full NULL: all
// have this one.
void mail_branch(hub *h, int slot, uint32_t version, message *brief, message *full);
bool mail_vehicles_known(hub *h, int slot, uint32_t version); // all have this one

// The next message for the page, to be dropped by the caller; NULL: nothing now.
message *mail_next(hub_page *page);
