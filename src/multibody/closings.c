// closings.c - the kinds of joints that can close a loop.
#include "multibody/closing.h"

#include <stddef.h>

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
static const mb_closing_kind *const kinds[] = {KINDS(ENTRY)};

const mb_closing_kind *mb_closing_kind_at(int i)
{
    return i >= 0 && (size_t)i < sizeof kinds / sizeof kinds[0] ? kinds[i] : NULL;
}
