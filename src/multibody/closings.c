// closings.c - the kinds of joints that can close a loop.
#include "multibody/closing.h"

#include "base/registry.h"

#include <stddef.h>
#include <string.h>

// One word per kind; the files are joint_NAME.c.
#define KINDS(KIND)                                                                                \
    KIND(fixed)                                                                                    \
    KIND(hinge)                                                                                    \
    KIND(prism)                                                                                    \
    KIND(ball)                                                                                     \
    KIND(general)                                                                                  \
    KIND(cylinder)                                                                                 \
    KIND(universal)                                                                                \
    KIND(constant_velocity)                                                                        \
    KIND(distance)                                                                                 \
    KIND(point_on_line)                                                                            \
    KIND(point_in_plane)                                                                           \
    KIND(gear)                                                                                     \
    KIND(rack)                                                                                     \
    KIND(rolling)

#define DECLARE(name) extern const mb_closing_kind mb_joint_##name;
KINDS(DECLARE)

#define ENTRY(name) &mb_joint_##name,
static const void *const built_in[] = {KINDS(ENTRY)};
static registry kinds = REGISTRY("joint", built_in);

const mb_closing_kind *mb_closing_kind_at(int i)
{
    return registry_at(&kinds, i);
}

const mc_joint_kind *mc_joint_kind_at(int i)
{
    const mb_closing_kind *kind = mb_closing_kind_at(i);
    return kind ? &kind->is : NULL;
}

const mc_joint_value *mb_closing_value_find(const char *key)
{
    const mc_joint_kind *kind;
    for (int i = 0; (kind = mc_joint_kind_at(i)); i++)
        for (int k = 0; k < MC_JOINT_VALUE_MAX && kind->value[k].key; k++)
            if (strcmp(kind->value[k].key, key) == 0)
                return &kind->value[k];
    return NULL;
}

// ---- from outside ----

static const char *name_at(int i)
{
    const mc_joint_kind *kind = mc_joint_kind_at(i);
    return kind ? kind->name : NULL;
}

static mc_status check_value(const mc_joint_kind *kind, const mc_joint_value *value,
                             mc_error *error)
{
    expr_unit unit;
    double factor;
    int bad;
    const char *why;
    if (!value->doc || !*value->doc || !value->unit)
        return registry_reject(&kinds, kind->name, error, "its value %s has no doc or no unit",
                               value->key);
    if (!mb_name_valid(value->key, &why))
        return registry_reject(&kinds, kind->name, error, "its value \"%s\" has no good name: %s",
                               value->key, why);
    if (*value->unit &&
        !expr_unit_read(value->unit, (int)strlen(value->unit), &unit, &factor, &bad))
        return registry_reject(&kinds, kind->name, error, "its value %s has an unknown unit \"%s\"",
                               value->key, value->unit);
    return MC_OK;
}

mc_status mc_joint_register(const mc_joint_kind *kind, mc_error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static mb_closing_kind outside[REGISTRY_MAX];
    static int count;
    mc_status status =
        registry_check(&kinds, kind->size, sizeof *kind, kind->name, kind->doc, name_at, error);
    if (status == MC_OK && !kind->rows)
        status = registry_reject(&kinds, kind->name, error, "it has no rows");
    if (status == MC_OK && (kind->axes < 0 || kind->axes > 2))
        status = registry_reject(&kinds, kind->name, error, "it has %d axes, expected 0 .. 2",
                                 kind->axes);
    if (status == MC_OK && (kind->turns < 0 || kind->turns >= MC_JOINT_TURNS_GENERAL ||
                            kind->slides < 0 || kind->slides > MC_JOINT_SLIDES_FREELY))
        status = registry_reject(&kinds, kind->name, error, "its turns or slides are unknown");
    for (int k = 0; status == MC_OK && k < MC_JOINT_VALUE_MAX && kind->value[k].key; k++)
        status = check_value(kind, &kind->value[k], error);
    if (status != MC_OK)
        return status;
    pthread_mutex_lock(&lock);
    if (count < REGISTRY_MAX) {
        outside[count] = (mb_closing_kind){.is = *kind};
        status = registry_add(&kinds, kind->name, &outside[count], error);
        count += status == MC_OK;
    } else {
        status = registry_add(&kinds, kind->name, kind, error); // one too many: rejected there
    }
    pthread_mutex_unlock(&lock);
    return status;
}
