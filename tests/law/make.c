/* SPDX-License-Identifier: MIT */
#include "tests/law/make.h"

#include <criterion/criterion.h>

#include "law/laws.h"
#include "probity/rational.h"

void set_text(fmpq_t q, const char *text)
{
    mpq_t value;
    mpq_init(value);
    cr_assert_eq(pby_rational_parse(value, "test", text, NULL), PBY_OK);
    fmpq_set_mpq(q, value);
    mpq_clear(value);
}

pby_law *make_geometric(const char *rate)
{
    pby_law *law = NULL;
    fmpq_t r;
    fmpq_init(r);
    set_text(r, rate);
    cr_assert_eq(pby_law_geometric(&law, r, NULL), PBY_OK);
    fmpq_clear(r);
    return law;
}

pby_law *make_stlap(const char *eps, const char *q)
{
    pby_law *law = NULL;
    fmpq_t e, width;
    fmpq_init(e);
    fmpq_init(width);
    set_text(e, eps);
    set_text(width, q);
    cr_assert_eq(pby_law_stlap(&law, e, width, NULL), PBY_OK);
    fmpq_clear(width);
    fmpq_clear(e);
    return law;
}

pby_sampler *make_sampler(pby_law *law)
{
    pby_sampler *sampler = NULL;
    cr_assert_eq(pby_sampler_of_law(&sampler, law, NULL), PBY_OK);
    return sampler;
}

pby_law *make_tgeometric(const char *rate, int64_t bound)
{
    pby_law *law = NULL;
    fmpq_t r;
    fmpq_init(r);
    set_text(r, rate);
    cr_assert_eq(pby_law_tgeometric(&law, r, bound, NULL), PBY_OK);
    fmpq_clear(r);
    return law;
}
