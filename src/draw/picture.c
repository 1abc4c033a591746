// picture.c - layout of a crash scene, and its SVG.
#include "motorcade/picture.h"

#include "draw/svg.h"
#include "base/file.h"
#include "num/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sizes in px unless they say otherwise.
static const double page_width = 1200.0, margin = 40.0;
static const double head_height = 74.0;   // title and caption
static const double legend_height = 66.0; // keys and colour bar
static const double strip_head = 38.0;    // name of the view, a row of labels
static const double strip_foot = 16.0;    // below the road
static const double wheel_room = 26.0;    // for wheels that look out below
static const double strip_gap = 14.0;     // between the views
static const double side_room = 24.0;     // left and right of the cars
static const double views_height = 720.0; // most of both views together
static const double max_scale = 150.0;    // px/m
static const double glyph_width = 0.62;   // of the font size, a wide guess: fonts differ
static const double min_label = 8.0;      // font size below which a label goes outside
static const double max_key = 50.0;       // length of an arrow in the legend
static const double min_detail = 10.0;    // semi-axis below which windows and wheels are left out
static const double min_speed = 1e-6;     // m/s, below which vehicles move alike

#define INK SVG_INK
#define FAINT SVG_FAINT
#define CONTACT "#0b57d0"

// ---- geometry ----

static const int view_axis[MC_PICTURE_VIEW_COUNT][2] = {{0, 1}, {0, 2}};

void mc_picture_shown_axes(const mc_picture_vehicle *vehicle, double magnification, double out[9])
{
    for (int k = 0; k < 9; k++)
        out[k] = vehicle->rest_axes[k] +
                 magnification * (vehicle->surface.axes[k] - vehicle->rest_axes[k]);
}

// S = A2 A2' of the two rows A2 of the axes that are seen. The support of the outline in the
// direction n is sqrt(n' S n), so it is the image of the unit circle under any root of S.
static void outline_matrix(const double axes[9], mc_picture_view view, double *uu, double *uv,
                           double *vv)
{
    const double *u = axes + 3 * view_axis[view][0], *v = axes + 3 * view_axis[view][1];
    *uu = vec3_dot(u, u);
    *uv = vec3_dot(u, v);
    *vv = vec3_dot(v, v);
}

void mc_picture_outline(const double centre[3], const double axes[9], mc_picture_view view,
                        mc_picture_ellipse *out)
{
    double uu, uv, vv, cross[3];
    outline_matrix(axes, view, &uu, &uv, &vv);
    vec3_cross(axes + 3 * view_axis[view][0], axes + 3 * view_axis[view][1], cross);
    // Squares of the semi-axes are the eigenvalues; their product is det S = |u x v|^2.
    const double large = 0.5 * (uu + vv) + hypot(0.5 * (uu - vv), uv);
    out->semi[0] = sqrt(large);
    out->semi[1] = large > 0.0 ? vec3_norm(cross) / out->semi[0] : 0.0;
    out->angle = 0.5 * atan2(2.0 * uv, uu - vv);
    out->extent[0] = sqrt(uu);
    out->extent[1] = sqrt(vv);
    for (int k = 0; k < 2; k++)
        out->centre[k] = centre[view_axis[view][k]];
}

// Where an impact is drawn: moved along with a vehicle at its velocity and, like the vehicle's
// surface, by the magnified deformation. The mean of the places given by a and b.
static void shown_point(const mc_picture *p, const mc_picture_impact *impact, double out[3])
{
    const int places[2] = {impact->a, impact->b};
    double sum[3] = {0.0, 0.0, 0.0};
    int count = 0;
    for (int k = 0; k < 2; k++) {
        if (places[k] < 0)
            continue;
        const mc_picture_vehicle *v = &p->vehicles[places[k]];
        double axes[9], offset[3], s[3], moved[3];
        for (int j = 0; j < 3; j++)
            offset[j] =
                impact->point[j] + v->velocity[j] * (p->time - impact->time) - v->surface.centre[j];
        memcpy(moved, offset, sizeof moved);
        if (mat3_det(v->surface.axes) != 0.0) {
            mc_picture_shown_axes(v, p->magnification, axes);
            mat3_solve(v->surface.axes, offset, s);
            mat3_mul_vec(axes, s, moved);
        }
        for (int j = 0; j < 3; j++)
            sum[j] += v->surface.centre[j] + moved[j];
        count++;
    }
    for (int j = 0; j < 3; j++)
        out[j] = count ? sum[j] / count : impact->point[j];
}

// ---- layout ----

typedef struct range {
    double low, high;
} range;

static void range_add(range *r, double low, double high)
{
    r->low = fmin(r->low, low);
    r->high = fmax(r->high, high);
}

// What both views have to hold, by world axis; the size of the smallest vehicle.
static void find_bounds(const mc_picture *p, range bounds[3], double *min_semi)
{
    for (int k = 0; k < 3; k++)
        bounds[k] = (range){HUGE_VAL, -HUGE_VAL};
    *min_semi = HUGE_VAL;
    for (int i = 0; i < p->vehicle_count; i++) {
        const mc_picture_vehicle *v = &p->vehicles[i];
        double axes[9];
        mc_picture_shown_axes(v, p->magnification, axes);
        for (int k = 0; k < 3; k++) {
            const double c = v->surface.centre[k];
            const double e = fmax(vec3_norm(axes + 3 * k), vec3_norm(v->rest_axes + 3 * k));
            range_add(&bounds[k], c - e, c + e);
        }
        mc_picture_ellipse e;
        mc_picture_outline(v->surface.centre, v->rest_axes, MC_PICTURE_VIEW_TOP, &e);
        *min_semi = fmin(*min_semi, e.semi[0]);
    }
    for (int i = 0; i < p->impact_count; i++) {
        double point[3];
        shown_point(p, &p->impacts[i], point);
        for (int k = 0; k < 3; k++)
            range_add(&bounds[k], point[k], point[k]);
    }
    range_add(&bounds[2], p->z_road, p->z_road);
}

// From a vehicle seen from above down to its velocity, to which half the arrow's height is added.
static double arrow_room(const mc_picture_layout *l)
{
    return fmin(fmax(0.33 * l->semi, 5.0), 14.0);
}

// Arrows: the longest is about half a vehicle long, so that neighbours keep apart. Returns the room
// they take below the vehicles.
static double find_arrows(const mc_picture *p, mc_picture_layout *l)
{
    double fastest = 0.0, steepest = 0.0, hardest = 0.0, max = 0.0;
    for (int k = 0; k < 3; k++) {
        l->velocity_mean[k] = 0.0;
        for (int i = 0; i < p->vehicle_count; i++)
            l->velocity_mean[k] += p->vehicles[i].velocity[k] / p->vehicle_count;
    }
    for (int i = 0; i < p->vehicle_count; i++) {
        const double *v = p->vehicles[i].velocity;
        fastest = fmax(fastest, hypot(v[0] - l->velocity_mean[0], v[1] - l->velocity_mean[1]));
        steepest = fmax(steepest, fabs(v[1] - l->velocity_mean[1]));
        max = fmax(max, p->vehicles[i].elastic);
    }
    for (int i = 0; i < p->impact_count; i++)
        hardest = fmax(hardest, fabs(p->impacts[i].impulse));
    if (fastest > min_speed) {
        l->velocity_scale = fmin(fmax(1.1 * l->semi, 10.0), 90.0) / fastest;
        l->velocity_key = svg_round_down(fmin(fastest, max_key / l->velocity_scale));
    }
    if (hardest > 0.0) {
        l->impulse_scale = fmin(fmax(0.66 * l->semi, 9.0), 90.0) / hardest;
        l->impulse_key = svg_round_down(fmin(hardest, max_key / l->impulse_scale));
    }
    l->max_elastic = p->max_elastic > 0.0 ? p->max_elastic : max > 0.0 ? svg_round_up(max) : 1.0;
    return fastest > min_speed ? arrow_room(l) + steepest * l->velocity_scale : 0.0;
}

void mc_picture_layout_find(const mc_picture *picture, mc_picture_layout *out)
{
    range bounds[3];
    *out = (mc_picture_layout){.width = page_width};
    find_bounds(picture, bounds, &out->semi);
    double size[3];
    for (int k = 0; k < 3; k++)
        size[k] = bounds[k].high - bounds[k].low;
    const double room = page_width - 2.0 * (margin + side_room);
    out->scale = fmin(fmin(room / size[0], views_height / (size[1] + size[2])), max_scale);
    const double s = out->scale;
    out->semi *= s;
    const double below = find_arrows(picture, out);
    out->length_key = svg_round_down(fmin(160.0, 0.5 * room) / s);

    double top = head_height;
    for (int view = 0; view < MC_PICTURE_VIEW_COUNT; view++) {
        const range *v = &bounds[view_axis[view][1]];
        const double foot =
            view == MC_PICTURE_VIEW_TOP ? fmax(strip_foot + below, wheel_room) : strip_foot;
        out->view[view].top = top;
        out->view[view].u_px = 0.5 * page_width - 0.5 * (bounds[0].low + bounds[0].high) * s;
        out->view[view].v_px = top + strip_head + v->high * s;
        top += strip_head + (v->high - v->low) * s + foot;
        out->view[view].bottom = top;
        top += strip_gap;
    }
    out->legend_top = top;
    out->height = ceil(top + legend_height);
}

// Lightness falls evenly while the hue goes from cream over orange to crimson, in OKLCh
// (B. Ottosson, 2020).
void mc_picture_colour(double share, unsigned char rgb[3])
{
    const double t = fmin(fmax(share, 0.0), 1.0);
    const double lightness = 0.965 - 0.545 * t;
    const double chroma = 0.035 + 0.135 * (1.0 - (1.0 - t) * (1.0 - t));
    const double hue = (92.0 - 80.0 * t) * (3.14159265358979323846 / 180.0);
    const double a = chroma * cos(hue), b = chroma * sin(hue);
    const double cone[3] = {lightness + 0.3963377774 * a + 0.2158037573 * b,
                            lightness - 0.1055613458 * a - 0.0638541728 * b,
                            lightness - 0.0894841775 * a - 1.2914855480 * b};
    static const double to_rgb[9] = {4.0767416621,  -3.3077115913, 0.2309699292,
                                     -1.2684380046, 2.6097574011,  -0.3413193965,
                                     -0.0041960863, -0.7034186147, 1.7076147010};
    double cubed[3], linear[3];
    for (int k = 0; k < 3; k++)
        cubed[k] = cone[k] * cone[k] * cone[k];
    mat3_mul_vec(to_rgb, cubed, linear);
    for (int k = 0; k < 3; k++) {
        const double x = fmin(fmax(linear[k], 0.0), 1.0);
        const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
        rgb[k] = (unsigned char)lrint(255.0 * y);
    }
}

// ---- writing: small things ----

typedef struct drawing {
    file_writer *out;
    const mc_picture *p;
    mc_picture_layout l;
    mc_picture_view view;
    int *order;         // vehicles, those farther away first
    double (*taken)[2]; // px, centres of labels that stand beside their vehicles
    int taken_count;
} drawing;

static double u_px(const drawing *d, double u)
{
    return d->l.view[d->view].u_px + u * d->l.scale;
}

static double v_px(const drawing *d, double v)
{
    return d->l.view[d->view].v_px - v * d->l.scale;
}

static double arrow_thickness(const drawing *d)
{
    return fmin(fmax(0.06 * d->l.semi, 1.2), 4.0);
}

static double star_radius(const drawing *d)
{
    return fmin(fmax(0.13 * d->l.semi, 3.5), 10.0);
}

static void write_text(file_writer *out, const char *text)
{
    char piece[SVG_PIECE];
    for (int length; (length = svg_text_next(&text, piece)) > 0;)
        file_write(out, piece, (size_t)length);
}

// An arrow from (x, y) by (dx, dy), its point at the far end; nothing when too short to see.
static void write_arrow(file_writer *out, double x, double y, double dx, double dy, double thick,
                        const char *colour)
{
    const double length = hypot(dx, dy);
    if (length < 2.0)
        return;
    const double head = fmin(length, 4.0 * thick), ux = dx / length, uy = dy / length;
    const double neck = length - head, half = 0.5 * thick, wide = 0.45 * head;
    const double along[7] = {0.0, neck, neck, length, neck, neck, 0.0};
    const double across[7] = {half, half, wide, 0.0, -wide, -half, -half};
    file_print(out, "<path d=\"");
    for (int k = 0; k < 7; k++)
        file_print(out, "%s%.5g,%.5g", k ? " " : "M", x + along[k] * ux - across[k] * uy,
                   y + along[k] * uy + across[k] * ux);
    file_print(out,
               "Z\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"2\" stroke-linejoin=\"round\" "
               "paint-order=\"stroke\"/>\n",
               colour);
}

static void write_star(file_writer *out, double x, double y, double radius)
{
    enum { POINTS = 8 };
    file_print(out, "<path d=\"");
    for (int k = 0; k < 2 * POINTS; k++) {
        const double angle = k * 3.14159265358979323846 / POINTS;
        const double r = k % 2 ? 0.45 * radius : radius;
        file_print(out, "%s%.5g,%.5g", k ? " " : "M", x + r * sin(angle), y - r * cos(angle));
    }
    file_print(out,
               "Z\" fill=\"#ffd54a\" stroke=\"%s\" stroke-width=\"1.2\" "
               "stroke-linejoin=\"round\"/>\n",
               CONTACT);
}

// ---- writing: a vehicle ----

// Pieces of a car as SVG paths on the unit disc: x forward, y to the left or up.
#define WHEEL_TOP(x0, x1, x2, x3, y0, y1, y2)                                                      \
    "M" x0 "," y0 "V" y1 "Q" x0 "," y2 " " x1 "," y2 "H" x2 "Q" x3 "," y2 " " x3 "," y1 "V" y0 "Z"
#define WHEELS_TOP                                                                                 \
    WHEEL_TOP(".42", ".46", ".7", ".74", ".7", ".83", ".89")                                       \
    WHEEL_TOP(".42", ".46", ".7", ".74", "-.7", "-.83", "-.89")                                    \
    WHEEL_TOP("-.42", "-.46", "-.7", "-.74", ".7", ".83", ".89")                                   \
    WHEEL_TOP("-.42", "-.46", "-.7", "-.74", "-.7", "-.83", "-.89")
#define GLASS_TOP                                                                                  \
    "M.19,.55L.43,.65Q.66,0 .43,-.65L.19,-.55Q.3,0 .19,.55ZM-.47,.5Q-.56,0 -.47,-.5L-.64,-.55"     \
    "Q-.8,0 -.64,.55Z"
#define LAMPS_TOP                                                                                  \
    "M.78,.54Q.9,.4 .93,.22L.88,.2Q.84,.36 .74,.5ZM.78,-.54Q.9,-.4 .93,-.22L.88,-.2"               \
    "Q.84,-.36 .74,-.5Z"
#define TAILS_TOP                                                                                  \
    "M-.78,.54Q-.9,.4 -.93,.22L-.88,.2Q-.84,.36 -.74,.5ZM-.78,-.54Q-.9,-.4 -.93,-.22"              \
    "L-.88,-.2Q-.84,-.36 -.74,-.5Z"
#define GLASS_SIDE "M.6,.24C.5,.52 .32,.74 .04,.79V.24ZM-.06,.24V.79C-.36,.77 -.6,.62 -.74,.24Z"
#define LAMPS_SIDE "M.95,.1Q.99,-.02 .95,-.14L.88,-.1Q.9,-.02 .88,.06Z"
#define TAILS_SIDE "M-.95,.1Q-.99,-.02 -.95,-.14L-.88,-.1Q-.9,-.02 -.88,.06Z"
#define GLASS_END "M-.62,.24Q-.5,.79 0,.79Q.5,.79 .62,.24Z" // from the front or from behind

// From the disc to px: origin + x forward + y left (or up). The symmetric root of S is the stretch
// of the outline without a turn, so that the front stays where the heading points.
typedef struct disc {
    double origin[2], x[2], y[2];
} disc;

static disc disc_of(const drawing *d, const mc_picture_vehicle *v, const double axes[9])
{
    double uu, uv, vv;
    outline_matrix(axes, d->view, &uu, &uv, &vv);
    // sqrt(S) = (S + sqrt(det S) I) / sqrt(trace S + 2 sqrt(det S)) for 2 x 2
    const double root = sqrt(fmax(uu * vv - uv * uv, 0.0)), whole = sqrt(uu + vv + 2.0 * root);
    const double f = whole > 0.0 ? d->l.scale / whole : 0.0;
    const double m[3] = {f * (uu + root), f * uv, f * (vv + root)};
    const int top = d->view == MC_PICTURE_VIEW_TOP;
    const double c = top ? cos(v->heading) : cos(v->heading) < 0.0 ? -1.0 : 1.0;
    const double s = top ? sin(v->heading) : 0.0;
    const double left[2] = {-s, top ? c : 1.0};
    return (disc){
        {u_px(d, v->surface.centre[0]), v_px(d, v->surface.centre[view_axis[d->view][1]])},
        {m[0] * c + m[1] * s, -(m[1] * c + m[2] * s)},
        {m[0] * left[0] + m[1] * left[1], -(m[1] * left[0] + m[2] * left[1])}};
}

static double disc_px(const disc *q, int k, double x, double y)
{
    return q->origin[k] + x * q->x[k] + y * q->y[k];
}

static void write_piece(file_writer *out, const disc *q, const char *path, const char *fill)
{
    file_print(out,
               "<path transform=\"matrix(%.5g %.5g %.5g %.5g %.5g %.5g)\" d=\"%s\" fill=\"%s\"/>\n",
               q->x[0], q->x[1], q->y[0], q->y[1], q->origin[0], q->origin[1], path, fill);
}

static void write_ellipse(const drawing *d, const double centre[3], const double axes[9],
                          const char *attributes)
{
    mc_picture_ellipse e;
    mc_picture_outline(centre, axes, d->view, &e);
    file_print(d->out,
               "<ellipse rx=\"%.5g\" ry=\"%.5g\" transform=\"translate(%.5g %.5g) rotate(%.5g)\" "
               "%s/>\n",
               e.semi[0] * d->l.scale, e.semi[1] * d->l.scale, u_px(d, e.centre[0]),
               v_px(d, e.centre[1]), -e.angle * (180.0 / 3.14159265358979323846), attributes);
}

// Two wheels on the road, as far as they reach.
static void write_wheels_side(const drawing *d, const disc *q, const mc_picture_vehicle *v)
{
    const double length = fabs(q->x[0]), height = fabs(q->y[1]);
    const int end_view = fabs(cos(v->heading)) < 0.3;
    const double radius = (end_view ? 0.26 : 0.22) * length;
    const double lowest = q->origin[1] + 1.2 * height, highest = q->origin[1] + 0.5 * height;
    const double y = fmin(fmax(v_px(d, d->p->z_road) - radius, highest), lowest);
    for (int side = -1; side <= 1; side += 2) {
        const double x = q->origin[0] + side * 0.58 * length;
        if (end_view) {
            file_print(d->out,
                       "<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\" rx=\"%.5g\" "
                       "fill=\"" INK "\"/>\n",
                       x - 0.45 * radius, y - radius, 0.9 * radius, 2.0 * radius, 0.2 * radius);
            continue;
        }
        file_print(d->out,
                   "<circle cx=\"%.5g\" cy=\"%.5g\" r=\"%.5g\" fill=\"" INK
                   "\" stroke=\"#fff\" stroke-width=\"0.8\"/>"
                   "<circle cx=\"%.5g\" cy=\"%.5g\" r=\"%.5g\" fill=\"#c9d0d8\"/>\n",
                   x, y, radius, x, y, 0.45 * radius);
    }
}

// Is there room for a label above vehicle number `index`? Not where another label is, nor from the
// side where a nearer vehicle would seem to be meant.
static int label_has_room(const drawing *d, int index, double x, double y, double width,
                          double height)
{
    for (int k = 0; k < d->taken_count; k++)
        if (fabs(d->taken[k][0] - x) < width && fabs(d->taken[k][1] - y) < height)
            return 0;
    for (int k = d->p->vehicle_count - 1; d->view == MC_PICTURE_VIEW_SIDE && d->order[k] != index;
         k--)
        if (fabs(u_px(d, d->p->vehicles[d->order[k]].surface.centre[0]) - x) < d->l.semi)
            return 0;
    return 1;
}

// The label inside where a legible size fits, otherwise above.
static void write_label(drawing *d, const disc *q, int index, int dark)
{
    char number[16];
    const mc_picture_vehicle *v = &d->p->vehicles[index];
    snprintf(number, sizeof number, "%d", index + 1);
    const char *label = v->label[0] ? v->label : number;
    mc_picture_ellipse e;
    mc_picture_outline(v->surface.centre, v->rest_axes, d->view, &e);
    const double large = e.semi[0] * d->l.scale, small = e.semi[1] * d->l.scale;
    const double width = glyph_width * svg_text_length(label); // of the font size
    const double fit = fmin(fmin(0.7 * small, 0.66 * large / width), 44.0);
    double size = 11.0, x = q->origin[0], y = q->origin[1] - e.extent[1] * d->l.scale - 3.0;
    if (fit >= min_label) {
        const int top = d->view == MC_PICTURE_VIEW_TOP; // between the windows, below the windows
        size = fit;
        x = disc_px(q, 0, top ? -0.14 : 0.0, top ? 0.0 : -0.14);
        y = disc_px(q, 1, top ? -0.14 : 0.0, top ? 0.0 : -0.14) + 0.36 * size;
    } else if (label_has_room(d, index, x, y, size * (width + 0.5), size)) {
        d->taken[d->taken_count][0] = x;
        d->taken[d->taken_count++][1] = y;
    } else {
        return;
    }
    file_print(d->out,
               "<text x=\"%.5g\" y=\"%.5g\" font-size=\"%.3g\" font-weight=\"bold\" "
               "text-anchor=\"middle\" fill=\"%s\">",
               x, y, size, dark && fit >= min_label ? "#fff" : INK);
    write_text(d->out, label);
    file_print(d->out, "</text>\n");
}

static void write_vehicle(drawing *d, int index)
{
    const mc_picture_vehicle *v = &d->p->vehicles[index];
    const int top = d->view == MC_PICTURE_VIEW_TOP;
    const int end_view = !top && fabs(cos(v->heading)) < 0.3;
    double axes[9];
    mc_picture_shown_axes(v, d->p->magnification, axes);
    const disc q = disc_of(d, v, axes);
    const int detailed = hypot(q.x[0], q.x[1]) >= min_detail;
    unsigned char rgb[3];
    char body[128];
    const double share = v->elastic / d->l.max_elastic;
    mc_picture_colour(share, rgb);
    snprintf(body, sizeof body, "fill=\"#%02x%02x%02x\" stroke=\"" INK "\" stroke-width=\"%.3g\"",
             rgb[0], rgb[1], rgb[2], detailed ? 1.4 : 0.7);

    file_print(d->out, "<g>\n");
    if (detailed && top)
        write_piece(d->out, &q, WHEELS_TOP, INK);
    write_ellipse(d, v->surface.centre, axes, body);
    if (detailed) {
        write_piece(d->out, &q, top ? GLASS_TOP : end_view ? GLASS_END : GLASS_SIDE, "#5b6b7b");
        if (!end_view) {
            write_piece(d->out, &q, top ? LAMPS_TOP : LAMPS_SIDE, "#ffd21f");
            write_piece(d->out, &q, top ? TAILS_TOP : TAILS_SIDE, "#e0142c");
        }
    }
    write_ellipse(d, v->surface.centre, v->rest_axes,
                  "fill=\"none\" stroke=\"#3d4854\" stroke-width=\"1\" stroke-dasharray=\"4 3\"");
    if (detailed && !top)
        write_wheels_side(d, &q, v);
    write_label(d, &q, index, share > 0.55);
    file_print(d->out, "</g>\n");
}

// ---- writing: the views ----

static void write_impact(const drawing *d, const mc_picture_impact *impact)
{
    double point[3];
    shown_point(d->p, impact, point);
    const int u = view_axis[d->view][0], v = view_axis[d->view][1];
    const double x = u_px(d, point[u]), y = v_px(d, point[v]);
    const double length = impact->impulse * d->l.impulse_scale;
    const double dx = length * impact->normal[u], dy = -length * impact->normal[v];
    write_arrow(d->out, x, y, dx, dy, arrow_thickness(d), CONTACT);
    write_arrow(d->out, x, y, -dx, -dy, arrow_thickness(d), CONTACT);
    write_star(d->out, x, y, star_radius(d));
}

// Below the vehicle, where it hides neither the label nor the contacts.
static void write_velocity(const drawing *d, const mc_picture_vehicle *v)
{
    double axes[9];
    mc_picture_shown_axes(v, d->p->magnification, axes);
    const double extent = fmax(vec3_norm(axes + 3), vec3_norm(v->rest_axes + 3));
    const double x = u_px(d, v->surface.centre[0]);
    const double dx = (v->velocity[0] - d->l.velocity_mean[0]) * d->l.velocity_scale;
    const double dy = -(v->velocity[1] - d->l.velocity_mean[1]) * d->l.velocity_scale;
    const double y = v_px(d, v->surface.centre[1] - extent) + arrow_room(&d->l) + 0.5 * fabs(dy);
    write_arrow(d->out, x - 0.5 * dx, y - 0.5 * dy, dx, dy, arrow_thickness(d), INK);
}

static void write_view(drawing *d, mc_picture_view view)
{
    static const char *const names[] = {"FROM ABOVE", "FROM THE SIDE"};
    d->view = view;
    d->taken_count = 0;
    const double top = d->l.view[view].top, bottom = d->l.view[view].bottom;
    file_print(d->out,
               "<g>\n<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\" rx=\"6\" "
               "fill=\"#f4f6f8\"/>\n",
               margin, top, page_width - 2.0 * margin, bottom - top);
    if (view == MC_PICTURE_VIEW_SIDE) {
        const double road = v_px(d, d->p->z_road);
        file_print(d->out,
                   "<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\" fill=\"#dfe3e8\"/>"
                   "<path d=\"M%.5g,%.5gH%.5g\" stroke=\"" INK "\" stroke-width=\"1.5\"/>\n",
                   margin, road, page_width - 2.0 * margin, fmin(bottom - road, 8.0), margin, road,
                   page_width - margin);
    }
    file_print(d->out,
               "<text x=\"%.5g\" y=\"%.5g\" font-size=\"11\" letter-spacing=\"1\" "
               "fill=\"" FAINT "\">%s</text>\n",
               margin + 12.0, top + 19.0, names[view]);
    for (int i = 0; i < d->p->vehicle_count; i++)
        write_vehicle(d, d->order[i]);
    for (int i = 0; i < d->p->vehicle_count && view == MC_PICTURE_VIEW_TOP; i++)
        write_velocity(d, &d->p->vehicles[i]);
    for (int i = 0; i < d->p->impact_count; i++)
        write_impact(d, &d->p->impacts[i]);
    file_print(d->out, "</g>\n");
}

// ---- writing: around the views ----

static void write_head(const drawing *d)
{
    const mc_picture *p = d->p;
    const char *title = p->title ? p->title : "";
    file_print(d->out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.5g %.5g\" "
               "width=\"%.5g\" height=\"%.5g\" role=\"img\" "
               "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n<title>",
               d->l.width, d->l.height, d->l.width, d->l.height);
    write_text(d->out, title);
    file_print(d->out, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    const double size =
        fmin(24.0, (page_width - 2.0 * margin) / (glyph_width * (svg_text_length(title) + 1)));
    file_print(d->out,
               "<text x=\"%.5g\" y=\"36\" font-size=\"%.3g\" font-weight=\"bold\" "
               "fill=\"" INK "\">",
               margin, size);
    write_text(d->out, title);
    const double speed = vec3_norm(d->l.velocity_mean);
    file_print(d->out,
               "</text>\n<text x=\"%.5g\" y=\"59\" font-size=\"14\" fill=\"" FAINT "\">"
               "t = %.3f s \u00b7 deformation magnified %.4g times \u00b7 mean speed %.1f m/s "
               "(%.0f km/h)</text>\n",
               margin, p->time, p->magnification, speed, 3.6 * speed);
}

// A key of the legend ends here; returns where the next begins.
static double write_key(file_writer *out, double x, double y, const char *text)
{
    file_print(out, "<text x=\"%.5g\" y=\"%.5g\" font-size=\"13\" fill=\"" INK "\">%s</text>\n", x,
               y + 4.5, text);
    return x + 13.0 * glyph_width * svg_text_length(text) * 0.9 + 26.0;
}

static void write_colour_bar(const drawing *d, double x, double y, double width)
{
    enum { STOPS = 12 };
    file_print(d->out, "<defs><linearGradient id=\"elastic\">");
    for (int k = 0; k <= STOPS; k++) {
        unsigned char rgb[3];
        mc_picture_colour((double)k / STOPS, rgb);
        file_print(d->out, "<stop offset=\"%.4g\" stop-color=\"#%02x%02x%02x\"/>",
                   (double)k / STOPS, rgb[0], rgb[1], rgb[2]);
    }
    file_print(d->out,
               "</linearGradient></defs>\n<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" "
               "height=\"14\" fill=\"url(#elastic)\" stroke=\"" INK "\" stroke-width=\"0.8\"/>\n"
               "<text x=\"%.5g\" y=\"%.5g\" font-size=\"13\" fill=\"" INK
               "\">elastic energy</text>\n",
               x, y - 7.0, width, x, y - 13.0);
    for (int k = 0; k <= 2; k++)
        file_print(d->out,
                   "<text x=\"%.5g\" y=\"%.5g\" font-size=\"12\" text-anchor=\"%s\" fill=\"" INK
                   "\">%.4g%s</text>\n",
                   x + 0.5 * k * width, y + 22.0,
                   k == 2   ? "end"
                   : k == 1 ? "middle"
                            : "start",
                   0.5 * k * d->l.max_elastic, k == 2 ? " J" : "");
}

static void write_legend(const drawing *d)
{
    char text[64];
    const double y = d->l.legend_top + 24.0, bar = d->l.length_key * d->l.scale;
    double x = margin;
    file_print(d->out,
               "<path d=\"M%.5g,%.5gv8m0,-4h%.5gm0,-4v8\" fill=\"none\" stroke=\"" INK
               "\" stroke-width=\"1.6\"/>\n",
               x, y - 4.0, bar);
    snprintf(text, sizeof text, "%.4g m", d->l.length_key);
    x = write_key(d->out, x + bar + 8.0, y, text);
    file_print(d->out,
               "<ellipse cx=\"%.5g\" cy=\"%.5g\" rx=\"16\" ry=\"9\" fill=\"none\" "
               "stroke=\"#3d4854\" stroke-dasharray=\"4 3\"/>\n",
               x + 16.0, y);
    x = write_key(d->out, x + 40.0, y, "undeformed");
    if (d->l.velocity_scale > 0.0) {
        const double length = d->l.velocity_key * d->l.velocity_scale;
        write_arrow(d->out, x, y, length, 0.0, arrow_thickness(d), INK);
        snprintf(text, sizeof text, "%.4g m/s relative to the mean", d->l.velocity_key);
        x = write_key(d->out, x + length + 8.0, y, text);
    }
    if (d->l.impulse_scale > 0.0) {
        const double length = d->l.impulse_key * d->l.impulse_scale;
        const double radius = star_radius(d);
        write_arrow(d->out, x + radius, y, length, 0.0, arrow_thickness(d), CONTACT);
        write_star(d->out, x + radius, y, radius);
        snprintf(text, sizeof text, "contact, %.6g N s", d->l.impulse_key);
        write_key(d->out, x + radius + length + 8.0, y, text);
    }
    write_colour_bar(d, page_width - margin - 230.0, y, 230.0);
}

// ---- the whole ----

static int all_finite(const double *values, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return 0;
    return 1;
}

static mc_status check(const char *path, const mc_picture *p, mc_error *error)
{
    const double numbers[] = {p->time, p->magnification, p->z_road, p->max_elastic};
    if (p->vehicle_count < 1)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "a picture needs a vehicle");
    if (!all_finite(numbers, 4))
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "time, magnification, road height and energy must be finite");
    for (int i = 0; i < p->vehicle_count; i++) {
        const mc_picture_vehicle *v = &p->vehicles[i];
        if (!all_finite(v->surface.centre, 3) || !all_finite(v->surface.axes, 9) ||
            !all_finite(v->rest_axes, 9) || !all_finite(v->velocity, 3) ||
            !all_finite(&v->heading, 1) || !all_finite(&v->elastic, 1) ||
            !memchr(v->label, '\0', sizeof v->label))
            return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                                "vehicle %d: a number is not finite or the label has no end",
                                i + 1);
    }
    for (int i = 0; i < p->impact_count; i++) {
        const mc_picture_impact *c = &p->impacts[i];
        if (!all_finite(c->point, 3) || !all_finite(c->normal, 3) || !isfinite(c->impulse) ||
            !isfinite(c->time) || c->a < -1 || c->a >= p->vehicle_count || c->b < -1 ||
            c->b >= p->vehicle_count)
            return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                                "impact %d: a number is not finite or a vehicle not in the "
                                "picture",
                                i + 1);
    }
    return MC_OK;
}

// Far to near for the view from the side, where a small y is near. Few vehicles and mostly in one
// lane: insertion keeps equals in their order.
static void sort_by_distance(const mc_picture *p, int *order)
{
    for (int i = 0; i < p->vehicle_count; i++) {
        int j = i;
        for (; j > 0 &&
               p->vehicles[order[j - 1]].surface.centre[1] < p->vehicles[i].surface.centre[1];
             j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
}

static void write_all(drawing *d)
{
    const svg_locale locale = svg_locale_begin();
    write_head(d);
    for (int view = 0; view < MC_PICTURE_VIEW_COUNT; view++)
        write_view(d, (mc_picture_view)view);
    write_legend(d);
    file_print(d->out, "</svg>\n");
    svg_locale_end(locale);
}

mc_status mc_picture_write(const char *path, const mc_picture *picture, mc_error *error)
{
    mc_error own; // the caller may not want to know
    error = error ? error : &own;
    mc_status status = check(path, picture, error);
    if (status != MC_OK)
        return status;
    const size_t count = (size_t)picture->vehicle_count;
    drawing d = {.p = picture,
                 .order = malloc(count * sizeof *d.order),
                 .taken = malloc(count * sizeof *d.taken)};
    if (!d.order || !d.taken)
        status = mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    else if (!(d.out = file_writer_open(path, error)))
        status = error->code;
    if (status == MC_OK) {
        sort_by_distance(picture, d.order);
        mc_picture_layout_find(picture, &d.l);
        write_all(&d);
        status = file_writer_commit(d.out, error);
    }
    free(d.taken);
    free(d.order);
    return status;
}
