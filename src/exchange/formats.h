// formats.h - the formats that are read into a scenario: one file and one word each.
#pragma once

#include "exchange/document.h"
#include "motorcade/exchange.h"

typedef struct exchange_format {
    const char *name;   // "SUMO"
    const char *word;   // for --from
    const char *ending; // of its files
    const char *root;   // the element that a file begins with
    const char *doc;
    // Fills d->out with a scenario, and the notes of d. root: of the file, already parsed.
    mc_status (*read)(document *d, const char *path, const xml_node *root,
                      const mc_exchange_options *options, mc_error *error);
} exchange_format;

// A new format is a file that defines exchange_WORD, and format(WORD) here.
#define EXCHANGE_FORMATS(format)                                                                   \
    format(sumo_config) format(sumo_net) format(commonroad) format(openscenario)
#define EXCHANGE_DECLARE(word) extern const exchange_format exchange_##word;
EXCHANGE_FORMATS(EXCHANGE_DECLARE)
#undef EXCHANGE_DECLARE

const exchange_format *exchange_format_at(int index); // NULL past the last

// Reads a file from memory; path stands for it in messages and is where files it names are looked
// for. d is empty before, and freed by document_free in any case.
mc_status exchange_parse(document *d, const char *bytes, size_t size, const char *path,
                         const mc_exchange_options *options, mc_error *error);
