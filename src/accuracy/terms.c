/* SPDX-License-Identifier: MIT */
#include "accuracy/terms.h"

#include "number/integer.h"
#include "probity/rational.h"

static const unsigned long BETA_MAX = 1000000000000000000;

const char pby_accuracy_of_noise[] = "it with a mechanism whose noise may add, or with a threshold";
static const char of_moves[] = "it with a mechanism that moves or drops records and adds none";

void pby_accuracy_terms_init(pby_accuracy_terms *t)
{
    *t = (pby_accuracy_terms){.asks_n = false};
    mpq_inits(t->width, t->beta, t->gamma, t->eta, NULL);
}

void pby_accuracy_terms_clear(pby_accuracy_terms *t)
{
    mpq_clears(t->width, t->beta, t->gamma, t->eta, NULL);
}

bool pby_accuracy_noisy_kind(pby_accuracy_kind kind)
{
    return kind != PBY_ACCURACY_DROPS && kind != PBY_ACCURACY_HIDES;
}

/* A rational from 0 on; left alone where none is given. */
static pby_status read_from_0(mpq_t q, const char *name, const char *text, pby_error *err)
{
    if (text == NULL)
        return PBY_OK;
    const pby_status status = pby_rational_parse(q, name, text, err);
    return status == PBY_OK && mpq_sgn(q) < 0 ? pby_refuse(err, name, text, "a rational from 0 on") : status;
}

static pby_status refuse_unread(const char *name, const char *text, const char *expected, pby_error *err)
{
    return text == NULL ? PBY_OK : pby_refuse(err, name, text, expected);
}

/* The numbers that belong to the other sort of mechanism. */
static pby_status check_sort(const pby_accuracy_asked *asked, pby_accuracy_kind kind, pby_error *err)
{
    const bool noisy = pby_accuracy_noisy_kind(kind);
    if (noisy)
        PBY_TRY(refuse_unread("eta", asked->eta, of_moves, err));
    if (noisy)
        PBY_TRY(refuse_unread("width of buckets", asked->width, of_moves, err));
    if (!noisy)
        PBY_TRY(refuse_unread("beta", asked->beta, pby_accuracy_of_noise, err));
    if (!noisy)
        return refuse_unread("gamma", asked->gamma, pby_accuracy_of_noise, err);
    return PBY_OK;
}

pby_status pby_accuracy_inputs_said(const pby_accuracy_asked *asked, pby_accuracy_kind kind, pby_error *err)
{
    const bool n = asked->n != NULL, support = asked->support != NULL;
    switch (kind) {
    case PBY_ACCURACY_NOISY:
        return PBY_OK;
    case PBY_ACCURACY_QUERY:
        return refuse_unread("n", asked->n, "none: this mechanism answers a query, and drops no records",
                             err);
    case PBY_ACCURACY_TOTALS:
    case PBY_ACCURACY_POINT:
        return !n && !support ? PBY_OK
                              : pby_fail(err, PBY_BAD,
                                         "inputs: expected no records and no support, which the "
                                         "mechanism says itself");
    case PBY_ACCURACY_CHOICE:
        return !n && support
                   ? PBY_OK
                   : pby_fail(err, PBY_BAD,
                              "inputs: expected support, how many candidates there are, and no records");
    case PBY_ACCURACY_STREAM:
        return !n && support ? PBY_OK
                             : pby_fail(err, PBY_BAD,
                                        "inputs: expected support, how many questions a use is asked at "
                                        "most, and no records");
    case PBY_ACCURACY_SHARE:
    case PBY_ACCURACY_MEAN:
        return n && !support
                   ? PBY_OK
                   : pby_fail(err, PBY_BAD, "inputs: expected n, how many users report, and no support");
    default:
        return n && support ? PBY_OK
                            : pby_fail(err, PBY_BAD,
                                       "inputs: expected n and support: alpha is a part of n records, lost "
                                       "by as many bars as are occupied");
    }
}

/* Reads beta, the error that noise may reach, and gamma, the chance that it goes farther. */
static pby_status read_noise(pby_accuracy_terms *t, const pby_accuracy_asked *asked, pby_error *err)
{
    pby_status status = read_from_0(t->beta, "beta", asked->beta, err);
    if (status == PBY_OK)
        status = read_from_0(t->gamma, "gamma", asked->gamma, err);
    if (status == PBY_OK && mpq_cmp_ui(t->beta, BETA_MAX, 1) > 0)
        status = pby_refuse(err, "beta", asked->beta, "at most 1e18");
    if (status == PBY_OK && mpq_cmp_ui(t->gamma, 1, 1) > 0)
        status = pby_refuse(err, "gamma", asked->gamma, "a rational from 0 to 1");
    t->asks_beta = asked->beta != NULL;
    t->asks_gamma = asked->gamma != NULL;
    return status;
}

static pby_status read_inputs(pby_accuracy_terms *t, const pby_accuracy_asked *asked, pby_error *err)
{
    unsigned long n, support;
    t->asks_n = asked->n != NULL;
    pby_status status = pby_integer_parse(&n, "n", asked->n, 1, INT64_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&support, "support", asked->support, 1, INT64_MAX, 1, err);
    if (status == PBY_OK)
        status = read_from_0(t->width, "width of buckets", asked->width, err);
    if (status == PBY_OK)
        t->inputs = (pby_input_class){n, support, t->width};
    return status;
}

pby_status pby_accuracy_terms_read(pby_accuracy_terms *t, const pby_accuracy_asked *asked,
                                   pby_accuracy_kind kind, pby_error *err)
{
    pby_status status = check_sort(asked, kind, err);
    if (status == PBY_OK)
        status = read_noise(t, asked, err);
    if (status == PBY_OK)
        status = pby_accuracy_inputs_said(asked, kind, err);
    if (status == PBY_OK)
        status = read_inputs(t, asked, err);
    if (status == PBY_OK)
        status = read_from_0(t->eta, "eta", asked->eta, err);
    t->asks_eta = asked->eta != NULL;
    return status;
}
