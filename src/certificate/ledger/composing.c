/* SPDX-License-Identifier: MIT */
/* Ledgers whose entries are one composition, and what every ledger asks of one: the delta of a spec near a
 * budget. */
#include <stdlib.h>

#include "base/excerpt.h"
#include "certificate/certificate.h"
#include "certificate/ledger/ledger.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "select/approach.h"
#include "select/select_judge.h"

/* The digits of an answer, and those of one that is close to the budget: as many as certificates are worked
 * out with. */
enum { DIGITS = PBY_DIGITS_DEFAULT, CLOSE_DIGITS = PBY_CERTIFICATE_DIGITS + 10 };

pby_status pby_ledger_overspend(const pby_spec *spec, const char *what, const char *after, mpq_srcptr most,
                                pby_error *err)
{
    char *budget = mpq_get_str(NULL, 10, most);
    const pby_status status =
        pby_fail_by(err, PBY_NO, PBY_REASON_BUDGET,
                    "ledger: %s would overspend: %s would be up to %.60s, the budget is %.60s",
                    PBY_EXCERPT(pby_spec_text(spec)), what, after, budget);
    free(budget);
    return status;
}

static void set_zero(pby_enclosure *x)
{
    if (x != NULL) {
        mpfr_set_zero(x->lo, 1);
        mpfr_set_zero(x->hi, 1);
    }
}

/* Bounds as close as a certificate is worked out, so that what is certified is admitted. */
static pby_status approach(pby_enclosure *delta, const pby_ledger *ledger, const pby_spec *spec,
                           mpq_srcptr epsilon, mpq_srcptr most, pby_error *err)
{
    enum { BITS = 8 * PBY_CERTIFICATE_DIGITS };
    pby_enclosure closer;
    PBY_MPFR(BITS, hi);
    mpfr_set_q(hi, most, MPFR_RNDD);
    pby_enclosure_init(&closer);
    const pby_approached q = {
        .spec = spec, .relation = ledger->relation, .epsilon = epsilon, .digits = CLOSE_DIGITS, .hi = hi};
    pby_status status = pby_approach(&closer, &q, err);
    if (status == PBY_OK)
        status = pby_enclosure_meet(delta, &closer, err);
    pby_enclosure_clear(&closer);
    return status;
}

pby_status pby_ledger_delta_near(pby_enclosure *delta, const pby_ledger *ledger, const pby_spec *spec,
                                 mpq_srcptr epsilon, mpq_srcptr most, unsigned digits, pby_error *err)
{
    const pby_status status = pby_loss_delta(delta, spec, ledger->relation, epsilon, digits, err);
    const bool open = mpfr_cmp_q(delta->hi, most) > 0 && mpfr_cmp_q(delta->lo, most) <= 0;
    return status == PBY_OK && open ? approach(delta, ledger, spec, epsilon, most, err) : status;
}

/* With so many digits known only a sign can tell delta from the budget. */
enum { SIGN_DIGITS = 30 };

/* True if delta, which may be the budget itself, is not above it by an exact sign. A law without one leaves
 * it open. */
static bool is_shown_exactly(const pby_enclosure *delta, const pby_ledger *ledger, const pby_spec *all)
{
    if (mpfr_cmp_q(delta->lo, ledger->delta) > 0 || !pby_approach_exact(delta, SIGN_DIGITS))
        return false;
    const pby_target target = {
        .epsilon = ledger->bound, .delta = ledger->delta, .relation = ledger->relation, .uses = 1};
    pby_decision verdict = PBY_NEITHER;
    return pby_judge_exact(&verdict, all, &target, NULL) == PBY_OK && verdict == PBY_WITHIN;
}

/* The delta of all at the budget's epsilon, and whether it is shown to be within the budget. */
static pby_status enclose_delta(pby_enclosure *delta, bool *within, const pby_ledger *ledger,
                                const pby_spec *all, unsigned digits, pby_error *err)
{
    const pby_status status =
        pby_ledger_delta_near(delta, ledger, all, ledger->bound, ledger->delta, digits, err);
    *within = status == PBY_OK &&
              (mpfr_cmp_q(delta->hi, ledger->delta) <= 0 || is_shown_exactly(delta, ledger, all));
    return status;
}

/* The least epsilon at the budget's delta is not above the budget's epsilon, where delta there is within. */
static void keep_in_budget(pby_enclosure *epsilon, const pby_ledger *ledger)
{
    PBY_MPFR(mpfr_get_prec(epsilon->hi), most);
    mpfr_set_q(most, ledger->bound, MPFR_RNDU);
    if (mpfr_less_p(most, epsilon->hi))
        mpfr_swap(most, epsilon->hi);
}

static pby_status spent_of(pby_enclosure *delta, pby_enclosure *epsilon, const pby_ledger *ledger,
                           const pby_ledger_tally *part, unsigned digits, pby_error *err)
{
    pby_spec *all;
    bool within = false;
    pby_status status = pby_totals_gather(&all, &ledger->totals, part, NULL, false, err);
    if (status != PBY_OK || all == NULL) {
        set_zero(delta);
        set_zero(epsilon);
        return status;
    }
    status = enclose_delta(delta, &within, ledger, all, digits, err);
    if (status == PBY_OK)
        status = pby_loss_epsilon(epsilon, all, ledger->relation, ledger->delta, digits, err);
    if (status == PBY_OK && within)
        keep_in_budget(epsilon, ledger);
    pby_spec_free(all);
    return status;
}

/* The greater of two numbers that are each enclosed. */
static void keep_greater(pby_enclosure *most, const pby_enclosure *x)
{
    mpfr_max(most->lo, most->lo, x->lo, MPFR_RNDD);
    mpfr_max(most->hi, most->hi, x->hi, MPFR_RNDU);
}

static void copy(pby_enclosure *out, const pby_enclosure *x)
{
    if (out != NULL) {
        mpfr_set(out->lo, x->lo, MPFR_RNDD);
        mpfr_set(out->hi, x->hi, MPFR_RNDU);
    }
}

pby_status pby_composing_spent(pby_enclosure *delta, pby_enclosure *epsilon, pby_ledger *ledger,
                               unsigned digits, pby_error *err)
{
    pby_enclosure d, e, most_d, most_e;
    PBY_TRY(pby_ledger_catch_up(ledger, NULL, err));
    pby_enclosure_init(&d);
    pby_enclosure_init(&e);
    pby_enclosure_init(&most_d);
    pby_enclosure_init(&most_e);
    pby_status status = spent_of(&most_d, &most_e, ledger, NULL, digits, err);
    for (size_t i = 0; i < ledger->totals.parts && status == PBY_OK; i++) {
        status = spent_of(&d, &e, ledger, &ledger->totals.part[i], digits, err);
        keep_greater(&most_d, &d);
        keep_greater(&most_e, &e);
    }
    copy(delta, &most_d);
    copy(epsilon, &most_e);
    pby_enclosure_clear(&most_e);
    pby_enclosure_clear(&most_d);
    pby_enclosure_clear(&e);
    pby_enclosure_clear(&d);
    return status;
}

/* Refuses a mechanism whose loss is known alone but not in composition, even as the first entry: nothing
 * could be charged after it. */
static pby_status check_composes(const pby_spec *spec, pby_error *err)
{
    for (size_t i = 0; i < spec->count; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        pby_error why = {.text = ""};
        pby_pairs none;
        PBY_PRIVACY(p, m);
        if (p.single_use && pby_mechanism_pairs(&none, m, PBY_ADD_REMOVE, &why) != PBY_OK)
            return pby_fail(err, PBY_BAD, "ledger: nothing could be charged beside this one: %.400s",
                            why.text);
    }
    return PBY_OK;
}

static pby_status admit_beside(const pby_ledger *ledger, const pby_ledger_tally *part, const pby_spec *spec,
                               pby_error *err)
{
    pby_spec *all;
    pby_enclosure delta;
    bool within = false;
    PBY_TRY(pby_totals_gather(&all, &ledger->totals, part, spec, false, err));
    pby_enclosure_init(&delta);
    pby_status status = enclose_delta(&delta, &within, ledger, all, DIGITS, err);
    if (status == PBY_OK && !within) {
        char after[PBY_DECIMAL_SIZE];
        pby_decimal(after, delta.hi, DIGITS, false);
        status = pby_ledger_overspend(spec, "delta", after, ledger->delta, err);
    }
    pby_enclosure_clear(&delta);
    pby_spec_free(all);
    return status;
}

/* A release about everybody is beside those of each part; one about a part beside its own alone. */
pby_status pby_composing_admit(const pby_ledger *ledger, const pby_spec *spec, pby_error *err)
{
    const pby_totals *t = &ledger->totals;
    pby_status status = check_composes(spec, err);
    if (status == PBY_OK && (ledger->part != NULL || t->parts == 0))
        return admit_beside(ledger, pby_totals_part(t, ledger->part), spec, err);
    for (size_t i = 0; i < t->parts && status == PBY_OK; i++)
        status = admit_beside(ledger, &t->part[i], spec, err);
    return status;
}
