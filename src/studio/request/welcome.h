// welcome.h - what a page is told first: branches, tables, laws, its own place.
//
// Of the thread that has the request: hello is of the answers thread, an opened file of the
// simulation thread.
#pragma once

#include "studio/hub/mail.h"

typedef struct welcome { // what all pages are told alike
    char *text;          // an object; owned
    size_t length;
    int count; // of branches
    int number[MAX_BRANCHES];
    uint32_t vehicles[MAX_BRANCHES]; // versions told
} welcome;

bool welcome_begin(hub *h, welcome *out); // false: no memory
// own: what this page alone is told; taken. NULL: no memory.
message *welcome_message(const welcome *w, hub_page *page, json_t *own);
void welcome_told(const welcome *w, hub_page *page); // under the lock
