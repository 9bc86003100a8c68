/* Timing loops. The state of each round depends a little on the answer of the round before, as in an integrator, so
 * nothing can be hoisted, dropped or overlapped; the sum of the answers is returned through `total`. */
#include <time.h>

#define LARGEST 256

typedef int (*evaluation)(double, const double *, const double *, const double *, double *);
typedef void (*action1)(void *);
typedef void (*action2)(void *, void *);

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Seconds per call of f(t, q, v, parameters, out), out holding n accelerations first and `length` numbers in all. */
double loop_function(evaluation f, int n, int length, const double *q, const double *v, const double *parameters,
                     long count, double *total)
{
    double state[LARGEST], out[LARGEST] = {0.0}, sum = 0.0;
    const double begin = now();
    for (long k = 0; k < count; k++) {
        for (int i = 0; i < n; i++) state[i] = q[i] + 1e-12 * out[i];
        f(0.0, state, v, parameters, out);
        sum += out[0] + out[length - 1];
    }
    *total = sum;
    return (now() - begin) / (double)count;
}

/* Seconds per call of f(first) or, with a second pointer, f(first, second), which read `q` and write `answer`. */
double loop_object(void *f, void *first, void *second, int n, double *q, const double *answer, long count,
                   double *total)
{
    double base[LARGEST], sum = 0.0;
    for (int i = 0; i < n; i++) base[i] = q[i];
    const double begin = now();
    for (long k = 0; k < count; k++) {
        for (int i = 0; i < n; i++) q[i] = base[i] + 1e-12 * answer[i];
        if (second) ((action2)f)(first, second);
        else ((action1)f)(first);
        sum += answer[0];
    }
    *total = sum;
    const double end = now();
    for (int i = 0; i < n; i++) q[i] = base[i];
    return (end - begin) / (double)count;
}
