// models.c - reads model.dat.
#include "medusa/files.h"

#include "base/assert.h"
#include "base/file.h"
#include "io/keyword.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// ---- the report's own part: a table of headings over the table of parameters ----

static const struct {
    int before; // the parameter that follows the heading
    const char *name, *meaning;
} headings[] = {
    {COSSERAT_MASS, "COSSERAT_POINT", "mass, inertia and elasticity of the chassis"},
    {COSSERAT_L1, "SUSPENSION", "geometry, springs and dampers"},
    {COSSERAT_A1, "CONTACT", "semi-axes of the ellipsoid"},
    {COSSERAT_R3, "EQUILIBRIUM", "height and directors of the vehicle at rest"},
};
enum { HEADING_COUNT = sizeof headings / sizeof headings[0] };

// Bytes of the shortest text a model can have: bounds how many models a file can hold.
static size_t shortest_model(void)
{
    size_t length = strlen("MODEL 1 ");
    for (int i = 0; i < HEADING_COUNT; i++)
        length += strlen(headings[i].name) + 1;
    for (int i = 0; i < COSSERAT_PARAM_COUNT; i++)
        length += strlen(cosserat_params[i].name) + strlen(" 0 ");
    return length - 1; // the last needs no space after it
}

typedef struct model_reader {
    keyword_cursor *cursor;
    int number, count; // this model, from 1, of how many
    cosserat_model model;
    medusa_source source;
    keyword_token token[COSSERAT_PARAM_COUNT]; // the number of each parameter
    keyword_token chassis;                     // the word after CHASSIS_MODEL
} model_reader;

static medusa_place place_of(const keyword_token *token)
{
    return (medusa_place){token->line, token->column};
}

static void read_parameters(model_reader *reader)
{
    keyword_cursor *cursor = reader->cursor;
    medusa_source *source = &reader->source;
    for (int i = 0; i < COSSERAT_PARAM_COUNT; i++) {
        for (int k = 0; k < HEADING_COUNT; k++)
            if (headings[k].before == i) {
                if (i == COSSERAT_R3)
                    source->equilibrium.begin = cursor->token.begin;
                keyword_expect(cursor, headings[k].name, headings[k].meaning, NULL);
            }
        keyword_token *token = &reader->token[i];
        keyword_param(cursor, &cosserat_params[i], &reader->model.p[i], token);
        source->param[i] = place_of(token);
        if (i >= COSSERAT_R3)
            source->number[i - COSSERAT_R3] = (medusa_span){token->begin, token->end};
    }
    source->equilibrium.end = reader->token[COSSERAT_D33].end;
}

// ---- the optional blocks ----

enum {
    TYRE_BLOCK,
    SUSPENSION_BLOCK,
    CONTACT_BLOCK,
    CHASSIS_BLOCK,
    DRIVE_BLOCK,
    POWERTRAIN_BLOCK,
    BLOCK_COUNT
};

static const struct {
    const char *name, *what;
} blocks[BLOCK_COUNT] = {
    [TYRE_BLOCK] = {"TYRE_MODEL", "a tyre model"},
    [SUSPENSION_BLOCK] = {"SUSPENSION_MODEL", "a suspension model"},
    [CONTACT_BLOCK] = {"CONTACT_MODEL", "a contact model"},
    [CHASSIS_BLOCK] = {"CHASSIS_MODEL", "a chassis model"},
    [DRIVE_BLOCK] = {"DRIVE_MODEL", "a drive model"},
    [POWERTRAIN_BLOCK] = {"POWERTRAIN_MODEL", "a powertrain model"},
};

typedef struct part { // one kind behind a block
    const char *name; // NULL past the last
    const mc_param *params;
    int param_count;
} part;

enum { PART_PARAM_MAX = POWERTRAIN_PARAM_MAX };
_Static_assert((int)TYRE_PARAM_MAX <= (int)PART_PARAM_MAX, "values of a block");
_Static_assert((int)DRIVE_PARAM_COUNT <= (int)PART_PARAM_MAX, "values of a block");
_Static_assert((int)SUSPENSION_PARAM_MAX <= (int)PART_PARAM_MAX, "values of a block");
_Static_assert((int)SHAPE_PARAM_COUNT <= (int)PART_PARAM_MAX, "values of a block");
_Static_assert((int)PLASTIC_PARAM_COUNT <= (int)PART_PARAM_MAX, "values of a block");
_Static_assert((int)HIGHER_PARAM_COUNT <= (int)PART_PARAM_MAX, "values of a block");

static const part chassis_parts[] = {
    {"elastic", NULL, 0},
    {"plastic", plastic_params, PLASTIC_PARAM_COUNT},
    {"seven_directors", higher_params, HIGHER_PARAM_COUNT},
    {0},
};
enum { CHASSIS_PLASTIC = 1, CHASSIS_SEVEN = 2 }; // in chassis_parts

static const part contact_parts[] = {{"ellipsoid", shape_params, SHAPE_PARAM_COUNT}, {0}};
static const part drive_parts[] = {{"wheels", drive_params, DRIVE_PARAM_COUNT}, {0}};

static part part_at(int block, int index)
{
    if (block == TYRE_BLOCK) {
        const tyre_kind *kind = tyre_kind_at(index);
        return kind ? (part){kind->name, kind->params, kind->param_count} : (part){0};
    }
    if (block == SUSPENSION_BLOCK) {
        const suspension_kind *kind = suspension_kind_at(index);
        return kind ? (part){kind->name, kind->params, kind->param_count} : (part){0};
    }
    if (block == POWERTRAIN_BLOCK) {
        const powertrain_kind *kind = powertrain_kind_at(index);
        return kind ? (part){kind->name, kind->params, kind->param_count} : (part){0};
    }
    return block == CHASSIS_BLOCK ? chassis_parts[index]
           : block == DRIVE_BLOCK ? drive_parts[index]
                                  : contact_parts[index];
}

typedef struct list { // of words, for a message
    char text[320];
    int used;
} list;

__attribute__((format(printf, 2, 3))) static void list_add(list *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int room = (int)sizeof l->text - l->used;
    const int length = vsnprintf(l->text + l->used, (size_t)room, format, arguments);
    va_end(arguments);
    l->used += length < room ? length : room - 1; // a list too long is cut
}

static void list_params(list *l, const part *kind)
{
    for (int i = 0; i < kind->param_count; i++)
        list_add(l, "%s%s", i ? ", " : "", kind->params[i].name);
}

// Takes the name of a kind; its index, or -1.
static int read_kind(keyword_cursor *cursor, int block)
{
    list known = {0};
    for (int i = 0; part_at(block, i).name; i++) {
        if (keyword_is(cursor, part_at(block, i).name)) {
            keyword_take(cursor);
            return i;
        }
        list_add(&known, "%s%s", i ? ", " : "", part_at(block, i).name);
    }
    keyword_reject(cursor, "the name of %s (%s)", blocks[block].what, known.text);
    return -1;
}

// Takes {key value} up to the first word that is not a key. values: one for each parameter of the
// kind, at their defaults. number: what was written for each; line 0 where nothing was.
static void read_keys(keyword_cursor *cursor, int block, const part *kind, double *values,
                      keyword_token number[PART_PARAM_MAX])
{
    memset(number, 0, PART_PARAM_MAX * sizeof number[0]);
    for (int i = 0; i < kind->param_count;) {
        if (!keyword_is(cursor, kind->params[i].name)) {
            i++;
            continue;
        }
        const keyword_token key = keyword_take(cursor);
        if (number[i].line)
            keyword_blame(cursor, &key, "%s appears twice in %s %s", kind->params[i].name,
                          blocks[block].name, kind->name);
        keyword_value(cursor, &kind->params[i], &values[i], &number[i]);
        i = 0; // keys come in any order
    }
}

// A kind may have parameters without a default.
static void require_keys(keyword_cursor *cursor, int block, const part *kind, const double *values)
{
    for (int i = 0; i < kind->param_count; i++)
        if (isnan(values[i]))
            keyword_reject(cursor, "%s (%s): %s %s needs it", kind->params[i].name,
                           kind->params[i].doc, blocks[block].name, kind->name);
}

// The number of TYRE is the lag of the tyre, whatever its kind, unless the key "lag" gave one.
static void take_over_lag(model_reader *reader, const keyword_token *number)
{
    const tyre_kind *kind = reader->model.gear.tyre;
    for (int i = 0; i < kind->param_count; i++) {
        const mc_param *row = &kind->params[i];
        if (strcmp(row->name, "lag") != 0)
            continue;
        if (number && number[i].line) {
            reader->source.lag = place_of(&number[i]);
            continue;
        }
        const double lag = reader->model.p[COSSERAT_TYRE_LAG];
        if (!(lag >= row->min && lag <= row->max))
            keyword_out_of_range(reader->cursor, &reader->token[COSSERAT_TYRE_LAG],
                                 cosserat_params[COSSERAT_TYRE_LAG].name, row);
        reader->model.gear.tyre_p[i] = lag;
    }
}

// Gives the model the kind number `index`, at its defaults. Returns where the values of its keys
// go.
static double *choose(cosserat_model *model, int block, int index)
{
    running_gear *gear = &model->gear;
    switch (block) {
    case SUSPENSION_BLOCK:
        model->suspension = suspension_kind_at(index);
        suspension_defaults(model->suspension, model->suspension_p);
        return model->suspension_p;
    case CHASSIS_BLOCK:
        model->plastic = index == CHASSIS_PLASTIC;
        model->seven = index == CHASSIS_SEVEN;
        return model->seven ? model->higher_p : model->plastic_p;
    case TYRE_BLOCK:
        memset(gear->tyre_p, 0, sizeof gear->tyre_p);
        gear->tyre = tyre_kind_at(index);
        tyre_defaults(gear->tyre, gear->tyre_p);
        return gear->tyre_p;
    case DRIVE_BLOCK:
        gear->driven = true;
        return gear->drive;
    case POWERTRAIN_BLOCK:
        gear->driven = true;
        gear->powertrain = powertrain_kind_at(index);
        powertrain_defaults(gear->powertrain, gear->powertrain_p);
        return gear->powertrain_p;
    default:
        return model->shape;
    }
}

// What is noted of a chassis, to write directors 4 to 7 back.
static void note_chassis(model_reader *reader, const keyword_token *word,
                         const keyword_token number[PART_PARAM_MAX])
{
    medusa_source *source = &reader->source;
    source->chassis = place_of(word);
    source->chassis_word = (medusa_span){word->begin, word->end};
    reader->chassis = *word;
    for (int k = 0; k < HIGHER_SIZE && reader->model.seven; k++)
        if (number[HIGHER_D41 + k].line)
            source->higher[k] =
                (medusa_span){number[HIGHER_D41 + k].begin, number[HIGHER_D41 + k].end};
}

static part read_block(model_reader *reader, int block)
{
    keyword_cursor *cursor = reader->cursor;
    const keyword_token word = cursor->token;
    const int index = read_kind(cursor, block);
    if (index < 0)
        return (part){0};
    const part kind = part_at(block, index);
    double *values = choose(&reader->model, block, index);
    keyword_token number[PART_PARAM_MAX];
    read_keys(cursor, block, &kind, values, number);
    if (block == TYRE_BLOCK)
        take_over_lag(reader, number);
    if (block == CHASSIS_BLOCK)
        note_chassis(reader, &word, number);
    require_keys(cursor, block, &kind, values);
    char text[320];
    const powertrain_kind *engine = reader->model.gear.powertrain;
    if (block == POWERTRAIN_BLOCK && cursor->status == MC_OK && engine->check &&
        !engine->check(values, text, sizeof text))
        keyword_blame(cursor, &word, "%s", text);
    return kind;
}

// Rejects what follows a model: not a key of the last block, not a block, not the next model.
static void reject_rest(model_reader *reader, const part *kind, const bool seen[BLOCK_COUNT])
{
    if (keyword_is(reader->cursor, "MODEL")) { // after the last
        keyword_blame(reader->cursor, &reader->cursor->token,
                      "NUMBER_OF_MODELS says %d, found one more MODEL", reader->count);
        return;
    }
    list expected = {0};
    if (kind->param_count) {
        list_add(&expected, "a key of %s (", kind->name);
        list_params(&expected, kind);
        list_add(&expected, "), ");
    }
    for (int i = 0; i < BLOCK_COUNT; i++)
        if (!seen[i])
            list_add(&expected, "%s, ", blocks[i].name);
    if (expected.used) {
        expected.used -= 2; // the last comma becomes "or"
        list_add(&expected, " or ");
    }
    if (reader->number < reader->count)
        list_add(&expected, "MODEL %d", reader->number + 1);
    else
        list_add(&expected, "the end of the file");
    keyword_reject(reader->cursor, "%s (NUMBER_OF_MODELS says %d)", expected.text, reader->count);
}

static void read_blocks(model_reader *reader)
{
    keyword_cursor *cursor = reader->cursor;
    bool seen[BLOCK_COUNT] = {0};
    part last = {0};
    for (int i = 0; i < BLOCK_COUNT;) {
        if (!keyword_is(cursor, blocks[i].name)) {
            i++;
            continue;
        }
        const keyword_token word = keyword_take(cursor);
        if (seen[i])
            keyword_blame(cursor, &word, "%s appears twice in MODEL %d", blocks[i].name,
                          reader->number);
        seen[i] = true;
        last = read_block(reader, i);
        i = 0; // blocks come in any order
    }
    if (!seen[TYRE_BLOCK])
        take_over_lag(reader, NULL);
    const bool at_end = reader->number < reader->count ? keyword_is(cursor, "MODEL")
                                                       : cursor->token.kind == KEYWORD_END;
    if (!at_end)
        reject_rest(reader, &last, seen);
}

// ---- the file ----

static void read_model(model_reader *reader)
{
    keyword_cursor *cursor = reader->cursor;
    cosserat_model_init(&reader->model);
    reader->source.model = place_of(&cursor->token);
    keyword_expect(cursor, "MODEL", "start of a model; its number", NULL);
    const keyword_token written = cursor->token;
    int number;
    keyword_integer(cursor, "MODEL", 1, MEDUSA_MODELS_MAX, &number);
    if (number != reader->number)
        keyword_blame(cursor, &written,
                      "found MODEL %d, expected MODEL %d: models are numbered from 1, in order",
                      number, reader->number);
    read_parameters(reader);
    read_blocks(reader);
    if (cursor->status != MC_OK)
        return;
    char text[320];
    const int breach = cosserat_model_check(&reader->model, text, sizeof text);
    if (breach >= 0)
        keyword_blame(cursor,
                      breach < COSSERAT_PARAM_COUNT ? &reader->token[breach] : &reader->chassis,
                      "%s", text);
}

static mc_status read_models(keyword_cursor *cursor, arena *a, medusa_models *models)
{
    int count;
    keyword_expect(cursor, "NUMBER_OF_MODELS", "how many models this file has", NULL);
    if (keyword_integer(cursor, "NUMBER_OF_MODELS", 1, MEDUSA_MODELS_MAX, &count) != MC_OK)
        return cursor->status;

    // No more room than the bytes can fill, whatever the count says.
    const size_t possible = cursor->length / shortest_model();
    const size_t room = possible < (size_t)count ? possible : (size_t)count;
    models->file = arena_copy_text(a, cursor->file, strlen(cursor->file));
    models->model = arena_alloc(a, room * sizeof models->model[0]);
    models->source = arena_alloc(a, room * sizeof models->source[0]);
    if (!models->file || !models->model || !models->source)
        return mc_error_set(cursor->error, MC_NO_MEMORY, cursor->file, 0, 0,
                            "no memory for %d models", count);
    for (int i = 0; i < count; i++) {
        model_reader reader = {.cursor = cursor, .number = i + 1, .count = count};
        read_model(&reader);
        if (cursor->status != MC_OK)
            return cursor->status;
        mc_assert((size_t)i < room);
        models->model[i] = reader.model;
        models->source[i] = reader.source;
    }
    models->count = count;
    return MC_OK;
}

mc_status medusa_models_parse(const char *bytes, size_t length, const char *name, arena *a,
                              medusa_models *out, mc_error *error)
{
    keyword_cursor cursor;
    *out = (medusa_models){0};
    mc_status status = keyword_begin(&cursor, name, bytes, length, error);
    if (status == MC_OK)
        status = read_models(&cursor, a, out);
    if (status != MC_OK)
        *out = (medusa_models){0};
    return status;
}

mc_status medusa_models_read(const char *path, arena *a, medusa_models *out, mc_error *error)
{
    arena text = {0};
    char *bytes;
    size_t length;
    *out = (medusa_models){0};
    mc_status status = file_read(&text, path, KEYWORD_FILE_MAX, &bytes, &length, error);
    if (status == MC_OK)
        status = medusa_models_parse(bytes, length, path, a, out, error);
    arena_free(&text);
    return status;
}
