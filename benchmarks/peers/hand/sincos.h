/* Sine and cosine of many angles: by the C library, or with -DVECTOR several at once.
 *
 * The second way has no branches, so that the compiler makes vector code of the loop: reduction by pi/2 in two parts
 * (Cody and Waite) and the polynomials of fdlibm (k_sin.c, k_cos.c). It is within two units in the last place for
 * |x| < 1e5 and leaves angles beyond to the library. */
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline __attribute__((always_inline)) void branchless_sincos(double x, double *sine, double *cosine)
{
    /* Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits. */
    const double shifted = x * 0.63661977236758134308 + 6755399441055744.0;
    const double n = shifted - 6755399441055744.0;
    double r = fma(-n, 1.5707963267948966, x);
    r = fma(-n, 6.123233995736766e-17, r);
    const double z = r * r;
    const double s = fma(r * z,
                         fma(z, fma(z, fma(z, fma(z, fma(z, 1.58969099521155010221e-10, -2.50507602534068634195e-08),
                                                  2.75573137070700676789e-06), -1.98412698298579493134e-04),
                                    8.33333333332248946124e-03), -1.66666666666666324348e-01), r);
    const double c = fma(z * z,
                         fma(z, fma(z, fma(z, fma(z, fma(z, -1.13596475577881948265e-11, 2.08757232129817482790e-09),
                                                  -2.75573143513906633035e-07), 2.48015872894767294178e-05),
                                    -1.38888888888741095749e-03), 4.16666666666666019037e-02), fma(z, -0.5, 1.0));
    uint64_t k, sb, cb, a, b;
    memcpy(&k, &shifted, 8), memcpy(&sb, &s, 8), memcpy(&cb, &c, 8);
    const uint64_t swap = -(k & 1);                     /* odd quarter turns exchange sine and cosine */
    a = ((sb & ~swap) | (cb & swap)) ^ ((k & 2) << 62);
    b = ((cb & ~swap) | (sb & swap)) ^ (((k + 1) & 2) << 62);
    memcpy(sine, &a, 8), memcpy(cosine, &b, 8);
}

static inline __attribute__((always_inline)) void many_sincos(int n, const double *x, double *sine, double *cosine)
{
#ifdef VECTOR
    int far = 0;
    for (int i = 0; i < n; i++) far |= !(fabs(x[i]) < 1e5);
    if (!far) {
        for (int i = 0; i < n; i++) branchless_sincos(x[i], &sine[i], &cosine[i]);
        return;
    }
#endif
    for (int i = 0; i < n; i++) sincos(x[i], &sine[i], &cosine[i]);
}
