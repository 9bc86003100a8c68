/* The closed chain by hand, without a matrix: elimination from the tip inwards, work in proportion to N.
 *
 * Same signature and order as chain.c. What hangs on the end of link i pushes it with k - K a + B lambda, where a is
 * the acceleration of that end, K a symmetric 2 x 2 inertia and B = carried unit loads (2 x R). Eliminating the angle
 * of link i: D_i phi_i'' = z_i + y_i lambda - u_i a with a now the acceleration of the link's root, and the
 * Schur complement grows by y_i y_i^T / D_i. This is Cholesky of A in the other order, its structure used. */
#define _GNU_SOURCE
#include "sincos.h"

#define R (N == 2 ? 1 : 2)

typedef struct { double ux, uy, z, y0, y1; } link;

int chain(double t, const double *phi, const double *w, const double *parameters, double *out)
{
    const double *m = parameters, *l = parameters + N, g = parameters[2 * N];
    link chain[N];
    double s[N], c[N];
    (void)t;
    many_sincos(N, phi, s, c);
    double Kxx = 0.0, Kxy = 0.0, Kyy = 0.0, kx = 0.0, ky = 0.0;
    double Bxx = 1.0, Bxy = 0.0, Byx = 0.0, Byy = 1.0;  /* B: rows x, y of the force; columns lambda x, y */
    double Sxx = 0.0, Sxy = 0.0, Syy = 0.0, rx = 0.0, ry = 0.0, gx = 0.0, gy = 0.0;
    for (int i = N - 1; i >= 0; i--) {
        link *const e = &chain[i];
        const double nx = -l[i] * s[i], ny = l[i] * c[i], ww = w[i] * w[i];
        const double cx = -ny * ww, cy = nx * ww;       /* the end's acceleration by w alone */
        const double qx = Kxx * nx + Kxy * ny, qy = Kxy * nx + Kyy * ny, half = 0.5 * m[i];
        const double D = m[i] * l[i] * l[i] * (1.0 / 3.0) + nx * qx + ny * qy, inverse = 1.0 / D;
        if (!(D > 0.0)) return 1;
        const double ux = half * nx + qx, uy = half * ny + qy;
        gx += Bxx * cx + Byx * cy, gy += Bxy * cx + Byy * cy;
        kx -= Kxx * cx + Kxy * cy, ky -= Kxy * cx + Kyy * cy;
        const double z = nx * kx + ny * (ky - half * g), y0 = nx * Bxx + ny * Byx, y1 = nx * Bxy + ny * Byy;
        const double zd = z * inverse, y0d = y0 * inverse, y1d = y1 * inverse, uxd = ux * inverse, uyd = uy * inverse;
        e->ux = uxd, e->uy = uyd, e->z = zd, e->y0 = y0d, e->y1 = y1d;
        Sxx += y0 * y0d, Sxy += y0 * y1d, Syy += y1 * y1d, rx += y0d * z, ry += y1d * z;
        kx -= half * cx + ux * zd, ky -= half * cy + uy * zd + m[i] * g;
        Kxx += m[i] - ux * uxd, Kxy -= ux * uyd, Kyy += m[i] - uy * uyd;
        Bxx -= ux * y0d, Byx -= uy * y0d, Bxy -= ux * y1d, Byy -= uy * y1d;
    }
    rx = -gx - rx, ry = -gy - ry;                       /* S lambda = -(the end's acceleration without lambda) */
    double x = 0.0, y = ry / Syy;
    if (R == 2) {
        const double scale = 1.0 / (Sxx * Syy - Sxy * Sxy);
        x = scale * (Syy * rx - Sxy * ry), y = scale * (Sxx * ry - Sxy * rx);
        out[N] = x;
    }
    out[N + R - 1] = y;
    double ax = 0.0, ay = 0.0;
    for (int i = 0; i < N; i++) {
        const link *const e = &chain[i];
        const double alpha = e->z + e->y0 * x + e->y1 * y - e->ux * ax - e->uy * ay, ww = w[i] * w[i];
        ax -= l[i] * (s[i] * alpha + c[i] * ww);
        ay += l[i] * (c[i] * alpha - s[i] * ww);
        out[i] = alpha;
    }
    return 0;
}
