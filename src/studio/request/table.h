// table.h - the requests a page can make, for hub_create.
#pragma once

#include "studio/hub/hub.h"

extern const request_table table_of_requests;
