/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "loss/loss.h"
#include "number/exact.h"
#include "number/scoped.h"

enum { DIGITS = 12 };

void pby_trace_terms_init(pby_trace_terms *t)
{
    *t = (pby_trace_terms){.laplace = NULL};
    mpq_init(t->squares);
}

void pby_trace_terms_clear(pby_trace_terms *t)
{
    for (size_t i = 0; i < t->laplace_count; i++)
        mpq_clear(t->laplace[i]);
    for (size_t i = 0; i < t->specs_count; i++)
        free(t->specs[i]);
    for (size_t i = 0; i < t->pairs_count; i++)
        pby_pair_clear(&t->pairs[i]);
    free(t->laplace);
    free(t->specs);
    free(t->pairs);
    mpq_clear(t->squares);
}

bool pby_trace_terms_empty(const pby_trace_terms *t)
{
    return t->laplace_count == 0 && t->specs_count == 0 && t->pairs_count == 0 && mpq_sgn(t->squares) == 0;
}

/* ---- terms ------------------------------------------------------------------------------------- */

pby_status pby_trace_terms_laplace(pby_trace_terms *t, mpq_srcptr ratio, pby_error *err)
{
    if (mpq_sgn(ratio) == 0)
        return PBY_OK;
    PBY_RESERVE(t->laplace, t->laplace_room, t->laplace_count + 1, err);
    mpq_init(t->laplace[t->laplace_count]);
    mpq_abs(t->laplace[t->laplace_count++], ratio);
    return PBY_OK;
}

void pby_trace_terms_gauss(pby_trace_terms *t, mpq_srcptr ratio)
{
    PBY_MPQ(square);
    mpq_mul(square, ratio, ratio);
    mpq_add(t->squares, t->squares, square);
}

pby_status pby_trace_terms_spec(pby_trace_terms *t, const char *text, pby_error *err)
{
    PBY_RESERVE(t->specs, t->specs_room, t->specs_count + 1, err);
    char *copy = strdup(text);
    if (copy == NULL)
        return pby_no_memory(err);
    t->specs[t->specs_count++] = copy;
    return PBY_OK;
}

/* A spec with rationals in it: format has a %s for each of one or two. */
static pby_status add_format(pby_trace_terms *t, const char *format, mpq_srcptr x, mpq_srcptr y,
                             pby_error *err)
{
    char *first = pby_exact_text(x), *second = y == NULL ? NULL : pby_exact_text(y), *text = NULL;
    int size = -1;
    if (first != NULL && (y == NULL || second != NULL))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        size = asprintf(&text, format, first, second);
#pragma GCC diagnostic pop
    free(first);
    free(second);
    if (size < 0)
        return pby_no_memory(err);
    const pby_status status = pby_trace_terms_spec(t, text, err);
    free(text);
    return status;
}

pby_status pby_trace_terms_integer(pby_trace_terms *t, pby_trace_law law, mpq_srcptr scale, mpq_srcptr shift,
                                   pby_error *err)
{
    PBY_MPQ(eps);
    mpq_mul(eps, scale, shift);
    return law == PBY_TRACE_GEOMETRIC ? add_format(t, "geometric:eps=%s,sensitivity=%s", eps, shift, err)
                                      : add_format(t, "dgauss:sigma2=%s,sensitivity=%s", scale, shift, err);
}

/* ---- choices ----------------------------------------------------------------------------------- */

/* The exact chance of a label under a choice. */
static void chance(fmpq_t out, const pby_trace_noise *n, const char *label)
{
    PBY_MPQ(sum, all);
    for (size_t i = 0; i < n->labels_count; i++) {
        mpq_add(all, all, n->p[i].q);
        if (strcmp(n->labels[i], label) == 0)
            mpq_add(sum, sum, n->p[i].q);
    }
    mpq_div(sum, sum, all);
    fmpq_set_mpq(out, sum);
}

static bool has_label(const pby_trace_noise *n, size_t before, const char *label)
{
    for (size_t i = 0; i < before; i++)
        if (strcmp(n->labels[i], label) == 0)
            return true;
    return false;
}

static pby_status add_atom(pby_pair *pair, const pby_trace_noise *p, const pby_trace_noise *q,
                           const char *label, pby_error *err)
{
    pby_expsum_t mine, other;
    PBY_FMPQ(x, zero);
    pby_expsum_init(mine);
    pby_expsum_init(other);
    chance(x, p, label);
    pby_expsum_add_term(mine, x, zero);
    chance(x, q, label);
    pby_expsum_add_term(other, x, zero);
    const pby_status status = pby_pair_append(pair, mine, other, err);
    pby_expsum_clear(other);
    pby_expsum_clear(mine);
    return status;
}

pby_status pby_trace_terms_choice(pby_trace_terms *t, const pby_trace_noise *p, const pby_trace_noise *q,
                                  pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_RESERVE(t->pairs, t->pairs_room, t->pairs_count + 1, err);
    pby_pair *pair = &t->pairs[t->pairs_count++];
    pby_pair_init(pair);
    pby_expsum_one(pair->norm_p);
    pby_expsum_one(pair->norm_q);
    for (size_t i = 0; i < p->labels_count && status == PBY_OK; i++)
        if (!has_label(p, i, p->labels[i]))
            status = add_atom(pair, p, q, p->labels[i], err);
    for (size_t i = 0; i < q->labels_count && status == PBY_OK; i++)
        if (!has_label(q, i, q->labels[i]) && !has_label(p, p->labels_count, q->labels[i]))
            status = add_atom(pair, p, q, q->labels[i], err);
    return status;
}

/* ---- composition ------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    return mpq_cmp((mpq_srcptr)a, (mpq_srcptr)b);
}

/* The terms of Laplace noise as specs, equal ones counted together, behind those of `all`. */
static pby_status add_laplace(pby_trace_terms *all, const pby_trace_terms *t, pby_error *err)
{
    if (t->laplace_count > 1) /* of none the list is NULL, which qsort may not be given */
        qsort(t->laplace, t->laplace_count, sizeof *t->laplace, compare);
    for (size_t i = 0, next; i < t->laplace_count; i = next) {
        char format[64];
        for (next = i + 1; next < t->laplace_count && mpq_equal(t->laplace[i], t->laplace[next]); next++)
            ;
        snprintf(format, sizeof format, "%zu*laplace:scale=1,sensitivity=%%s", next - i);
        PBY_TRY(add_format(all, format, t->laplace[i], NULL, err));
    }
    return PBY_OK;
}

/* All terms but the choices as one spec; NULL where there are none. */
static pby_status spec_of(pby_spec **out, const pby_trace_terms *t, pby_error *err)
{
    pby_trace_terms all;
    PBY_MPQ(variance);
    *out = NULL;
    pby_trace_terms_init(&all);
    pby_status status = add_laplace(&all, t, err);
    if (status == PBY_OK && mpq_sgn(t->squares) > 0) {
        mpq_inv(variance, t->squares);
        status = add_format(&all, "gauss:sigma2=%s", variance, NULL, err);
    }
    for (size_t i = 0; i < t->specs_count && status == PBY_OK; i++)
        status = pby_trace_terms_spec(&all, t->specs[i], err);
    if (status == PBY_OK && all.specs_count > 0)
        status = pby_spec_parse(out, (const char *const *)all.specs, all.specs_count, err);
    pby_trace_terms_clear(&all);
    return status;
}

/* Appends the choices, in both orders, to the parts of a spec. */
static pby_status append_choices(pby_parts *parts, const pby_trace_terms *t, pby_error *err)
{
    pby_part *more = reallocarray(parts->part, parts->count + t->pairs_count, sizeof *more);
    if (more == NULL)
        return pby_no_memory(err);
    parts->part = more;
    for (size_t i = 0; i < t->pairs_count; i++) {
        const pby_pairs one = {&t->pairs[i], 1};
        pby_part *part = &parts->part[parts->count];
        *part = (pby_part){.times = 1, .reached = 1};
        pby_pairs forward, backward;
        PBY_TRY(pby_pairs_copy(&forward, &one, err));
        pby_status status = pby_pairs_copy(&backward, &one, err);
        if (status == PBY_OK)
            status = pby_pairs_init(&part->pairs, 2, err);
        if (status == PBY_OK) {
            part->pairs.pair[0] = forward.pair[0];
            part->pairs.pair[1] = backward.pair[0];
            part->pairs.pair[0].direction = PBY_FORWARD;
            pby_pair_reverse(&part->pairs.pair[1]);
            part->pairs.pair[1].direction = PBY_BACKWARD;
            parts->count++;
            free(forward.pair);
            free(backward.pair);
            continue;
        }
        pby_pairs_clear(&forward);
        return status;
    }
    return PBY_OK;
}

static pby_status profiles_of(pby_profiles *out, const pby_trace_terms *t, const fmpq *width, pby_error *err)
{
    pby_spec *spec = NULL;
    pby_parts parts = {NULL, 0};
    *out = (pby_profiles){NULL, 0};
    pby_status status = spec_of(&spec, t, err);
    if (status == PBY_OK && t->pairs_count == 0) {
        status = pby_loss_profiles_within(out, spec, PBY_ADD_REMOVE, width, err);
    } else if (status == PBY_OK) {
        if (spec != NULL)
            status = pby_parts_of_spec(&parts, spec, PBY_ADD_REMOVE, err);
        if (status == PBY_OK)
            status = append_choices(&parts, t, err);
        if (status == PBY_OK)
            status = pby_compose_parts(out, &parts, width, err);
        pby_parts_clear(&parts);
    }
    pby_spec_free(spec);
    if (status != PBY_OK)
        pby_profiles_clear(out);
    return status;
}

/* ---- answers ----------------------------------------------------------------------------------- */

pby_status pby_trace_terms_ask(arb_t ball, const pby_trace_terms *t, pby_question question, const fmpq_t at,
                               const fmpq *width, pby_error *err)
{
    pby_profiles list;
    arb_zero(ball);
    if (pby_trace_terms_empty(t))
        return PBY_OK;
    pby_status status = profiles_of(&list, t, width, err);
    if (status == PBY_OK)
        status = question == PBY_ASK_DELTA ? pby_profiles_delta(ball, &list, at, DIGITS, err)
                                           : pby_profiles_epsilon(ball, &list, at, DIGITS, err);
    pby_profiles_clear(&list);
    return status;
}
