// dynavis_scenarios.c - scenarios of the benches, and the mileage as a table.
#include "cli/dynavis_scenarios.h"

#include "base/file.h"
#include "motorcade/laws.h"
#include "motorcade/powertrain.h"
#include "motorcade/vehicle_type.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The keys of a model that take a car from a car file: "" without one. Paths in a scenario count
// from its folder, so the whole path is given.
static mc_status car_keys(const char *models, char *out, size_t size, mc_error *error)
{
    char path[PATH_MAX];
    out[0] = '\0';
    if (!models)
        return MC_OK;
    if (!realpath(models, path) || strpbrk(path, "\"\\\n\t") ||
        snprintf(out, size, ", car_file: \"%s\"", path) >= (int)size)
        return mc_error_set(error, MC_BAD_INPUT, models, 0, 0,
                            "the car file's path must be short and without quotes");
    return MC_OK;
}

mc_status dynavis_write_identification(const char *path, double end, const char *models,
                                       mc_error *error)
{
    char car[PATH_MAX + 32];
    if (car_keys(models, car, sizeof car, error) != MC_OK)
        return error->code;
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    file_print(
        out,
        "# The bench of dynavisiden: car 2 is the target, car 4 its image with the estimated mass. "
        "The\n# leaders brake and accelerate in waves; drive the first by hand for other ones.\n"
        "motorcade: scenario\nname: mass identification\n"
        "time: {end: %g, step: 0.05, braking_step: 0.01}\n"
        "road: {lanes: 2, headway: 1, distance: 5}\n"
        "profiles:\n"
        "  waves: {formula: \"20 + 9*cos(2*pi*t/40) + 0.8*sin(0.8*t)\"}\n"
        "models:\n"
        "  believed: {kind: %s%s}\n"
        "  target: {like: believed, mass: 2000, nominal_mass: 1839.317}\n"
        "controllers:\n  brake: {law: %s}\n"
        "estimators:\n  weight: {method: mass}\n"
        "platoons:\n"
        "  - lane: 1\n"
        "    leader: {model: believed, name: car1, profile: waves}\n"
        "    cars: [{model: target, name: car2, controller: brake, estimator: weight}]\n"
        "  - lane: 2\n"
        "    leader: {model: believed, name: car3, profile: waves}\n"
        "    cars: [{model: believed, name: car4, controller: brake, image_of: car2}]\n",
        end, mc_vehicle_type_default()->name, car, mc_law_default(MC_LAW_ROLE_IDENTIFICATION));
    return file_writer_commit(out, error);
}

static const char *const platoons[2] = {"eager", "calm"};

mc_status dynavis_write_mileage(const char *path, double end, int cars, const char *models,
                                mc_error *error)
{
    char car[PATH_MAX + 32];
    if (car_keys(models, car, sizeof car, error) != MC_OK)
        return error->code;
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    file_print(out,
               "# The bench of dynavis-gas: two platoons in moderate traffic, one switches between "
               "throttle\n# and brake more eagerly than the other. The range sensors are noisy.\n"
               "motorcade: scenario\nname: gas mileage\n"
               "time: {end: %g, step: 0.05, record: 0.1}\n"
               "road: {lanes: 2, headway: 1, distance: 5}\n"
               "models:\n"
               "  car: {kind: %s, powertrain: %s%s}\n"
               "controllers:\n"
               "  eager:\n"
               "    law: %s\n"
               "    inner: {hysteresis: 0.02}\n"
               "    sensor: {range_noise: 0.2, speed_noise: 0.2}\n"
               "  calm: {like: eager, inner: {hysteresis: 0.4}}\n"
               "platoons:\n",
               end, mc_vehicle_type_default()->name,
               mc_powertrain_default(MC_POWERTRAIN_ROLE_MILEAGE), car,
               mc_law_default(MC_LAW_ROLE_DYNAVIS));
    for (int p = 0; p < 2; p++) {
        file_print(out, "  - lane: %d\n    leader: {model: car, name: %s1, profile: moderate}\n",
                   p + 1, platoons[p]);
        for (int k = 2; k <= cars / 2; k++)
            file_print(out, "%s      - {model: car, name: %s%d, controller: %s}\n",
                       k == 2 ? "    cars:\n" : "", platoons[p], k, platoons[p]);
    }
    return file_writer_commit(out, error);
}

// ---- saving the mileage ----

static void write_row(file_writer *out, const json_t *t, const json_t *values, int cars, size_t row)
{
    file_print(out, "%.6g", json_number_value(json_array_get(t, row)));
    for (int p = 0; p < 2; p++)
        for (int k = 1; k <= cars / 2; k++) {
            char label[64];
            snprintf(label, sizeof label, "0/%s%d/mileage", platoons[p], k);
            const json_t *value = json_array_get(json_object_get(values, label), row);
            if (json_is_number(value))
                file_print(out, ",%.8g", json_number_value(value));
            else
                file_print(out, ",");
        }
    file_print(out, "\n");
}

mc_status dynavis_save_mileage(mc_studio *studio, int cars, const char *path, mc_error *error)
{
    char names[256] = "", request[512];
    for (int p = 0; p < 2; p++)
        for (int k = 1; k <= cars / 2; k++) {
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s\"%s%d\"", used ? ", " : "", platoons[p],
                     k);
        }
    snprintf(request, sizeof request,
             "{\"kind\": \"series\", \"worlds\": [0], \"vehicles\": [%s], "
             "\"fields\": [\"mileage\"], \"points\": 20000}",
             names);
    char *text = mc_studio_ask(studio, request, error);
    if (!text)
        return error->code;
    json_t *answer = json_loads(text, 0, NULL);
    free(text);
    const json_t *t = json_object_get(answer, "t"), *values = json_object_get(answer, "values");
    file_writer *out = file_writer_open(path, error);
    if (out) {
        file_print(out, "t s");
        for (int p = 0; p < 2; p++)
            for (int k = 1; k <= cars / 2; k++)
                file_print(out, ",%s%d mpg", platoons[p], k);
        file_print(out, "\n");
        for (size_t row = 0; row < json_array_size(t); row++)
            write_row(out, t, values, cars, row);
    }
    json_decref(answer);
    return out ? file_writer_commit(out, error) : error->code;
}
