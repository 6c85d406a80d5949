/* The statement of accuracy in a certificate. */
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "probity/rational.h"

static json_t *rational_json(mpq_srcptr x)
{
    char *text = mpq_get_str(NULL, 10, x);
    json_t *json = json_string(text);
    free(text);
    return json;
}

static json_t *natural_json(uint64_t x)
{
    mpq_t q;
    mpq_init(q);
    mpz_set_ui(mpq_numref(q), x);
    json_t *json = rational_json(q);
    mpq_clear(q);
    return json;
}

pby_status pby_accuracy_state(json_t **out, const pby_spec *spec, const pby_input_class *inputs, pby_error *err)
{
    pby_accuracy accuracy;
    uint64_t bar_loss;
    *out = NULL;
    pby_accuracy_init(&accuracy);
    pby_status status = pby_accuracy_release(&accuracy, &bar_loss, spec, inputs, err);
    if (status == PBY_OK) {
        *out = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "alpha", rational_json(accuracy.alpha.value), "beta",
                         rational_json(accuracy.beta.value), "gamma", rational_json(accuracy.gamma), "records",
                         natural_json(inputs->n), "support", natural_json(inputs->support), "width",
                         inputs->width == NULL ? natural_json(0) : rational_json(inputs->width));
        if (*out == NULL)
            status = pby_no_memory(err);
    }
    pby_accuracy_clear(&accuracy);
    return status;
}

/* A count, written like a rational: JSON's numbers are doubles to many readers. */
static pby_status read_natural(uint64_t *out, const json_t *object, const char *name, pby_error *err)
{
    mpq_t q;
    mpq_init(q);
    pby_status status = pby_certificate_rational(q, object, name, err);
    if (status == PBY_OK && (mpz_cmp_ui(mpq_denref(q), 1) != 0 || mpq_sgn(q) < 0 || !mpz_fits_ulong_p(mpq_numref(q))))
        status = pby_fail(err, PBY_NO, "field '%s' is not a count", name);
    if (status == PBY_OK)
        *out = mpz_get_ui(mpq_numref(q));
    mpq_clear(q);
    return status;
}

pby_status pby_accuracy_read(pby_certificate *c, const json_t *statement, pby_error *err)
{
    static const char *const names[] = {"alpha", "beta", "gamma", "records", "support", "width"};
    if (statement == NULL)
        return PBY_OK;
    c->has_accuracy = true;
    c->inputs.width = c->width;
    pby_status status = pby_certificate_object(statement, "accuracy", names, sizeof names / sizeof *names, 0, err);
    if (status == PBY_OK)
        status = pby_certificate_rational(c->accuracy.alpha.value, statement, "alpha", err);
    if (status == PBY_OK)
        status = pby_certificate_rational(c->accuracy.beta.value, statement, "beta", err);
    if (status == PBY_OK)
        status = pby_certificate_rational(c->accuracy.gamma, statement, "gamma", err);
    if (status == PBY_OK)
        status = read_natural(&c->inputs.n, statement, "records", err);
    if (status == PBY_OK)
        status = read_natural(&c->inputs.support, statement, "support", err);
    return status == PBY_OK ? pby_certificate_rational(c->width, statement, "width", err) : status;
}

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

pby_status pby_accuracy_check(const pby_certificate *c, pby_error *err)
{
    pby_accuracy truth;
    uint64_t bar_loss;
    if (!c->has_accuracy)
        return PBY_OK;
    pby_accuracy_init(&truth);
    pby_status status = pby_certificate_verdict(
        pby_accuracy_release(&truth, &bar_loss, c->spec, &c->inputs, err), err);
    if (status == PBY_OK)
        status = compare("accuracy.alpha", c->accuracy.alpha.value, truth.alpha.value, err);
    if (status == PBY_OK)
        status = compare("accuracy.beta", c->accuracy.beta.value, truth.beta.value, err);
    if (status == PBY_OK)
        status = compare("accuracy.gamma", c->accuracy.gamma, truth.gamma, err);
    pby_accuracy_clear(&truth);
    return status;
}
