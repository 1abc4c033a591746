// section.c - cross sections of beams, as sums of rectangles and discs.
#include "shape/section.h"

#include <math.h>
#include <stddef.h>

const char *const section_number_names[SECTION_NUMBER_COUNT] = {
    "width", "height", "thickness", "radius", "area", "moment_u", "moment_v"};
const char *const section_number_units[SECTION_NUMBER_COUNT] = {"m",   "m",   "m",  "m",
                                                                "m^2", "m^4", "m^4"};

// Moments about an axis through the origin of a section, before its centroid is known.
typedef struct sums {
    double area, u, uu, vv, uuu, uvv;
} sums;

// A rectangle w x h (negative w: taken away) centred at (c, 0).
static void rectangle(sums *s, double sign, double c, double w, double h)
{
    const double a = sign * w * h;
    s->area += a;
    s->u += a * c;
    s->uu += a * (c * c + w * w / 12.0);
    s->vv += a * h * h / 12.0;
    s->uuu += a * (c * c * c + c * w * w / 4.0);
    s->uvv += a * c * h * h / 12.0;
}

// Moves the origin to the centroid.
static void finish(const sums *s, double low, double high, double height, concept_section *out)
{
    const double c = s->u / s->area;
    *out = (concept_section){
        .area = s->area,
        .uu = s->uu - s->area * c * c,
        .vv = s->vv,
        .uuu = s->uuu - 3.0 * c * s->uu + 2.0 * s->area * c * c * c,
        .uvv = s->uvv - c * s->vv,
        .low = {low - c, -height / 2.0},
        .high = {high - c, height / 2.0},
    };
}

static void disc(double radius, double inner, concept_section *out)
{
    const double pi = 3.14159265358979323846;
    const double four = pi / 4.0 * (pow(radius, 4) - pow(inner, 4));
    *out = (concept_section){
        .area = pi * (radius - inner) * (radius + inner),
        .uu = four,
        .vv = four,
        .low = {-radius, -radius},
        .high = {radius, radius},
    };
}

static bool make_solid(const double n[], concept_section *out)
{
    sums s = {0};
    rectangle(&s, 1.0, 0.0, n[SECTION_WIDTH], n[SECTION_HEIGHT]);
    finish(&s, -n[SECTION_WIDTH] / 2.0, n[SECTION_WIDTH] / 2.0, n[SECTION_HEIGHT], out);
    return true;
}

static bool make_round(const double n[], concept_section *out)
{
    disc(n[SECTION_RADIUS], 0.0, out);
    return true;
}

static bool make_tube(const double n[], concept_section *out)
{
    if (n[SECTION_THICKNESS] > n[SECTION_RADIUS])
        return false;
    disc(n[SECTION_RADIUS], n[SECTION_RADIUS] - n[SECTION_THICKNESS], out);
    return true;
}

static bool make_box(const double n[], concept_section *out)
{
    const double w = n[SECTION_WIDTH], h = n[SECTION_HEIGHT], t = n[SECTION_THICKNESS];
    sums s = {0};
    if (2.0 * t > w || 2.0 * t > h)
        return false;
    rectangle(&s, 1.0, 0.0, w, h);
    rectangle(&s, -1.0, 0.0, w - 2.0 * t, h - 2.0 * t);
    finish(&s, -w / 2.0, w / 2.0, h, out);
    return true;
}

// Web at u = 0 .. t, flanges towards +u.
static bool make_channel(const double n[], concept_section *out)
{
    const double w = n[SECTION_WIDTH], h = n[SECTION_HEIGHT], t = n[SECTION_THICKNESS];
    sums s = {0};
    if (t > w || 2.0 * t > h)
        return false;
    rectangle(&s, 1.0, w / 2.0, w, h);
    rectangle(&s, -1.0, (w + t) / 2.0, w - t, h - 2.0 * t);
    finish(&s, 0.0, w, h, out);
    return true;
}

static bool make_i(const double n[], concept_section *out)
{
    const double w = n[SECTION_WIDTH], h = n[SECTION_HEIGHT], t = n[SECTION_THICKNESS];
    sums s = {0};
    if (t > w || 2.0 * t > h)
        return false;
    const double side = (w - t) / 2.0;
    rectangle(&s, 1.0, 0.0, w, h);
    rectangle(&s, -1.0, (t + side) / 2.0, side, h - 2.0 * t);
    rectangle(&s, -1.0, -(t + side) / 2.0, side, h - 2.0 * t);
    finish(&s, -w / 2.0, w / 2.0, h, out);
    return true;
}

// Drawn as a square of the same area.
static bool make_given(const double n[], concept_section *out)
{
    const double h = sqrt(n[SECTION_AREA]) / 2.0;
    *out = (concept_section){.area = n[SECTION_AREA],
                             .uu = n[SECTION_MOMENT_V],
                             .vv = n[SECTION_MOMENT_U],
                             .low = {-h, -h},
                             .high = {h, h}};
    return true;
}

#define BIT(number) (1u << SECTION_##number)
static const section_kind kinds[] = {
    {"solid", "full rectangle", BIT(WIDTH) | BIT(HEIGHT), make_solid},
    {"round", "full disc", BIT(RADIUS), make_round},
    {"tube", "round tube", BIT(RADIUS) | BIT(THICKNESS), make_tube},
    {"box", "rectangular tube", BIT(WIDTH) | BIT(HEIGHT) | BIT(THICKNESS), make_box},
    {"channel", "U, open towards +u", BIT(WIDTH) | BIT(HEIGHT) | BIT(THICKNESS), make_channel},
    {"i", "I beam, web and flanges of one thickness", BIT(WIDTH) | BIT(HEIGHT) | BIT(THICKNESS),
     make_i},
    {"given", "area and moments as numbers", BIT(AREA) | BIT(MOMENT_U) | BIT(MOMENT_V), make_given},
};

const section_kind *section_kind_at(int i)
{
    return i >= 0 && (size_t)i < sizeof kinds / sizeof kinds[0] ? &kinds[i] : NULL;
}
