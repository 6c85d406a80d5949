/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "audit/trace/trace_case.h"
#include "base/json.h"
#include "number/scoped.h"
#include "probity/rational.h"

enum { RUNS_DEFAULT = 16, RUNS_MAX = 10000, PREC = 192 };

/* ---- the claim --------------------------------------------------------------------------------- */

static pby_status read_rational(mpq_t out, const char *name, const char *text, const char *fallback,
                                pby_error *err)
{
    return pby_rational_parse(out, name, text != NULL ? text : fallback, err);
}

static pby_status read_claim(pby_trace_case *c, const pby_trace_options *o, pby_error *err)
{
    if (o->epsilon == NULL)
        return pby_refuse(err, "epsilon", "", "a rational from 0 on");
    PBY_TRY(pby_rational_parse(c->epsilon, "epsilon", o->epsilon, err));
    if (mpq_sgn(c->epsilon) < 0)
        return pby_refuse(err, "epsilon", o->epsilon, "a rational from 0 on");
    PBY_TRY(read_rational(c->delta, "delta", o->delta, "0", err));
    if (mpq_sgn(c->delta) < 0 || mpq_cmp_ui(c->delta, 1, 1) >= 0)
        return pby_refuse(err, "delta", o->delta, "a rational from 0 to below 1");
    PBY_TRY(read_rational(c->error, "error", o->error, "1e-6", err));
    if (mpq_sgn(c->error) <= 0 || mpq_cmp_ui(c->error, 1, 2) >= 0 ||
        mpz_sizeinbase(mpq_denref(c->error), 2) > 1000)
        return pby_refuse(err, "error", o->error, "a rational above 0 and below 1/2, not below 1e-300");
    PBY_TRY(read_rational(c->slack, "slack", o->slack, "1/1073741824", err));
    if (mpq_sgn(c->slack) < 0 || mpq_cmp_ui(c->slack, 1, 1) > 0)
        return pby_refuse(err, "slack", o->slack, "a rational from 0 to 1");
    c->runs = o->runs == 0 ? RUNS_DEFAULT : o->runs;
    c->assume_fixed = o->assume_fixed;
    c->allow_seeds = o->allow_seeds;
    return c->runs <= RUNS_MAX ? PBY_OK
                               : pby_fail(err, PBY_BAD, "runs '%lu': expected at most 10000", c->runs);
}

/* ---- the count --------------------------------------------------------------------------------- */

/* Reads the runs behind the first, and whether all agree with the members. */
static pby_status count_side(bool *agree, uint64_t *counted, pby_trace_case *c, int side, pby_error *err)
{
    *agree = true;
    for (*counted = 0;; (*counted)++) {
        pby_trace_run run;
        bool got;
        PBY_TRY(pby_trace_side_next(&run, &got, &c->side[side], err));
        if (!got)
            return PBY_OK;
        const bool bad = run.probe || run.number != c->side[side].count + *counted;
        *agree = *agree && run.opens_count == 0 && pby_members_agree(&c->members, &c->side[side], side, &run);
        const uint64_t line = run.line;
        pby_trace_run_clear(&run);
        if (bad)
            return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT,
                               "%.200s: line %llu: run: expected runs numbered from 0 on, and probes before "
                               "those of the count",
                               pby_trace_name(c->side[side].reader), (unsigned long long)line);
    }
}

/* missed = 1 - (error/4)^(1/n), rounded up: a side that disagreed more often would have shown it. */
static void set_missed(arb_t missed, mpq_srcptr error, uint64_t n)
{
    PBY_FMPQ(a);
    fmpq_set_mpq(a, error);
    fmpq_div_2exp(a, a, 2);
    arb_set_fmpq(missed, a, PREC);
    arb_log(missed, missed, PREC);
    arb_div_ui(missed, missed, n, PREC);
    arb_expm1(missed, missed, PREC);
    arb_neg(missed, missed);
}

static pby_status read_count(pby_trace_case *c, pby_error *err)
{
    bool agree[2];
    uint64_t counted[2];
    for (int side = 0; side < 2; side++)
        PBY_TRY(count_side(&agree[side], &counted[side], c, side, err));
    if (counted[0] != counted[1])
        return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%.200s: expected as many runs as in %.200s",
                           pby_trace_name(c->side[1].reader), pby_trace_name(c->side[0].reader));
    c->counted = counted[0];
    if (c->evidence != PBY_EVIDENCE_ASSUMED || c->counted == 0 || !agree[0] || !agree[1])
        return PBY_OK;
    c->evidence = PBY_EVIDENCE_STATISTICAL;
    set_missed(c->lower.missed, c->error, c->counted);
    return PBY_OK;
}

/* ---- both ends --------------------------------------------------------------------------------- */

/* The members of S: those that the probes confirm, or else those that are equal in all runs. */
static pby_status find_members(pby_trace_case *c, pby_error *err)
{
    c->probed = pby_trace_probed(&c->side[0]) && pby_trace_probed(&c->side[1]);
    PBY_TRY(pby_members_find(&c->members, c->side, c->probed, err));
    if (c->probed)
        PBY_TRY(pby_trace_atoms_find(&c->lower.atoms, c->side, err));
    const bool any = c->members.count > 0 || c->members.told || c->members.told_by_error ||
                     c->lower.atoms.count > 0;
    c->evidence = !any ? PBY_EVIDENCE_NONE : c->probed ? PBY_EVIDENCE_EXACT : PBY_EVIDENCE_ASSUMED;
    return read_count(c, err);
}

/* If all of the output is in S with equal scales, the loss of S is both ends. */
static bool is_whole(const pby_trace_case *c)
{
    return c->members.whole && c->lower.laws_count == 0 && !c->lower.certain &&
           !c->alignment.findings.found[PBY_FOUND_OPEN] && !c->seeds_block;
}

static pby_status copy_terms(pby_trace_terms *out, const pby_trace_terms *t, const pby_members *m,
                             pby_error *err)
{
    pby_trace_terms_clear(out);
    pby_trace_terms_init(out);
    for (size_t i = 0; i < t->laplace_count; i++)
        PBY_TRY(pby_trace_terms_laplace(out, t->laplace[i], err));
    mpq_set(out->squares, t->squares);
    for (size_t i = 0; i < t->specs_count; i++)
        PBY_TRY(pby_trace_terms_spec(out, t->specs[i], err));
    for (size_t i = 0; i < m->count && t->pairs_count > 0; i++)
        if (m->item[i].first && m->item[i].side[0].law == PBY_TRACE_CHOICE)
            PBY_TRY(pby_trace_terms_choice(out, m->item[i].side[0].of, m->item[i].side[1].of, err));
    return PBY_OK;
}

static pby_status find_ends(pby_trace_case *c, pby_error *err)
{
    pby_findings *findings = &c->alignment.findings;
    PBY_TRY(pby_align(&c->alignment, c->side, c->slack, err));
    PBY_TRY(find_members(c, err));
    bool shared;
    PBY_TRY(pby_trace_seeds(&c->seeds_block, &shared, c->side, findings, c->allow_seeds, err));
    PBY_TRY(pby_trace_lower_add(&c->lower, &c->members, c->side, findings, c->allow_seeds, err));
    if (shared) { /* dependent noise does not compose: what is left needs one coordinate alone */
        pby_trace_terms_clear(&c->lower.terms);
        pby_trace_terms_init(&c->lower.terms);
    }
    PBY_TRY(pby_alignment_terms(&c->upper, &c->has_upper, &c->alignment, err));
    c->has_upper = c->has_upper && !c->seeds_block;
    if (!is_whole(c))
        return PBY_OK;
    c->has_upper = true;
    return copy_terms(&c->upper, &c->lower.terms, &c->members, err);
}

/* ---- the verdict ------------------------------------------------------------------------------- */

/* Where the composition has no answer, the ends are 0 and 1; a machine that fails is no answer. */
static pby_status unless_failed(arb_t ball, bool upper, pby_status status, pby_error *err)
{
    pby_error unused = PBY_NO_ERROR;
    pby_error *e = err != NULL ? err : &unused;
    if (status == PBY_OK)
        return PBY_OK;
    if (e->reason == PBY_REASON_MEMORY || e->reason == PBY_REASON_STOPPED || e->reason == PBY_REASON_IO)
        return status;
    *e = (pby_error)PBY_NO_ERROR;
    arb_set_ui(ball, upper ? 1 : 0);
    return PBY_OK;
}

struct ends {
    arb_t lower, upper; /* delta at the claim's epsilon and its slack */
};

/* Both ends of delta at an epsilon; the width is that of a grid. */
static pby_status ends_at(arb_t lower, arb_t upper, const pby_trace_case *c, const fmpq_t epsilon,
                          const fmpq *width, pby_error *err)
{
    PBY_TRY(unless_failed(lower, false, pby_trace_lower_delta(lower, &c->lower, epsilon, width, err), err));
    arb_one(upper);
    if (!c->has_upper)
        return PBY_OK;
    return unless_failed(upper, true,
                         pby_trace_terms_ask(upper, &c->upper, PBY_ASK_DELTA, epsilon, width, err), err);
}

/* True if a ball lies neither above a level nor at or below it. */
static bool undecided(const arb_t ball, const arb_t level)
{
    return !arb_gt(ball, level) && !arb_le(ball, level);
}

static pby_trace_reason why_inconclusive(const pby_trace_case *c, bool shown, bool wide)
{
    const bool *found = c->alignment.findings.found;
    const bool whole = c->has_upper;
    return found[PBY_FOUND_UNRECORDED]                                     ? PBY_TRACE_UNRECORDED
           : shown                                                         ? PBY_TRACE_ASSUMED
           : found[PBY_FOUND_OPEN]                                         ? PBY_TRACE_OPEN
           : c->seeds_block                                                ? PBY_TRACE_SEED
           : c->alignment.unaligned || (found[PBY_FOUND_OUTPUT] && !whole) ? PBY_TRACE_UNALIGNED
           : wide                                                          ? PBY_TRACE_WIDTH
                                                                           : PBY_TRACE_UNPUBLISHED;
}

static pby_status conclude(pby_trace_case *c, const arb_t lower, const arb_t upper, const arb_t level,
                           pby_error *err)
{
    pby_findings *findings = &c->alignment.findings;
    const bool recorded = !findings->found[PBY_FOUND_UNRECORDED];
    const bool shown = arb_gt(lower, level);
    const bool refutes = c->evidence >= PBY_EVIDENCE_STATISTICAL || c->assume_fixed;
    c->verdict = PBY_TRACE_INCONCLUSIVE;
    if (recorded && shown && refutes) {
        c->verdict = PBY_TRACE_VIOLATION;
        for (pby_finding_kind kind = PBY_FOUND_LAW; kind <= PBY_FOUND_OUTPUT; kind++)
            if (kind != PBY_FOUND_BRANCH)
                pby_findings_refute(findings, kind);
        return pby_findings_add(findings, PBY_FOUND_LOSS,
                                c->alignment.sites_count > 0 ? c->alignment.sites[0].site : "",
                                "what is published loses more than the claim allows", err);
    }
    if (recorded && c->has_upper && arb_le(upper, level)) {
        c->verdict = PBY_TRACE_CONSISTENT;
        return arb_gt(c->delta_upper, level)
                   ? pby_findings_add(findings, PBY_FOUND_ROUNDING, "",
                                      "the loss exceeds the claim by rounding alone", err)
                   : PBY_OK;
    }
    c->reason = why_inconclusive(c, shown, undecided(lower, level) || undecided(upper, level));
    return PBY_OK;
}

/* Grids of this width first, and finer ones where the claim lies within. */
static const ulong widths[] = {1000, 1000000};

static pby_status judge(pby_trace_case *c, pby_error *err)
{
    PBY_FMPQ(epsilon, more, delta, width);
    PBY_ARB(lower, upper, level);
    fmpq_set_mpq(epsilon, c->epsilon);
    fmpq_set_mpq(delta, c->delta);
    fmpq_set_mpq(more, c->slack);
    fmpq_add_si(more, more, 1);
    fmpq_mul(more, more, epsilon);
    arb_set_fmpq(level, delta, PREC);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        fmpq_set_si(width, 1, widths[i]);
        PBY_TRY(ends_at(lower, upper, c, more, width, err));
        if (!undecided(lower, level) && !undecided(upper, level))
            break;
    }
    fmpq_set_si(width, 1, widths[0]);
    PBY_TRY(ends_at(c->delta_lower, c->delta_upper, c, epsilon, width, err));
    PBY_TRY(unless_failed(c->epsilon_lower, false,
                          pby_trace_lower_epsilon(c->epsilon_lower, &c->lower, delta, width, err), err));
    arb_pos_inf(c->epsilon_upper);
    if (c->has_upper &&
        pby_trace_terms_ask(c->epsilon_upper, &c->upper, PBY_ASK_EPSILON, delta, width, NULL) != PBY_OK)
        arb_pos_inf(c->epsilon_upper);
    return conclude(c, lower, upper, level, err);
}

/* ---- the case ---------------------------------------------------------------------------------- */

static void case_init(pby_trace_case *c)
{
    *c = (pby_trace_case){.runs = 0};
    mpq_inits(c->epsilon, c->delta, c->error, c->slack, NULL);
    pby_alignment_init(&c->alignment);
    pby_trace_lower_init(&c->lower);
    pby_trace_terms_init(&c->upper);
    arb_init(c->delta_lower);
    arb_init(c->delta_upper);
    arb_init(c->epsilon_lower);
    arb_init(c->epsilon_upper);
}

static void case_clear(pby_trace_case *c)
{
    arb_clear(c->delta_lower);
    arb_clear(c->delta_upper);
    arb_clear(c->epsilon_lower);
    arb_clear(c->epsilon_upper);
    pby_trace_terms_clear(&c->upper);
    pby_trace_lower_clear(&c->lower);
    pby_members_clear(&c->members);
    pby_alignment_clear(&c->alignment);
    pby_trace_side_clear(&c->side[0]);
    pby_trace_side_clear(&c->side[1]);
    mpq_clears(c->epsilon, c->delta, c->error, c->slack, NULL);
}

static pby_status run_case(pby_trace_case *c, const char *const path[2], pby_error *err)
{
    for (int side = 0; side < 2; side++) {
        PBY_TRY(pby_trace_open_file(&c->side[side].reader, path[side], err));
        PBY_TRY(pby_trace_side_read(&c->side[side], c->runs, err));
    }
    PBY_TRY(pby_trace_sides_match(c->side, err));
    PBY_TRY(find_ends(c, err));
    return judge(c, err);
}

static pby_status answer(char **text, const pby_trace_case *c, pby_report_form form, pby_error *err)
{
    json_t *object = pby_trace_case_object(c);
    if (object == NULL)
        return pby_no_memory(err);
    if (form == PBY_REPORT_JSON) {
        *text = pby_json_text(object, JSON_SORT_KEYS);
        return *text == NULL ? pby_no_memory(err) : PBY_OK;
    }
    const pby_status status = pby_trace_object_lines(text, object, err);
    json_decref(object);
    return status;
}

pby_status pby_trace_judge(char **text, pby_trace_verdict *verdict, const char *left, const char *right,
                           const pby_trace_options *options, pby_error *err)
{
    pby_trace_case c;
    const char *const path[2] = {left, right};
    *text = NULL;
    case_init(&c);
    pby_status status = read_claim(&c, options, err);
    if (status == PBY_OK && strcmp(left, "-") == 0 && strcmp(right, "-") == 0)
        status = pby_refuse(err, "right", "-", "a file: standard input is left already");
    if (status == PBY_OK)
        status = run_case(&c, path, err);
    if (status == PBY_OK)
        status = answer(text, &c, options->form, err);
    *verdict = c.verdict;
    case_clear(&c);
    return status;
}
