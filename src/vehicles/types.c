// types.c - the list of vehicle types, their specs, and types from outside.
#include "vehicles/types.h"

#include "base/registry.h"
#include "parts/powertrain.h"
#include "parts/tyre.h"

#include <string.h>

#define ADDRESS(word) &vehicle_##word,
#define ITSELF(word) &vehicle_##word
#define SKIP(word)
static const void *const built_in[] = {VEHICLE_TYPES(ADDRESS, ADDRESS)};
static registry types = REGISTRY("vehicle type", built_in);

const mc_vehicle_type *mc_vehicle_type_at(int index)
{
    return registry_at(&types, index);
}

const mc_vehicle_type *vehicle_type_find(const char *name)
{
    const mc_vehicle_type *type;
    for (int i = 0; (type = mc_vehicle_type_at(i)); i++)
        if (strcmp(type->name, name) == 0)
            return type;
    return NULL;
}

const mc_vehicle_type *mc_vehicle_type_default(void)
{
    return VEHICLE_TYPES(SKIP, ITSELF);
}

// ---- specs ----

const void *vehicle_choice(const mc_model_key *key, const void *spec)
{
    const void *kind;
    memcpy(&kind, (const char *)spec + key->at, sizeof kind);
    return kind;
}

void vehicle_choose(const mc_model_key *key, void *spec, const void *kind)
{
    memcpy((char *)spec + key->at, &kind, sizeof kind);
}

const mc_param *vehicle_rows(const mc_model_key *key, const void *spec, int *count)
{
    const mc_param *rows = NULL;
    *count = 0;
    if (key->form == MC_KEY_FORM_NUMBERS || key->form == MC_KEY_FORM_MAP) {
        *count = key->count;
        rows = key->rows;
    } else if (key->form == MC_KEY_FORM_TYRE) {
        const tyre_kind *kind = vehicle_choice(key, spec);
        *count = kind ? kind->param_count : 0;
        rows = kind ? kind->params : NULL;
    } else if ((int)key->form == KEY_POWERTRAIN) {
        const powertrain_kind *kind = vehicle_choice(key, spec);
        *count = kind ? kind->param_count : 0;
        rows = kind ? kind->params : NULL;
    }
    return rows;
}

double *vehicle_values(const mc_model_key *key, void *spec)
{
    const bool chosen = key->form == MC_KEY_FORM_TYRE || (int)key->form == KEY_POWERTRAIN;
    return (double *)(void *)((char *)spec + (chosen ? key->values : key->at));
}

const double *vehicle_values_of(const mc_model_key *key, const void *spec)
{
    const bool chosen = key->form == MC_KEY_FORM_TYRE || (int)key->form == KEY_POWERTRAIN;
    return (const double *)(const void *)((const char *)spec + (chosen ? key->values : key->at));
}

void vehicle_spec_init(const mc_vehicle_type *type, void *spec)
{
    memset(spec, 0, type->spec_size);
    for (int k = 0; k < type->key_count; k++) {
        const mc_model_key *key = &type->keys[k];
        int count;
        if (key->form == MC_KEY_FORM_TYRE)
            vehicle_choose(key, spec, tyre_default_for_spin());
        if ((int)key->form == KEY_POWERTRAIN)
            vehicle_choose(key, spec, powertrain_default(MC_POWERTRAIN_ROLE_MODEL));
        const mc_param *rows = vehicle_rows(key, spec, &count);
        for (int i = 0; i < count; i++)
            if (vehicle_has_row(key, i) && !(key->from_file >> i & 1))
                vehicle_values(key, spec)[i] = rows[i].fallback;
        if (key->form == MC_KEY_FORM_WHOLE) {
            const int whole = (int)key->rows[0].fallback;
            memcpy((char *)spec + key->at, &whole, sizeof whole);
        }
    }
    if (type->init)
        type->init(spec);
}

// ---- types from outside ----

static const char *name_at(int index)
{
    const mc_vehicle_type *type = mc_vehicle_type_at(index);
    return type ? type->name : NULL;
}

// Bytes of a spec that a key writes, from `at` on.
static size_t size_of(const mc_model_key *key)
{
    switch (key->form) {
    case MC_KEY_FORM_NUMBERS:
    case MC_KEY_FORM_MAP:
        return (size_t)key->count * sizeof(double);
    case MC_KEY_FORM_WHOLE:
        return sizeof(int);
    default:
        return sizeof(void *);
    }
}

static mc_status check_key(const mc_vehicle_type *t, const mc_model_key *key, mc_error *error)
{
    enum { ROWS_MAX = 64 };
    const char *name = key->name ? key->name : "(numbers)";
    const bool rows = key->form == MC_KEY_FORM_NUMBERS || key->form == MC_KEY_FORM_MAP;
    if ((int)key->form < 0 || key->form >= MC_KEY_FORM_COUNT)
        return registry_reject(&types, t->name, error, "the form of its key %s is unknown", name);
    if (key->form != MC_KEY_FORM_NUMBERS &&
        (!key->name || !key->name[0] || !key->doc || !key->doc[0]))
        return registry_reject(&types, t->name, error, "its key %s has no name or no doc", name);
    if (key->at + size_of(key) > t->spec_size ||
        (key->form == MC_KEY_FORM_TYRE &&
         key->values + MC_TYRE_PARAM_MAX * sizeof(double) > t->spec_size))
        return registry_reject(&types, t->name, error, "its key %s lies outside the spec", name);
    if (key->form == MC_KEY_FORM_WHOLE && key->count != 1)
        return registry_reject(&types, t->name, error, "its key %s needs one row", name);
    return rows || key->form == MC_KEY_FORM_WHOLE
               ? registry_check_rows(&types, t->name, key->rows, key->count, ROWS_MAX, error)
               : MC_OK;
}

static bool has_numbers(const mc_model_key *key, const char *word)
{
    for (int i = 0; key->form == MC_KEY_FORM_NUMBERS && i < key->count; i++)
        if (vehicle_has_row(key, i) && strcmp(key->rows[i].name, word) == 0)
            return true;
    return false;
}

// Whether two keys give one word two meanings: a schema and a manual could not say which.
static bool differ(const mc_model_key *a, const mc_model_key *b)
{
    if (a->form != MC_KEY_FORM_NUMBERS && b->form != MC_KEY_FORM_NUMBERS)
        return strcmp(a->name, b->name) == 0 &&
               (a->form != b->form || a->rows != b->rows || a->count != b->count);
    if (a->form != MC_KEY_FORM_NUMBERS)
        return has_numbers(b, a->name);
    return b->form != MC_KEY_FORM_NUMBERS && has_numbers(a, b->name);
}

static const char *const words_of_all[] = {"kind", "like", "doc"};

// Keys against those of every model, of other types and of the type itself.
static mc_status check_words(const mc_vehicle_type *t, mc_error *error)
{
    const mc_vehicle_type *other;
    for (int k = 0; k < t->key_count; k++) {
        const mc_model_key *key = &t->keys[k];
        for (int w = 0; w < 3; w++)
            if (has_numbers(key, words_of_all[w]) ||
                (key->form != MC_KEY_FORM_NUMBERS && strcmp(key->name, words_of_all[w]) == 0))
                return registry_reject(&types, t->name, error,
                                       "its key %s is one that every model has", words_of_all[w]);
        for (int i = 0; (other = mc_vehicle_type_at(i)); i++)
            for (int j = 0; j < other->key_count; j++)
                if (differ(key, &other->keys[j]))
                    return registry_reject(
                        &types, t->name, error, "its key %s means something else in type %s",
                        key->name ? key->name : other->keys[j].name, other->name);
    }
    return MC_OK;
}

// What scenarios drive by must be there.
static mc_status check_kind(const mc_vehicle_type *t, mc_error *error)
{
    const mc_vehicle_kind *k = t->kind;
    const bool moves = k->advance && k->surface && k->reach && k->point_velocity &&
                       k->impulse_response && k->apply_impulse && k->save_size && k->save &&
                       k->restore && k->energy && k->momentum && k->road_impulse && k->mass &&
                       k->gravity && k->contact_window && k->destroy;
    const bool driven = k->set_inputs && k->motion && k->plan && k->set_road && k->read_channels;
    if (!moves || !driven)
        return registry_reject(&types, t->name, error,
                               "its kind lacks a function that %s (vehicle_model.h)",
                               moves ? "scenarios need" : "every kind has");
    if (k->channel_count < 1 || !k->channels || strcmp(k->channels[0].name, "n") != 0)
        return registry_reject(&types, t->name, error,
                               "the first channel of its kind must be n, the engine speed");
    return MC_OK;
}

mc_status mc_vehicle_type_register(const mc_vehicle_type *t, mc_error *error)
{
    mc_status status = registry_check(&types, t->size, sizeof *t, t->name, t->doc, name_at, error);
    if (status == MC_OK && t->kind_size != sizeof(mc_vehicle_kind))
        status = registry_reject(&types, t->name, error,
                                 "its kind_size is %zu, expected %zu: it was compiled with the "
                                 "headers of another version",
                                 t->kind_size, sizeof(mc_vehicle_kind));
    if (status == MC_OK && (!t->kind || !t->facts || !t->create || t->spec_size == 0 ||
                            t->key_count < 0 || (t->key_count > 0 && !t->keys)))
        status = registry_reject(&types, t->name, error,
                                 "kind, spec_size, facts, create or keys are missing");
    for (int k = 0; status == MC_OK && k < t->key_count; k++)
        status = check_key(t, &t->keys[k], error);
    if (status == MC_OK)
        status = check_words(t, error);
    if (status == MC_OK)
        status = check_kind(t, error);
    return status == MC_OK ? registry_add(&types, t->name, t, error) : status;
}
