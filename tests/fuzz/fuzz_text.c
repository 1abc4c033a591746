// fuzz_text.c - numbers and near words of a command line.
#include "base/assert.h"
#include "base/text.h"
#include "fuzz/fuzz.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const known[] = {"simulate", "--threads", "-d", "equilibrium", ""};
    enum { KNOWN = sizeof known / sizeof known[0] };
    char *text = calloc(1, size + 1);
    mc_assert(text);
    if (size > 0)
        memcpy(text, data, size);

    double number = 0.0;
    int integer = 0;
    const bool is_number = text_to_double(text, &number);
    mc_assert(isfinite(number));
    if (is_number)
        mc_assert(number == strtod(text, NULL)); // the process has the C locale
    if (text_to_int(text, &integer))
        mc_assert(is_number && number == integer);

    for (int i = 0; i < KNOWN; i++) {
        const int there = text_distance(text, known[i]), back = text_distance(known[i], text);
        mc_assert(there == back);
        mc_assert(there == INT_MAX || there <= (int)(strlen(text) + strlen(known[i])));
    }
    mc_assert(text_distance(text, text) == (strlen(text) > 63 ? INT_MAX : 0));
    text_nearest(text, known, KNOWN);
    free(text);
    return 0;
}
