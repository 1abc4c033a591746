// scene.h - what is in a picture: meshes at places, with materials, in the light of a sky.
#pragma once

#include "render/camera.h"
#include "render/mesh.h"
#include "render/sheet.h"
#include "render/sky.h"

typedef enum scene_material {
    SCENE_PAINT,  // a body with its sheets; draw.lamps
    SCENE_WHEEL,  // corners: grey, metalness, roughness
    SCENE_SOLID,  // draw.colour, roughness, metalness
    SCENE_TINTED, // corners: linear colour, times draw.colour; white ones only if `white`
    SCENE_ROAD,   // corners: s, l, half width, field; uv: what is painted left and right
    SCENE_GRASS,  // corners: place in the plan, share of gravel
    SCENE_FLAT,   // draw.colour, the same in any light, in the haze
    SCENE_FLOOR,  // of a studio: grid and shadows; draw.roughness: m between its lines
    // Drawn over the others, in order. uv: -1 .. 1 across.
    SCENE_SHADE, // soft dark under a vehicle
    SCENE_POOL,  // light of head lamps on the road
    SCENE_GLASS, // draw.colour and draw.alpha, lit
    SCENE_GLOW,  // of a lamp; draw.colour
} scene_material;

typedef struct scene_draw {
    const mesh *shape;
    float place[12]; // three rows: axes and origin
    scene_material material;
    float colour[3]; // linear
    float roughness, metalness;
    float alpha;
    float lamps[4]; // red 0..1, head 0..1, turn (1 left, -1 right, 2 both), pattern of the roof
    float tint[4];  // colour over the paint, linear, and its share
    const sheet *sheets; // of SCENE_PAINT
    float roof;          // m, above it the roof has its pattern
    bool white;          // of SCENE_TINTED
    bool casts;          // a shadow of the sun
    bool both_sides;     // seen from behind too
    bool in_front;       // of everything that is not
} scene_draw;

typedef struct scene {
    camera view;
    sky light;
    bool studio;         // a floor and a plain background instead of the sky
    vec background[2];   // sRGB, of a studio: below, above
    texture ground;      // noise of asphalt and grass
    float spacing, dash; // m, of lane marks
    vec focus;           // what shadows are sharpest at
    float reach;         // m, of sharp shadows about it
    scene_draw *draw;
    int count, room;
    mesh **own; // meshes that are freed with it
    int own_count, own_room;
    arena memory;
    bool failed;      // no memory: something is missing
    scene_draw spare; // written, not drawn, when there is none
    mesh spare_mesh;
} scene;

// Places: the identity moved to a point.
void scene_at(float place[12], vec origin);
scene_draw *scene_add(scene *s, const mesh *shape, scene_material material); // never NULL
mesh *scene_mesh(scene *s);       // an empty one that is freed with the scene; never NULL
bool scene_whole(const scene *s); // nothing is missing for want of memory
bool scene_begin(scene *s, const char *light, float turn); // false: no memory
void scene_end(scene *s);
