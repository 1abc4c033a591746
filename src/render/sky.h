// sky.h - the light of a picture: sky, sun, haze, and the environment that is made from that sky.
//
// Numbers are those of the studio (web/src/scene3d/sky3d.ts), by day or in the evening. Colours are
// linear; shown ones are sRGB.
#pragma once

#include "render/texture.h"
#include "render/vec.h"

enum { SKY_LEVELS = 6, SKY_SIZE = 32 };

typedef struct sky {
    vec zenith, mid, horizon, ground, glow, cloud; // linear
    vec sun_colour;
    vec sun; // unit, towards it, in the axes of the picture
    float glow_at[2];
    float clouds, sun_power, ambient, wash, exposure, haze, stars, glow_power;
    vec haze_shown; // sRGB: the haze is mixed into what is shown
    texture cloud_noise;
    float turn_c, turn_s; // cosine and sine of the angle by which the picture is turned in the plan
    vec *environment[SKY_LEVELS]; // from mirror to matt: octahedral maps
} sky;

// name: "day" or "evening". turn: rad, of the x axis of the picture in the plan. false: no memory.
bool sky_make(arena *a, const char *name, float turn, sky *out);

// Turns a sky of the day into the light of a studio: white all around, a lamp towards `lamp`.
bool sky_studio(arena *a, sky *s, vec lamp);

// What is seen in a direction, sRGB.
vec sky_shown(const sky *s, vec direction);
// Light that comes from around a direction to a surface of this roughness; 1: to a matt one.
vec sky_light(const sky *s, vec direction, float roughness);

float sky_to_srgb(float linear);
float sky_to_linear(float srgb);
// Light as it is shown: exposure, ACES curve, sRGB.
vec sky_develop(const sky *s, vec light);
// The same with the haze of a distance, m.
vec sky_haze(const sky *s, vec shown, float distance);
float sky_haze_share(const sky *s, float distance);
