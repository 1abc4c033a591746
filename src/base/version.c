// version.c - the version the library was built as.
#include "motorcade/version.h"

const char *mc_version(void)
{
    return MC_VERSION;
}
