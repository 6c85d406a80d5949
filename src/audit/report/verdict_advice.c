/* SPDX-License-Identifier: MIT */
#include "audit/report/verdict_advice.h"

#include <math.h>

#include "audit/count/count_table.h"
#include "picture/html.h"

/* ---- what gives it away ----------------------------------------------------------------------- */

/* The other side has never shown the event, in either part. */
static bool one_sided(const pby_judged *w)
{
    return w->chosen.y + w->judged.y == 0 && w->judged.x > 0;
}

static const char *leak_of_half_line(const pby_event *event)
{
    const bool low = event->range && event->lo == 0;
    if (!event->range)
        return "The first number of the output reveals the input: its half lines are too likely on one side.";
    return low ? "Small outputs reveal the input: the noise is too small for the claim, or does not cover "
                 "this change."
               : "Large outputs reveal the input: the noise is too small for the claim, or does not cover "
                 "this change.";
}

const char *pby_advice_leak_by(pby_event_kind kind)
{
    static const char *const leaks[PBY_EVENT_KINDS] = {
        [PBY_EVENT_OUTPUT] = "Some outputs reveal the input: they are too likely on one side.",
        [PBY_EVENT_SHAPE] =
            "The shape of the output reveals the input: which of its fields are numbers, words or empty, "
            "how many there are, or how they are written.",
        [PBY_EVENT_ORDER] = "The order of the numbers in an output reveals the input.",
        [PBY_EVENT_VALUE] = "Some values reveal the input: they are too likely on one side.",
        [PBY_EVENT_TAIL] =
            "The size of an output reveals the input: the noise is too small for the claim, or "
            "does not cover this change.",
        [PBY_EVENT_BITS] = "The last bits or digits of a number in the output reveal the input.",
        [PBY_EVENT_SCORE] = "The fields of an output, weighed together, reveal the input."};
    return leaks[kind];
}

const char *pby_advice_leak(const pby_verdict *v)
{
    const pby_event *event = &pby_verdict_witness(v)->event;
    const pby_event_kind kind = pby_event_kind_of(event);
    return kind == PBY_EVENT_TAIL ? leak_of_half_line(event) : pby_advice_leak_by(kind);
}

/* ---- the summary ------------------------------------------------------------------------------ */

static void put_share(FILE *out, uint64_t x, uint64_t n)
{
    fprintf(out, "%llu of %llu outputs (%.3g %%)", (unsigned long long)x, (unsigned long long)n,
            n == 0 ? 0 : 100 * (double)x / (double)n);
}

static void summarise_violation(FILE *out, const pby_verdict *v)
{
    const pby_judged *w = pby_verdict_witness(v);
    const int p = w->event.accused;
    char error[PBY_DECIMAL_SIZE];
    pby_rational_text(error, &v->error);
    fprintf(out, "<p class=\"summary\"><strong>%s</strong>", pby_advice_leak(v));
    if (one_sided(w))
        fputs(" An output that is impossible on the other side, or all but impossible, occurred.", out);
    fprintf(out, "</p>\n<p>One event, fixed before it was judged, came in ");
    put_share(out, w->judged.x, w->judged.n);
    fprintf(out, " on the %s and in ", pby_side_names[p]);
    put_share(out, w->judged.y, w->judged.m);
    fprintf(
        out,
        " on the %s. The claim does not allow such a difference. A mechanism that keeps its claim would be "
        "reported like this with a chance of at most %s.</p>\n",
        pby_side_names[1 - p], error);
}

static void summarise_consistent(FILE *out, const pby_verdict *v)
{
    fprintf(out,
            "<p class=\"summary\"><strong>Nothing in these outputs contradicts the claim.</strong> That is "
            "not a proof of it: an audit looks at two inputs and at so many outputs.</p>\n"
            "<p>An epsilon of about %.3g or more would probably have been noticed, if it shows in the "
            "events that an audit looks at.</p>\n",
            v->least_visible);
}

static void summarise_inconclusive(FILE *out, const pby_verdict *v)
{
    fputs("<p class=\"summary\"><strong>This evidence speaks neither for the claim nor against it.</strong> ",
          out);
    pby_html_text(out, v->reason);
    fputs(".</p>\n", out);
}

void pby_advice_summary(FILE *out, const pby_verdict *v)
{
    if (v->violation)
        summarise_violation(out, v);
    else if (pby_verdict_inconclusive(v))
        summarise_inconclusive(out, v);
    else
        summarise_consistent(out, v);
}

/* ---- what to try next ------------------------------------------------------------------------- */

static void item(FILE *out, const char *text)
{
    fprintf(out, "<li>%s</li>\n", text);
}

static void after_violation(FILE *out, const pby_verdict *v)
{
    static const char scale[] =
        "Compare the scale of the noise with the sensitivity: how far can one record move this number?";
    static const char *const kinds[PBY_EVENT_KINDS] = {
        [PBY_EVENT_OUTPUT] =
            "Look at the outputs in the event: are they exact, unclipped, or a failure that is printed?",
        [PBY_EVENT_SHAPE] =
            "Find out what decides that a field is suppressed, a word or missing: it may not depend on the "
            "data but through noise.",
        [PBY_EVENT_ORDER] =
            "Find out whether the order, or the place of the largest, is taken from noisy numbers.",
        [PBY_EVENT_VALUE] = scale,
        [PBY_EVENT_TAIL] = scale,
        [PBY_EVENT_BITS] =
            "Draw noise that is an integer or lies on a grid, and round the data to that grid first: adding "
            "a double to noise that is a double keeps the low bits of both.",
        [PBY_EVENT_SCORE] = scale};
    const pby_event_kind kind = pby_event_kind_of(&pby_verdict_witness(v)->event);
    item(out, kinds[kind]);
    item(out, kind == PBY_EVENT_BITS
                  ? "Judge the scale apart: <code>--features tail</code> does not look at the last bits."
                  : "Judge the floating point apart: <code>--features bits</code> looks at nothing else.");
    item(out, "Repeat it with fresh outputs. A second violation has an error of its own.");
}

static void after_consistent(FILE *out)
{
    item(out,
         "Other neighbours: a count of 0 and of 1, a key that appears, the largest value, an empty input.");
    item(out, "More outputs: four times as many halve the difference that goes unseen.");
    item(out, "One kind of event at a time, such as <code>--features tail</code>: what looks at less sees "
              "it sooner.");
}

static void after_inconclusive(FILE *out, const pby_verdict *v)
{
    if (v->enough > 0)
        fprintf(out, "<li>Give it about %llu outputs on each side.</li>\n", (unsigned long long)v->enough);
    else
        item(out, "Let the program print as many outputs as are asked for, and judge by a kind of event that "
                  "they have.");
    item(out, "Or ask for less: a larger claim, where one is enough, takes fewer outputs to judge.");
}

void pby_advice_next(FILE *out, const pby_verdict *v)
{
    if (v->violation)
        after_violation(out, v);
    else if (pby_verdict_inconclusive(v))
        after_inconclusive(out, v);
    else
        after_consistent(out);
}
