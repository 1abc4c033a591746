// describe.h - a branch in words: WORLD of docs/protocol.md, kept ready as text.
//
// The simulation thread rewrites it when something changes; any thread reads it.
#pragma once

#include "studio/hub/branch.h"

struct bytes; // base/bytes.h

// Of the simulation thread.
void describe_refresh(hub *h, branch *b); // what is in its run
void describe_tell(hub *h, branch *b);    // to all pages, if it is in the list
void describe_changed(hub *h, branch *b); // vehicles, gains, road: refreshed and told

// Any thread. As text, with its vehicles or without; *version and *log_count (NULL is allowed) are
// of its list of vehicles and of its log. False: no memory.
bool describe_put_text(branch *b, bool vehicles, struct bytes *out, uint32_t *version,
                       int *log_count);
