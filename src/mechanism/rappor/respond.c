/* SPDX-License-Identifier: MIT */
#include "mechanism/rappor/respond.h"

#include "kernel/uniform.h"
#include "number/scoped.h"

pby_status pby_rappor_cohort(uint64_t *cohort, const pby_rappor *r, pby_entropy *source, pby_error *err)
{
    pby_status status = PBY_OK;
    *cohort = 0;
    while (r->cohorts > 1 && status == PBY_OK) {
        uint64_t word;
        size_t at = 0;
        status = pby_entropy_words(source, &word, 1, err);
        if (status == PBY_OK && pby_uniform(&word, 1, &at, (uint64_t)r->cohorts, cohort) == 0)
            break;
    }
    return status;
}

static pby_status make(pby_flips **out, const fmpq_t with, const fmpq_t without, pby_error *err)
{
    *out = NULL;
    return pby_flips_new(out, with, without, err);
}

pby_status pby_responder_init(pby_responder *x, const pby_rappor *r, pby_error *err)
{
    *x = (pby_responder){NULL, NULL, pby_rappor_words(r), pby_rappor_last(r)};
    PBY_FMPQ(kept, turned);
    fmpq_div_2exp(turned, r->f, 1);
    fmpq_one(kept);
    fmpq_sub(kept, kept, turned);
    pby_status status = make(&x->permanent, kept, turned, err);
    if (status == PBY_OK)
        status = make(&x->report, r->p, r->q, err);
    if (status != PBY_OK)
        pby_responder_clear(x);
    return status;
}

void pby_responder_clear(pby_responder *x)
{
    pby_flips_free(x->permanent);
    pby_flips_free(x->report);
    *x = (pby_responder){NULL, NULL, 0, 0};
}

static pby_status draw(const pby_responder *x, pby_flips *flips, pby_entropy *source, bool even,
                       const uint64_t *in, uint64_t *out, size_t n, pby_error *err)
{
    const pby_status status = even ? pby_flips_draw_evenly(flips, source, in, out, n * x->words, err)
                                   : pby_flips_draw(flips, source, in, out, n * x->words, err);
    for (size_t i = 0; i < n; i++)
        out[i * x->words + x->words - 1] &= x->last;
    return status;
}

pby_status pby_responder_permanent(pby_responder *x, pby_entropy *source, bool even, const uint64_t *bits,
                                   uint64_t *out, size_t n, pby_error *err)
{
    return draw(x, x->permanent, source, even, bits, out, n, err);
}

pby_status pby_responder_report(pby_responder *x, pby_entropy *source, bool even, const uint64_t *permanent,
                                uint64_t *out, size_t n, pby_error *err)
{
    return draw(x, x->report, source, even, permanent, out, n, err);
}
