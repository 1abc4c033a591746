// fuzz_commonroad.c - CommonRoad scenarios.
#include "fuzz/fuzz_exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_exchange("commonroad", (const char *)data, size, NULL, 0, NULL);
    return 0;
}
