// fuzz_sumo.c - SUMO networks, and behind a line ==== their routes.
#include "fuzz/fuzz_exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n====\n";
    const char *bytes = (const char *)data;
    const char *cut = size ? memmem(bytes, size, mark, sizeof mark - 1) : NULL;
    const size_t net = cut ? (size_t)(cut - bytes) : size;
    const char *routes = cut ? cut + sizeof mark - 1 : "<routes/>";
    const document_file given = {"fuzz.rou.xml", routes,
                                 cut ? size - net - (sizeof mark - 1) : strlen(routes)};
    fuzz_exchange("sumo", bytes, net, &given, 1, "fuzz.rou.xml");
    return 0;
}
