/* SPDX-License-Identifier: MIT */
/* The statement of accuracy in a certificate.
 *
 * Every statement has alpha, beta, gamma and the support. Of a mechanism that drops or hides it has the
 * records and the width too, of one with a threshold the records, of noise on every bar the records or not;
 * of a query, a choice or a session neither. The support is then the number of queries, candidates or
 * questions. Of the shares of answers the records are the users, and the support is 1.
 *
 * The beta of a statement says how far noise may go, but behind a threshold stlap makes no error, and beta is
 * 0. What is stated then is the accuracy at its gamma: the least alpha that fails with at most that chance.
 */
#include <stdlib.h>
#include <string.h>

#include "accuracy/accuracy.h"
#include "accuracy/row.h"
#include "certificate/certificate.h"
#include "mechanism/family.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/rational.h"

/* The digits to which the chance is computed; gamma has 9 of them. */
enum { WORKING_DIGITS = 40 };

/* ---- what is true -------------------------------------------------------------------------------- */

static bool is_moving(pby_accuracy_kind kind)
{
    return kind == PBY_ACCURACY_DROPS || kind == PBY_ACCURACY_HIDES;
}

/* True if it has nothing to do with records. */
static bool is_without_records(pby_accuracy_kind kind)
{
    return kind == PBY_ACCURACY_QUERY || kind == PBY_ACCURACY_CHOICE || kind == PBY_ACCURACY_STREAM ||
           kind == PBY_ACCURACY_POINT || kind == PBY_ACCURACY_TOTALS;
}

/* True if it depends on how many records there are. */
static bool is_part_of_records(pby_accuracy_kind kind)
{
    return kind != PBY_ACCURACY_NOISY && !is_without_records(kind);
}

static pby_status compute_moving(pby_accuracy *out, const pby_spec *spec, const pby_input_class *inputs,
                                 mpq_srcptr beta, mpq_srcptr gamma, pby_error *err)
{
    static const char expected[] = "none: this mechanism adds no noise that may go too far";
    uint64_t bar_loss;
    if (beta != NULL)
        return pby_refuse_mpq(err, "beta", beta, expected);
    if (gamma != NULL)
        return pby_refuse_mpq(err, "gamma", gamma, expected);
    return pby_accuracy_release(out, &bar_loss, spec, inputs, err);
}

static pby_status compute_noisy(pby_noisy_accuracy *out, pby_accuracy_kind kind, const pby_spec *spec,
                                const pby_input_class *inputs, mpq_srcptr beta, mpq_srcptr gamma,
                                pby_error *err)
{
    pby_input_class any = *inputs;
    if (kind == PBY_ACCURACY_QUERY && any.n != 0)
        return pby_fail(err, PBY_BAD, "records: expected none, this mechanism answers a query");
    if (is_without_records(kind) && any.n != 0)
        return pby_fail(err, PBY_BAD, "records: expected none, the accuracy is that of any number");
    if (kind == PBY_ACCURACY_SHARE && any.support != 1)
        return pby_fail(err, PBY_BAD, "support '%llu': expected 1, this mechanism has no bars",
                        (unsigned long long)any.support);
    if (!is_part_of_records(kind) && any.n == 0)
        any.n = 1;
    pby_status status = pby_accuracy_noisy(out, spec, &any, beta, gamma, WORKING_DIGITS, err);
    if (status != PBY_OK || !out->shrinks)
        return status;
    PBY_MPQ(stated);
    mpq_set(stated, out->release.gamma);
    return pby_accuracy_noisy(out, spec, &any, NULL, stated, WORKING_DIGITS, err);
}

/* The accuracy is out->release; where noise may go too far the chance is told as well. */
static pby_status compute(pby_noisy_accuracy *out, pby_accuracy_kind *kind, const pby_spec *spec,
                          const pby_input_class *inputs, mpq_srcptr beta, mpq_srcptr gamma, pby_error *err)
{
    const pby_status status = pby_accuracy_kind_of(kind, spec, err);
    if (status != PBY_OK)
        return status;
    return is_moving(*kind) ? compute_moving(&out->release, spec, inputs, beta, gamma, err)
                            : compute_noisy(out, *kind, spec, inputs, beta, gamma, err);
}

/* ---- written ------------------------------------------------------------------------------------- */

static json_t *rational_json(mpq_srcptr x)
{
    char *text = mpq_get_str(NULL, 10, x);
    json_t *json = json_string(text);
    free(text);
    return json;
}

static json_t *natural_json(uint64_t x)
{
    PBY_MPQ(q);
    pby_integer_set(mpq_numref(q), x);
    json_t *json = rational_json(q);
    return json;
}

static bool put_inputs(json_t *object, pby_accuracy_kind kind, const pby_input_class *inputs)
{
    if (inputs->n != 0 && json_object_set_new(object, "records", natural_json(inputs->n)) != 0)
        return false;
    return !is_moving(kind) ||
           json_object_set_new(object, "width",
                               inputs->width == NULL ? natural_json(0) : rational_json(inputs->width)) == 0;
}

static pby_status describe(json_t **out, const pby_accuracy *a, pby_accuracy_kind kind,
                           const pby_input_class *inputs, pby_error *err)
{
    char gamma[PBY_DECIMAL_SIZE];
    PBY_MPQ(back);
    pby_mpq_text(gamma, a->gamma);
    const bool exact = pby_rational_parse(back, "gamma", gamma, NULL) == PBY_OK &&
                       mpq_equal(back, a->gamma) != 0;
    if (!exact)
        return pby_refuse(err, "gamma", gamma, "a rational of fewer digits");
    *out = json_pack("{s:o, s:o, s:s, s:o}", "alpha", rational_json(a->alpha.value), "beta",
                     rational_json(a->beta.value), "gamma", gamma, "support", natural_json(inputs->support));
    if (*out != NULL && put_inputs(*out, kind, inputs))
        return PBY_OK;
    json_decref(*out);
    *out = NULL;
    return pby_no_memory(err);
}

pby_status pby_accuracy_state(json_t **out, const pby_spec *spec, const pby_input_class *inputs,
                              mpq_srcptr beta, mpq_srcptr gamma, pby_error *err)
{
    pby_accuracy_kind kind;
    pby_noisy_accuracy accuracy;
    *out = NULL;
    pby_noisy_accuracy_init(&accuracy);
    pby_status status = compute(&accuracy, &kind, spec, inputs, beta, gamma, err);
    if (status == PBY_OK)
        status = describe(out, &accuracy.release, kind, inputs, err);
    pby_noisy_accuracy_clear(&accuracy);
    return status;
}

/* ---- read ---------------------------------------------------------------------------------------- */

/* A count, written like a rational: JSON's numbers are doubles to many readers. */
static pby_status read_natural(uint64_t *out, const json_t *object, const char *name, pby_error *err)
{
    PBY_MPQ(q);
    pby_status status = pby_certificate_rational(q, object, name, err);
    if (status == PBY_OK &&
        (mpz_cmp_ui(mpq_denref(q), 1) != 0 || mpq_sgn(q) < 0 || mpz_sizeinbase(mpq_numref(q), 2) > 64))
        status = pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "field '%s' is not a count", name);
    if (status == PBY_OK)
        *out = pby_integer_unsigned(mpq_numref(q));
    return status;
}

/* A chance may be very small, and then has an exponent: its one spelling is that of pby_mpq_text. */
static pby_status read_gamma(mpq_t out, const json_t *object, pby_error *err)
{
    char again[PBY_DECIMAL_SIZE];
    const char *text;
    pby_status status = pby_certificate_string(&text, object, "gamma", err);
    if (status == PBY_OK)
        status = pby_certificate_verdict(pby_rational_parse(out, "accuracy.gamma", text, err), err);
    if (status != PBY_OK)
        return status;
    pby_mpq_text(again, out);
    return strcmp(text, again) == 0 ? PBY_OK : pby_certificate_deny(err, "accuracy.gamma", text, again);
}

/* The fields that a statement on this spec has. */
static pby_status check_fields(pby_accuracy_kind *kind, const pby_spec *spec, const json_t *statement,
                               pby_error *err)
{
    static const char *const fields[] = {"alpha", "beta", "gamma", "support", "records", "width"};
    const pby_status status = pby_certificate_verdict(pby_accuracy_kind_of(kind, spec, err), err);
    if (status != PBY_OK)
        return status;
    const size_t most = is_moving(*kind) ? 6 : is_without_records(*kind) ? 4 : 5;
    return pby_certificate_object(statement, "accuracy", fields, most, *kind == PBY_ACCURACY_NOISY, err);
}

static pby_status read_inputs(pby_certificate *c, const json_t *statement, pby_error *err)
{
    pby_status status = read_natural(&c->inputs.support, statement, "support", err);
    if (status == PBY_OK && json_object_get(statement, "records") != NULL) {
        status = read_natural(&c->inputs.n, statement, "records", err);
        if (status == PBY_OK && c->inputs.n == 0)
            status = pby_certificate_deny(err, "n", "0", "at least 1 record");
    }
    if (status == PBY_OK && json_object_get(statement, "width") != NULL)
        status = pby_certificate_rational(c->width, statement, "width", err);
    c->inputs.width = c->width;
    return status;
}

pby_status pby_accuracy_read(pby_certificate *c, const json_t *statement, pby_error *err)
{
    pby_accuracy_kind kind;
    if (statement == NULL)
        return PBY_OK;
    c->has_accuracy = true;
    pby_status status = check_fields(&kind, c->spec, statement, err);
    if (status == PBY_OK)
        status = pby_certificate_rational(c->accuracy.alpha.value, statement, "alpha", err);
    if (status == PBY_OK)
        status = pby_certificate_rational(c->accuracy.beta.value, statement, "beta", err);
    if (status == PBY_OK)
        status = read_gamma(c->accuracy.gamma, statement, err);
    return status == PBY_OK ? read_inputs(c, statement, err) : status;
}

/* ---- checked ------------------------------------------------------------------------------------- */

static pby_status compare(const char *name, mpq_srcptr stated, mpq_srcptr truth, pby_error *err)
{
    if (mpq_equal(stated, truth))
        return PBY_OK;
    char *text = mpq_get_str(NULL, 10, stated), *expected = mpq_get_str(NULL, 10, truth);
    const pby_status status = pby_certificate_deny(err, name, text, expected);
    free(text);
    free(expected);
    return status;
}

/* True if a gamma above the chance is within 2e-8 of it: rounding up to 9 digits adds at most half of that.
 */
static bool is_tight(mpq_srcptr stated, mpfr_srcptr chance)
{
    PBY_MPQ(part);
    mpq_set_ui(part, 100000000 - 2, 100000000);
    mpq_canonicalize(part);
    mpq_mul(part, part, stated);
    return mpfr_cmp_q(chance, part) >= 0;
}

/* gamma is to be at least the chance, whose far end counts, and no looser than its digits make it. One below
 * 1e-10000 is told as that. */
static pby_status compare_gamma(mpq_srcptr stated, const pby_noisy_accuracy *truth, pby_error *err)
{
    char text[PBY_DECIMAL_SIZE], expected[PBY_DECIMAL_SIZE];
    if (mpq_equal(stated, truth->release.gamma) ||
        (mpfr_cmp_q(truth->chance.hi, stated) <= 0 && is_tight(stated, truth->chance.lo)))
        return PBY_OK;
    pby_mpq_text(text, stated);
    pby_mpq_text(expected, truth->release.gamma);
    return pby_certificate_deny(err, "accuracy.gamma", text, expected);
}

/* At what is stated: of noise the error, or the chance where there is no error. */
static pby_status recompute(pby_noisy_accuracy *truth, pby_accuracy_kind *kind, const pby_certificate *c,
                            pby_error *err)
{
    pby_status status = pby_accuracy_kind_of(kind, c->spec, err);
    if (status == PBY_OK)
        status = compute(truth, kind, c->spec, &c->inputs, is_moving(*kind) ? NULL : c->accuracy.beta.value,
                         NULL, err);
    if (status == PBY_OK && !is_moving(*kind) && truth->shrinks)
        status = compute(truth, kind, c->spec, &c->inputs, NULL, c->accuracy.gamma, err);
    return pby_certificate_verdict(status, err);
}

pby_status pby_accuracy_check(const pby_certificate *c, pby_error *err)
{
    pby_accuracy_kind kind;
    pby_noisy_accuracy truth;
    if (!c->has_accuracy)
        return PBY_OK;
    pby_noisy_accuracy_init(&truth);
    pby_status status = recompute(&truth, &kind, c, err);
    if (status == PBY_OK)
        status = compare("accuracy.alpha", c->accuracy.alpha.value, truth.release.alpha.value, err);
    if (status == PBY_OK)
        status = compare("accuracy.beta", c->accuracy.beta.value, truth.release.beta.value, err);
    if (status == PBY_OK)
        status = is_moving(kind) ? compare("accuracy.gamma", c->accuracy.gamma, truth.release.gamma, err)
                                 : compare_gamma(c->accuracy.gamma, &truth, err);
    pby_noisy_accuracy_clear(&truth);
    return status;
}
