/* SPDX-License-Identifier: MIT */
/* Sensitivities of a deterministic function on finitely many inputs, from the definitions.
 *
 * A random value Y within distortion alpha of f(x) has only values y within alpha, and a random input X
 * with f(X) = Y is a choice of an input for each of them; so the distortion sensitivity is the greatest,
 * over x and y, of the least distortion of x into an input with value y, and infinite when some y is
 * the value of none.
 *
 * Error sensitivity, gamma1 <= gamma2 < 1: a coupling of X and X' that loses gamma1 is followed pair by
 * pair, what is lost is left as it is, so the supremum is that of single pairs x, x' within beta1; and
 * single pairs lose nothing, so it is not less. With gamma2 < gamma1 a part of X' of any kind stands
 * unmatched against X and too much of it must be matched by the outputs: beta1 might as well be
 * infinite. With gamma2 = 1 all may be lost. */
#include <stdbool.h>

#include "base/status.h"
#include "probity/experimental/accuracy.h"

static void set_zero(pby_distance *out)
{
    mpq_set_ui(out->value, 0, 1);
    out->infinite = false;
}

static void raise_to(pby_distance *out, const pby_distance *x)
{
    if (pby_distance_cmp(x, out) > 0)
        pby_distance_set(out, x);
}

static pby_status check_table(const pby_finite_function *t, pby_error *err)
{
    for (size_t i = 0; i < t->before; i++)
        if (t->f[i] >= t->after)
            return pby_fail(err, PBY_BAD, "table: expected values below %zu", t->after);
    return PBY_OK;
}

/* The least distortion of x into an input with value y; infinite when there is none. */
static void least_preimage(pby_distance *out, const pby_finite_function *f, const pby_distance *domain,
                           size_t x, size_t y)
{
    set_zero(out);
    out->infinite = true;
    for (size_t i = 0; i < f->before; i++)
        if (f->f[i] == y && pby_distance_cmp(&domain[x * f->before + i], out) < 0)
            pby_distance_set(out, &domain[x * f->before + i]);
}

pby_status pby_distortion_sensitivity(pby_distance *out, const pby_finite_function *f,
                                      const pby_distance *domain, const pby_distance *codomain,
                                      const pby_distance *alpha, pby_error *err)
{
    const pby_status status = check_table(f, err);
    if (status != PBY_OK)
        return status;
    pby_distance least;
    pby_distance_init(&least);
    set_zero(out);
    for (size_t x = 0; x < f->before; x++)
        for (size_t y = 0; y < f->after; y++)
            if (pby_distance_cmp(&codomain[f->f[x] * f->after + y], alpha) <= 0) {
                least_preimage(&least, f, domain, x, y);
                raise_to(out, &least);
            }
    pby_distance_clear(&least);
    return PBY_OK;
}

/* The least distance of m(x) from f(y), over y within alpha2 of x'. */
static void least_error(pby_distance *out, const pby_finite_function *m, const pby_finite_function *f,
                        const pby_error_sensitivity_at *at, size_t x, size_t near)
{
    set_zero(out);
    out->infinite = true;
    for (size_t y = 0; y < f->before; y++) {
        const pby_distance *error = &at->output[m->f[x] * m->after + f->f[y]];
        if (pby_distance_cmp(&at->distortion[near * f->before + y], at->alpha2) <= 0 &&
            pby_distance_cmp(error, out) < 0)
            pby_distance_set(out, error);
    }
}

pby_status pby_error_sensitivity(pby_distance *out, const pby_finite_function *m,
                                 const pby_finite_function *f, const pby_error_sensitivity_at *at,
                                 pby_error *err)
{
    pby_status status = check_table(m, err);
    if (status == PBY_OK)
        status = check_table(f, err);
    if (status == PBY_OK && (m->before != f->before || m->after != f->after))
        status = pby_fail(err, PBY_BAD,
                          "table: expected a mechanism and a function of the same inputs and values");
    if (status != PBY_OK)
        return status;
    set_zero(out);
    if (mpq_cmp_ui(at->gamma2, 1, 1) >= 0)
        return PBY_OK;
    const bool any = mpq_cmp(at->gamma1, at->gamma2) > 0;
    pby_distance least;
    pby_distance_init(&least);
    for (size_t x = 0; x < f->before; x++)
        for (size_t near = 0; near < f->before; near++)
            if (any || pby_distance_cmp(&at->metric[x * f->before + near], at->beta1) <= 0) {
                least_error(&least, m, f, at, x, near);
                raise_to(out, &least);
            }
    pby_distance_clear(&least);
    return PBY_OK;
}

pby_status pby_metric_sensitivity(pby_distance *out, const pby_finite_function *f, const pby_distance *metric,
                                  const pby_distance *output, const pby_distance *beta, pby_error *err)
{
    const pby_status status = check_table(f, err);
    if (status != PBY_OK)
        return status;
    set_zero(out);
    for (size_t x = 0; x < f->before; x++)
        for (size_t y = 0; y < f->before; y++)
            if (pby_distance_cmp(&metric[x * f->before + y], beta) <= 0)
                raise_to(out, &output[f->f[x] * f->after + f->f[y]]);
    return PBY_OK;
}
