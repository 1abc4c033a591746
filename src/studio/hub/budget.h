// budget.h - how many branches there may be, and how much memory they have together.
//
// All of the simulation thread.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>

typedef struct hub hub;

bool budget_room(const hub *h, mc_error *error); // for another branch; false: see *error
void budget_keep(hub *h);                        // thins a history when all have too much
