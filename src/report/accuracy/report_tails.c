/* SPDX-License-Identifier: MIT */
/* Prints the tail bounds of a mean, beside the exact tail of coins. */
#include "accuracy/tails.h"
#include "number/integer.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/reports.h"
#include "probity/rational.h"
#include "report/sheet.h"

/* clang-format off */
static const struct label {
    const char *from;                     /* of JSON */
    const char *formula[PBY_TAIL_SIDES];
    bool refuted;
} labels[PBY_TAIL_BOUNDS] = {
    [PBY_TAIL_ENTROPY] = {"Hoe63/Theorem 1", {"exp(-n D), D the relative entropy", "exp(-n D)", NULL}, false},
    [PBY_TAIL_ADDITIVE] = {"Survey/Theorem 2.1",
                           {"exp(-2 n beta^2)", "exp(-2 n beta^2)", "2 exp(-2 n beta^2)"}, false},
    [PBY_TAIL_MULTIPLICATIVE] = {"Survey/Theorem 2.2: refuted as printed, corrected",
                                 {"exp(-n mean e^2/3), e = beta/mean", "exp(-n mean e^2/2)", NULL}, false},
    [PBY_TAIL_PRINTED] = {"Survey/Theorem 2.2: refuted", {"exp(-2 n e^2/3)", "exp(-2 n e^2/2)", NULL}, true},
};
/* clang-format on */

static const char *row_of(pby_tail_bound bound, pby_tail_side side)
{
    return side == PBY_TAIL_EITHER ? "Survey/Theorem 2.3: refuted as printed, of independent variables"
                                   : labels[bound].from;
}

static pby_status write_bound(pby_sheet *s, json_t *bounds, const pby_tail *t, pby_tail_bound bound,
                              unsigned digits, pby_error *err)
{
    const struct label *label = &labels[bound];
    const char *from = row_of(bound, t->side);
    char note[256];
    pby_enclosure most;
    bool holds;
    pby_enclosure_init(&most);
    const pby_status status = pby_tail_bounded(&most, &holds, t, bound, digits, err);
    if (status == PBY_OK) {
        snprintf(note, sizeof note, "%s; %s: %s here", from, label->formula[t->side],
                 holds ? "holds" : "fails");
        pby_sheet own = pby_sheet_part(s);
        pby_sheet_enclosure(&own, "  bound", "chance", &most, digits, note);
        pby_sheet_text(&own, NULL, "from", from);
        pby_sheet_text(&own, NULL, "here", holds ? "holds" : "fails");
        pby_sheet_member(&own, "refuted", json_boolean(label->refuted));
        json_t *made = pby_sheet_part_end(s, &own);
        if (made != NULL && json_array_append_new(bounds, made) != 0)
            s->short_of_memory = true;
    }
    pby_enclosure_clear(&most);
    return status;
}

static pby_status write_side(pby_sheet *s, const pby_tail *t, unsigned digits, pby_error *err)
{
    static const char *const names[] = {"above", "below", "either"};
    static const char *const events[] = {"the mean is more than beta above its expectation",
                                         "the mean is more than beta below its expectation",
                                         "the mean is farther from its expectation than beta"};
    pby_enclosure chance;
    pby_enclosure_init(&chance);
    pby_status status = pby_tail_exact(&chance, t, digits, err);
    if (status == PBY_OK) {
        json_t *bounds = json_array();
        pby_sheet_line(s, names[t->side], "%s", events[t->side]);
        pby_sheet own = pby_sheet_part(s);
        pby_sheet_enclosure(&own, "  coins", "coins", &chance, digits, "exactly, of coins");
        for (int b = 0; status == PBY_OK && b < PBY_TAIL_BOUNDS; b++)
            if (pby_tail_has(t, (pby_tail_bound)b))
                status = write_bound(&own, bounds, t, (pby_tail_bound)b, digits, err);
        pby_sheet_member(&own, "bounds", bounds);
        pby_sheet_member(s, names[t->side], pby_sheet_part_end(s, &own));
    }
    pby_enclosure_clear(&chance);
    return status;
}

static pby_status read_rationals(mpq_t mean, mpq_t beta, const pby_tails_asked *asked, pby_error *err)
{
    if (asked->n == NULL || asked->beta == NULL)
        return pby_fail(err, PBY_BAD,
                        "accuracy --tails: expected --n, how many variables there are, and --beta, how far "
                        "their mean is off");
    PBY_TRY(pby_rational_parse(mean, "tails", asked->mean, err));
    if (mpq_sgn(mean) <= 0 || mpq_cmp_ui(mean, 1, 1) >= 0)
        return pby_refuse_mpq(err, "tails", mean, "an expectation, a rational above 0 and below 1");
    PBY_TRY(pby_rational_parse(beta, "beta", asked->beta, err));
    if (mpq_sgn(beta) <= 0)
        return pby_refuse_mpq(err, "beta", beta, "how far the mean is off, a rational above 0");
    return PBY_OK;
}

static pby_status write_tails(pby_sheet *s, pby_tail *t, const pby_tails_asked *asked, pby_error *err)
{
    const unsigned digits = asked->digits == 0 ? PBY_DIGITS_DEFAULT : asked->digits;
    PBY_MPQ(mean, beta);
    unsigned long n;
    PBY_TRY(read_rationals(mean, beta, asked, err));
    PBY_TRY(pby_integer_parse(&n, "n", asked->n, 1, PBY_TAIL_MOST, 1, err));
    t->n = n;
    fmpq_set_mpq(t->mean, mean);
    fmpq_set_mpq(t->beta, beta);
    pby_sheet_exact(s, "mean", "mean", mean);
    pby_sheet_number(s, "n", "n", t->n);
    pby_sheet_exact(s, "beta", "beta", beta);
    for (int side = 0; side < PBY_TAIL_SIDES; side++) {
        t->side = (pby_tail_side)side;
        PBY_TRY(write_side(s, t, digits, err));
    }
    return PBY_OK;
}

pby_status pby_report_tails(char **text, const pby_tails_asked *asked, pby_report_form form, pby_error *err)
{
    pby_tail t = {.n = 1};
    pby_sheet s;
    fmpq_init(t.mean);
    fmpq_init(t.beta);
    pby_sheet_begin(&s, form);
    const pby_status status = write_tails(&s, &t, asked, err);
    fmpq_clear(t.beta);
    fmpq_clear(t.mean);
    return pby_sheet_end(text, &s, status, err);
}
