/* SPDX-License-Identifier: MIT */
/* The verdict on one canary in many runs: the counts of two events, "guessed included" with the runs that had
 * the canary accused, and "guessed left out" with the others accused. Each has half of the error. */
#include <stdio.h>

#include "audit/bound/bound.h"
#include "audit/canary/canary_verdict.h"
#include "audit/judge/judge_power.h"
#include "base/json.h"
#include "base/status.h"
#include "number/scoped.h"

/* The two bounds: the verdict rests on the joint one. */
enum { JOINT = 0, HALVES = PBY_SPLITS / 2, EVENTS = 2 };

static const char method[] =
    "two events, guessed included and guessed left out, with half of the error each; the epsilon comes from "
    "the joint bound of the two binomial counts; the split bound (Clopper-Pearson) holds with the same "
    "error, taken alone; certified tails";

static void greatest(arb_t lower, const pby_evidence event[EVENTS], const fmpq_t delta, pby_share *share,
                     unsigned split)
{
    PBY_ARB(one);
    arb_neg_inf(lower);
    share->split = split;
    for (int i = 0; i < EVENTS; i++) {
        pby_refuted_epsilon(one, &event[i], delta, share);
        if (arb_gt(one, lower))
            arb_swap(lower, one);
    }
}

static pby_status judge(pby_canary_verdict *v, const pby_canary_runs *r, pby_error *err)
{
    const uint64_t in = r->true_positive + r->false_negative, out = r->false_positive + r->true_negative;
    const pby_evidence event[EVENTS] = {{in, r->true_positive, out, r->false_positive},
                                        {out, r->true_negative, in, r->false_negative}};
    char text[PBY_DECIMAL_SIZE];
    pby_share share;
    PBY_ARB(lower);
    fmpq_init(share.error);
    fmpq_set_si(share.error, 1, EVENTS);
    fmpq_mul(share.error, share.error, &v->error);
    greatest(lower, event, &v->delta, &share, JOINT);
    pby_canary_verdict_settle(v, lower);
    greatest(lower, event, &v->delta, &share, HALVES);
    pby_canary_decimal(text, lower);
    if (v->claimed && !v->violation && !pby_power_suffices(in, out, &v->epsilon, &v->delta, &v->error))
        snprintf(v->reason, sizeof v->reason,
                 "%llu runs with the canary and %llu without are too few to refute this claim at this error",
                 (unsigned long long)in, (unsigned long long)out);
    v->method = method;
    v->evidence = json_pack("{s:{s:I, s:I}, s:[{s:s, s:s}, {s:s, s:s}]}", "runs", "included", (json_int_t)in,
                            "left_out", (json_int_t)out, "bounds", "name", "joint", "epsilon_lower",
                            v->lower_text, "name", "split", "epsilon_lower", text);
    fmpq_clear(share.error);
    return v->evidence == NULL ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_canary_runs_judge(pby_canary_verdict **out, const pby_canary_runs *r, pby_value epsilon,
                                 pby_value delta, pby_value error, pby_error *err)
{
    static const uint64_t most = UINT64_C(1) << 38;
    *out = NULL;
    if (r->true_positive > most || r->false_negative > most || r->false_positive > most ||
        r->true_negative > most)
        return pby_fail(err, PBY_BAD, "runs: expected at most 2^38 of each kind");
    if (r->true_positive + r->false_negative == 0 || r->false_positive + r->true_negative == 0)
        return pby_fail(err, PBY_BAD, "runs: expected some with the canary and some without");
    pby_canary_verdict *v = NULL;
    pby_status status = pby_canary_verdict_new(&v, epsilon, delta, error, err);
    if (status == PBY_OK)
        status = judge(v, r, err);
    return pby_canary_verdict_end(out, v, status);
}
