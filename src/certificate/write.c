#include <arb.h>
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "loss/loss.h"
#include "number/ball.h"
#include "probity.h"

/* From FLINT 3 on Arb is a part of it. */
#if __FLINT_RELEASE >= 30000
#define VERSION_OF_ARB flint_version
#else
#define VERSION_OF_ARB arb_version
#endif

/* Ten digits beyond those that are written: the two ends are then the neighbouring decimals of the
 * truth, except with a chance of about 1e-10. */
enum { WORKING_DIGITS = PBY_CERTIFICATE_DIGITS + 10 };

/* The least enclosure around both; 0 <= delta <= 1 holds of every delta. */
static pby_status hull(pby_enclosure *x, const pby_enclosure *y, pby_error *err)
{
    if (mpfr_less_p(x->hi, y->lo) || mpfr_less_p(y->hi, x->lo))
        return pby_fail(err, PBY_FAILED, "the two computations of delta contradict each other");
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

static pby_status single_delta(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                               mpq_srcptr epsilon, pby_error *err)
{
    pby_enclosure direct;
    pby_enclosure_init(&direct);
    pby_status status = pby_loss_delta(delta, spec, relation, epsilon, WORKING_DIGITS, err);
    if (status == PBY_OK)
        status = pby_loss_delta_direct(&direct, spec, relation, epsilon, WORKING_DIGITS, err);
    if (status == PBY_OK)
        status = hull(delta, &direct, err);
    pby_enclosure_clear(&direct);
    return status;
}

/* margin = the lesser of the width and a fiftieth of an end */
static void set_margin(mpfr_t margin, mpfr_srcptr width, mpfr_srcptr end)
{
    mpfr_div_ui(margin, end, 50, MPFR_RNDU);
    mpfr_min(margin, margin, width, MPFR_RNDU);
}

/* Bounds of a grid get their own width more on either side, so that other bounds as narrow, which must
 * have a number in common with them, lie within; no more than a fiftieth, where it is not the grid that holds
 * them apart. Those of an exact composition are left as they are. */
static void widen(pby_enclosure *delta)
{
    mpfr_t width, small;
    mpfr_inits2(mpfr_get_prec(delta->hi), width, small, (mpfr_ptr)0);
    mpfr_sub(width, delta->hi, delta->lo, MPFR_RNDU);
    mpfr_set_str(small, "1e-25", 10, MPFR_RNDD);
    mpfr_mul(small, small, delta->hi, MPFR_RNDD);
    if (mpfr_greater_p(width, small)) {
        set_margin(small, width, delta->hi);
        mpfr_add(delta->hi, delta->hi, small, MPFR_RNDU);
        set_margin(small, width, delta->lo);
        mpfr_sub(delta->lo, delta->lo, small, MPFR_RNDD);
        pby_enclosure_keep_in_unit(delta);
    }
    mpfr_clears(width, small, (mpfr_ptr)0);
}

static pby_status composed_delta(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                                 mpq_srcptr epsilon, pby_error *err)
{
    const pby_status status = pby_loss_delta(delta, spec, relation, epsilon, WORKING_DIGITS, err);
    if (status == PBY_OK)
        widen(delta);
    return status;
}

/* The certificate as JSON, its digest included; NULL when there is no memory. The statement of accuracy, or
 * NULL, is taken. */
static json_t *describe(const pby_spec *spec, pby_neighbours relation, const char *epsilon,
                        const pby_enclosure *delta, json_t *accuracy)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE], digest[PBY_DIGEST_TEXT_SIZE];
    pby_decimal(lo, delta->lo, PBY_CERTIFICATE_DIGITS, true);
    pby_decimal(hi, delta->hi, PBY_CERTIFICATE_DIGITS, false);
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:{s:s, s:s}, s:{s:s, s:s, s:s, s:s, s:s}}",
                             "format", PBY_CERTIFICATE_FORMAT, "version", PBY_CERTIFICATE_VERSION,
                             "spec", pby_spec_text(spec), "neighbours", pby_neighbours_text(relation),
                             "epsilon", epsilon, "delta", "lo", lo, "hi", hi,
                             "computed_with", "arb", VERSION_OF_ARB, "flint", flint_version, "gmp", gmp_version,
                             "mpfr", mpfr_get_version(), "probity", pby_version());
    if (accuracy != NULL && json_object_set_new(root, "accuracy", accuracy) != 0) {
        json_decref(root);
        root = NULL;
    }
    if (root != NULL && (pby_certificate_digest(digest, root, NULL) != PBY_OK ||
                         json_object_set_new(root, "digest", json_string(digest)) != 0)) {
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
    mpq_t q;
    mpq_init(q);
    pby_status status = pby_rational_parse(q, "epsilon in lowest terms", epsilon, err);
    mpq_clear(q);
    if (status == PBY_OK)
        status = pby_spec_parse(&again, &text, 1, err);
    if (status == PBY_OK)
        pby_spec_free(again);
    return status;
}

/* A composition is checked by its second route before it is handed out. */
static pby_status recheck(const char *text, pby_error *err)
{
    const pby_status status = pby_verify(NULL, text, strlen(text), err);
    return status != PBY_NO ? status
                            : pby_fail(err, PBY_FAILED, "the two computations of delta contradict each other");
}

static pby_status write_text(char **text, const pby_spec *spec, pby_neighbours relation, const char *epsilon,
                             const pby_enclosure *delta, json_t *accuracy, pby_error *err)
{
    json_t *root = describe(spec, relation, epsilon, delta, accuracy);
    *text = root == NULL ? NULL : pby_certificate_encode(root);
    json_decref(root);
    return *text != NULL ? PBY_OK : pby_no_memory(err);
}

/* The accuracy, or NULL, is taken. */
static pby_status certify(char **text, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                          const char *epsilon_text, json_t *accuracy, pby_error *err)
{
    pby_way way;
    pby_enclosure delta;
    pby_enclosure_init(&delta);
    pby_status status = pby_certificate_way(&way, spec, relation, err);
    if (status == PBY_OK)
        status = way == PBY_BY_COMPOSITION ? composed_delta(&delta, spec, relation, epsilon, err)
                                           : single_delta(&delta, spec, relation, epsilon, err);
    if (status == PBY_OK)
        status = write_text(text, spec, relation, epsilon_text, &delta, accuracy, err);
    else
        json_decref(accuracy);
    if (status == PBY_OK && way == PBY_BY_COMPOSITION)
        status = recheck(*text, err);
    pby_enclosure_clear(&delta);
    return status;
}

pby_status pby_certify_accuracy_at(char **text, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                                   const pby_input_class *inputs, mpq_srcptr beta, mpq_srcptr gamma, pby_error *err)
{
    json_t *accuracy = NULL;
    char *epsilon_text = mpq_get_str(NULL, 10, epsilon);
    pby_status status = readable(spec, epsilon_text, err);
    *text = NULL;
    if (status == PBY_OK && inputs != NULL)
        status = pby_accuracy_state(&accuracy, spec, inputs, beta, gamma, err);
    if (status == PBY_OK)
        status = certify(text, spec, relation, epsilon, epsilon_text, accuracy, err);
    if (status != PBY_OK) {
        free(*text);
        *text = NULL;
    }
    free(epsilon_text);
    return status;
}

pby_status pby_certify_accuracy(char **text, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                                const pby_input_class *inputs, pby_error *err)
{
    return pby_certify_accuracy_at(text, spec, relation, epsilon, inputs, NULL, NULL, err);
}

pby_status pby_certify(char **text, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                       pby_error *err)
{
    return pby_certify_accuracy(text, spec, relation, epsilon, NULL, err);
}
