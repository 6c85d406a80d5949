/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/excerpt.h"
#include "certificate/certificate.h"
#include "certificate/certified_deployment.h"
#include "certificate/divergence_claim.h"
#include "loss/compose/compose.h"
#include "loss/compose/grid.h"
#include "loss/loss.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"
#include "probity/rational.h"
#include "select/approach.h"
#include "select/refine.h"
#include "select/select_judge.h"

enum { WORKING_DIGITS = 2 * PBY_CERTIFICATE_DIGITS, SHOWN_DIGITS = 9, GRID_ROUNDS = 3 };

/* An end that is refuted by what was computed. */
static pby_status wrong(const pby_certificate *c, const char *end, const char *claim, const char *relation,
                        mpfr_srcptr truth, bool lower, pby_error *err)
{
    char shown[PBY_DECIMAL_SIZE];
    pby_decimal(shown, truth, SHOWN_DIGITS, lower);
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                       "delta.%s '%s': not a bound, delta of %s at epsilon %.60s (%s) is %s %s", end, claim,
                       PBY_EXCERPT(pby_spec_text(c->spec)), c->epsilon_text, pby_neighbours_text(c->relation),
                       relation, shown);
}

/* An end that is neither shown nor refuted: delta is known no closer than this. */
static pby_status unshown(const pby_certificate *c, const char *end, const char *claim,
                          const pby_enclosure *truth, pby_error *err)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    pby_decimal(lo, truth->lo, SHOWN_DIGITS, true);
    pby_decimal(hi, truth->hi, SHOWN_DIGITS, false);
    return pby_fail_by(
        err, PBY_NO, PBY_REASON_CERTIFICATE,
        "delta.%s '%s': not shown to be a bound, delta of %s at epsilon %.60s (%s) is from %s to %s", end,
        claim, PBY_EXCERPT(pby_spec_text(c->spec)), c->epsilon_text, pby_neighbours_text(c->relation), lo,
        hi);
}

/* True if hi - lo <= tolerance of hi. */
static bool are_close(mpfr_srcptr lo, mpfr_srcptr hi, const char *tolerance)
{
    mpfr_t width, most;
    mpfr_inits2(mpfr_get_prec(hi), width, most, (mpfr_ptr)0);
    mpfr_sub(width, hi, lo, MPFR_RNDU);
    mpfr_set_str(most, tolerance, 10, MPFR_RNDU);
    mpfr_mul(most, most, hi, MPFR_RNDU);
    const bool close = mpfr_lessequal_p(width, most);
    mpfr_clears(width, most, (mpfr_ptr)0);
    return close;
}

static bool is_narrow(const pby_enclosure *x, const char *tolerance)
{
    return are_close(x->lo, x->hi, tolerance);
}

/* Rounding outwards to 20 digits moves each end by less than 1e-19 of hi. */
static pby_status check_tight(const pby_certificate *c, pby_error *err)
{
    return is_narrow(&c->delta, "2e-19")
               ? PBY_OK
               : pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                             "delta: '%s' and '%s' are further apart than %d digits need", c->lo_text,
                             c->hi_text, PBY_CERTIFICATE_DIGITS);
}

/* Sets *yes if delta is at most the upper decimal, by an exact sign where there is one: delta may be that
 * decimal itself. */
static pby_status is_at_most(bool *yes, const pby_certificate *c, pby_error *err)
{
    pby_decision verdict = PBY_NEITHER;
    PBY_MPQ(hi);
    pby_status status = pby_rational_parse(hi, "delta.hi", c->hi_text, err);
    const pby_target target = {.epsilon = c->epsilon, .delta = hi, .relation = c->relation, .uses = 1};
    if (status == PBY_OK)
        status = pby_judge_exact(&verdict, c->spec, &target, err);
    *yes = verdict == PBY_WITHIN;
    return status;
}

/* True if an enclosure is as good as the upper decimal, so that only a sign can tell. */
static bool is_near(const pby_enclosure *truth, const pby_certificate *c)
{
    return are_close(c->delta.hi, truth->hi, "1e-30");
}

/* The two decimals must surround the recomputed enclosure. Of the enclosure it is the far ends that count,
 * so a bound that is only perhaps one is none. 0 <= delta <= 1 holds of every delta. */
static pby_status check_surrounds(const pby_certificate *c, pby_enclosure *truth, pby_error *err)
{
    bool met = false;
    pby_enclosure_keep_in_unit(truth);
    if (mpfr_greater_p(truth->hi, c->delta.hi) && is_narrow(truth, "1e-30") && is_near(truth, c)) {
        const pby_status status = is_at_most(&met, c, err);
        if (status != PBY_OK)
            return status;
    }
    if (mpfr_greater_p(truth->hi, c->delta.hi) && !met)
        return mpfr_greater_p(truth->lo, c->delta.hi) || is_narrow(truth, "1e-30")
                   ? wrong(c, "hi", c->hi_text, "at least", truth->lo, true, err)
                   : unshown(c, "hi", c->hi_text, truth, err);
    if (!mpfr_less_p(truth->lo, c->delta.lo))
        return PBY_OK;
    return mpfr_less_p(truth->hi, c->delta.lo) ? wrong(c, "lo", c->lo_text, "at most", truth->hi, false, err)
                                               : unshown(c, "lo", c->lo_text, truth, err);
}

/* ---- one mechanism ---------------------------------------------------------------------------- */

static pby_way alone(const pby_mechanism *m)
{
    PBY_PRIVACY(p, m);
    if (pby_mechanism_loose(m) || (p.integral && p.product)) /* no integral goes over a product */
        return PBY_BY_COMPOSITION;
    return p.integral ? PBY_BY_INTEGRAL : p.searched ? PBY_BY_SEARCH : PBY_BY_SUM;
}

pby_status pby_certificate_way(pby_way *way, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    const bool single = pby_spec_is_single(spec);
    *way = single ? alone(m) : PBY_BY_COMPOSITION;
    PBY_PRIVACY(p, m);
    if (single && !p.product)
        return PBY_OK;
    pby_parts parts;
    const pby_status status = pby_parts_of_spec(&parts, spec, relation, err);
    if (status == PBY_OK && parts.count > 1)
        *way = PBY_BY_COMPOSITION;
    pby_parts_clear(&parts);
    return status;
}

/* True if earlier versions may have enclosed delta where the worst of the inputs is now found: they listed
 * the inputs of few records only. */
static bool was_enclosed(const pby_certificate *c)
{
    enum { LISTED_MAX = 16 }; /* the most records whose inputs were listed */
    const pby_mechanism *m = &c->spec->use[0].mechanism;
    PBY_PRIVACY(p, m);
    return c->relation == PBY_ADD_REMOVE && p.product && pby_mechanism_size(m) > LISTED_MAX;
}

/* Encloses delta as those versions did: between what some input loses and what dominates all. *between is
 * false where the two are one, so that no version was content with less than all digits. */
static pby_status enclose_factors(pby_enclosure *once, bool *between, const pby_certificate *c,
                                  pby_error *err)
{
    PBY_ARB(ball);
    PBY_FMPQ(epsilon);
    pby_profiles list = {NULL, 0};
    pby_parts parts;
    fmpq_set_mpq(epsilon, c->epsilon);
    pby_status status = pby_parts_of_factors(&parts, &c->spec->use[0].mechanism, c->relation, err);
    *between = status == PBY_OK && !pby_parts_are_reached(&parts);
    if (status == PBY_OK && *between)
        status = pby_compose_parts(&list, &parts, NULL, err);
    if (status == PBY_OK && *between)
        status = pby_profiles_delta(ball, &list, epsilon, SHOWN_DIGITS, err);
    if (status == PBY_OK && *between)
        pby_enclosure_set_arb(once, ball, WORKING_DIGITS);
    pby_profiles_clear(&list);
    pby_parts_clear(&parts);
    return status;
}

/* A certificate of one mechanism has 20 digits. One of an earlier version still holds if its upper end is no
 * looser than the bound of that version; a looser one was never written. */
static pby_status check_single_tight(const pby_certificate *c, pby_error *err)
{
    bool between = false;
    if (is_narrow(&c->delta, "2e-19") || !was_enclosed(c))
        return check_tight(c, err);
    pby_enclosure once;
    pby_enclosure_init(&once);
    pby_status status = enclose_factors(&once, &between, c, err);
    if (status == PBY_OK && !(between && are_close(once.hi, c->delta.hi, "0.05")))
        status = check_tight(c, err);
    pby_enclosure_clear(&once);
    return status;
}

static pby_status check_single(pby_certificate *c, pby_way way, pby_enclosure *truth, pby_error *err)
{
    static const char *const routes[] = {
        [PBY_BY_SUM] = "the direct sum over outcomes to 40 digits, neighbours in both orders",
        [PBY_BY_INTEGRAL] = "the integral of the densities to 40 digits, neighbours in both orders",
        [PBY_BY_SEARCH] = "a search of all pairs for the worst, to 40 digits, neighbours in both orders"};
    static const char former[] =
        "the direct sum over outcomes to 40 digits, within ends that an earlier version left apart: "
        "the upper one is a bound on delta, and up to a twentieth above the bound of that version";
    c->route = routes[way];
    pby_status status = pby_loss_delta_direct(truth, c->spec, c->relation, c->epsilon, WORKING_DIGITS, err);
    if (status == PBY_OK)
        status = check_surrounds(c, truth, err);
    if (status == PBY_OK)
        status = check_single_tight(c, err);
    if (status == PBY_OK && !is_narrow(&c->delta, "2e-19"))
        c->route = former;
    return status;
}

/* ---- several uses ----------------------------------------------------------------------------- */

/* True if every use is known by the length of the interval of its losses (loss/bounded/bounded.h). The pairs
 * of such only dominate, and a grid would enclose what is above the truth. */
static bool is_bounded(const pby_spec *spec)
{
    for (size_t i = 0; i < spec->count; i++)
        if (!pby_mechanism_bounded(&spec->use[i].mechanism))
            return false;
    return true;
}

/* True if the second route has nothing more to tell: it is as narrow as what it is held against needs. */
static bool is_settled(const pby_enclosure *bounds, const void *truth)
{
    return pby_enclosures_are_apart(bounds, truth) || is_narrow(bounds, "0.02");
}

/* Bounds by a second route. The usual first grid of it; and where that takes too much memory a coarse one. */
static pby_status second_bounds(pby_enclosure *bounds, const pby_certificate *c, const pby_enclosure *truth,
                                bool dominating, int rounds, pby_error *err)
{
    pby_status status = dominating ? pby_refine_bound(bounds, c->spec, c->relation, c->epsilon, c->delta.hi,
                                                      rounds, is_settled, truth, err)
                                   : pby_refine(bounds, c->spec, c->relation, c->epsilon, c->delta.hi, rounds,
                                                is_settled, truth, err);
    if (status == PBY_BAD)
        status = pby_refine_roughly(bounds, c->spec, c->relation, c->epsilon, c->delta.hi, 1, is_settled,
                                    truth, err);
    return status;
}

/* The second route, a grid of other roundings, confirms delta by having a number in common with the first and
 * with the certificate; it may be coarser than either. That the upper end is a bound was shown before: this
 * looks for a fault of the library. Where the pairs only dominate, those of all uses are enclosed, so that
 * an upper end below what they come to is found; but one use alone may have sharper ones. */
static pby_status check_grid(const pby_certificate *c, const pby_enclosure *truth, bool exact, pby_error *err)
{
    const bool alone = is_bounded(c->spec) || (pby_spec_is_single(c->spec) &&
                                               pby_mechanism_stands_alone(&c->spec->use[0].mechanism));
    pby_enclosure bounds;
    pby_error why = PBY_NO_ERROR;
    pby_enclosure_init(&bounds);
    pby_status status = second_bounds(&bounds, c, truth, !alone, exact ? 1 : GRID_ROUNDS, &why);
    if (status == PBY_OK && pby_enclosures_are_apart(&bounds, truth))
        status = pby_enclosures_contradict(truth, &bounds, err);
    else if (status != PBY_OK)
        status = pby_fail_by(err, PBY_FAILED,
                             why.reason == PBY_REASON_ARGUMENT ? PBY_REASON_PRECISION : why.reason,
                             "delta was not computed by a second route: %.400s", why.text);
    pby_enclosure_clear(&bounds);
    return status;
}

/* Bounds that surround the truth are to be a twentieth apart; or, where the truth is only known to lie
 * between bounds that are themselves apart, each within a twentieth of one of those. Where the worst
 * neighbours are not known that is asked of the upper one: the lower is what some neighbours lose, and later
 * versions know of worse ones. */
static bool is_sharp(const pby_enclosure *bounds, const pby_enclosure *truth, bool between)
{
    if (is_narrow(bounds, "0.05"))
        return true;
    const bool apart = !is_narrow(truth, "0.02") && are_close(bounds->lo, truth->lo, "0.05");
    return (between || apart) && are_close(truth->hi, bounds->hi, "0.05");
}

/* width = a third of what the two decimals are apart, relative to the upper one: bounds that are as close and
 * have a number in common with those that were widened to the decimals lie within
 * (certificate/certificate_write.c). */
static void set_width(mpq_t width, const pby_certificate *c)
{
    PBY_MPFR(mpfr_get_prec(c->delta.hi), x);
    mpfr_sub(x, c->delta.hi, c->delta.lo, MPFR_RNDD);
    mpfr_div(x, x, c->delta.hi, MPFR_RNDD);
    mpfr_div_ui(x, x, 3, MPFR_RNDD);
    mpfr_get_q(width, x);
}

/* delta once more, as closely as it takes to tell that it lies within the certificate's ends or beside them,
 * and at last as closely as a certificate that is narrower than the target took it. */
static pby_status recompute(pby_enclosure *truth, const pby_certificate *c, pby_error *err)
{
    PBY_MPQ(width);
    pby_approached q = {.spec = c->spec,
                        .relation = c->relation,
                        .epsilon = c->epsilon,
                        .digits = WORKING_DIGITS,
                        .lo = c->delta.lo,
                        .hi = c->delta.hi};
    if (mpfr_regular_p(c->delta.hi) && mpfr_less_p(c->delta.lo, c->delta.hi)) {
        set_width(width, c);
        q.finest = width;
    }
    return pby_approach(truth, &q, err);
}

/* Sets *product if the composition is a product of atoms, which was never written but with 20 digits, and
 * *between if its worst neighbours are not known. */
static pby_status ask_parts(bool *product, bool *between, const pby_certificate *c, pby_error *err)
{
    pby_parts parts;
    pby_pairs pairs = {NULL, 0};
    pby_status status = pby_parts_of_spec(&parts, c->spec, c->relation, err);
    if (status == PBY_OK)
        status = pby_parts_product(&pairs, product, &parts, err);
    *between = status == PBY_OK && !pby_parts_are_reached(&parts);
    pby_pairs_clear(&pairs);
    pby_parts_clear(&parts);
    return status;
}

/* The spec with uses of the families in whose place they were once accounted; NULL where there are none. */
static pby_status once_spec(pby_spec **out, const pby_spec *spec, pby_error *err)
{
    bool some = false;
    pby_status status = PBY_OK;
    *out = NULL;
    pby_use *use = calloc(spec->count, sizeof *use);
    if (use == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < spec->count; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        const pby_family *once = m->family->once;
        use[i].times = spec->use[i].times;
        pby_mechanism_init(&use[i].mechanism, once);
        if (once == NULL) {
            pby_mechanism_copy(&use[i].mechanism, m);
        } else if (status == PBY_OK) {
            const size_t epsilon = pby_family_with(once, PBY_ROLE_EPSILON);
            fmpq_set(&use[i].mechanism.value[epsilon], pby_mechanism_value(m, PBY_ROLE_EPSILON));
            status = pby_mechanism_complete(&use[i].mechanism, 1u << epsilon, err);
        }
        some = some || once != NULL;
    }
    if (some && status == PBY_OK)
        status = pby_spec_of_uses(out, use, spec->count, err);
    for (size_t i = 0; i < spec->count; i++)
        pby_mechanism_clear(&use[i].mechanism);
    free(use);
    return status;
}

/* Sets *yes if the upper decimal is the bound of an earlier version, which is now less: such a certificate
 * still holds. */
static pby_status was_bound(bool *yes, const pby_certificate *c, pby_error *err)
{
    pby_spec *once;
    pby_enclosure bound;
    pby_enclosure_init(&bound);
    pby_status status = once_spec(&once, c->spec, err);
    if (status == PBY_OK && once != NULL)
        status = pby_loss_delta(&bound, once, c->relation, c->epsilon, WORKING_DIGITS, err);
    *yes = status == PBY_OK && once != NULL && mpfr_greaterequal_p(c->delta.hi, bound.lo) &&
           are_close(bound.hi, c->delta.hi, "0.05");
    pby_spec_free(once);
    pby_enclosure_clear(&bound);
    return status;
}

static const char *composition_route(const pby_certificate *c, bool exact)
{
    static const char all[] =
        "the exact composition to 40 digits and by a grid of privacy losses, neighbours "
        "in both orders";
    if (exact)
        return all;
    return is_bounded(c->spec)
               ? "the worst pair after every output on another grid, from above and below"
               : "two grids of privacy losses, from above and below, neighbours in both orders";
}

/* Says of a lower end far below what was recomputed that nothing but its side was checked: an earlier
 * version wrote it, or an editor. */
static void mark_low_end(pby_certificate *c, const pby_enclosure *truth)
{
    static const char pairs[] =
        "the worst pair after every output on another grid; the lower end is a bound, "
        "and was left further below than need be",
                      grids[] = "two grids of privacy losses, neighbours in both orders; the lower end is a "
                                "bound, and was left further below than need be";
    if (!is_narrow(&c->delta, "0.05") && !are_close(c->delta.lo, truth->lo, "0.05"))
        c->route = is_bounded(c->spec) ? pairs : grids;
}

/* A composition with every digit is held to 20 of them; one on a grid to a twentieth, its bounds being a
 * hundredth apart and written with as much on either side again. Some that have every digit were once put on
 * a grid, and their certificates still hold as such. */
static pby_status check_composition(pby_certificate *c, pby_enclosure *truth, pby_error *err)
{
    bool product = false, between = false, once = false;
    pby_status status = recompute(truth, c, err);
    if (status == PBY_OK)
        status = ask_parts(&product, &between, c, err);
    if (status != PBY_OK)
        return status;
    const bool exact = is_narrow(truth, "1e-30") && (product || is_narrow(&c->delta, "2e-19"));
    c->route = composition_route(c, exact);
    status = check_surrounds(c, truth, err);
    if (status == PBY_OK)
        mark_low_end(c, truth);
    if (status == PBY_OK && !is_sharp(&c->delta, truth, false))
        status = was_bound(&once, c, err);
    if (status == PBY_OK && once)
        return PBY_OK;
    if (status == PBY_OK && exact)
        status = check_tight(c, err);
    else if (status == PBY_OK && !is_sharp(&c->delta, truth, between))
        status = pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                             "delta: '%s' and '%s' are further apart than a twentieth", c->lo_text,
                             c->hi_text);
    return status == PBY_OK ? check_grid(c, truth, exact, err) : status;
}

/* Checks that delta lies between the certificate's two decimals and that they are as close as they should be;
 * sets the route. */
static pby_status check_delta(pby_certificate *c, pby_error *err)
{
    pby_way way;
    pby_enclosure truth;
    pby_enclosure_init(&truth);
    pby_status status = pby_certificate_way(&way, c->spec, c->relation, err);
    if (status == PBY_OK)
        status = way == PBY_BY_COMPOSITION ? check_composition(c, &truth, err)
                                           : check_single(c, way, &truth, err);
    pby_enclosure_clear(&truth);
    /* what the library refuses to compute cannot have been certified */
    return pby_certificate_verdict(status, err);
}

pby_status pby_verify(pby_certificate **out, const char *text, size_t length, pby_error *err)
{
    pby_certificate *c;
    pby_error unseen = PBY_NO_ERROR; /* its reason tells a refusal from a verdict */
    bool digest_holds;
    if (err == NULL)
        err = &unseen;
    if (out != NULL)
        *out = NULL;
    pby_status status = pby_certificate_read(&c, &digest_holds, text, length, err);
    if (status != PBY_OK)
        return status;
    status = pby_certified_deployment_signed(c, err);
    if (status == PBY_OK)
        status = c->question == PBY_ASK_DELTA ? check_delta(c, err) : pby_divergence_check(c, err);
    if (status == PBY_OK)
        status = pby_accuracy_check(c, err);
    if (status == PBY_OK && !digest_holds)
        status = pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                             "digest: the file is not the one that was written");
    if (status == PBY_OK && out != NULL)
        *out = c;
    else
        pby_certificate_free(c);
    return status;
}
