// keys.c - the keys of terrain.
#include "terrain_file/read.h"

#include <math.h>
#include <stddef.h>

#define FAR 1e6 // m

static const terrain_key keys[] = {
    {TERRAIN_TOP, "features", TERRAIN_LIST, TERRAIN_FEATURE, "", NAN, 0, 0,
     "what the ground consists of: heights are added"},
    {TERRAIN_TOP, "ground", TERRAIN_TEXT, 0, "", NAN, 0, 0,
     "surface, condition and tyre, such as gravel wet truck: friction from the table below"},
    {TERRAIN_TOP, "friction", TERRAIN_NUMBER, 0, "-", 1, 0, 10,
     "of the ground, instead of that of the table; where tyres have their own, a factor"},
    {TERRAIN_TOP, "restitution", TERRAIN_NUMBER, 0, "-", 0, 0, 10,
     "of rigid wheels that hit the ground"},
    {TERRAIN_TOP, "spots", TERRAIN_LIST, TERRAIN_SPOT, "", NAN, 0, 0,
     "stretches with other friction or restitution; of several at a place the last one holds"},
    {TERRAIN_TOP, "planes", TERRAIN_WHOLE, 0, "-", 1, 1, 5,
     "planes over its width in which a wheel is cut"},

    {TERRAIN_FEATURE, "terms", TERRAIN_LIST, TERRAIN_TERM, "", NAN, 0, 0,
     "singularity terms, summed"},
    {TERRAIN_FEATURE, "table", TERRAIN_ROWS, 0, "m", NAN, 0, 0,
     "rows of x and z, or of x and z of the left and the right side"},
    {TERRAIN_FEATURE, "formula", TERRAIN_FORMULA, 0, "m", NAN, 0, 0, "z by x and y; without jumps"},
    {TERRAIN_FEATURE, "class", TERRAIN_CLASS, 0, "", NAN, 0, 0,
     "a random road of an ISO 8608 class, A to H"},
    {TERRAIN_FEATURE, "gd", TERRAIN_NUMBER, 0, "m^3", NAN, 1e-12, 1,
     "a random road by its displacement density at 0.1 cycles/m"},
    {TERRAIN_FEATURE, "surface", TERRAIN_TEXT, 0, "", NAN, 0, 0, "an OpenCRG file (.crg)"},
    {TERRAIN_FEATURE, "shape", TERRAIN_SHAPE, 0, "", NAN, 0, 0,
     "a closed form: slope or waves, with its own keys"},
    {TERRAIN_FEATURE, "side", TERRAIN_WORD, 0, "", NAN, 0, 0,
     "both, left or right of the divide; default: both"},
    {TERRAIN_FEATURE, "divide", TERRAIN_NUMBER, 0, "m", 0, -FAR, FAR,
     "y at which a feature of one side ends"},
    {TERRAIN_FEATURE, "seam", TERRAIN_NUMBER, 0, "m", 0.1, 1e-3, FAR, "width over which it ends"},
    {TERRAIN_FEATURE, "from", TERRAIN_NUMBER, 0, "m", 0, -FAR, FAR, "terms: x of their origin"},
    {TERRAIN_FEATURE, "period", TERRAIN_NUMBER, 0, "m", NAN, 1e-3, FAR,
     "terms: distance after which they begin again; default: once"},
    {TERRAIN_FEATURE, "count", TERRAIN_WHOLE, 0, "-", 0, 0, 1e9,
     "terms: number of periods; waves: number of waves; 0: without an end"},
    {TERRAIN_FEATURE, "smooth", TERRAIN_FLAG, 0, "", NAN, 0, 0,
     "table: true: a cubic through the points; default: straight lines"},
    {TERRAIN_FEATURE, "repeat", TERRAIN_FLAG, 0, "", NAN, 0, 0,
     "table: true: again from its start; its ends must have the same height"},
    {TERRAIN_FEATURE, "track", TERRAIN_NUMBER, 0, "m", 1.5, 0.1, 100,
     "table of two sides, random road: distance of the tracks; between them z is linear in y"},
    {TERRAIN_FEATURE, "seed", TERRAIN_WHOLE, 0, "-", 1, 0, 9e15, "random road: its random numbers"},
    {TERRAIN_FEATURE, "length", TERRAIN_NUMBER, 0, "m", 2000, 1, 1e5,
     "random road: after which it repeats, without a seam"},
    {TERRAIN_FEATURE, "waviness", TERRAIN_NUMBER, 0, "-", 2, 1, 4,
     "random road: exponent of the density"},
    {TERRAIN_FEATURE, "n_min", TERRAIN_NUMBER, 0, "1/m", 0.005, 1e-4, 10,
     "random road: lowest spatial frequency"},
    {TERRAIN_FEATURE, "n_max", TERRAIN_NUMBER, 0, "1/m", 4, 1e-3, 50,
     "random road: highest spatial frequency"},
    {TERRAIN_FEATURE, "coherence", TERRAIN_NUMBER, 0, "m", 2, 0, 1e4,
     "random road: the tracks have the coherence exp(-n coherence); 0: they are the same"},
    {TERRAIN_FEATURE, "steepest", TERRAIN_NUMBER, 0, "-", 1, 0, 1e3,
     "formula with y: a bound of its slope across, for the search of impacts"},

    {TERRAIN_TERM, "at", TERRAIN_NUMBER, 0, "m", 0, 0, FAR, "x0, from the origin of the feature"},
    {TERRAIN_TERM, "power", TERRAIN_WHOLE, 0, "-", NAN, 0, 5,
     "n: 0 a step, 1 a kink, 2 a change of curvature"},
    {TERRAIN_TERM, "scale", TERRAIN_NUMBER, 0, "", NAN, -1e6, 1e6, "a, m over m^n"},

    {TERRAIN_SPOT, "from", TERRAIN_NUMBER, 0, "m", NAN, -FAR, FAR, "where it begins"},
    {TERRAIN_SPOT, "to", TERRAIN_NUMBER, 0, "m", NAN, -FAR, FAR, "where it ends"},
    {TERRAIN_SPOT, "side", TERRAIN_WORD, 0, "", NAN, 0, 0,
     "both, left or right of the divide; default: both"},
    {TERRAIN_SPOT, "divide", TERRAIN_NUMBER, 0, "m", 0, -FAR, FAR, "y that divides the sides"},
    {TERRAIN_SPOT, "ground", TERRAIN_TEXT, 0, "", NAN, 0, 0, "as of the terrain"},
    {TERRAIN_SPOT, "friction", TERRAIN_NUMBER, 0, "-", NAN, 0, 10, "default: as elsewhere"},
    {TERRAIN_SPOT, "restitution", TERRAIN_NUMBER, 0, "-", NAN, 0, 10,
     "may exceed 1: a spot that throws; default: as elsewhere"},
};

const terrain_key *terrain_key_at(int i)
{
    return i >= 0 && i < (int)(sizeof keys / sizeof keys[0]) ? &keys[i] : NULL;
}

const char *terrain_section_name(terrain_section section)
{
    static const char *const names[TERRAIN_SECTION_COUNT] = {"the terrain", "a feature of terrain",
                                                             "a term", "a spot"};
    return names[section];
}
