// limits.h - bounds that several files of the hub keep to.
#pragma once

enum {
    MAX_BRANCHES = 64,
    NAME_SIZE = 64, // bytes of a name of a vehicle, page or branch, with its '\0'
};
