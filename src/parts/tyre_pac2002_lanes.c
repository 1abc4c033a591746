// tyre_pac2002_lanes.c - the Magic Formula in its form of 2002 (PAC2002; Pacejka, Tyre and Vehicle
// Dynamics, 2002, appendix), without turn slip and inflation pressure.
//
// d = (Fz - F0) / F0 with F0 = FNOMIN LFZO; every scaling factor L.. multiplies its quantity; E are
// at most 1. alpha > 0 for v_y > 0; g: camber.
//
//   M(C, E, w) = sin(C atan(w - E (w - atan w))),   N: the same with cos
//   pure slip    Fx0 = Dx M(Cx, Ex, Bx k) + SVx,   k = kappa + SHx,   Bx = Kx / (Cx Dx)
//                Dx = Fz (PDX1 + PDX2 d) (1 - PDX3 g^2),  Kx = Fz (PKX1 + PKX2 d) exp(PKX3 d)
//                Ex = (PEX1 + PEX2 d + PEX3 d^2) (1 - PEX4 sgn k)
//                SHx = PHX1 + PHX2 d,  SVx = Fz (PVX1 + PVX2 d)
//                Fy0 = Dy M(Cy, Ey, By a) + SVy,   a = alpha + SHy,   By = Ky / (Cy Dy)
//                Dy = Fz (PDY1 + PDY2 d) (1 - PDY3 g^2)
//                Ky = PKY1 F0 sin(2 atan(Fz / (PKY2 F0))) (1 - PKY3 |g|)
//                Ey = (PEY1 + PEY2 d) (1 - (PEY3 + PEY4 g) sgn a)
//                SHy = PHY1 + PHY2 d + PHY3 g,  SVy = Fz (PVY1 + PVY2 d + (PVY3 + PVY4 d) g)
//   combined     Fx = Fx0 N(Cxa, Exa, Bxa (alpha + SHxa)) / N(Cxa, Exa, Bxa SHxa)
//                Bxa = RBX1 cos(atan(RBX2 kappa)),  Exa = REX1 + REX2 d,  SHxa = RHX1
//                Fy = Fy0 N(Cyk, Eyk, Byk (kappa + SHyk)) / N(Cyk, Eyk, Byk SHyk) + SVyk
//                Byk = RBY1 cos(atan(RBY2 (alpha - RBY3))),  Eyk = REY1 + REY2 d,
//                SHyk = RHY1 + RHY2 d,  SVyk = Dy (RVY1 + RVY2 d + RVY3 g) cos(atan(RVY4 alpha))
//                sin(RVY5 atan(RVY6 kappa))
//   moment       Mz = -t (Fy - SVyk) + Mr + s Fx
//                t = Dt N(Ct, Et, Bt at) cos alpha,  at = alpha + SHt
//                Mr = Dr cos(atan(Br ar)) cos alpha,  ar = alpha + SHy + SVy / Ky;
//                with combined slip tan at and tan ar are lengthened by Kx kappa / Ky;
//                s = R0 (SSZ1 + SSZ2 Fy / F0 + (SSZ3 + SSZ4 d) g)
//   relaxation   sigma_x = Fz (PTX1 + PTX2 d) exp(-PTX3 d) R0 / FNOMIN
//                sigma_y = PTY1 sin(2 atan(Fz / (PTY2 F0))) (1 - PKY3 |g|) R0 LFZO,
//                neither below 0.3 R0
//
// Three things differ from the published formulas: the weights N/N are not below 0 (at large slip
// they would turn a force round), loads outside FZMIN .. FZMAX have the friction of its ends, and
// shifts fade below VXLOW (tyre_relaxation.h), so that a standing wheel does not push. Friction of
// the road scales D and SV. Right wheels are the mirror image of left ones.
#include "parts/tyre_pac2002.h"
#include "parts/tyre_relaxation.h"

#define COEFFICIENT(name) lanes_set(c[PAC2002_##name])

static inline lanes angle(lanes c, lanes e, lanes w) // C atan(w - E (w - atan w))
{
    return c * lanes_atan(w - e * (w - lanes_atan(w)));
}

static inline lanes sine_of(lanes a)
{
    lanes sine, cosine;
    lanes_sincos(a, &sine, &cosine);
    return sine;
}

static inline lanes cosine_of(lanes a)
{
    lanes sine, cosine;
    lanes_sincos(a, &sine, &cosine);
    return cosine;
}

static inline lanes cosine_atan(lanes w) // cos(atan w)
{
    return lanes_set(1.0) / lanes_sqrt(lanes_fma(w, w, lanes_set(1.0)));
}

static inline lanes sine_2_atan(lanes w) // sin(2 atan w)
{
    return lanes_set(2.0) * w / lanes_fma(w, w, lanes_set(1.0));
}

static inline lanes line(double a, double b, lanes d) // a + b d
{
    return lanes_fma(lanes_set(b), d, lanes_set(a));
}

#define LINE(first, second) line(c[PAC2002_##first], c[PAC2002_##second], d)

typedef struct wheels {    // four of them: what does not depend on slip
    lanes fz, scale, d;    // N, load within the range; load over that; d of the formulas
    lanes camber, mu;      // rad, of a tyre on the left; -
    lanes peak_x, slope_x; // N: Dx, Kx
    lanes peak_y, slope_y; // N: Dy, Ky (below 0)
    lanes shift_x, base_x, shift_y, base_y; // SHx, SVx, SHy, SVy
    lanes sigma_x, sigma_y;
} wheels;

static inline void prepare_x(const double *c, wheels *w)
{
    const lanes one = lanes_set(1.0), tiny = lanes_set(1e-30), d = w->d;
    const lanes g = w->camber * COEFFICIENT(LGAX), mu = w->mu * COEFFICIENT(LMUX);
    w->peak_x = lanes_max(w->fz * mu * LINE(PDX1, PDX2) * (one - COEFFICIENT(PDX3) * g * g), tiny);
    w->slope_x = lanes_max(
        w->fz * LINE(PKX1, PKX2) * lanes_exp(COEFFICIENT(PKX3) * d) * COEFFICIENT(LKX), tiny);
    w->shift_x = LINE(PHX1, PHX2) * COEFFICIENT(LHX);
    w->base_x = w->fz * mu * LINE(PVX1, PVX2) * COEFFICIENT(LVX);
    const lanes sigma =
        w->fz * LINE(PTX1, PTX2) * lanes_exp(-COEFFICIENT(PTX3) * d) *
        lanes_set(c[PAC2002_UNLOADED_RADIUS] * c[PAC2002_LSGKP] / c[PAC2002_FNOMIN]);
    w->sigma_x = lanes_max(sigma, lanes_set(PAC2002_RELAXATION_MIN * c[PAC2002_UNLOADED_RADIUS]));
}

static inline void prepare_y(const double *c, wheels *w)
{
    const lanes one = lanes_set(1.0), tiny = lanes_set(1e-30), d = w->d;
    const lanes g = w->camber * COEFFICIENT(LGAY), mu = w->mu * COEFFICIENT(LMUY);
    const double nominal = c[PAC2002_FNOMIN] * c[PAC2002_LFZO];
    const lanes lean = one - COEFFICIENT(PKY3) * lanes_abs(g);
    w->peak_y = lanes_max(w->fz * mu * LINE(PDY1, PDY2) * (one - COEFFICIENT(PDY3) * g * g), tiny);
    w->slope_y = lanes_min(lanes_set(c[PAC2002_PKY1] * nominal * c[PAC2002_LKY]) * lean *
                               sine_2_atan(w->fz * lanes_set(1.0 / (c[PAC2002_PKY2] * nominal))),
                           -tiny);
    w->shift_y = lanes_fma(COEFFICIENT(PHY3), g, LINE(PHY1, PHY2) * COEFFICIENT(LHY));
    w->base_y = w->fz * mu * lanes_fma(LINE(PVY3, PVY4), g, LINE(PVY1, PVY2) * COEFFICIENT(LVY));
    const double length = c[PAC2002_UNLOADED_RADIUS] * c[PAC2002_LFZO] * c[PAC2002_LSGAL];
    const lanes sigma = lanes_set(c[PAC2002_PTY1] * length) * lean *
                        sine_2_atan(w->fz / lanes_set(c[PAC2002_PTY2] * nominal + 1e-9));
    w->sigma_y = lanes_max(sigma, lanes_set(PAC2002_RELAXATION_MIN * c[PAC2002_UNLOADED_RADIUS]));
}

static inline wheels prepare(const pac2002_tyre *t, const tyre_in *in, int i, lanes side)
{
    const double *c = t->c, nominal = c[PAC2002_FNOMIN] * c[PAC2002_LFZO];
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    const lanes load = lanes_max(lanes_load(in->fz + i), zero);
    wheels w = {.mu = in->mu ? lanes_load(in->mu + i) : one,
                .camber = in->camber ? side * lanes_load(in->camber + i) : zero};
    w.fz = lanes_max(lanes_min(load, COEFFICIENT(FZMAX)), COEFFICIENT(FZMIN));
    w.scale = load / w.fz;
    w.d = (w.fz - lanes_set(nominal)) * lanes_set(1.0 / nominal);
    prepare_x(c, &w);
    prepare_y(c, &w);
    return w;
}

static inline lanes pure_x(const double *c, const wheels *w, lanes kappa, lanes rolling)
{
    const lanes one = lanes_set(1.0), d = w->d, k = lanes_fma(rolling, w->shift_x, kappa);
    const lanes shape = lanes_set(c[PAC2002_PCX1] * c[PAC2002_LCX]);
    const lanes way = COEFFICIENT(PEX4);
    const lanes bend = COEFFICIENT(LEX) * lanes_fma(d, LINE(PEX2, PEX3), COEFFICIENT(PEX1)) *
                       (one - lanes_select(k < lanes_set(0.0), -way, way));
    const lanes b = w->slope_x * k / (shape * w->peak_x);
    return lanes_fma(w->peak_x, sine_of(angle(shape, lanes_min(bend, one), b)),
                     rolling * w->base_x);
}

static inline lanes pure_y(const double *c, const wheels *w, lanes alpha, lanes rolling)
{
    const lanes one = lanes_set(1.0), d = w->d, a = lanes_fma(rolling, w->shift_y, alpha);
    const lanes shape = lanes_set(c[PAC2002_PCY1] * c[PAC2002_LCY]);
    const lanes way =
        lanes_fma(COEFFICIENT(PEY4), w->camber * COEFFICIENT(LGAY), COEFFICIENT(PEY3));
    const lanes bend =
        COEFFICIENT(LEY) * LINE(PEY1, PEY2) * (one - lanes_select(a < lanes_set(0.0), -way, way));
    const lanes b = w->slope_y * a / (shape * w->peak_y);
    return lanes_fma(w->peak_y, sine_of(angle(shape, lanes_min(bend, one), b)),
                     rolling * w->base_y);
}

static inline lanes weight(lanes shape, lanes bend, lanes slope, lanes slip, lanes shift)
{
    const lanes at = cosine_of(angle(shape, bend, slope * (slip + shift)));
    const lanes zero = cosine_of(angle(shape, bend, slope * shift));
    return lanes_max(at / lanes_max(zero, lanes_set(0.01)), lanes_set(0.0));
}

// What one slip leaves of the force of the other, and the side force that kappa brings.
static inline void combine(const double *c, const wheels *w, const relaxation_slip *r, lanes kappa,
                           lanes alpha, lanes *fx, lanes *fy, lanes *induced)
{
    const lanes one = lanes_set(1.0), d = w->d;
    const lanes slope_x =
        lanes_set(c[PAC2002_RBX1] * c[PAC2002_LXAL]) * cosine_atan(COEFFICIENT(RBX2) * kappa);
    const lanes slope_y = lanes_set(c[PAC2002_RBY1] * c[PAC2002_LYKA]) *
                          cosine_atan(COEFFICIENT(RBY2) * (alpha - r->rolling * COEFFICIENT(RBY3)));
    const lanes lift = w->peak_y * lanes_fma(COEFFICIENT(RVY3), w->camber, LINE(RVY1, RVY2)) *
                       lanes_set(c[PAC2002_LVYKA]) * cosine_atan(COEFFICIENT(RVY4) * alpha);
    *induced =
        r->rolling * lift * sine_of(COEFFICIENT(RVY5) * lanes_atan(COEFFICIENT(RVY6) * kappa));
    *fx = *fx * weight(COEFFICIENT(RCX1), lanes_min(LINE(REX1, REX2), one), slope_x, alpha,
                       r->rolling * COEFFICIENT(RHX1));
    *fy = *fy * weight(COEFFICIENT(RCY1), lanes_min(LINE(REY1, REY2), one), slope_y, kappa,
                       r->rolling * LINE(RHY1, RHY2));
}

// tan a lengthened by the other slip, as an angle with the sign of a.
static inline lanes longer(lanes a, lanes other)
{
    lanes sine, cosine;
    lanes_sincos(a, &sine, &cosine);
    const lanes tangent = sine / lanes_max(cosine, lanes_set(1e-9));
    const lanes size = lanes_atan(relaxation_norm(tangent, other));
    return lanes_select(a < lanes_set(0.0), -size, size);
}

static inline lanes moment(const pac2002_tyre *t, const wheels *w, lanes kappa, lanes alpha,
                           lanes rolling, lanes fx, lanes fy, lanes induced)
{
    const double *c = t->c, nominal = c[PAC2002_FNOMIN] * c[PAC2002_LFZO];
    const lanes one = lanes_set(1.0), d = w->d, g = w->camber * COEFFICIENT(LGAZ);
    const lanes radius = COEFFICIENT(UNLOADED_RADIUS), mu = w->mu * COEFFICIENT(LMUY);
    const lanes per_mu = COEFFICIENT(LKY) / lanes_max(mu, lanes_set(1e-3));
    const lanes shift = lanes_fma(LINE(QHZ3, QHZ4), g, LINE(QHZ1, QHZ2));
    const lanes slope =
        lanes_fma(d, LINE(QBZ2, QBZ3), COEFFICIENT(QBZ1)) * per_mu *
        lanes_fma(COEFFICIENT(QBZ5), lanes_abs(g), lanes_fma(COEFFICIENT(QBZ4), g, one));
    const lanes peak = w->fz * LINE(QDZ1, QDZ2) *
                       lanes_fma(g, lanes_fma(COEFFICIENT(QDZ4), g, COEFFICIENT(QDZ3)), one) *
                       radius * lanes_set(c[PAC2002_LTR] / nominal);
    const lanes rest =
        w->fz * radius * mu * lanes_fma(LINE(QDZ8, QDZ9), g, LINE(QDZ6, QDZ7) * COEFFICIENT(LRES));
    const lanes fade =
        lanes_fma(COEFFICIENT(QBZ10), w->slope_y / w->peak_y, COEFFICIENT(QBZ9) * per_mu);
    lanes at = lanes_fma(rolling, shift, alpha);
    lanes ar = lanes_fma(rolling, w->shift_y + w->base_y / w->slope_y, alpha);
    lanes lever = lanes_set(0.0);
    if (t->mode == PAC2002_MODE_ALL) {
        const lanes other = w->slope_x / w->slope_y * kappa;
        at = longer(at, other), ar = longer(ar, other);
        lever = radius * COEFFICIENT(LS) *
                lanes_fma(
                    LINE(SSZ3, SSZ4), g,
                    lanes_fma(COEFFICIENT(SSZ2) * lanes_set(1.0 / nominal), fy, COEFFICIENT(SSZ1)));
    }
    const lanes way = lanes_fma(COEFFICIENT(QEZ5), g, COEFFICIENT(QEZ4)) *
                      lanes_set(2.0 / 3.14159265358979323846) *
                      lanes_atan(slope * COEFFICIENT(QCZ1) * at);
    const lanes bend =
        lanes_min(lanes_fma(d, LINE(QEZ2, QEZ3), COEFFICIENT(QEZ1)) * (one + way), one);
    const lanes cosine = cosine_of(alpha);
    const lanes trail = peak * cosine_of(angle(COEFFICIENT(QCZ1), bend, slope * at)) * cosine;
    const lanes residual = rolling * rest * cosine_atan(fade * ar) * cosine;
    return lanes_fma(lever, fx, residual) - trail * (fy - induced);
}

void LANES_NAME(pac2002_eval)(const double *p, int n, const tyre_in *in, const double *x,
                              double *drive, const tyre_out *out)
{
    const pac2002_tyre *t = in->context;
    const lanes zero = lanes_set(0.0), two = lanes_set(2.0), own = lanes_set(t->side);
    relaxation_law law = {
        .v_low = t->v_low, .damping = p[PAC2002_DAMPING], .ellipse = p[PAC2002_ELLIPSE]};
    for (int i = 0; i < n; i += LANES) {
        const lanes side = in->side ? own * lanes_load(in->side + i) : own;
        const wheels w = prepare(t, in, i, side);
        law.sigma_x = w.sigma_x, law.sigma_y = w.sigma_y;
        law.grip_x = two * w.peak_x / w.slope_x, law.grip_y = -two * w.peak_y / w.slope_y;
        law.limit_x = w.scale * (w.peak_x + lanes_abs(w.base_x));
        law.limit_y = w.scale * (w.peak_y + lanes_abs(w.base_y));
        const relaxation_slip r = relaxation_begin(&law, in, x, n, i);
        const lanes kappa = r.s_x, alpha = -side * lanes_atan(r.s_y);
        const bool has_x = t->mode != PAC2002_MODE_VERTICAL && t->mode != PAC2002_MODE_Y;
        const bool has_y = t->mode != PAC2002_MODE_VERTICAL && t->mode != PAC2002_MODE_X;
        lanes fx = has_x ? pure_x(t->c, &w, kappa, r.rolling) : zero, induced = zero;
        lanes fy = has_y ? pure_y(t->c, &w, alpha, r.rolling) : zero;
        if (t->mode == PAC2002_MODE_ALL)
            combine(t->c, &w, &r, kappa, alpha, &fx, &fy, &induced);
        const lanes all_y = fy + induced;
        relaxation_store(&law, &r, w.scale * fx, side * w.scale * all_y, in, n, i, drive, out);
        if (out->mz)
            lanes_store(out->mz + i,
                        has_y ? side * w.scale *
                                    moment(t, &w, kappa, alpha, r.rolling, fx, all_y, induced)
                              : zero);
    }
}
