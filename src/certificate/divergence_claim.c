/* SPDX-License-Identifier: MIT */
/* Certificates of a divergence (docs/certificate.md, version 2): written, read and checked.
 *
 * Divergences add, so that a list needs no grid, and both ends have 20 digits. Gaussians of all records have
 * rationals, which are compared as such: 0.0728 is 0.0728. Anything else is computed to 30 digits and held
 * against the sum over every outcome by itself, where the outcomes are finitely many; a check takes 40. Of mu
 * other mechanisms have a bound alone, from 0 on: the root of the sum of the squares of all uses' mus.
 */
#include "certificate/divergence_claim.h"
#include "base/excerpt.h"
#include "probity/experimental/certified.h"
#include "probity/experimental/losses.h"

#include <stdlib.h>
#include <string.h>

#include "certificate/document.h"
#include "loss/divergence/spectrum.h"
#include "loss/loss.h"
#include "mechanism/gauss/gauss.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity.h"

enum { WRITTEN_DIGITS = PBY_CERTIFICATE_DIGITS + 10, CHECKED_DIGITS = 2 * PBY_CERTIFICATE_DIGITS };
enum { END_BITS = 8 * PBY_CERTIFICATE_DIGITS, OUTCOMES_MAX = 1 << 14 };

/* The kinds, by their questions, and the members that their numbers have. */
static const struct kind {
    pby_question question;
    const char *name, *ends, *value; /* value NULL: there is none */
} kinds[] = {{PBY_ASK_RHO, "zcdp", "rho", "xi"},
             {PBY_ASK_RENYI, "renyi", "epsilon", "order"},
             {PBY_ASK_MU, "gdp", "mu", NULL}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind *kind_of(pby_question question)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].question == question)
            return &kinds[i];
    return NULL;
}

/* ---- what may be certified -------------------------------------------------------------------- */

static bool is_integer_from_two(mpq_srcptr x)
{
    return mpz_cmp_ui(mpq_denref(x), 1) == 0 && mpq_cmp_ui(x, 2, 1) >= 0;
}

static pby_status may_certify(const pby_spec *spec, pby_question question, mpq_srcptr value, pby_error *err)
{
    for (size_t i = 0; i < spec->count; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        const bool sampled = pby_mechanism_sample(m) != NULL || pby_mechanism_allocated(m);
        if (m->family == &pby_family_zcdp || m->family == &pby_family_rdp || m->family == &pby_family_gdp)
            return pby_fail(err, PBY_BAD,
                            "SPEC '%.200s': expected a mechanism: of a promise there is nothing to compute",
                            spec->text);
        if (sampled && question == PBY_ASK_RHO)
            return pby_fail(err, PBY_BAD,
                            "SPEC '%.200s': expected no sampling, as rho is certified without it",
                            spec->text);
        if (sampled && question == PBY_ASK_RENYI && !is_integer_from_two(value))
            return pby_fail(err, PBY_BAD, "order: expected an integer from 2 on, as SPEC '%.200s' samples",
                            spec->text);
    }
    return PBY_OK;
}

/* ---- exactly ---------------------------------------------------------------------------------- */

/* The rho of a list whose divergence over its order comes up to a rational and nowhere passes it: that of
 * discrete Gaussians too, for xi = 0. */
static bool exact_rho(fmpq_t out, const pby_spec *spec, pby_neighbours relation)
{
    pby_spectrum s;
    const bool straight = pby_spectrum_init(&s, spec, relation, NULL) == PBY_OK &&
                          pby_spectrum_straighten(&s);
    if (straight)
        fmpq_set(out, s.line.rho);
    pby_spectrum_clear(&s);
    return straight;
}

/* A Gaussian has D_a = r a for all a: so no xi lessens its rho. */
bool pby_divergence_exact(fmpq_t out, const pby_spec *spec, pby_neighbours relation, pby_question question,
                          mpq_srcptr value)
{
    pby_mechanism all;
    PBY_FMPQ(order);
    bool gaussian = true;
    for (size_t i = 0; i < spec->count; i++)
        gaussian = gaussian && pby_gauss_gathers(&spec->use[i].mechanism);
    if (!gaussian)
        return question == PBY_ASK_RHO && (value == NULL || mpq_sgn(value) == 0) &&
               exact_rho(out, spec, relation);
    pby_mechanism_init(&all, &pby_family_gauss);
    pby_gauss_gather(&all, spec);
    fmpq_inv(out, &all.value[pby_family_with(all.family, PBY_ROLE_VARIANCE)]);
    pby_mechanism_clear(&all);
    if (question == PBY_ASK_MU)
        return true;
    fmpq_div_2exp(out, out, 1);
    if (question == PBY_ASK_RENYI) {
        fmpq_set_mpq(order, value);
        fmpq_mul(out, out, order);
    }
    return true;
}

/* True if x, or the square of x, is at most (1) or at least (-1) the rational. */
static bool is_beside(const char *text, const fmpq_t exact, bool square, int side)
{
    PBY_MPQ(x);
    PBY_FMPQ(y);
    if (pby_rational_parse(x, "end", text, NULL) != PBY_OK)
        return false;
    fmpq_set_mpq(y, x);
    if (square)
        fmpq_mul(y, y, y);
    return side * fmpq_cmp(y, exact) <= 0;
}

/* Decimals around a rational: the very decimal where it is one. */
static void exact_decimals(pby_decimals *out, const fmpq_t exact, bool square)
{
    PBY_ARB(ball);
    pby_enclosure x;
    pby_enclosure_init(&x);
    arb_set_fmpq(ball, exact, 2 * END_BITS);
    if (square)
        arb_sqrt(ball, ball, 2 * END_BITS);
    pby_enclosure_set_arb(&x, ball, 2 * WRITTEN_DIGITS);
    /* from the other side, so that a decimal is met, unless that passes the number */
    pby_decimal(out->lo, x.hi, PBY_CERTIFICATE_DIGITS, true);
    if (!is_beside(out->lo, exact, square, 1))
        pby_decimal(out->lo, x.lo, PBY_CERTIFICATE_DIGITS, true);
    pby_decimal(out->hi, x.lo, PBY_CERTIFICATE_DIGITS, false);
    if (!is_beside(out->hi, exact, square, -1))
        pby_decimal(out->hi, x.hi, PBY_CERTIFICATE_DIGITS, false);
    pby_enclosure_clear(&x);
}

/* ---- outcome by outcome ----------------------------------------------------------------------- */

/* out = log(sum of p (p/q)^(a-1))/(a-1), a > 1, over atoms as they are. */
static bool pair_divergence(arb_t out, const pby_pair *pair, const fmpq_t order, slong prec)
{
    PBY_ARB(sum, p, q, norm_p, norm_q, less);
    PBY_FMPQ(rest);
    if (pair->curve != NULL || pair->count > OUTCOMES_MAX)
        return false;
    fmpq_sub_si(rest, order, 1);
    arb_set_fmpq(less, rest, prec);
    pby_expsum_get_arb(norm_p, pair->norm_p, prec);
    pby_expsum_get_arb(norm_q, pair->norm_q, prec);
    for (size_t i = 0; i < pair->count; i++) {
        pby_expsum_get_arb(p, pair->atoms[i].p, prec);
        pby_expsum_get_arb(q, pair->atoms[i].q, prec);
        arb_div(p, p, norm_p, prec);
        arb_div(q, q, norm_q, prec);
        if (arb_is_zero(p))
            continue;
        if (!arb_is_positive(p) || !arb_is_positive(q))
            return false;
        arb_div(q, p, q, prec);
        arb_pow(q, q, less, prec);
        arb_addmul(sum, p, q, prec);
    }
    arb_log(out, sum, prec);
    arb_div(out, out, less, prec);
    return arb_is_finite(out);
}

/* The divergence of one mechanism, the worst over its pairs, one outcome after the other; of several uses
 * where each has one pair, which is then that of the same two neighbours. */
static bool divergence_directly(arb_t out, const pby_spec *spec, pby_neighbours relation, const fmpq_t order,
                                slong prec)
{
    PBY_ARB(one, worst);
    bool good = fmpq_cmp_si(order, 1) > 0;
    arb_zero(out);
    for (size_t i = 0; i < spec->count && good; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        pby_pairs pairs = {NULL, 0};
        PBY_PRIVACY(p, m);
        good = p.paired && !p.loose && !p.searched && !p.unlisted &&
               pby_mechanism_pairs(&pairs, m, relation, NULL) == PBY_OK && pairs.count > 0 &&
               (pairs.count == 1 || pby_spec_is_single(spec));
        arb_neg_inf(worst);
        for (size_t k = 0; k < pairs.count && good; k++) {
            good = pair_divergence(one, &pairs.pair[k], order, prec);
            pby_raise_to(worst, one, prec);
            pby_pair_reverse(&pairs.pair[k]);
            good = good && pair_divergence(one, &pairs.pair[k], order, prec);
            pby_raise_to(worst, one, prec);
        }
        arb_addmul_ui(out, worst, spec->use[i].times, prec);
        pby_pairs_clear(&pairs);
    }
    return good;
}

/* Holds what was computed against the direct sum: a divergence of that order must meet it, and no order may
 * have more than xi + rho a. *direct tells that there was one. */
static pby_status hold_against(bool *direct, const pby_spec *spec, pby_neighbours relation,
                               pby_question question, mpq_srcptr value, const pby_enclosure *x,
                               pby_error *err)
{
    static const long orders[] = {2, 3, 8, 64};
    const slong prec = pby_precision_for_digits(WRITTEN_DIGITS);
    PBY_FMPQ(order, xi);
    PBY_ARB(sum, bound, rho);
    bool apart = false;
    *direct = false;
    if (question == PBY_ASK_MU)
        return PBY_OK;
    arb_set_interval_mpfr(bound, x->lo, x->hi, prec);
    fmpq_set_mpq(order, value);
    if (question == PBY_ASK_RENYI) {
        *direct = divergence_directly(sum, spec, relation, order, prec);
        apart = *direct && !arb_overlaps(sum, bound);
    }
    for (size_t i = 0; question == PBY_ASK_RHO && i < sizeof orders / sizeof *orders && !apart; i++) {
        fmpq_set(xi, order);
        PBY_FMPQ(a);
        fmpq_set_si(a, orders[i], 1);
        if (!divergence_directly(sum, spec, relation, a, prec))
            break;
        *direct = true;
        arb_mul_si(rho, bound, orders[i], prec);
        PBY_ARB(start);
        arb_set_fmpq(start, xi, prec);
        arb_add(rho, rho, start, prec);
        apart = arb_gt(sum, rho);
    }
    return apart ? pby_fail(err, PBY_FAILED, "the divergence by two ways is not one: nothing was certified")
                 : PBY_OK;
}

/* ---- computing -------------------------------------------------------------------------------- */

static pby_status compute(pby_enclosure *x, const pby_spec *spec, pby_neighbours relation,
                          pby_question question, mpq_srcptr value, unsigned digits, pby_error *err)
{
    PBY_TRY(may_certify(spec, question, value, err));
    PBY_TRY(question == PBY_ASK_RHO     ? pby_loss_zcdp(x, NULL, spec, relation, value, digits, err)
            : question == PBY_ASK_RENYI ? pby_loss_renyi(x, NULL, spec, relation, value, digits, err)
                                        : pby_loss_mu(x, spec, relation, digits, err));
    return mpfr_number_p(x->hi)
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "SPEC '%.200s': its divergence is infinite", spec->text);
}

/* Encloses the bound of a list's mu, which is all that is stated of it. */
static pby_status compute_bound(pby_enclosure *x, const pby_spec *spec, pby_neighbours relation,
                                unsigned digits, pby_error *err)
{
    PBY_ARB(mu);
    PBY_TRY(may_certify(spec, PBY_ASK_MU, NULL, err));
    PBY_TRY(pby_loss_mu_added(mu, spec, relation, digits, err));
    if (!arb_is_finite(mu))
        return pby_fail(err, PBY_BAD,
                        "SPEC '%.200s': expected mechanisms that have a finite mu which is known",
                        spec->text);
    pby_enclosure_set_arb(x, mu, digits);
    return PBY_OK;
}

/* hi - lo <= 2e-19 hi: what rounding outwards to 20 digits leaves. */
static bool are_tight(const char *lo, const char *hi)
{
    PBY_MPQ(a, b, most);
    if (pby_rational_parse(a, "lo", lo, NULL) != PBY_OK || pby_rational_parse(b, "hi", hi, NULL) != PBY_OK)
        return false;
    mpq_set_str(most, "1/5000000000000000000", 10);
    mpq_mul(most, most, b);
    mpq_sub(b, b, a);
    return mpq_sgn(b) >= 0 && mpq_cmp(b, most) <= 0;
}

/* True if hi is the bound, rounded up to the digits of a certificate. */
static bool is_rounded_up(const char *hi, const pby_enclosure *bound)
{
    pby_decimals ends;
    PBY_MPQ(x);
    pby_decimals_set(&ends, bound, PBY_CERTIFICATE_DIGITS);
    return pby_rational_parse(x, "hi", hi, NULL) == PBY_OK && mpfr_cmp_q(bound->hi, x) <= 0 &&
           are_tight(ends.lo, hi);
}

/* 0, and the bound of a list's mu. */
static pby_status bound_of(pby_decimals *out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    pby_enclosure x;
    pby_enclosure_init(&x);
    pby_status status = compute_bound(&x, spec, relation, WRITTEN_DIGITS, err);
    if (status == PBY_OK) {
        pby_decimals_set(out, &x, PBY_CERTIFICATE_DIGITS);
        strcpy(out->lo, "0");
        if (!is_rounded_up(out->hi, &x))
            status = pby_fail(err, PBY_BAD, "SPEC '%.200s': its mu is not known to %d digits", spec->text,
                              PBY_CERTIFICATE_DIGITS);
    }
    pby_enclosure_clear(&x);
    return status;
}

/* True if the claim is of a mu that is only bounded. */
static bool is_bound(const pby_spec *spec, pby_neighbours relation, pby_question question)
{
    PBY_FMPQ(exact);
    return question == PBY_ASK_MU && !pby_divergence_exact(exact, spec, relation, question, NULL);
}

static pby_status ends_of(pby_decimals *out, const pby_spec *spec, pby_neighbours relation,
                          pby_question question, mpq_srcptr value, pby_error *err)
{
    pby_enclosure x;
    PBY_FMPQ(exact);
    bool direct;
    if (is_bound(spec, relation, question))
        return bound_of(out, spec, relation, err);
    pby_enclosure_init(&x);
    pby_status status = compute(&x, spec, relation, question, value, WRITTEN_DIGITS, err);
    if (status == PBY_OK)
        status = hold_against(&direct, spec, relation, question, value, &x, err);
    if (status == PBY_OK) {
        pby_decimals_set(out, &x, PBY_CERTIFICATE_DIGITS);
        if (pby_divergence_exact(exact, spec, relation, question, value))
            exact_decimals(out, exact, question == PBY_ASK_MU);
        if (!are_tight(out->lo, out->hi))
            status = pby_fail(err, PBY_BAD,
                              "SPEC '%.200s': its divergence is only known to lie from %.30s to %.30s, "
                              "and is not certified",
                              spec->text, out->lo, out->hi);
    }
    pby_enclosure_clear(&x);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------- */

static json_t *describe(const pby_spec *spec, pby_neighbours relation, const struct kind *kind,
                        const char *value, const pby_decimals *ends)
{
    json_t *claim =
        json_pack("{s:s, s:{s:s, s:s}}", "kind", kind->name, kind->ends, "lo", ends->lo, "hi", ends->hi);
    if (claim != NULL && kind->value != NULL &&
        json_object_set_new(claim, kind->value, json_string(value)) != 0) {
        json_decref(claim);
        claim = NULL;
    }
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:o, s:o}", "format", PBY_CERTIFICATE_FORMAT, "version",
                             PBY_CERTIFICATE_CLAIMING, "spec", pby_spec_text(spec), "neighbours",
                             pby_neighbours_text(relation), "claim", claim, "computed_with",
                             pby_document_tools());
    if (root != NULL && pby_document_seal(root, NULL) != PBY_OK) {
        json_decref(root);
        root = NULL;
    }
    return root;
}

static pby_status check_value(pby_question question, mpq_srcptr value, pby_error *err)
{
    if (kind_of(question) == NULL)
        return pby_fail(err, PBY_BAD, "question: expected PBY_ASK_RHO, PBY_ASK_RENYI or PBY_ASK_MU");
    if (question != PBY_ASK_MU && value == NULL)
        return pby_fail(err, PBY_BAD, "value: expected an xi or an order");
    if (question == PBY_ASK_RHO && mpq_sgn(value) < 0)
        return pby_fail(err, PBY_BAD, "xi: expected a rational from 0 on");
    return question == PBY_ASK_RENYI && mpq_cmp_ui(value, 1, 1) < 0
               ? pby_fail(err, PBY_BAD, "order: expected a rational from 1 on")
               : PBY_OK;
}

pby_status pby_certify_divergence(char **text, const pby_spec *spec, pby_neighbours relation,
                                  pby_question question, mpq_srcptr value, pby_error *err)
{
    pby_decimals ends;
    pby_error why = PBY_NO_ERROR;
    *text = NULL;
    PBY_TRY(check_value(question, value, err));
    PBY_TRY(ends_of(&ends, spec, relation, question, value, err));
    char *shown = value == NULL ? NULL : mpq_get_str(NULL, 10, value);
    json_t *root = describe(spec, relation, kind_of(question), shown, &ends);
    free(shown);
    *text = root == NULL ? NULL : pby_certificate_encode(root);
    json_decref(root);
    if (*text == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_verify(NULL, *text, strlen(*text), &why);
    if (status == PBY_OK)
        return PBY_OK;
    free(*text);
    *text = NULL;
    return pby_fail(err, status == PBY_NO ? PBY_FAILED : status, "the certificate was not confirmed: %.400s",
                    why.text);
}

pby_status pby_certify_divergence_text(char **text, const pby_spec *spec, pby_neighbours relation,
                                       pby_question question, const char *value, pby_error *err)
{
    PBY_MPQ(x);
    *text = NULL;
    if (value != NULL)
        PBY_TRY(pby_rational_parse(x, question == PBY_ASK_RENYI ? "order" : "xi", value, err));
    return pby_certify_divergence(text, spec, relation, question, value == NULL ? NULL : x, err);
}

/* ---- reading ---------------------------------------------------------------------------------- */

static pby_status read_value(pby_certificate *c, const json_t *claim, const struct kind *kind, pby_error *err)
{
    if (kind->value == NULL)
        return PBY_OK;
    PBY_TRY(pby_certificate_rational(c->epsilon, claim, kind->value, err));
    PBY_TRY(pby_certificate_verdict(check_value(kind->question, c->epsilon, err), err));
    c->value_text = mpq_get_str(NULL, 10, c->epsilon);
    return PBY_OK;
}

pby_status pby_divergence_read(pby_certificate *c, const json_t *claim, pby_error *err)
{
    static const char *const sides[] = {"hi", "lo"};
    const char *name;
    size_t i = 0;
    if (!json_is_object(claim))
        return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "claim is not a JSON object");
    PBY_TRY(pby_certificate_string(&name, claim, "kind", err));
    while (i < KINDS && strcmp(kinds[i].name, name) != 0)
        i++;
    if (i == KINDS)
        return pby_certificate_deny(err, "claim.kind", name, "zcdp, renyi or gdp");
    const struct kind *kind = &kinds[i];
    const char *const fields[] = {"kind", kind->ends, kind->value};
    const json_t *ends = json_object_get(claim, kind->ends);
    c->question = kind->question;
    PBY_TRY(pby_certificate_object(claim, "claim", fields, kind->value == NULL ? 2 : 3, 0, err));
    PBY_TRY(pby_certificate_object(ends, kind->ends, sides, 2, 0, err));
    PBY_TRY(read_value(c, claim, kind, err));
    PBY_TRY(pby_certificate_decimal(c->delta.lo, &c->lo_text, ends, kind->ends, "lo", MPFR_RNDU, err));
    return pby_certificate_decimal(c->delta.hi, &c->hi_text, ends, kind->ends, "hi", MPFR_RNDD, err);
}

/* ---- checking --------------------------------------------------------------------------------- */

static pby_status wrong(const pby_certificate *c, const struct kind *kind, const pby_enclosure *truth,
                        pby_error *err)
{
    pby_decimals shown;
    pby_decimals_set(&shown, truth, PBY_DIGITS_DEFAULT);
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                       "claim.%s '%.30s' to '%.30s': not the bounds, %s of %s (%s) is from %.20s to %.20s",
                       kind->ends, c->lo_text, c->hi_text, kind->ends, PBY_EXCERPT(pby_spec_text(c->spec)),
                       pby_neighbours_text(c->relation), shown.lo, shown.hi);
}

static pby_status check_bound(pby_certificate *c, pby_enclosure *truth, pby_error *err)
{
    PBY_TRY(compute_bound(truth, c->spec, c->relation, CHECKED_DIGITS, err));
    c->route = "the squares of all mus, 40 digits";
    return strcmp(c->lo_text, "0") == 0 && is_rounded_up(c->hi_text, truth)
               ? PBY_OK
               : wrong(c, kind_of(c->question), truth, err);
}

static pby_status check(pby_certificate *c, pby_enclosure *truth, pby_error *err)
{
    if (is_bound(c->spec, c->relation, c->question))
        return check_bound(c, truth, err);
    const struct kind *kind = kind_of(c->question);
    mpq_srcptr value = kind->value == NULL ? NULL : c->epsilon;
    PBY_FMPQ(exact);
    bool direct = false;
    PBY_TRY(compute(truth, c->spec, c->relation, c->question, value, CHECKED_DIGITS, err));
    PBY_TRY(hold_against(&direct, c->spec, c->relation, c->question, value, truth, err));
    const bool rational = pby_divergence_exact(exact, c->spec, c->relation, c->question, value),
               square = c->question == PBY_ASK_MU;
    c->route = rational ? "the sum of rationals, compared exactly"
               : direct ? "40 digits, and the sum over every outcome by itself"
                        : "40 digits";
    const bool around =
        rational ? is_beside(c->lo_text, exact, square, 1) && is_beside(c->hi_text, exact, square, -1)
                 : mpfr_lessequal_p(c->delta.lo, truth->lo) && mpfr_lessequal_p(truth->hi, c->delta.hi);
    if (!around)
        return wrong(c, kind, truth, err);
    return are_tight(c->lo_text, c->hi_text)
               ? PBY_OK
               : pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                             "claim.%s: '%s' and '%s' are further apart than %d digits need", kind->ends,
                             c->lo_text, c->hi_text, PBY_CERTIFICATE_DIGITS);
}

pby_status pby_divergence_check(pby_certificate *c, pby_error *err)
{
    pby_enclosure truth;
    pby_enclosure_init(&truth);
    const pby_status status = check(c, &truth, err);
    pby_enclosure_clear(&truth);
    return pby_certificate_verdict(status, err);
}

/* ---- saying ----------------------------------------------------------------------------------- */

pby_question pby_certificate_question(const pby_certificate *c)
{
    return c->question;
}

const char *pby_certificate_value(const pby_certificate *c)
{
    return c->value_text == NULL ? "" : c->value_text;
}

const char *pby_certificate_divergence_lo(const pby_certificate *c)
{
    return c->question == PBY_ASK_DELTA ? "" : c->lo_text;
}

const char *pby_certificate_divergence_hi(const pby_certificate *c)
{
    return c->question == PBY_ASK_DELTA ? "" : c->hi_text;
}
