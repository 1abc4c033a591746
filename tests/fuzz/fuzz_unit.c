// fuzz_unit.c - units of FMI: the description, and the archive it comes in.
//
// What begins as a ZIP archive is one; anything else is a description.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "unit/wiring.h"

#include <math.h>
#include <string.h>

static void check(const unit_description *d)
{
    mc_assert(d->version == 2 || d->version == 3);
    mc_assert(d->name[0] && d->identifier[0] && !strchr(d->identifier, '/'));
    mc_assert(d->variable_count > 0 && d->step >= 0.0);
    for (int k = 0; k < d->variable_count; k++) {
        const unit_variable *v = &d->variables[k];
        mc_assert(unit_variable_find(d, v->name) == v);
        mc_assert(isnan(v->start) || isfinite(v->start));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mc_error error = {0};
    if (size >= 2 && memcmp(data, "PK", 2) == 0) {
        unit_package *p = unit_package_open(data, size, "fuzz.fmu", &error);
        mc_assert(p || error.text[0]);
        if (p)
            check(unit_package_description(p));
        unit_package_close(p);
        return 0;
    }
    arena memory = {0};
    unit_description d;
    const mc_status status = unit_description_read(&memory, (const char *)data, size,
                                                   "modelDescription.xml", &d, &error);
    mc_assert(status == MC_OK || error.text[0]);
    if (status == MC_OK)
        check(&d);
    arena_free(&memory);
    return 0;
}
