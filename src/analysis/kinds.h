// kinds.h - the analyses: a word each, and a file analysis/NAME.c that defines analysis_NAME.
#pragma once

#define ANALYSIS_KINDS(_)                                                                          \
    _(mass)                                                                                        \
    _(equilibrium)                                                                                 \
    _(modes)                                                                                       \
    _(response)                                                                                    \
    _(ride)                                                                                        \
    _(spectrum)                                                                                    \
    _(transfer)                                                                                    \
    _(linearity)                                                                                   \
    _(comfort)                                                                                     \
    _(axles)                                                                                       \
    _(rig)                                                                                         \
    _(scaled_road)
