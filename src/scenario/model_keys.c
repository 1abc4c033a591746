// model_keys.c - words of models by type.
#include "scenario/model_keys.h"

#include "reader/reader.h"

#include <string.h>
#include <strings.h>

static bool is_key(const mc_model_key *key, int row)
{
    return vehicle_has_row(key, row) && !(key->from_file >> row & 1);
}

const mc_model_key *model_word_of(const mc_vehicle_type *type, const char *word, int *row)
{
    const mc_model_key *from_file = NULL;
    int file_row = -1;
    for (int k = 0; k < type->key_count; k++) {
        const mc_model_key *key = &type->keys[k];
        *row = -1;
        if (key->form != MC_KEY_FORM_NUMBERS && strcmp(key->name, word) == 0)
            return key;
        for (int i = 0; key->form == MC_KEY_FORM_NUMBERS && i < key->count; i++) {
            *row = i;
            if (is_key(key, i) && strcmp(key->rows[i].name, word) == 0)
                return key;
            if (key->from_file >> i & 1 && strcasecmp(key->rows[i].name, word) == 0 && !from_file)
                from_file = key, file_row = i;
        }
    }
    *row = file_row;
    return from_file;
}

static void add(model_word *words, int *count, const mc_model_key *key, int row)
{
    const char *name = row < 0 ? key->name : key->rows[row].name;
    for (int i = 0; i < *count; i++)
        if (strcmp(words[i].name, name) == 0)
            return;
    if (*count < MODEL_WORDS_MAX)
        words[(*count)++] = (model_word){name, key, row};
}

int model_words(model_word out[MODEL_WORDS_MAX])
{
    const mc_vehicle_type *type;
    int count = 0;
    for (int numbers = 0; numbers < 2; numbers++)
        for (int t = 0; (type = mc_vehicle_type_at(t)); t++)
            for (int k = 0; k < type->key_count; k++) {
                const mc_model_key *key = &type->keys[k];
                if (!numbers && key->form != MC_KEY_FORM_NUMBERS)
                    add(out, &count, key, -1);
                for (int i = 0; numbers && key->form == MC_KEY_FORM_NUMBERS && i < key->count; i++)
                    if (is_key(key, i))
                        add(out, &count, key, i);
            }
    return count;
}

void model_word_types(const char *word, char *out, size_t size)
{
    const char *names[64];
    int count = 0, row;
    const mc_vehicle_type *type;
    for (int t = 0; (type = mc_vehicle_type_at(t)) && count < 64; t++) {
        const mc_model_key *key = model_word_of(type, word, &row);
        if (key && (row < 0 || is_key(key, row)))
            names[count++] = type->name;
    }
    reader_join(out, size, names, count);
}
