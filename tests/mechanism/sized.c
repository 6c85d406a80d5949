/* SPDX-License-Identifier: MIT */
#include "tests/mechanism/sized.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "law/laws.h"
#include "tests/law/make.h"
#include "tests/mechanism/outcomes.h"

const char *sized_spec(char text[SIZED_TEXT], const sized *s)
{
    snprintf(text, SIZED_TEXT, "stlap:eps=%s,tau=%s,n=%ld,bars=%d", s->eps, s->tau, s->n, s->bars);
    return text;
}

/* law[x][y] = P(max(0, x + R) = y) for x and y up to n + 1; an empty bar draws nothing. */
static arb_ptr *laws_of(const sized *s, slong records)
{
    const slong most = s->n + 1;
    arb_ptr *law = malloc((size_t)(most + 1) * sizeof *law);
    fmpq_t e, q;
    pby_law *noise = NULL;
    arb_t mass;
    fmpq_init(e);
    fmpq_init(q);
    arb_init(mass);
    set_text(e, s->eps);
    set_text(q, s->tau);
    fmpq_mul_si(q, q, records);
    cr_assert_eq(pby_law_stlap(&noise, e, q, NULL), PBY_OK);
    for (slong x = 0; x <= most; x++) {
        law[x] = _arb_vec_init(most + 1);
        if (x == 0)
            arb_one(law[x]);
        for (int64_t r = noise->lo; r <= 0 && x > 0; r++) {
            const slong y = x + r > 0 ? x + r : 0;
            pby_law_mass_arb(mass, noise, r, OUTCOMES_PREC);
            arb_add(law[x] + y, law[x] + y, mass, OUTCOMES_PREC);
        }
    }
    pby_law_free(noise);
    arb_clear(mass);
    fmpq_clear(q);
    fmpq_clear(e);
    return law;
}

static void laws_free(arb_ptr *law, const sized *s)
{
    for (slong x = 0; x <= s->n + 1; x++)
        _arb_vec_clear(law[x], s->n + 2);
    free(law);
}

static slong size_of(const sized *s, const slong *x)
{
    slong size = 0;
    for (int i = 0; i < s->bars; i++)
        size += x[i];
    return size;
}

static void between(arb_t out, const sized *s, arb_ptr *const law[2], const slong *x, const slong *y,
                    const fmpq_t epsilon)
{
    arb_ptr p[SIZED_BARS_MAX], q[SIZED_BARS_MAX];
    for (int i = 0; i < s->bars; i++) {
        p[i] = law[size_of(s, x) - s->n][x[i]];
        q[i] = law[size_of(s, y) - s->n][y[i]];
    }
    outcomes_divergence(out, p, q, s->bars, s->n + 2, epsilon);
}

void sized_divergence(arb_t out, const sized *s, const slong *x, const slong *y, const fmpq_t epsilon)
{
    arb_ptr *const law[2] = {laws_of(s, s->n), laws_of(s, s->n + 1)};
    between(out, s, law, x, y, epsilon);
    laws_free(law[0], s);
    laws_free(law[1], s);
}

/* worst = max(worst, the divergence of x and y, in both orders) */
static void raise_by(arb_t worst, const sized *s, arb_ptr *const law[2], const slong *x, const slong *y,
                     const fmpq_t epsilon)
{
    arb_t one;
    arb_init(one);
    between(one, s, law, x, y, epsilon);
    arb_max(worst, worst, one, OUTCOMES_PREC);
    between(one, s, law, y, x, epsilon);
    arb_max(worst, worst, one, OUTCOMES_PREC);
    arb_clear(one);
}

/* All neighbours that come of x by one record more in the first bar, or by one that goes from the first to
 * the second: the bars are alike, and every order of the counts is met. */
static void raise_all(arb_t worst, const sized *s, arb_ptr *const law[2], const slong *x,
                      pby_neighbours relation, const fmpq_t epsilon)
{
    slong y[SIZED_BARS_MAX] = {0};
    for (int i = 0; i < s->bars; i++)
        y[i] = x[i];
    y[0] += relation == PBY_SUBSTITUTE ? -1 : 1;
    if (relation == PBY_SUBSTITUTE && s->bars > 1)
        y[1]++;
    const slong size = size_of(s, x), other = size_of(s, y);
    if (y[0] >= 0 && size >= s->n && size <= s->n + 1 && other >= size && other <= s->n + 1)
        raise_by(worst, s, law, x, y, epsilon);
}

void sized_worst(arb_t worst, const sized *s, pby_neighbours relation, const fmpq_t epsilon)
{
    arb_ptr *const law[2] = {laws_of(s, s->n), laws_of(s, s->n + 1)};
    slong all = 1, x[SIZED_BARS_MAX];
    arb_zero(worst);
    for (int i = 0; i < s->bars; i++)
        all *= s->n + 2;
    for (slong code = 0; code < all; code++) {
        for (slong i = 0, rest = code; i < s->bars; i++, rest /= s->n + 2)
            x[i] = rest % (s->n + 2);
        raise_all(worst, s, law, x, relation, epsilon);
    }
    laws_free(law[0], s);
    laws_free(law[1], s);
}

void sized_formula(arb_t delta, const sized *s)
{
    fmpq_t eps, q;
    arb_t below;
    fmpq_init(eps);
    fmpq_init(q);
    arb_init(below);
    set_text(eps, s->eps);
    set_text(q, s->tau);
    fmpq_mul_si(q, q, s->n);
    fmpq_mul(q, q, eps);
    fmpq_div_2exp(q, q, 1);
    arb_set_fmpq(delta, eps, OUTCOMES_PREC);
    arb_expm1(delta, delta, OUTCOMES_PREC);
    arb_set_fmpq(below, q, OUTCOMES_PREC);
    arb_expm1(below, below, OUTCOMES_PREC);
    arb_mul_2exp_si(below, below, 1);
    arb_div(delta, delta, below, OUTCOMES_PREC);
    arb_clear(below);
    fmpq_clear(q);
    fmpq_clear(eps);
}
