// raster.h - which triangle is in front at every sample of a picture.
//
// Triangles are given in homogeneous pixels (x, y, w). With V the matrix of their corners, the rows
// of V^-1 applied to (px, py, 1) are b_i / w: b_i the shares of the corners, perspective included,
// and their sum is 1 / w (Olano, Greer: Triangle scan conversion using 2D homogeneous coordinates,
// 1997). So nothing is clipped: a triangle that reaches behind the eye has negative values there.
//
// A picture is drawn in bands of rows, each on its own: any number of threads gives the same bits.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { RASTER_ROWS = 16, RASTER_SAMPLES = 4 };

typedef struct raster_corner {
    double x, y, w; // homogeneous pixels
    double z;       // of a parallel projection: what is in front has more; else not used
} raster_corner;

typedef struct raster_triangle {
    double edge[3][3]; // b_i / w = edge . (px, py, 1)
    double value[3];   // of the depth buffer: what is in front has more
    double over;       // added to it: drawn in front of all that has none
    int draw, index;   // whose it is
    int16_t x0, x1, y0, y1;
} raster_triangle;

typedef struct raster {
    int width, height;
    double limit; // of values before `over` is added: nearer than this is not seen
    raster_triangle *item;
    int count, room;
    int *start, *order; // by band: which ones reach into it
    bool failed;        // no memory
} raster;

// parallel: values are z, else 1 / w. near: of w.
void raster_add(raster *r, const raster_corner c[3], bool parallel, double near, double over,
                int draw, int index);
int raster_band_count(const raster *r);
bool raster_sort(raster *r); // after the last one: false when memory ran out
void raster_free(raster *r);

// Places of the samples in a pixel.
extern const float raster_sample[RASTER_SAMPLES][2];

// One band: values [sample][row][x], from 0 or the values so far, and numbers of triangles.
// samples: 1, the middle of the pixel; or RASTER_SAMPLES. number may be NULL.
void raster_band(const raster *r, int band, int samples, float *value, uint32_t *number);
// How many samples of a pixel a triangle covers that is not hidden. value: of the band, with
// RASTER_SAMPLES samples; nearer: a factor for what lies on other surfaces.
int raster_seen(const raster *r, const raster_triangle *t, int x, int y, const float *value,
                double nearer);
// Shares of the corners at a place.
void raster_shares(const raster_triangle *t, double x, double y, float out[3]);
