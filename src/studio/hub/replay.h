// replay.h - a recording as a branch: its rows are a history that is whole from the start.
#pragma once

#include "studio/hub/branch.h"

// Not in the list yet; any thread. with: a file that belongs to it, or NULL. NULL: see *error.
branch *replay_read(hub *h, const char *path, const char *with, mc_error *error);
