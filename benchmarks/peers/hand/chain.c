/* The closed chain by hand: constrained accelerations and multipliers, dense elimination.
 *
 * Compile with -DN=<links>. parameters: N masses, N lengths, g (d is not needed for accelerations).
 * out: N angular accelerations, then the force on the end point (x, y; for N = 2 only y).
 *
 * With b_j = l_j (m_j/2 + m_{j+1} + ... + m_N) the inertia matrix is A_ij = l_i b_j cos(phi_i - phi_j) for i < j, so
 * each entry is two multiplications of values known per link; h is made of running sums. The symmetric array
 * [A G^T h; . 0 -g0] is reduced by A (Cholesky without roots); what is left is the Schur complement for lambda.
 * `chain` gets the raw parameters and forms b_j in each call, as generated code has to that takes parameters as
 * run-time values; `chain_prepared` gets what `chain_setup` computed once. */
#define _GNU_SOURCE
#include "sincos.h"

#define R (N == 2 ? 1 : 2)          /* rows */
#define H (N + R)                   /* the column of h */
#define W ((H + 4) & ~3)            /* width, a multiple of four */
#define P ((N + 3) & ~3)
#define ALIGNED __attribute__((aligned(32)))
#define INLINE static inline __attribute__((always_inline))

typedef struct { double l[P], b[P], diagonal[P], g; } constants;

INLINE void prepare(const double *parameters, constants *c)
{
    const double *m = parameters, *l = parameters + N;
    double outer = 0.0;             /* the masses beyond this link */
    for (int i = N - 1; i >= 0; i--) {
        c->l[i] = l[i];
        c->b[i] = l[i] * (0.5 * m[i] + outer);
        c->diagonal[i] = l[i] * l[i] * (m[i] * (1.0 / 3.0) + outer);
        outer += m[i];
    }
    c->g = parameters[2 * N];
}

/* Fill the upper triangle; row i begins at the last multiple of four up to i, so that all starts are aligned. */
INLINE void fill(const double *phi, const double *w, const constants *c, double U[H][W])
{
    double lc[P] ALIGNED, ls[P] ALIGNED, bc[P] ALIGNED, bs[P] ALIGNED;
    many_sincos(N, phi, bs, bc);
    for (int i = N; i < P; i++) bc[i] = bs[i] = 0.0;
    for (int i = 0; i < N; i++) {
        lc[i] = c->l[i] * bc[i], ls[i] = c->l[i] * bs[i];
        bc[i] *= c->b[i], bs[i] *= c->b[i];
    }
    double x = 0.0, y = 0.0;        /* sums over the links before: l cos w^2, l sin w^2 */
    for (int i = 0; i < N; i++) {
        for (int j = i & ~3; j < P; j++) U[i][j] = lc[i] * bc[j] + ls[i] * bs[j];
        U[i][i] = c->diagonal[i];
        if (R == 2) U[i][N] = -ls[i];
        U[i][H - 1] = lc[i];
        U[i][H] = bc[i] * y - bs[i] * x;
        for (int j = H + 1; j < W; j++) U[i][j] = 0.0;
        x += lc[i] * w[i] * w[i], y += ls[i] * w[i] * w[i];
    }
    for (int i = N; i < H; i++)
        for (int j = N & ~3; j < W; j++) U[i][j] = 0.0;
    if (R == 2) U[N][H] = x;
    U[H - 1][H] = y;
    x = y = 0.0;                    /* sums over the links beyond: b cos w^2, b sin w^2 */
    for (int i = N - 1; i >= 0; i--) {
        U[i][H] += lc[i] * y - ls[i] * x - c->g * bc[i];
        x += bc[i] * w[i] * w[i], y += bs[i] * w[i] * w[i];
    }
}

/* Two pivots at a time: each row below is read and written once for both. L keeps the factors by rows. */
INLINE int reduce(double U[H][W], double L[N][P], double inverse[N])
{
    for (int k = 0; k + 1 < N; k += 2) {
        if (!(U[k][k] > 0.0)) return 1;
        inverse[k] = 1.0 / U[k][k];
        const double f = L[k + 1][k] = U[k][k + 1] * inverse[k];
        for (int j = k & ~3; j < W; j++) if (j > k) U[k + 1][j] -= f * U[k][j];
        if (!(U[k + 1][k + 1] > 0.0)) return 1;
        inverse[k + 1] = 1.0 / U[k + 1][k + 1];
        for (int i = k + 2; i < H; i++) {
            const double f0 = U[k][i] * inverse[k], f1 = U[k + 1][i] * inverse[k + 1];
            if (i < N) L[i][k] = f0, L[i][k + 1] = f1;
            for (int j = i & ~3; j < W; j++) U[i][j] -= f0 * U[k][j] + f1 * U[k + 1][j];
        }
    }
    if (N & 1) {
        inverse[N - 1] = 1.0 / U[N - 1][N - 1];
        for (int i = N; i < H; i++) {
            const double f = U[N - 1][i] * inverse[N - 1];
            for (int j = N & ~3; j < W; j++) U[i][j] -= f * U[N - 1][j];
        }
    }
    return !(U[N - 1][N - 1] > 0.0);
}

INLINE int solve(const double *phi, const double *w, const constants *c, double *out)
{
    double U[H][W] ALIGNED, L[N][P] ALIGNED, inverse[N], a[P] ALIGNED;
    fill(phi, w, c, U);
    if (reduce(U, L, inverse)) return 1;
    double x = 0.0, y;              /* the force on the end point */
    if (R == 2) {
        const double s = 1.0 / (U[N][N] * U[H - 1][H - 1] - U[N][H - 1] * U[N][H - 1]);
        x = s * (U[N][H - 1] * U[H - 1][H] - U[H - 1][H - 1] * U[N][H]);
        y = s * (U[N][H - 1] * U[N][H] - U[N][N] * U[H - 1][H]);
        out[N] = x;
    } else
        y = -U[H - 1][H] / U[H - 1][H - 1];
    out[H - 1] = y;
    for (int i = 0; i < N; i++) a[i] = (U[i][H] + U[i][H - 1] * y + (R == 2 ? U[i][N] * x : 0.0)) * inverse[i];
    for (int i = N - 1; i > 0; i--)
        for (int k = 0; k < i; k++) a[k] -= L[i][k] * a[i];
    for (int i = 0; i < N; i++) out[i] = a[i];
    return 0;
}

void chain_setup(const double *parameters, constants *c) { prepare(parameters, c); }

int chain_prepared(double t, const double *phi, const double *w, const double *c, double *out)
{
    (void)t;
    return solve(phi, w, (const constants *)c, out);
}

int chain(double t, const double *phi, const double *w, const double *parameters, double *out)
{
    constants c;
    (void)t;
    prepare(parameters, &c);
    return solve(phi, w, &c, out);
}
