// gear.c - checks across the keys of a running gear.
#include "vehicles/gear.h"

mc_status gear_check(mc_section *section, void *spec)
{
    (void)spec;
    const char *name = drive_params[DRIVE_BRAKE_MAX].name;
    if (mc_section_has(section, name) && mc_section_has(section, "drive.max_brake"))
        return mc_section_reject(section, "drive.max_brake",
                                 "%s is given twice: in the model and in its drive", name);
    return MC_OK;
}
