// fuzz_exchange.h - what the targets of files of other programs share: what is read is the text of
// a scenario, what is not says where.
#pragma once

#include "base/assert.h"
#include "exchange/formats.h"
#include "fuzz/fuzz.h"
#include "motorcade/scenario.h"

#include <string.h>

static inline void fuzz_exchange(const char *word, const char *bytes, size_t size,
                                 const document_file *given, int given_count, const char *routes)
{
    document d = {.given = given, .given_count = given_count};
    mc_error error = {0};
    const mc_exchange_options o = {.format = word, .routes = routes};
    const mc_status status = exchange_parse(&d, bytes, size, "fuzz.xml", &o, &error);
    if (status == MC_OK) {
        mc_assert(d.size > 20 && strncmp(d.text, "motorcade: scenario\n", 20) == 0);
        mc_error own = {0};
        mc_scenario *s = mc_scenario_parse(d.text, d.size, NULL, &own);
        mc_assert(s || own.code == MC_BAD_INPUT);
        mc_scenario_free(s);
        for (int k = 0; k < d.note_count; k++)
            mc_assert(d.notes[k].text[0] && d.notes[k].line >= 0);
    } else {
        mc_assert(status == MC_BAD_INPUT && strlen(error.text) > 5);
        mc_assert(error.line >= 1 || strstr(error.text, "cannot be read"));
    }
    document_free(&d);
}
