// model_keys.h - the words of models: those of every model, and those of all vehicle types
// together.
#pragma once

#include "vehicles/types.h"

enum { MODEL_WORDS_MAX = 512 };

typedef struct model_word {
    const char *name;
    const mc_model_key *key; // the first of that name
    int row;                 // of MC_KEY_FORM_NUMBERS; else -1
} model_word;

// Every word that a model of some type may have, once: keys in the order of the types, then
// numbers.
int model_words(model_word out[MODEL_WORDS_MAX]);

// What a word is to a type; *row as above. NULL: the type does not have it. A number that comes
// from a file (key->from_file) is found in any case.
const mc_model_key *model_word_of(const mc_vehicle_type *type, const char *word, int *row);

// "point, powertrain": the types that have the word.
void model_word_types(const char *word, char *out, size_t size);
