/* SPDX-License-Identifier: MIT */
#include <arb.h>
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "certificate/certificate.h"
#include "certificate/document.h"
#include "certificate/unit.h"
#include "loss/loss.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity.h"
#include "probity/experimental/certified.h"
#include "probity/experimental/losses.h"
#include "select/approach.h"
#include "select/select_judge.h"

/* Ten digits beyond those that are written: the two ends are then the neighbouring decimals of the
 * truth, except with a chance of about 1e-10. */
enum { WORKING_DIGITS = PBY_CERTIFICATE_DIGITS + 10 };

/* The bits of an end that is a decimal of a certificate; the part of an end that is put on top of it. */
enum { END_BITS = 8 * PBY_CERTIFICATE_DIGITS, MARGIN = 100 };

/* The least enclosure around both; 0 <= delta <= 1 holds of every delta. */
static pby_status hull(pby_enclosure *x, const pby_enclosure *y, pby_error *err)
{
    if (pby_enclosures_are_apart(x, y))
        return pby_enclosures_contradict(x, y, err);
    if (mpfr_less_p(y->lo, x->lo)) {
        mpfr_set_prec(x->lo, mpfr_get_prec(y->lo));
        mpfr_set(x->lo, y->lo, MPFR_RNDD);
    }
    if (mpfr_greater_p(y->hi, x->hi)) {
        mpfr_set_prec(x->hi, mpfr_get_prec(y->hi));
        mpfr_set(x->hi, y->hi, MPFR_RNDU);
    }
    pby_enclosure_keep_in_unit(x);
    return PBY_OK;
}

/* The claim to be certified; most is NULL without a target. */
struct request {
    const pby_spec *spec;
    pby_neighbours relation;
    mpq_srcptr epsilon, most;
    const char *user; /* NULL: the unit of privacy is a record */
};

static pby_status single_delta(pby_enclosure *delta, const struct request *r, pby_error *err)
{
    pby_enclosure direct;
    pby_enclosure_init(&direct);
    pby_status status = pby_loss_delta(delta, r->spec, r->relation, r->epsilon, WORKING_DIGITS, err);
    if (status == PBY_OK)
        status = pby_loss_delta_direct(&direct, r->spec, r->relation, r->epsilon, WORKING_DIGITS, err);
    if (status == PBY_OK)
        status = hull(delta, &direct, err);
    pby_enclosure_clear(&direct);
    return status;
}

/* ---- a target --------------------------------------------------------------------------------- */

/* A decimal of the certificate, as the rational that it is. */
static pby_status decimal_of(mpq_t out, mpfr_srcptr x, bool down, pby_error *err)
{
    char text[PBY_DECIMAL_SIZE];
    pby_decimal(text, x, PBY_CERTIFICATE_DIGITS, down);
    return pby_rational_parse(out, "delta", text, err);
}

/* Which side of the target the certified decimals lie on. */
static pby_status compare(pby_decision *verdict, const pby_enclosure *delta, mpq_srcptr most, pby_error *err)
{
    PBY_MPQ(end);
    *verdict = PBY_NEITHER;
    PBY_TRY(decimal_of(end, delta->hi, false, err));
    if (mpq_cmp(end, most) <= 0)
        *verdict = PBY_WITHIN;
    if (*verdict == PBY_NEITHER)
        PBY_TRY(decimal_of(end, delta->lo, true, err));
    if (*verdict == PBY_NEITHER && mpq_cmp(end, most) > 0)
        *verdict = PBY_BEYOND;
    return PBY_OK;
}

static pby_status unmet(const struct request *r, const pby_enclosure *delta, pby_decision verdict,
                        pby_error *err)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE], most[PBY_DECIMAL_SIZE];
    PBY_FMPQ(target);
    fmpq_set_mpq(target, r->most);
    pby_rational_text(most, target);
    pby_decimal(lo, delta->lo, PBY_DIGITS_DEFAULT, true);
    pby_decimal(hi, delta->hi, PBY_DIGITS_DEFAULT, false);
    if (verdict == PBY_BEYOND)
        return pby_fail_by(err, PBY_NO, PBY_REASON_TARGET,
                           "delta of %s is at least %s, above the target of %.60s",
                           PBY_EXCERPT(pby_spec_text(r->spec)), lo, most);
    return pby_fail_by(err, PBY_NO, PBY_REASON_TARGET,
                       "delta of %s is from %s to %s, which is not shown to be within the target of %.60s",
                       PBY_EXCERPT(pby_spec_text(r->spec)), lo, hi, most);
}

/* delta may be the target itself, which an exact sign tells: then that is the upper end. It must have few
 * enough digits. */
static pby_status meet_exactly(pby_decision *verdict, pby_enclosure *delta, const struct request *r,
                               pby_error *err)
{
    const pby_target target = {.epsilon = r->epsilon, .delta = r->most, .relation = r->relation, .uses = 1};
    pby_status status = pby_judge_exact(verdict, r->spec, &target, err);
    if (status != PBY_OK || *verdict != PBY_WITHIN)
        return status;
    PBY_MPQ(end);
    PBY_MPFR(END_BITS, hi);
    mpfr_set_q(hi, r->most, MPFR_RNDD);
    status = decimal_of(end, hi, false, err);
    if (status == PBY_OK && mpq_equal(end, r->most))
        mpfr_swap(delta->hi, hi);
    else if (status == PBY_OK)
        status = pby_refuse_mpq(err, "delta", r->most,
                                "a decimal of at most 20 digits, because none lies between this and delta");
    return status;
}

static pby_status meet(pby_enclosure *delta, const struct request *r, pby_error *err)
{
    pby_decision verdict;
    if (r->most == NULL)
        return PBY_OK;
    pby_status status = compare(&verdict, delta, r->most, err);
    if (status == PBY_OK && verdict == PBY_NEITHER && pby_approach_exact(delta, WORKING_DIGITS))
        status = meet_exactly(&verdict, delta, r, err);
    return status != PBY_OK || verdict == PBY_WITHIN ? status : unmet(r, delta, verdict, err);
}

/* ---- a composition ---------------------------------------------------------------------------- */

/* As close as the target takes it: what is farther apart would not show it, and what is closer would have to
 * be found again by whoever checks it. */
static pby_status composed_delta(pby_enclosure *delta, const struct request *r, pby_error *err)
{
    if (r->most == NULL)
        return pby_loss_delta(delta, r->spec, r->relation, r->epsilon, WORKING_DIGITS, err);
    PBY_MPFR(END_BITS, hi);
    mpfr_set_q(hi, r->most, MPFR_RNDD);
    const pby_approached q = {
        .spec = r->spec, .relation = r->relation, .epsilon = r->epsilon, .digits = WORKING_DIGITS, .hi = hi};
    return pby_approach(delta, &q, err);
}

/* end = a decimal of a certificate that is not above the target, and as near to it as such are; else 0. */
static void set_target_end(mpfr_t end, mpq_srcptr most)
{
    char text[PBY_DECIMAL_SIZE];
    PBY_MPQ(decimal);
    mpfr_set_q(end, most, MPFR_RNDU);
    pby_decimal(text, end, PBY_CERTIFICATE_DIGITS, true);
    if (pby_rational_parse(decimal, "delta", text, NULL) == PBY_OK && mpq_cmp(decimal, most) <= 0)
        mpfr_set_str(end, text, 10, MPFR_RNDD);
    else
        mpfr_set_zero(end, 1);
}

/* Raises an upper end by a hundredth, but not beyond the target. */
static void raise_end(mpfr_t hi, mpq_srcptr most)
{
    mpfr_t raised, end;
    mpfr_inits2(END_BITS, raised, end, (mpfr_ptr)0);
    mpfr_div_ui(raised, hi, MARGIN, MPFR_RNDU);
    mpfr_add(raised, raised, hi, MPFR_RNDU);
    if (most != NULL)
        set_target_end(end, most);
    if (most != NULL && mpfr_less_p(end, raised))
        mpfr_swap(raised, end);
    if (mpfr_greater_p(raised, hi))
        mpfr_swap(hi, raised);
    mpfr_clears(raised, end, (mpfr_ptr)0);
}

/* Bounds of a grid get a hundredth more on either side, as far as the target leaves room for it, so that
 * other bounds of the usual width, which have a number in common with them, lie within. Those of an exact
 * composition are left as they are. */
static void widen_delta(pby_enclosure *delta, mpq_srcptr most)
{
    if (pby_approach_exact(delta, WORKING_DIGITS))
        return;
    raise_end(delta->hi, most);
    PBY_MPFR(mpfr_get_prec(delta->lo), margin);
    mpfr_div_ui(margin, delta->lo, MARGIN, MPFR_RNDU);
    mpfr_sub(delta->lo, delta->lo, margin, MPFR_RNDD);
    pby_enclosure_keep_in_unit(delta);
}

/* ---- the text --------------------------------------------------------------------------------- */

/* The certificate as JSON, its digest included; NULL when there is no memory. The statement of accuracy, or
 * NULL, is taken. */
static json_t *describe(const struct request *r, const char *epsilon, const pby_enclosure *delta,
                        json_t *accuracy)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    pby_decimal(lo, delta->lo, PBY_CERTIFICATE_DIGITS, true);
    pby_decimal(hi, delta->hi, PBY_CERTIFICATE_DIGITS, false);
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:{s:s, s:s}, s:o}", "format", PBY_CERTIFICATE_FORMAT,
                             "version", PBY_CERTIFICATE_VERSION, "spec", pby_spec_text(r->spec), "neighbours",
                             pby_neighbours_text(r->relation), "epsilon", epsilon, "delta", "lo", lo, "hi",
                             hi, "computed_with", pby_document_tools());
    if (r->user != NULL &&
        json_object_set_new(root, "unit", json_pack("s+", PBY_CERTIFICATE_USER, r->user)) != 0) {
        json_decref(root);
        json_decref(accuracy);
        return NULL;
    }
    if (accuracy != NULL && json_object_set_new(root, "accuracy", accuracy) != 0) {
        json_decref(root);
        root = NULL;
    }
    if (root != NULL && pby_document_seal(root, NULL) != PBY_OK) {
        json_decref(root);
        root = NULL;
    }
    return root;
}

/* 1e9999 is a rational that is read, but its canonical text has more digits than may be read. */
static pby_status readable(const pby_spec *spec, const char *epsilon, pby_error *err)
{
    const char *text = pby_spec_text(spec);
    pby_spec *again;
    PBY_MPQ(q);
    PBY_TRY(pby_rational_parse(q, "epsilon in lowest terms", epsilon, err));
    PBY_TRY(pby_spec_parse(&again, &text, 1, err));
    pby_spec_free(again);
    return PBY_OK;
}

/* A composition is checked by its second route before it is handed out. One that does not pass is no
 * negative answer to the caller: it says why. */
static pby_status recheck(const char *text, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    const pby_status status = pby_verify(NULL, text, strlen(text), &why);
    if (status == PBY_NO)
        return pby_fail(err, PBY_FAILED, "the certificate was not confirmed: %.400s", why.text);
    if (status != PBY_OK && err != NULL)
        *err = why;
    return status;
}

static pby_status write_text(char **text, const struct request *r, const char *epsilon,
                             const pby_enclosure *delta, json_t *accuracy, pby_error *err)
{
    json_t *root = describe(r, epsilon, delta, accuracy);
    *text = root == NULL ? NULL : pby_certificate_encode(root);
    json_decref(root);
    return *text != NULL ? PBY_OK : pby_no_memory(err);
}

/* The accuracy, or NULL, is taken. */
static pby_status certify(char **text, const struct request *r, const char *epsilon, json_t *accuracy,
                          pby_error *err)
{
    pby_way way;
    pby_enclosure delta;
    pby_enclosure_init(&delta);
    pby_status status = pby_certificate_way(&way, r->spec, r->relation, err);
    if (status == PBY_OK)
        status = way == PBY_BY_COMPOSITION ? composed_delta(&delta, r, err) : single_delta(&delta, r, err);
    if (status == PBY_OK)
        status = meet(&delta, r, err);
    if (status == PBY_OK && way == PBY_BY_COMPOSITION)
        widen_delta(&delta, r->most);
    if (status == PBY_OK)
        status = write_text(text, r, epsilon, &delta, accuracy, err);
    else
        json_decref(accuracy);
    if (status == PBY_OK && way == PBY_BY_COMPOSITION)
        status = recheck(*text, err);
    pby_enclosure_clear(&delta);
    return status;
}

pby_status pby_certify_with(char **text, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                            const pby_certify_options *options, pby_error *err)
{
    const struct request r = {spec, relation, epsilon, options->delta, options->user};
    json_t *accuracy = NULL;
    char *epsilon_text = mpq_get_str(NULL, 10, epsilon);
    pby_status status = readable(spec, epsilon_text, err);
    *text = NULL;
    if (status == PBY_OK && options->user != NULL)
        status = pby_unit_check("user", options->user, err);
    if (status == PBY_OK && options->inputs != NULL)
        status = pby_accuracy_state(&accuracy, spec, options->inputs, options->beta, options->gamma, err);
    if (status == PBY_OK)
        status = certify(text, &r, epsilon_text, accuracy, err);
    if (status != PBY_OK) {
        free(*text);
        *text = NULL;
    }
    free(epsilon_text);
    return status;
}

pby_status pby_certify_accuracy(char **text, const pby_spec *spec, pby_neighbours relation,
                                mpq_srcptr epsilon, const pby_input_class *inputs, pby_error *err)
{
    const pby_certify_options options = {.inputs = inputs};
    return pby_certify_with(text, spec, relation, epsilon, &options, err);
}

pby_status pby_certify(char **text, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                       pby_error *err)
{
    return pby_certify_accuracy(text, spec, relation, epsilon, NULL, err);
}
