// intake.h - texts of pages become requests: checked, counted, carried out here or queued.
//
// On the transport's thread.
#pragma once

#include "studio/hub/page.h"

enum {
    MAX_REQUEST_BYTES = 65536,
    MAX_REQUESTS = 60,           // per second and page, of the kinds that do not come often
    MAX_REQUESTS_UNDER_WAY = 16, // of a page
};

// A whole text message of the page: a JSON request. False: the page is to be closed (too many
// requests); page_closing() says why.
bool intake_take(hub_page *page, const char *text, size_t length);
