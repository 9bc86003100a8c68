/* Andrews' squeezer by hand: seven accelerations and six multipliers, its loops eliminated one by one.
 *
 * parameters in the order of examples/models/andrews_squeezer.toml; out: accelerations, then multipliers.
 * A has the blocks (beta, Theta), gamma, (Phi, delta), (Omega, eps); the three pairs of rows all read
 * E(beta, Theta) = X_k(coordinates of loop k). For the loops over A, with J the 2 x 2 Jacobian of X_k, the force
 * on E is lambda = -Lambda (a_E + bias) with Lambda = (J A_k^-1 J^T)^-1 = J^-T A_k J^-1, which adds J_E^T Lambda J_E
 * to the block of (beta, Theta). The loop over B is then a 2 x 2 Schur complement. A_k is never inverted. */
#define _GNU_SOURCE
#include "sincos.h"

typedef struct {
    double m1, m2, m3, m4, m5, m6, m7, I1, I2, I3, I4, I5, I6, I7, xa, ya, xb, yb, xc, yc, c0, l0, d, da, e, ea, rr, ra,
        ss, sa, sb, sc, sd, ta, tb, u, ua, ub, zf, zt, fa, mom;
} numbers;

typedef struct { double s, c; } angle;
/* A loop over A: inverse Jacobian, symmetric Lambda, and the constant parts of accelerations and force. */
typedef struct { double ixx, ixy, iyx, iyy, lxx, lxy, lyy, bx, by, fx, fy; } loop;

static inline angle sum(angle a, angle b)
{
    return (angle){a.s * b.c + a.c * b.s, a.c * b.c - a.s * b.s};
}

/* A loop with rates (p, q) of the Jacobian's columns (x1, y1), (x2, y2), inertia (a, b; b, c), forces h1, h2 and
 * the velocity part (bx, by) of the acceleration of its end: q'' = J^-1 (a_E - bias), force = J^-T (A q'' - h). */
static inline loop close(double x1, double y1, double x2, double y2, double a, double b, double c, double h1, double h2,
                         double bx, double by)
{
    const double s = 1.0 / (x1 * y2 - x2 * y1);
    loop k = {.ixx = s * y2, .ixy = -s * x2, .iyx = -s * y1, .iyy = s * x1, .bx = bx, .by = by};
    const double ax = a * k.ixx + b * k.iyx, ay = a * k.ixy + b * k.iyy;
    const double cx = b * k.ixx + c * k.iyx, cy = b * k.ixy + c * k.iyy;
    k.lxx = k.ixx * ax + k.iyx * cx, k.lxy = k.ixx * ay + k.iyx * cy, k.lyy = k.ixy * ay + k.iyy * cy;
    k.fx = k.lxx * bx + k.lxy * by + k.ixx * h1 + k.iyx * h2;
    k.fy = k.lxy * bx + k.lyy * by + k.ixy * h1 + k.iyy * h2;
    return k;
}

/* X = (e sin(Phi + delta) + zt cos(delta), -e cos(Phi + delta) + zt sin(delta)) */
static inline loop first_loop(const numbers *n, angle phi, angle delta, const double *v)
{
    const angle pd = sum(phi, delta);
    const double w = v[3] + v[4], pp = w * w, dd = v[4] * v[4], arm = n->e - n->ea, k = n->m4 * n->zt * arm;
    const double ex = n->e * pd.c, ey = n->e * pd.s, zx = n->zt * delta.c, zy = n->zt * delta.s;
    const double a = n->m4 * arm * arm + n->I4, b = a + k * phi.s;
    const double c = b + k * phi.s + n->m4 * n->zt * n->zt + n->m5 * (n->ta * n->ta + n->tb * n->tb) + n->I5;
    return close(ex, ey, ex - zy, ey + zx, a, b, c, k * phi.c * dd, -k * phi.c * (pp - dd), -ey * pp - zx * dd,
                 ex * pp - zy * dd);
}

/* X = (zf cos(Omega + eps) + u sin(eps), zf sin(Omega + eps) - u cos(eps)) */
static inline loop second_loop(const numbers *n, angle omega, angle eps, const double *v)
{
    const angle oe = sum(omega, eps);
    const double w = v[5] + v[6], oo = w * w, zz = v[6] * v[6], arm = n->zf - n->fa, k = -n->m6 * n->u * arm;
    const double fx = -n->zf * oe.s, fy = n->zf * oe.c, ux = n->u * eps.c, uy = n->u * eps.s;
    const double a = n->m6 * arm * arm + n->I6, b = a + k * omega.s;
    const double c = b + k * omega.s + n->m6 * n->u * n->u + n->m7 * (n->ua * n->ua + n->ub * n->ub) + n->I7;
    return close(fx, fy, fx + ux, fy + uy, a, b, c, k * omega.c * zz, -k * omega.c * (oo - zz), -fy * oo - uy * zz,
                 fx * oo + ux * zz);
}

/* Accelerations of a loop and its force on E, from the acceleration of E. */
static inline void open_loop(const loop *k, double ax, double ay, double *accelerations, double *force)
{
    const double x = ax - k->bx, y = ay - k->by;
    accelerations[0] = k->ixx * x + k->ixy * y, accelerations[1] = k->iyx * x + k->iyy * y;
    force[0] = k->fx - k->lxx * ax - k->lxy * ay, force[1] = k->fy - k->lxy * ax - k->lyy * ay;
}

int andrews(double t, const double *q, const double *v, const double *parameters, double *out)
{
    const numbers *const n = (const numbers *)parameters;
    double s[7], c[7];
    many_sincos(7, q, s, c);
    const angle beta = {s[0], c[0]}, theta = {s[1], c[1]}, gamma = {s[2], c[2]}, bt = sum(beta, theta);
    const loop first = first_loop(n, (angle){s[3], c[3]}, (angle){s[4], c[4]}, v);
    const loop second = second_loop(n, (angle){s[5], c[5]}, (angle){s[6], c[6]}, v);
    const double lxx = first.lxx + second.lxx, lxy = first.lxy + second.lxy, lyy = first.lyy + second.lyy;
    const double px = first.fx + second.fx, py = first.fy + second.fy;

    /* (beta, Theta) with both loops hung on E: J_E has the columns (x1, y1), (x2, y2); its bias is (wx, wy). */
    const double btv = v[0] + v[1], ss = btv * btv, bb = v[0] * v[0];
    const double x2 = n->d * bt.s, y2 = -n->d * bt.c, rx = n->rr * beta.c, ry = n->rr * beta.s;
    const double x1 = x2 - ry, y1 = y2 + rx, wx = -y2 * ss - rx * bb, wy = x2 * ss - ry * bb;
    const double k2 = -n->m2 * n->rr * n->da, a2 = n->m2 * n->da * n->da + n->I2, b2 = a2 + k2 * theta.c;
    const double c2 = b2 + k2 * theta.c + n->m2 * n->rr * n->rr + n->m1 * n->ra * n->ra + n->I1;
    const double tx = px - lxx * wx - lxy * wy, ty = py - lxy * wx - lyy * wy;
    const double g1x = lxx * x1 + lxy * y1, g1y = lxy * x1 + lyy * y1;
    const double g2x = lxx * x2 + lxy * y2, g2y = lxy * x2 + lyy * y2;
    const double M11 = c2 + x1 * g1x + y1 * g1y, M12 = b2 + x1 * g2x + y1 * g2y, M22 = a2 + x2 * g2x + y2 * g2y;
    const double h1 = n->mom + k2 * theta.s * (ss - bb) + x1 * tx + y1 * ty;
    const double h2 = -k2 * theta.s * bb + x2 * tx + y2 * ty;

    /* gamma and the spring; the loop over B: X = (ss sin(gamma), -ss cos(gamma)). */
    const double sx = n->sd * gamma.c + n->sc * gamma.s, sy = n->sd * gamma.s - n->sc * gamma.c;
    const double dx = n->xb + sx - n->xc, dy = n->yb + sy - n->yc;
    const double h3 = n->c0 * (n->l0 / sqrt(dx * dx + dy * dy) - 1.0) * (sx * dy - sy * dx);
    const double A3 = n->m3 * (n->sa * n->sa + n->sb * n->sb) + n->I3, cc = v[2] * v[2];
    const double gx = n->ss * gamma.c, gy = n->ss * gamma.s;
    /* S lambda = -(residual acceleration without lambda), S = J_E M^-1 J_E^T + g g^T / A3. */
    const double det = 1.0 / (M11 * M22 - M12 * M12), i3 = 1.0 / A3;
    const double n11 = det * M22, n12 = -det * M12, n22 = det * M11;
    const double u1 = n11 * h1 + n12 * h2, u2 = n12 * h1 + n22 * h2, u3 = i3 * h3;
    const double X1 = n11 * x1 + n12 * x2, X2 = n12 * x1 + n22 * x2, Y1 = n11 * y1 + n12 * y2, Y2 = n12 * y1 + n22 * y2;
    const double Sxx = x1 * X1 + x2 * X2 + gx * gx * i3, Sxy = x1 * Y1 + x2 * Y2 + gx * gy * i3;
    const double Syy = y1 * Y1 + y2 * Y2 + gy * gy * i3;
    const double ox = -(x1 * u1 + x2 * u2 + wx - gx * u3 + gy * cc), oy = -(y1 * u1 + y2 * u2 + wy - gy * u3 - gx * cc);
    const double sd = 1.0 / (Sxx * Syy - Sxy * Sxy);
    const double x = sd * (Syy * ox - Sxy * oy), y = sd * (Sxx * oy - Sxy * ox);

    const double beta2 = u1 + X1 * x + Y1 * y, theta2 = u2 + X2 * x + Y2 * y;
    const double ax = x1 * beta2 + x2 * theta2 + wx, ay = y1 * beta2 + y2 * theta2 + wy;
    out[0] = beta2, out[1] = theta2, out[2] = u3 - i3 * (gx * x + gy * y), out[7] = x, out[8] = y;
    open_loop(&first, ax, ay, out + 3, out + 9);
    open_loop(&second, ax, ay, out + 5, out + 11);
    (void)t;
    return !(det > 0.0 && sd > 0.0);
}
