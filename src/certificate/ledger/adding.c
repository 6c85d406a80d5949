/* SPDX-License-Identifier: MIT */
/* Ledgers whose charges add, which holds however each release is chosen (docs/theory/filters.md).
 *
 *              an entry is charged                              the sums are within
 *   basic      an epsilon, and its delta there                  epsilon and delta
 *   filter     a rho, and the delta outside of its events       what epsilon and the rest of delta allow, and
 *                                                               a part of delta
 *   zcdp       the same                                         rho and delta
 *   renyi      a divergence of one order, and the same delta    that divergence and delta
 *   gdp        the square of a mu, and a delta                  the square of mu, and delta
 *   odometer   a rho, and the same delta                        nothing, and a part of delta (odometer.c)
 *
 * The sums are rationals: nothing is rounded but each charge, to a decimal above it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "certificate/certificate.h"
#include "certificate/divergence_claim.h"
#include "certificate/ledger/ledger.h"
#include "certificate/ledger/mode.h"
#include "certificate/ledger/price_gdp.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "probity/experimental/ledgers.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "probity/rational.h"

enum { DIGITS = PBY_DIGITS_DEFAULT, CHARGE_DIGITS = 15, EXACT_SIZE = 64 };

/* ---- sums -------------------------------------------------------------------------------------- */

struct sums {
    mpq_t bound, delta, term;
};

static void sums_init(struct sums *s)
{
    mpq_inits(s->bound, s->delta, s->term, (mpq_ptr)0);
}

static void sums_clear(struct sums *s)
{
    mpq_clears(s->bound, s->delta, s->term, (mpq_ptr)0);
}

/* An entry that was written by hand may have a charge below 0, which would give others more to spend. */
static pby_status add_charge(mpq_t sum, mpq_t term, const char *name, const char *text, pby_error *err)
{
    PBY_TRY(pby_rational_parse(term, name, text, err));
    if (mpq_sgn(term) < 0)
        return pby_refuse(err, name, text, "a charge from 0 on");
    mpq_add(sum, sum, term);
    return PBY_OK;
}

static pby_status add(struct sums *s, const char *bound, const char *delta, pby_error *err)
{
    PBY_TRY(add_charge(s->bound, s->term, "ledger charge", bound, err));
    return add_charge(s->delta, s->term, "ledger charge's delta", delta, err);
}

/* Sets the sums of what a release is beside: about everybody, and about its part or the worst of them. */
static void set_sums(struct sums *s, const pby_ledger *ledger, const char *part)
{
    const pby_totals *t = &ledger->totals;
    const pby_ledger_tally *own = pby_totals_part(t, part);
    pby_totals_most(s->bound, s->delta, t);
    if (part != NULL) {
        mpq_set_ui(s->bound, 0, 1);
        mpq_set_ui(s->delta, 0, 1);
    }
    if (own != NULL) {
        mpq_set(s->bound, own->bound);
        mpq_set(s->delta, own->delta);
    }
    mpq_add(s->bound, s->bound, t->all.bound);
    mpq_add(s->delta, s->delta, t->all.delta);
}

static void enclose(pby_enclosure *x, mpq_srcptr q)
{
    if (x != NULL) {
        mpfr_set_q(x->lo, q, MPFR_RNDD);
        mpfr_set_q(x->hi, q, MPFR_RNDU);
    }
}

pby_status pby_ledger_charged(pby_enclosure *bound, pby_enclosure *delta, pby_ledger *ledger, pby_error *err)
{
    if (ledger->accounting == PBY_COMPOSE_EXACT)
        return pby_fail(err, PBY_BAD, "ledger: its accounting is exact: no entry has a charge of its own");
    struct sums s;
    sums_init(&s);
    const pby_status status = pby_ledger_catch_up(ledger, NULL, err);
    if (status == PBY_OK)
        set_sums(&s, ledger, NULL);
    enclose(bound, s.bound);
    enclose(delta, s.delta);
    sums_clear(&s);
    return status;
}

/* ---- what an entry is charged ------------------------------------------------------------------ */

/* A rational text as often as a record may be in a row, in place. */
static pby_status multiply(char **text, unsigned long rows, pby_error *err)
{
    if (rows == 1)
        return PBY_OK;
    PBY_MPQ(q);
    const pby_status status = pby_rational_parse(q, "ledger charge", *text, err);
    if (status == PBY_OK) {
        mpz_mul_ui(mpq_numref(q), mpq_numref(q), rows);
        mpq_canonicalize(q);
        free(*text);
        *text = mpq_get_str(NULL, 10, q);
    }
    return status;
}

/* The certified upper bound of the delta at epsilon. One that is close to the room that is left has all the
 * digits of a certificate, so that what is certified within it is admitted. */
static pby_status price_basically(pby_charge *charge, const pby_ledger *ledger, const pby_spec *spec,
                                  mpq_srcptr epsilon, mpq_srcptr room, pby_error *err)
{
    char text[PBY_DECIMAL_SIZE];
    pby_enclosure delta, usual;
    pby_enclosure_init(&delta);
    pby_enclosure_init(&usual);
    pby_status status = pby_ledger_delta_near(&delta, ledger, spec, epsilon, room, DIGITS, err);
    if (status == PBY_OK) {
        pby_decimal(text, delta.hi, DIGITS, false);
        mpfr_set_str(usual.hi, text, 10, MPFR_RNDU);
        if (mpfr_cmp_q(delta.hi, room) <= 0 && mpfr_cmp_q(usual.hi, room) > 0)
            pby_decimal(text, delta.hi, PBY_CERTIFICATE_DIGITS, false);
        charge->bound = mpq_get_str(NULL, 10, epsilon);
        charge->delta = strdup(text);
    }
    pby_enclosure_clear(&usual);
    pby_enclosure_clear(&delta);
    return status;
}

/* The divergence given two events, and what they lack to certainty: a rho, or that of the ledger's order. */
static pby_status diverge(pby_approximate *out, const pby_ledger *ledger, const pby_spec *spec,
                          pby_error *err)
{
    pby_enclosure all;
    PBY_MPQ(none);
    pby_enclosure_init(&all);
    const pby_status status =
        ledger->filter == PBY_FILTER_RENYI
            ? pby_loss_renyi(&all, out, spec, ledger->relation, ledger->order, CHARGE_DIGITS, err)
            : pby_loss_zcdp(&all, out, spec, ledger->relation, none, CHARGE_DIGITS, err);
    pby_enclosure_clear(&all);
    return status;
}

/* A rho or divergence that no decimal of so many digits meets, and that is a rational, is charged as that: so
 * that a budget is spent completely. */
static void charge_exactly(char **bound, const pby_ledger *ledger, const pby_spec *spec)
{
    PBY_FMPQ(exact);
    PBY_MPQ(q, decimal);
    const bool renyi = ledger->filter == PBY_FILTER_RENYI;
    if (!pby_divergence_exact(exact, spec, ledger->relation, renyi ? PBY_ASK_RENYI : PBY_ASK_RHO,
                              renyi ? ledger->order : NULL))
        return;
    fmpq_get_mpq(q, exact);
    char *text = mpq_get_str(NULL, 10, q);
    if (pby_charge_is_short(q) && strlen(text) < EXACT_SIZE &&
        pby_rational_parse(decimal, "charge", *bound, NULL) == PBY_OK && mpq_cmp(q, decimal) < 0) {
        free(*bound);
        *bound = text;
    } else {
        free(text);
    }
}

/* The delta of one release that is (e, d)-private is that d, which the events above only round. */
static char *delta_text(const pby_spec *spec, const char *rounded)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    if (!pby_spec_is_single(spec) || m->family != &pby_family_approx || pby_mechanism_sample(m) != NULL)
        return strdup(rounded);
    const fmpq *d = pby_mechanism_value(m, PBY_ROLE_DELTA); /* NULL: 0 */
    PBY_MPQ(delta);
    if (d != NULL)
        fmpq_get_mpq(delta, d);
    return mpq_get_str(NULL, 10, delta);
}

static pby_status price_by_law(pby_charge *charge, const pby_ledger *ledger, const pby_spec *spec,
                               pby_error *err)
{
    if (ledger->filter == PBY_FILTER_GDP)
        return pby_price_gdp(&charge->bound, &charge->delta, ledger, spec, err);
    pby_approximate x;
    pby_approximate_init(&x);
    pby_status status = diverge(&x, ledger, spec, err);
    if (status == PBY_OK && !mpfr_number_p(x.loss.hi))
        status = pby_fail(err, PBY_BAD, "ledger: %s promises no divergence that its accounting, %s, adds",
                          PBY_EXCERPT(pby_spec_text(spec)), PBY_EXCERPT(ledger->mode));
    if (status == PBY_OK) {
        char bound[PBY_DECIMAL_SIZE], delta[PBY_DECIMAL_SIZE];
        pby_decimal(bound, x.loss.hi, CHARGE_DIGITS, false);
        pby_decimal(delta, x.delta.hi, CHARGE_DIGITS, false);
        charge->bound = strdup(bound);
        charge->delta = delta_text(spec, delta);
        if (charge->bound != NULL && mpfr_zero_p(x.delta.hi))
            charge_exactly(&charge->bound, ledger, spec);
    }
    pby_approximate_clear(&x);
    return status;
}

/* Prices a release by its (epsilon, delta)-privacy alone: the divergence of randomised response at epsilon,
 * and delta beside it. */
static pby_status price_by_certificate(pby_charge *charge, const pby_ledger *ledger, const pby_spec *spec,
                                       mpq_srcptr epsilon, pby_error *err)
{
    pby_charge certified = {NULL, NULL}, pure = {NULL, NULL};
    pby_spec *same = NULL;
    char *text = NULL;
    pby_status status = price_basically(&certified, ledger, spec, epsilon, ledger->delta, err);
    if (status == PBY_OK && mpq_sgn(epsilon) > 0) {
        if (asprintf(&text, "pure:eps=%s", certified.bound) < 0)
            status = pby_no_memory(err);
        if (status == PBY_OK)
            status = pby_spec_parse(&same, (const char *const *)&text, 1, err);
        if (status == PBY_OK)
            status = price_by_law(&pure, ledger, same, err);
    }
    if (status == PBY_OK) {
        charge->bound = strdup(mpq_sgn(epsilon) > 0 ? pure.bound : "0");
        charge->delta = strdup(certified.delta);
    }
    pby_spec_free(same);
    free(text);
    pby_charge_clear(&pure);
    pby_charge_clear(&certified);
    return status;
}

/* By the law of the mechanism; where that has no such divergence and there is a certificate, by this. */
static pby_status price_filtered(pby_charge *charge, const pby_ledger *ledger, const pby_spec *spec,
                                 mpq_srcptr epsilon, pby_error *err)
{
    const pby_status status = price_by_law(charge, ledger, spec, err);
    return status == PBY_BAD && epsilon != NULL && mpq_sgn(epsilon) >= 0
               ? price_by_certificate(charge, ledger, spec, epsilon, err)
               : status;
}

/* For every row that a record may be in. */
static pby_status price(pby_charge *charge, const pby_ledger *ledger, const pby_spec *spec,
                        mpq_srcptr epsilon, mpq_srcptr room, pby_error *err)
{
    pby_status status = ledger->filter == PBY_FILTER_NONE
                            ? price_basically(charge, ledger, spec, epsilon, room, err)
                            : price_filtered(charge, ledger, spec, epsilon, err);
    if (status == PBY_OK && (charge->bound == NULL || charge->delta == NULL))
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = multiply(&charge->bound, ledger->rows, err);
    return status == PBY_OK ? multiply(&charge->delta, ledger->rows, err) : status;
}

/* ---- whether the sums fit ---------------------------------------------------------------------- */

static pby_status overspend(mpq_srcptr sum, mpq_srcptr most, const char *what, const pby_spec *spec,
                            pby_error *err)
{
    char after[PBY_DECIMAL_SIZE];
    pby_enclosure x;
    pby_enclosure_init(&x);
    enclose(&x, sum);
    pby_decimal(after, x.hi, DIGITS, false);
    pby_enclosure_clear(&x);
    return pby_ledger_overspend(spec, what, after, most, err);
}

/* The limit of a mu is on the sum of squares. */
static pby_status compare_squares(const struct sums *s, const pby_ledger *ledger, const pby_spec *spec,
                                  pby_error *err)
{
    PBY_MPQ(most);
    mpq_mul(most, ledger->bound, ledger->bound);
    return mpq_cmp(s->bound, most) > 0 ? overspend(s->bound, most, "the sum of squares of mu", spec, err)
                                       : PBY_OK;
}

static pby_status compare(const struct sums *s, const pby_ledger *ledger, const pby_spec *spec,
                          pby_error *err)
{
    if (ledger->filter == PBY_FILTER_GDP)
        PBY_TRY(compare_squares(s, ledger, spec, err));
    else if (mpq_cmp(s->bound, ledger->bound) > 0)
        return overspend(s->bound, ledger->bound, pby_mode_bound(ledger->filter), spec, err);
    return mpq_cmp(s->delta, ledger->delta) > 0 ? overspend(s->delta, ledger->delta, "delta", spec, err)
                                                : PBY_OK;
}

/* The delta that a sum of rhos has at the budget's epsilon, by the conversion of docs/theory/conversions.md,
 * whose proof serves a measure that lacks the deltas of entries. Where none may have any, the worst of all
 * mechanisms with that rho. */
static pby_status convert(pby_enclosure *delta, mpq_srcptr rho, const pby_ledger *ledger, pby_error *err)
{
    pby_spec *spec = NULL;
    char *text, *number = mpq_get_str(NULL, 10, rho);
    mpfr_set_zero(delta->hi, 1);
    if (mpq_sgn(rho) == 0) {
        free(number);
        return PBY_OK;
    }
    const int length = asprintf(&text, "zcdp:rho=%s", number);
    free(number);
    if (length < 0)
        return pby_no_memory(err);
    pby_status status = pby_spec_parse(&spec, (const char *const *)&text, 1, err);
    if (status == PBY_OK)
        status = mpq_sgn(ledger->split) == 0
                     ? pby_loss_delta(delta, spec, ledger->relation, ledger->bound, CHARGE_DIGITS, err)
                     : pby_loss_convert(delta, "zcdp-to-approx", PBY_ASK_DELTA, spec, ledger->relation,
                                        ledger->bound, CHARGE_DIGITS, err);
    pby_spec_free(spec);
    free(text);
    return status;
}

/* The deltas of entries have a part of delta, and rhos have no limit. */
static pby_status compare_deltas(const struct sums *s, const pby_ledger *ledger, const pby_spec *spec,
                                 pby_error *err)
{
    PBY_MPQ(part);
    mpq_mul(part, ledger->delta, ledger->split);
    return mpq_cmp(s->delta, part) > 0 ? overspend(s->delta, part, "the sum of deltas", spec, err) : PBY_OK;
}

/* A part of delta, the split, bounds the deltas of entries, and the rest that of the conversion. */
static pby_status compare_split(const struct sums *s, const pby_ledger *ledger, const pby_spec *spec,
                                pby_error *err)
{
    pby_enclosure delta;
    mpq_t part, rest;
    mpq_inits(part, rest, (mpq_ptr)0);
    pby_enclosure_init(&delta);
    mpq_mul(part, ledger->delta, ledger->split);
    mpq_sub(rest, ledger->delta, part);
    pby_status status = mpq_cmp(s->delta, part) > 0
                            ? overspend(s->delta, part, "the sum of deltas", spec, err)
                            : convert(&delta, s->bound, ledger, err);
    if (status == PBY_OK && mpfr_cmp_q(delta.hi, rest) > 0) {
        char after[PBY_DECIMAL_SIZE];
        pby_decimal(after, delta.hi, DIGITS, false);
        status = pby_ledger_overspend(spec, "the delta of the sum of rhos", after, rest, err);
    }
    pby_enclosure_clear(&delta);
    mpq_clears(part, rest, (mpq_ptr)0);
    return status;
}

/* Checks that there is a data set that all entries and the spec are about (pby_spec_of_uses refuses
 * others). */
static pby_status check_one_data_set(const pby_ledger *ledger, const pby_spec *spec, pby_error *err)
{
    pby_spec *all;
    const pby_totals *t = &ledger->totals;
    PBY_TRY(pby_totals_gather(&all, t, pby_totals_part(t, ledger->part), spec, true, err));
    pby_spec_free(all);
    for (size_t i = 0; i < t->parts && ledger->part == NULL; i++) {
        PBY_TRY(pby_totals_gather(&all, t, &t->part[i], spec, true, err));
        pby_spec_free(all);
    }
    return PBY_OK;
}

static pby_status check_epsilon(const pby_ledger *ledger, mpq_srcptr epsilon, pby_error *err)
{
    if (ledger->filter != PBY_FILTER_NONE || (epsilon != NULL && mpq_sgn(epsilon) >= 0))
        return PBY_OK;
    return pby_fail(err, PBY_BAD,
                    "ledger: its accounting is basic: expected a certificate, which says at which "
                    "epsilon from 0 on a release is charged");
}

/* room = the delta that the sums leave to each row. */
static void set_room(mpq_t room, const struct sums *s, const pby_ledger *ledger)
{
    PBY_MPQ(rows);
    mpq_set_ui(rows, ledger->rows, 1);
    mpq_sub(room, ledger->delta, s->delta);
    mpq_div(room, room, rows);
}

static pby_status compare_all(const struct sums *s, const pby_ledger *ledger, const pby_spec *spec,
                              pby_error *err)
{
    if (ledger->filter == PBY_FILTER_ODOMETER)
        return compare_deltas(s, ledger, spec, err);
    return ledger->filter == PBY_FILTER_APPROX ? compare_split(s, ledger, spec, err)
                                               : compare(s, ledger, spec, err);
}

pby_status pby_adding_admit(pby_charge *charge, const pby_ledger *ledger, const pby_spec *spec,
                            const pby_spec *charged, mpq_srcptr epsilon, pby_error *err)
{
    struct sums s;
    pby_status status = check_epsilon(ledger, epsilon, err);
    if (status != PBY_OK)
        return status;
    sums_init(&s);
    status = check_one_data_set(ledger, charged, err);
    set_sums(&s, ledger, ledger->part);
    set_room(s.term, &s, ledger);
    if (status == PBY_OK)
        status = price(charge, ledger, spec, epsilon, s.term, err);
    if (status == PBY_OK)
        status = add(&s, charge->bound, charge->delta, err);
    if (status == PBY_OK)
        status = compare_all(&s, ledger, charged, err);
    sums_clear(&s);
    return status;
}

void pby_charge_clear(pby_charge *charge)
{
    free(charge->bound);
    free(charge->delta);
}
