// loads.h - forces in the picture of a mechanism, as arrows of one scale: of springs and dampers on
// their ends, of the road on wheels (web/src/mechanism/loads.ts).
#pragma once

#include "picture/marks.h"
#include "picture/posed.h"
#include "render/scene.h"

typedef struct loads_arrow {
    vec from, force; // m, N
    bool road;       // of the road on a wheel; else of a spring
    char name[64];
    float shorter; // m, of a spring with a length at rest: how much
} loads_arrow;

typedef struct loads {
    loads_arrow *list;
    int count, room;
    float scale; // m of arrow per N
} loads;

// size: m, of the mechanism. false: no memory.
bool loads_find(loads *l, const posed *k, float size);
void loads_draw(const loads *l, scene *s, float size, bool dark);
// Cards at wheels and at the springs with the largest forces, and the scale.
void loads_words(const loads *l, marks *k, bool dark);
void loads_free(loads *l);
