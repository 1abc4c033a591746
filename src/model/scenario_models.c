// scenario_models.c - types of vehicles: their kind, parameters, powertrain, files.
#include "model/medusa.h"
#include "model/multibody_yaml.h"
#include "model/scenario_reader.h"
#include "motorcade/dynavis.h"
#include "parts/powertrain_gears.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const scenario_kind_names[SCENARIO_KIND_COUNT] = {"point", "powertrain", "cosserat",
                                                              "multibody"};

// ---- powertrains ----

static const powertrain_kind *find_powertrain(scenario_reader *r, const yaml_node *node)
{
    const char *word = reader_text(&r->base, node);
    const powertrain_kind *kind = r->base.status == MC_OK ? powertrain_kind_find(word) : NULL;
    if (kind || r->base.status != MC_OK)
        return kind;
    const char *names[32];
    int count = 0;
    for (; count < 32 && (kind = powertrain_kind_at(count)); count++)
        names[count] = kind->name;
    reader_unknown(&r->base, node, "powertrain", names, count);
    return NULL;
}

// All parameters but those of the powertrain stay.
static void set_powertrain(car *c, const powertrain_kind *kind)
{
    c->powertrain = kind;
    if (kind)
        powertrain_defaults(kind, c->powertrain_p);
}

// The kind alone, so that a car file can say how strong it is before its own keys do.
static void choose_powertrain(scenario_reader *r, const yaml_node *node, scenario_model *m)
{
    const yaml_node *map = reader_get(&r->base, node, "powertrain");
    const yaml_node *word = map && map->kind == YAML_MAPPING ? yaml_find(map, "kind") : map;
    const powertrain_kind *kind = word ? find_powertrain(r, word) : NULL;
    if (kind && kind != m->car.powertrain)
        set_powertrain(&m->car, kind);
}

// What the ranges of single parameters cannot say: speeds of the engine rise, ratios fall, and no
// gear is left out between others.
static void check_gears(scenario_reader *r, const yaml_node *map, const double *p)
{
    static const int rising[] = {GEARS_IDLE_RPM, GEARS_PEAK_TORQUE_RPM, GEARS_PEAK_POWER_RPM,
                                 GEARS_MAX_RPM};
    const mc_param *rows = powertrain_gears.params;
    for (int i = 1; i < 4; i++) {
        const int low = rising[i - 1], high = rising[i];
        if (!(p[high] > p[low]))
            reader_refuse(&r->base, map, "%s is %.9g rpm, not above %s, %.9g rpm", rows[high].name,
                          p[high], rows[low].name, p[low]);
    }
    for (int k = GEARS_RATIO + 1; k < powertrain_gears.param_count; k++) {
        if (p[k] > 0.0 && p[k - 1] == 0.0)
            reader_refuse(&r->base, map, "there is %s but no %s", rows[k].name, rows[k - 1].name);
        else if (p[k] > 0.0 && p[k] >= p[k - 1])
            reader_refuse(&r->base, map, "%s is %.9g, not below %s, %.9g", rows[k].name, p[k],
                          rows[k - 1].name, p[k - 1]);
    }
}

static void read_powertrain(scenario_reader *r, const yaml_node *node, scenario_model *m)
{
    const yaml_node *map = reader_get(&r->base, node, "powertrain");
    const powertrain_kind *kind = m->car.powertrain;
    if (!map || map->kind == YAML_SCALAR ||
        !scenario_check_keys(r, map, SECTION_POWERTRAIN, kind->params, kind->param_count))
        return;
    scenario_params(r, map, kind->params, kind->param_count, m->car.powertrain_p);
    for (int i = 0; i < kind->param_count; i++)
        if (isnan(m->car.powertrain_p[i]))
            reader_refuse(&r->base, map, "powertrain %s needs %s (%s)", kind->name,
                          kind->params[i].name, kind->params[i].doc);
    if (kind == &powertrain_gears)
        check_gears(r, map, m->car.powertrain_p);
}

// ---- drive and tyres of cosserat and multibody ----

static const tyre_kind *find_tyre(scenario_reader *r, const yaml_node *node)
{
    const char *word = reader_text(&r->base, node);
    const tyre_kind *kind = r->base.status == MC_OK ? tyre_kind_find(word) : NULL;
    if (kind || r->base.status != MC_OK)
        return kind;
    const char *names[32];
    int count = 0;
    for (; count < 32 && (kind = tyre_kind_at(count)); count++)
        names[count] = kind->name;
    reader_unknown(&r->base, node, "tyre", names, count);
    return NULL;
}

static void read_tyre(scenario_reader *r, const yaml_node *node, cosserat_model *c)
{
    const yaml_node *word = node->kind == YAML_MAPPING ? reader_get(&r->base, node, "kind") : node;
    const bool own = word && word != node && word->kind == YAML_MAPPING;
    const tyre_kind *kind = own ? scenario_own_tyre(r, word) : word ? find_tyre(r, word) : c->tyre;
    if (r->base.status != MC_OK)
        return;
    if (kind != c->tyre) {
        c->tyre = kind;
        tyre_defaults(kind, c->tyre_p);
    }
    if (node->kind == YAML_SCALAR ||
        !scenario_check_keys(r, node, SECTION_TYRE, kind->params, kind->param_count))
        return;
    scenario_params(r, node, kind->params, kind->param_count, c->tyre_p);
    for (int i = 0; i < kind->param_count; i++)
        if (isnan(c->tyre_p[i]))
            reader_refuse(&r->base, node, "tyre %s needs %s (%s)", kind->name, kind->params[i].name,
                          kind->params[i].doc);
}

// The greatest deceleration is one number, whichever of its two keys is used.
static void read_brake_most(scenario_reader *r, const yaml_node *node, const yaml_node *drive,
                            scenario_model *m)
{
    const char *name = drive_params[DRIVE_BRAKE_MOST].name;
    const yaml_node *own = reader_get(&r->base, node, name);
    const yaml_node *other = drive ? reader_get(&r->base, drive, name) : NULL;
    if (own && other)
        reader_refuse(&r->base, other->key, "%s is given twice: in the model and in its drive",
                      name);
    else if (other)
        m->car.p[CAR_BRAKE_MOST] = m->cosserat.drive[DRIVE_BRAKE_MOST];
    else
        m->cosserat.drive[DRIVE_BRAKE_MOST] = m->car.p[CAR_BRAKE_MOST];
}

// Drive, tyres and vertical springs; every cosserat and multibody car of a scenario is driven.
static void read_wheels(scenario_reader *r, const yaml_node *node, scenario_model *m)
{
    cosserat_model *c = &m->cosserat;
    const yaml_node *drive = reader_get(&r->base, node, "drive");
    const yaml_node *tyre = reader_get(&r->base, node, "tyre");
    const yaml_node *wheels = reader_get(&r->base, node, "wheels");
    const yaml_node *inertia = drive && drive->kind == YAML_MAPPING && m->kind == SCENARIO_MULTIBODY
                                   ? reader_get(&r->base, drive, drive_params[DRIVE_INERTIA].name)
                                   : NULL;
    c->driven = true;
    if (inertia)
        reader_refuse(&r->base, inertia->key, "%s of a multibody model is that of its mechanism",
                      inertia->key->text);
    if (wheels && scenario_check_keys(r, wheels, SECTION_WHEELS, NULL, 0))
        scenario_params(r, wheels, vertical_params, VERTICAL_PARAM_COUNT, m->vertical);
    // Beneath a load a tyre rolls as if it were a little smaller.
    if (wheels && m->kind == SCENARIO_MULTIBODY)
        c->drive[DRIVE_RADIUS] = 0.97 * m->vertical[VERTICAL_RADIUS];
    if (drive && scenario_check_keys(r, drive, SECTION_AXLES, NULL, 0))
        scenario_params(r, drive, drive_params, DRIVE_PARAM_COUNT, c->drive);
    if (tyre && r->base.status == MC_OK)
        read_tyre(r, tyre, c);
    if (r->base.status == MC_OK)
        read_brake_most(r, node, drive, m);
    c->powertrain = m->car.powertrain;
    memcpy(c->powertrain_p, m->car.powertrain_p, sizeof c->powertrain_p);
}

// What a multibody model has before its keys are read.
static void start_wheels(scenario_model *m)
{
    cosserat_model_init(&m->cosserat);
    for (int i = 0; i < VERTICAL_PARAM_COUNT; i++)
        m->vertical[i] = vertical_params[i].fallback;
    m->cosserat.drive[DRIVE_RADIUS] = 0.97 * m->vertical[VERTICAL_RADIUS];
    m->cosserat.tyre = &tyre_brush;
    tyre_defaults(m->cosserat.tyre, m->cosserat.tyre_p);
}

// ---- files ----

// The value of a powertrain's parameter; nothing if its kind has none of that name.
static void set_scale(car *c, const char *name, double value)
{
    for (int i = 0; c->powertrain && i < c->powertrain->param_count; i++)
        if (strcmp(c->powertrain->params[i].name, name) == 0)
            c->powertrain_p[i] = value;
}

static void use_car(const mc_dynavis_model *from, car *c)
{
    c->p[CAR_MASS] = from->si[MC_DYNAVIS_WEIGHT];
    c->p[CAR_LENGTH] = from->si[MC_DYNAVIS_LENGTH];
    c->p[CAR_WIDTH] = from->si[MC_DYNAVIS_WIDTH];
    c->p[CAR_SPEED_MOST] = from->si[MC_DYNAVIS_SPEED];
    c->p[CAR_ACCELERATION_MOST] = from->given[MC_DYNAVIS_ACCELERATE];
    c->p[CAR_BRAKE_MOST] = from->given[MC_DYNAVIS_BRAKE];
    // The report's engine has 210 hp and 4.6 litre.
    set_scale(c, "power_scale", from->given[MC_DYNAVIS_POWER] / 210.0);
    set_scale(c, "engine_scale", from->given[MC_DYNAVIS_ENGINE] / 4.6);
}

static const mc_dynavis_model *find_car(scenario_reader *r, const yaml_node *name,
                                        const mc_dynavis_model *models, int count)
{
    const char *word = name ? reader_text(&r->base, name) : models[0].name;
    for (int i = 0; i < count && r->base.status == MC_OK; i++)
        if (strcmp(models[i].name, word) == 0)
            return &models[i];
    const char **names = arena_alloc(&r->scratch, (size_t)count * sizeof names[0]);
    if (!names)
        reader_no_memory(&r->base);
    for (int i = 0; names && i < count; i++)
        names[i] = models[i].name;
    if (r->base.status == MC_OK)
        reader_unknown(&r->base, name, "car", names, count);
    return NULL;
}

static void read_car_file(scenario_reader *r, const yaml_node *node, scenario_model *m)
{
    const yaml_node *file = reader_get(&r->base, node, "car_file");
    const yaml_node *name = reader_get(&r->base, node, "car");
    if (name && !file)
        reader_refuse(&r->base, name->key, "car needs the key car_file, in which it is");
    if (!file || r->base.status != MC_OK)
        return;
    mc_dynavis_model *models = NULL;
    int count = 0;
    const char *path = scenario_path(r, file);
    if (r->base.status == MC_OK)
        r->base.status = mc_dynavis_models_read(path, &models, &count, r->base.error);
    const mc_dynavis_model *found =
        r->base.status == MC_OK ? find_car(r, name, models, count) : NULL;
    if (found)
        use_car(found, &m->car);
    free(models);
}

// copied: the model is like another, which has its file already.
static void read_cosserat(scenario_reader *r, const yaml_node *node, scenario_model *m, bool copied)
{
    const yaml_node *file = reader_get(&r->base, node, "file");
    if (copied && !file)
        return;
    const char *path = file ? scenario_path(r, file) : NULL;
    if (!file)
        reader_refuse(&r->base, node->key,
                      "a cosserat model needs the key file, a file of models such as model.dat");
    const int number = scenario_whole(r, node, SECTION_MODEL, "number");
    medusa_models models = {0};
    if (r->base.status == MC_OK)
        r->base.status = medusa_models_read(path, &r->scratch, &models, r->base.error);
    if (r->base.status == MC_OK && number > models.count) {
        reader_refuse(&r->base, reader_get(&r->base, node, "number"),
                      "number is %d; %.300s has %d model%s", number, path, models.count,
                      models.count == 1 ? "" : "s");
    }
    if (r->base.status != MC_OK)
        return;
    m->cosserat = models.model[number - 1];
    m->car.p[CAR_MASS] = m->cosserat.p[COSSERAT_MASS];
    m->car.p[CAR_LENGTH] = 2.0 * m->cosserat.p[COSSERAT_A1];
    m->car.p[CAR_WIDTH] = 2.0 * m->cosserat.p[COSSERAT_A2];
    m->car.p[CAR_HEIGHT] = 2.0 * m->cosserat.p[COSSERAT_A3];
    m->car.p[CAR_YAW_INERTIA] = m->cosserat.p[COSSERAT_IZ];
}

// kg, of all bodies.
static double mass_of(scenario_reader *r, const mb_model *model)
{
    double *value = arena_alloc(&r->scratch, expr_node_count(model->graph) * sizeof value[0]);
    double mass = 0.0;
    if (!value) {
        reader_no_memory(&r->base);
        return 0.0;
    }
    mb_model_values(model, value);
    for (int i = 0; i < model->body_count; i++)
        mass += value[model->bodies[i].mass];
    return mass;
}

// The mechanism is read to see that it is one, and for the names of its parameters.
static void read_mechanism(scenario_reader *r, const yaml_node *node, scenario_model *m,
                           bool copied)
{
    const yaml_node *file = reader_get(&r->base, node, "mechanism");
    const int index = r->s->model_count;
    if (copied && !file)
        return;
    if (!file)
        reader_refuse(&r->base, node->key,
                      "a multibody model needs the key mechanism, the file of a mechanism");
    m->mechanism = file ? scenario_path(r, file) : "";
    mb_model model = {0};
    if (r->base.status == MC_OK)
        r->base.status = model_read_multibody(m->mechanism, &model, r->base.error);
    if (r->base.status != MC_OK)
        return;
    const char **names = reader_alloc(&r->base, model.parameter_count + 1, sizeof names[0]);
    for (int i = 0; names && i < model.parameter_count; i++)
        names[i] = reader_copy(&r->base, model.parameters[i].name);
    m->car.p[CAR_MASS] = mass_of(r, &model);
    r->mechanism[index] = names;
    r->mechanism_count[index] = names ? model.parameter_count : 0;
    mb_model_free(&model);
}

// ---- models ----

// A key that only some kinds have.
static void refuse_for_kind(scenario_reader *r, const yaml_node *node, const scenario_model *m,
                            const char *key, unsigned kinds)
{
    const yaml_node *found = reader_get(&r->base, node, key);
    if (!found || (kinds & (1u << m->kind)))
        return;
    const char *words[SCENARIO_KIND_COUNT];
    int count = 0;
    char list[80];
    for (int k = 0; k < SCENARIO_KIND_COUNT; k++)
        if (kinds & (1u << k))
            words[count++] = scenario_kind_names[k];
    reader_join(list, sizeof list, words, count);
    reader_refuse(&r->base, found->key, "a %s model has no %s; that is for kind %s",
                  scenario_kind_names[m->kind], key, list);
}

static void check_kind(scenario_reader *r, const yaml_node *node, const scenario_model *m)
{
    enum { POINT = 1u << SCENARIO_POINT, COSSERAT = 1u << SCENARIO_COSSERAT };
    const unsigned multibody = 1u << SCENARIO_MULTIBODY, powertrain = 1u << SCENARIO_POWERTRAIN;
    refuse_for_kind(r, node, m, "file", COSSERAT);
    refuse_for_kind(r, node, m, "number", COSSERAT);
    refuse_for_kind(r, node, m, "car_file", POINT | powertrain);
    refuse_for_kind(r, node, m, "car", POINT | powertrain);
    refuse_for_kind(r, node, m, "mechanism", multibody);
    refuse_for_kind(r, node, m, "powertrain", powertrain | COSSERAT | multibody);
    refuse_for_kind(r, node, m, "drive", COSSERAT | multibody);
    refuse_for_kind(r, node, m, "tyre", COSSERAT | multibody);
    refuse_for_kind(r, node, m, "wheels", multibody);
    for (int i = CAR_NOMINAL_MASS; i < CAR_PARAM_COUNT; i++)
        refuse_for_kind(r, node, m, car_params[i].name, powertrain | COSSERAT | multibody);
    refuse_for_kind(r, node, m, car_params[CAR_LAG].name, POINT);
    // These come from the file: cosserat all, multibody the mass alone.
    static const int from_file[] = {CAR_MASS, CAR_LENGTH, CAR_WIDTH, CAR_HEIGHT, CAR_YAW_INERTIA};
    const size_t count = m->kind == SCENARIO_COSSERAT    ? sizeof from_file / sizeof from_file[0]
                         : m->kind == SCENARIO_MULTIBODY ? 1
                                                         : 0;
    for (size_t i = 0; i < count; i++) {
        const yaml_node *found = reader_get(&r->base, node, car_params[from_file[i]].name);
        if (found)
            reader_refuse(&r->base, found->key, "%s of a %s model is that of its file",
                          found->key->text, scenario_kind_names[m->kind]);
    }
}

// Starts from another model, or from the defaults. True: from another of the same kind.
static bool start_model(scenario_reader *r, const yaml_node *node, scenario_model *m)
{
    const bool map = node->kind == YAML_MAPPING;
    const yaml_node *like = map ? reader_get(&r->base, node, "like") : NULL;
    const yaml_node *kind = map ? reader_get(&r->base, node, "kind") : node;
    const int other = like ? scenario_model_index(r, like) : -1;
    if (r->base.status != MC_OK)
        return false;
    m->kind = other >= 0 ? r->s->models[other].kind : SCENARIO_POWERTRAIN;
    const scenario_kind before = m->kind;
    if (kind) {
        const int found = reader_choice(&r->base, kind, scenario_kind_names, SCENARIO_KIND_COUNT);
        m->kind = found >= 0 ? (scenario_kind)found : m->kind;
    }
    car_defaults(&m->car, m->kind == SCENARIO_POINT ? NULL : powertrain_kind_at(0));
    start_wheels(m);
    if (other < 0)
        return false;
    const scenario_model *from = &r->s->models[other];
    m->car = from->car;
    m->cosserat = from->cosserat;
    m->mechanism = from->mechanism;
    memcpy(m->vertical, from->vertical, sizeof m->vertical);
    r->mechanism[r->s->model_count] = r->mechanism[other];
    r->mechanism_count[r->s->model_count] = r->mechanism_count[other];
    if (m->kind == SCENARIO_POINT)
        set_powertrain(&m->car, NULL);
    else if (!m->car.powertrain)
        set_powertrain(&m->car, powertrain_kind_at(0));
    return before == m->kind;
}

static void read_model(scenario_reader *r, const yaml_node *node)
{
    scenario_model *m = &r->s->models[r->s->model_count];
    m->name = scenario_label(r, node->key);
    m->place = scenario_place_of(node->key);
    if (node->kind != YAML_SCALAR && !scenario_check_keys(r, node, SECTION_MODEL, NULL, 0))
        return;
    const bool copied = start_model(r, node, m);
    check_kind(r, node, m);
    if (m->kind == SCENARIO_COSSERAT)
        read_cosserat(r, node, m, copied);
    if (m->kind == SCENARIO_MULTIBODY)
        read_mechanism(r, node, m, copied);
    choose_powertrain(r, node, m);
    read_car_file(r, node, m);
    scenario_params(r, node, car_params, CAR_PARAM_COUNT, m->car.p);
    read_powertrain(r, node, m);
    if (m->kind == SCENARIO_COSSERAT || m->kind == SCENARIO_MULTIBODY)
        read_wheels(r, node, m);
    r->s->model_count++;
}

void scenario_read_models(scenario_reader *r, const yaml_node *root)
{
    int count;
    scenario_need(r, root, SECTION_TOP, "models");
    const yaml_node *first = scenario_elements(r, root, "models", YAML_MAPPING, &count);
    if (r->base.status == MC_OK && count == 0)
        reader_refuse(&r->base, yaml_find(root, "models"), "found no model, expected one at least");
    r->s->models = reader_alloc(&r->base, count, sizeof r->s->models[0]);
    r->mechanism = reader_alloc(&r->base, count, sizeof r->mechanism[0]);
    r->mechanism_count = reader_alloc(&r->base, count, sizeof r->mechanism_count[0]);
    for (const yaml_node *n = first; n && r->base.status == MC_OK; n = n->next)
        read_model(r, n);
}
