/* SPDX-License-Identifier: MIT */
/* A ledger as one HTML page: its budget over time, what each mechanism, part and person took of it, what is
 * left, and what a planned release would leave. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/printed.h"
#include "certificate/ledger/ledger.h"
#include "certificate/ledger/mode.h"
#include "certificate/ledger/odometer.h"
#include "number/scoped.h"
#include "picture/html.h"
#include "picture/svg.h"
#include "probity.h"

enum { DIGITS = 6, POINTS = 40, LISTED = 100, GROUPS = 500 };
enum { COMPOSED = 10 }; /* so many groups of a table are composed, which takes time */

/* The columns of the table of releases. */
enum { NUMBER, WHEN, SPEC, PART, PERSON, CHARGE, COLUMNS };

/* ---- what was spent, entry by entry -------------------------------------------------------------- */

struct group {
    char *name;
    size_t count;
    double share;      /* the sum of charges, where they add; else the epsilon of these releases alone */
    pby_totals totals; /* of them, where they compose */
};

struct groups {
    struct group *group;
    size_t count, room;
};

struct listed {
    char *text[COLUMNS];
};

struct story {
    pby_ledger *ledger;
    pby_totals totals; /* of the entries that were visited */
    long long period;
    size_t seen, entries;
    double x[POINTS + 1], y[POINTS + 1];
    size_t points;
    double first, last; /* seconds */
    struct groups mechanisms, parts, people;
    struct listed listed[LISTED];
    size_t lines;
};

static bool adds(const struct story *s)
{
    return s->ledger->accounting == PBY_COMPOSE_BASIC;
}

static pby_status group_add(const struct story *s, struct groups *g, const char *name,
                            const pby_ledger_entry *e, double charge, pby_error *err)
{
    size_t i = 0;
    name = g->count < GROUPS ? name
                             : "others"; /* so that a page of many is made in a time that does not square */
    while (i < g->count && strcmp(g->group[i].name, name) != 0)
        i++;
    if (i == g->count) {
        PBY_RESERVE(g->group, g->room, g->count + 1, err);
        g->group[i] = (struct group){strdup(name), 0, 0, {.period = 0}};
        if (g->group[i].name == NULL)
            return pby_no_memory(err);
        pby_totals_init(&g->group[i].totals);
        g->group[i].totals.period = LLONG_MIN;
        g->count++;
    }
    g->group[i].count++;
    g->group[i].share += charge;
    return adds(s) ? PBY_OK : pby_totals_add(&g->group[i].totals, e, s->period, err);
}

static double seconds_of(const char *at)
{
    struct tm utc = {.tm_mday = 1};
    return strptime(at, "%Y-%m-%dT%H:%M:%SZ", &utc) == NULL ? 0 : (double)timegm(&utc);
}

/* The sum of charges of everybody and the worst part; of an odometer its reading. */
static pby_status adding_value(double *y, const struct story *s, pby_error *err)
{
    const pby_ledger *l = s->ledger;
    PBY_MPQ(bound, delta, rest);
    pby_totals_most(bound, delta, &s->totals);
    mpq_add(bound, bound, s->totals.all.bound);
    *y = mpq_get_d(bound);
    if (l->filter == PBY_FILTER_GDP)
        *y = sqrt(*y);
    if (l->filter != PBY_FILTER_ODOMETER)
        return PBY_OK;
    pby_enclosure e;
    pby_enclosure_init(&e);
    mpq_mul(rest, l->delta, l->split);
    mpq_sub(rest, l->delta, rest);
    const pby_status status = pby_odometer_read(&e, bound, rest, DIGITS, err);
    *y = mpfr_get_d(e.hi, MPFR_RNDU);
    pby_enclosure_clear(&e);
    return status;
}

/* The greater of each: of the whole, and of what was found before. */
static pby_status compose_with(pby_enclosure *epsilon, pby_enclosure *delta, const pby_ledger *l,
                               const pby_totals *t, const pby_ledger_tally *part, const pby_spec *more,
                               pby_error *err)
{
    pby_spec *all;
    pby_enclosure x;
    PBY_TRY(pby_totals_gather(&all, t, part, more, false, err));
    if (all == NULL)
        return PBY_OK;
    pby_enclosure_init(&x);
    pby_status status = pby_loss_epsilon(&x, all, l->relation, l->delta, DIGITS, err);
    mpfr_max(epsilon->hi, epsilon->hi, x.hi, MPFR_RNDU);
    if (status == PBY_OK && delta != NULL) {
        status = pby_loss_delta(&x, all, l->relation, l->bound, DIGITS, err);
        mpfr_max(delta->hi, delta->hi, x.hi, MPFR_RNDU);
    }
    pby_enclosure_clear(&x);
    pby_spec_free(all);
    return status;
}

/* Sets the upper ends to the least epsilon at the budget's delta and, unless NULL, the delta at its
 * epsilon, of the part that has most. */
static pby_status compose(pby_enclosure *epsilon, pby_enclosure *delta, const pby_ledger *l,
                          const pby_totals *t, const pby_spec *more, pby_error *err)
{
    mpfr_set_zero(epsilon->hi, 1);
    if (delta != NULL)
        mpfr_set_zero(delta->hi, 1);
    pby_status status = t->parts > 0 ? PBY_OK : compose_with(epsilon, delta, l, t, NULL, more, err);
    for (size_t i = 0; i < t->parts && status == PBY_OK; i++)
        status = compose_with(epsilon, delta, l, t, &t->part[i], more, err);
    return status;
}

static pby_status composed_value(double *y, const struct story *s, pby_error *err)
{
    pby_enclosure e;
    pby_enclosure_init(&e);
    const pby_status status = compose(&e, NULL, s->ledger, &s->totals, NULL, err);
    *y = mpfr_get_d(e.hi, MPFR_RNDU);
    pby_enclosure_clear(&e);
    return status;
}

static pby_status note_point(struct story *s, double at, pby_error *err)
{
    if (s->seen * POINTS / s->entries == (s->seen - 1) * POINTS / s->entries && s->seen < s->entries)
        return PBY_OK;
    s->x[s->points] = at;
    PBY_TRY(s->ledger->accounting == PBY_COMPOSE_EXACT ? composed_value(&s->y[s->points], s, err)
                                                       : adding_value(&s->y[s->points], s, err));
    s->points += s->points < POINTS;
    return PBY_OK;
}

static pby_status note_line(struct story *s, const pby_ledger_entry *e, pby_error *err)
{
    if (s->seen + LISTED <= s->entries || s->lines == LISTED)
        return PBY_OK;
    struct listed *l = &s->listed[s->lines++];
    const bool charged = e->epsilon[0] != '\0', alone = !charged || strcmp(e->delta, "0") == 0;
    if (asprintf(&l->text[NUMBER], "%lld", e->number) < 0)
        l->text[NUMBER] = NULL;
    if (asprintf(&l->text[WHEN], "%.10s %.8s", e->at, strlen(e->at) > 11 ? e->at + 11 : "") < 0)
        l->text[WHEN] = NULL;
    l->text[SPEC] = strdup(e->spec);
    l->text[PART] = strdup(e->part);
    l->text[PERSON] = strdup(e->spender);
    if (asprintf(&l->text[CHARGE], "%s%s%s", e->epsilon, alone ? "" : ", delta ", alone ? "" : e->delta) < 0)
        l->text[CHARGE] = NULL;
    for (size_t i = 0; i < sizeof l->text / sizeof *l->text; i++)
        if (l->text[i] == NULL)
            return pby_no_memory(err);
    return PBY_OK;
}

static pby_status visit(const pby_ledger_entry *e, void *what, pby_error *err)
{
    struct story *s = what;
    const double at = seconds_of(e->at);
    double charge = 0;
    PBY_MPQ(q);
    if (e->epsilon[0] != '\0' && pby_rational_parse(q, "charge", e->epsilon, NULL) == PBY_OK)
        charge = mpq_get_d(q);
    s->first = s->seen++ == 0 ? at : s->first;
    s->last = at;
    PBY_TRY(pby_terms_period(&s->period, &s->ledger->terms, e->at, err));
    PBY_TRY(pby_totals_add(&s->totals, e, s->period, err));
    PBY_TRY(note_point(s, at, err));
    PBY_TRY(note_line(s, e, err));
    PBY_TRY(group_add(s, &s->mechanisms, e->spec, e, charge, err));
    if (e->part[0] != '\0')
        PBY_TRY(group_add(s, &s->parts, e->part, e, charge, err));
    return e->spender[0] == '\0' ? PBY_OK : group_add(s, &s->people, e->spender, e, charge, err);
}

static void groups_clear(struct groups *g)
{
    for (size_t i = 0; i < g->count; i++) {
        free(g->group[i].name);
        pby_totals_clear(&g->group[i].totals);
    }
    free(g->group);
}

static void story_clear(struct story *s)
{
    pby_totals_clear(&s->totals);
    groups_clear(&s->mechanisms);
    groups_clear(&s->parts);
    groups_clear(&s->people);
    for (size_t i = 0; i < s->lines; i++)
        for (size_t j = 0; j < sizeof s->listed[i].text / sizeof *s->listed[i].text; j++)
            free(s->listed[i].text[j]);
}

/* ---- the top ------------------------------------------------------------------------------------ */

static void put_row(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<tr><th>%s</th><td class=\"name\">", name);
    pby_html_text(out, text);
    fputs("</td></tr>\n", out);
}

/* A decimal that is the number, or one above or below it. */
static void put_rational(FILE *out, const char *unit, const char *name, mpq_srcptr q, bool down)
{
    char text[PBY_DECIMAL_SIZE];
    PBY_MPQ(near);
    PBY_MPFR(128, x);
    snprintf(text, sizeof text, "%.*g", DIGITS, mpq_get_d(q));
    if (pby_rational_parse(near, "number", text, NULL) != PBY_OK || !mpq_equal(near, q)) {
        mpfr_set_q(x, q, down ? MPFR_RNDD : MPFR_RNDU);
        pby_decimal(text, x, DIGITS, down);
    }
    fprintf(out, "<tr><th>%s %s</th><td>%s</td></tr>\n", unit, name, text);
}

static void put_budget(FILE *out, const pby_ledger *l)
{
    char *bound = mpq_get_str(NULL, 10, l->bound), *delta = mpq_get_str(NULL, 10, l->delta), *text;
    const int length = l->filter == PBY_FILTER_ODOMETER
                           ? asprintf(&text, "no limit; delta %s", delta)
                           : asprintf(&text, "%s %s, delta %s", pby_mode_bound(l->filter), bound, delta);
    if (length >= 0) {
        put_row(out, "budget", text);
        free(text);
    }
    free(delta);
    free(bound);
}

static void put_period(FILE *out, const pby_ledger *l)
{
    char begin[PBY_STORE_TIME], end[PBY_STORE_TIME], text[2 * PBY_STORE_TIME + 16];
    if (l->terms.every == 0)
        return;
    pby_terms_begin(begin, &l->terms, l->totals.period);
    pby_terms_begin(end, &l->terms, l->totals.period + 1);
    snprintf(text, sizeof text, "%s to %s", begin, end);
    put_row(out, "this period", text);
}

static void put_top(FILE *out, const struct story *s, const char *digest)
{
    const pby_ledger *l = s->ledger;
    fputs("<p class=\"about\">A ledger of privacy</p>\n<h1 class=\"plain\">", out);
    pby_html_text(out,
                  strrchr(l->store->name, '/') == NULL ? l->store->name : strrchr(l->store->name, '/') + 1);
    fputs("</h1>\n<table class=\"rows\">\n", out);
    put_budget(out, l);
    put_row(out, "accounting", l->mode);
    put_row(out, "neighbours", pby_neighbours_text(l->relation));
    put_row(out, "unit", l->user == NULL ? "a record" : "a user");
    if (l->user != NULL)
        put_row(out, "column of users", l->user);
    put_period(out, l);
    fprintf(out,
            "<tr><th>releases</th><td>%zu</td></tr>\n"
            "<tr><th>digest</th><td class=\"digest\"><code>%s</code></td></tr>\n",
            s->entries, digest);
    fputs("</table>\n", out);
}

/* ---- what is left -------------------------------------------------------------------------------- */

/* In the words of people. */
static const char *unit_of(const pby_ledger *l)
{
    return l->filter == PBY_FILTER_GDP     ? "squared mu"
           : l->filter == PBY_FILTER_RENYI ? "divergence"
                                           : pby_mode_charge(l->filter);
}

static void put_left_of_sums(FILE *out, const pby_ledger *l, mpq_srcptr bound, mpq_srcptr delta)
{
    PBY_MPQ(most, left, part);
    mpq_set(most, l->bound);
    mpq_set(part, l->delta);
    if (l->filter == PBY_FILTER_GDP)
        mpq_mul(most, most, most);
    if (l->filter == PBY_FILTER_APPROX || l->filter == PBY_FILTER_ODOMETER)
        mpq_mul(part, part, l->split);
    put_rational(out, unit_of(l), "charged", bound, false);
    if (l->filter != PBY_FILTER_APPROX && l->filter != PBY_FILTER_ODOMETER) {
        mpq_sub(left, most, bound);
        put_rational(out, unit_of(l), "left", left, true);
    }
    put_rational(out, "delta", "charged", delta, false);
    mpq_sub(left, part, delta);
    put_rational(out, "delta", "left", left, true);
}

static void put_enclosure(FILE *out, const char *name, const pby_enclosure *x)
{
    char hi[PBY_DECIMAL_SIZE];
    pby_decimal(hi, x->hi, DIGITS, false);
    fprintf(out, "<tr><th>%s</th><td>at most %s</td></tr>\n", name, hi);
}

/* The epsilon and delta that all releases come to, with `more` unless that is NULL. */
static pby_status put_composed(FILE *out, const pby_ledger *l, const pby_spec *more, pby_error *err)
{
    pby_enclosure e, d;
    pby_enclosure_init(&e);
    pby_enclosure_init(&d);
    const pby_status status = compose(&e, &d, l, &l->totals, more, err);
    if (status == PBY_OK) {
        put_enclosure(out, "epsilon at the budget's delta", &e);
        put_enclosure(out, "delta at the budget's epsilon", &d);
    }
    pby_enclosure_clear(&d);
    pby_enclosure_clear(&e);
    return status;
}

static pby_status put_left(FILE *out, pby_ledger *l, pby_error *err)
{
    pby_enclosure read;
    PBY_MPQ(b, d);
    pby_enclosure_init(&read);
    fputs("<h2>Spent and left</h2>\n<table class=\"rows\">\n", out);
    pby_status status = PBY_OK;
    if (l->accounting == PBY_COMPOSE_EXACT) {
        status = put_composed(out, l, NULL, err);
    } else {
        pby_totals_most(b, d, &l->totals);
        mpq_add(b, b, l->totals.all.bound);
        mpq_add(d, d, l->totals.all.delta);
        put_left_of_sums(out, l, b, d);
    }
    if (status == PBY_OK && l->filter == PBY_FILTER_ODOMETER) {
        status = pby_ledger_odometer(&read, l, DIGITS, err);
        put_enclosure(out, "epsilon read, with the delta above", &read);
    }
    fputs("</table>\n", out);
    if (l->accounting == PBY_COMPOSE_EXACT)
        fputs("<p>All releases compose exactly: what is left is what the rest of the list may add, not a "
              "difference of numbers.</p>\n",
              out);
    else if (l->filter != PBY_FILTER_NONE && l->filter != PBY_FILTER_ODOMETER)
        fputs("<p>What is guaranteed is the budget. A sum that is read at a time which outputs chose "
              "guarantees nothing.</p>\n",
              out);
    pby_enclosure_clear(&read);
    return status;
}

/* ---- a planned release --------------------------------------------------------------------------- */

/* Sets the charge of a release to numbers. */
static pby_status read_charge(mpq_t bound, mpq_t delta, const pby_charge *charge, pby_error *err)
{
    PBY_TRY(pby_rational_parse(bound, "charge", charge->bound, err));
    return pby_rational_parse(delta, "charge", charge->delta, err);
}

static pby_status put_after(FILE *out, const pby_ledger *l, const pby_spec *charged, const pby_charge *charge,
                            pby_error *err)
{
    static const char verdict[] = "it fits into the budget; after it:";
    PBY_MPQ(bound, delta, more, more_delta);
    if (l->accounting == PBY_COMPOSE_EXACT) {
        put_row(out, "verdict", verdict);
        return put_composed(out, l, charged, err);
    }
    PBY_TRY(read_charge(more, more_delta, charge, err));
    put_rational(out, unit_of(l), "it takes", more, false);
    put_rational(out, "delta", "it takes", more_delta, false);
    put_row(out, "verdict", verdict);
    pby_totals_most(bound, delta, &l->totals);
    mpq_add(bound, bound, l->totals.all.bound);
    mpq_add(delta, delta, l->totals.all.delta);
    mpq_add(bound, bound, more);
    mpq_add(delta, delta, more_delta);
    put_left_of_sums(out, l, bound, delta);
    return PBY_OK;
}

static pby_status put_verdict(FILE *out, pby_ledger *l, const pby_spec *charged, pby_status verdict,
                              const pby_charge *charge, const pby_error *why, pby_error *err)
{
    put_row(out, "charged as", pby_spec_text(charged));
    if (verdict == PBY_OK)
        return put_after(out, l, charged, charge, err);
    put_row(out, "verdict", why->text);
    return PBY_OK;
}

static pby_status put_planned(FILE *out, pby_ledger *l, const pby_spec *planned, const char *epsilon,
                              pby_error *err)
{
    pby_charge charge = {NULL, NULL};
    pby_spec *charged = NULL;
    pby_error why = PBY_NO_ERROR;
    PBY_MPQ(at);
    if (epsilon != NULL)
        PBY_TRY(pby_rational_parse(at, "epsilon", epsilon, err));
    fputs("<h2>A planned release</h2>\n<table class=\"rows\">\n", out);
    pby_status status = pby_ledger_charged_as(&charged, l, planned, err);
    if (status == PBY_OK) {
        const pby_status verdict =
            pby_ledger_admit(&charge, l, planned, charged, epsilon == NULL ? NULL : at, &why);
        status = verdict == PBY_OK || verdict == PBY_NO
                     ? put_verdict(out, l, charged, verdict, &charge, &why, err)
                     : pby_fail(err, verdict, "%s", why.text);
    }
    fputs("</table>\n", out);
    pby_charge_clear(&charge);
    pby_spec_free(charged);
    return status;
}

/* ---- over time ----------------------------------------------------------------------------------- */

/* The longest unit of which the time has at least two. */
static const struct unit {
    const char *title;
    double seconds;
} units[] = {
    {"days since the first release", 86400},
    {"hours since the first release", 3600},
    {"minutes since the first release", 60},
    {"seconds since the first release", 1},
};

static const struct unit *unit_for(double seconds)
{
    size_t i = 0;
    while (units[i].seconds > 1 && seconds < 2 * units[i].seconds)
        i++;
    return &units[i];
}

/* Steps up from nothing through the points, and the limit. */
static void put_curve(FILE *out, const struct story *s, const char *y_title, double limit)
{
    double x[2 * POINTS + 1], y[2 * POINTS + 1], most = limit > 0 ? limit : 0;
    size_t n = 0;
    const struct unit *unit = unit_for(s->last - s->first);
    for (size_t i = 0; i < s->points; i++) {
        x[n] = x[n + 1] = (s->x[i] - s->first) / unit->seconds;
        y[n++] = i > 0 ? s->y[i - 1] : 0;
        y[n++] = s->y[i];
        most = isfinite(s->y[i]) ? fmax(most, s->y[i]) : most;
    }
    const double end = fmax((s->last - s->first) / unit->seconds, 1);
    x[n] = end;
    y[n] = n > 0 ? y[n - 1] : 0;
    n++;
    const pby_frame f = {0, end, 0, most > 0 ? 1.1 * most : 1, false};
    const double ends[] = {0, end}, limits[] = {limit, limit};
    pby_legend_begin(out);
    pby_legend_key(out, "seen", "spent");
    if (limit > 0)
        pby_legend_key(out, "claimed", "budget");
    pby_legend_end(out);
    pby_svg_begin(out, "what was spent over time");
    pby_svg_y_axis(out, &f, y_title);
    pby_svg_x_axis(out, &f, unit->title);
    pby_svg_line(out, &f, "seen", x, y, n);
    if (limit > 0)
        pby_svg_line(out, &f, "claimed", ends, limits, 2);
    pby_svg_end(out);
}

static void put_time(FILE *out, const struct story *s)
{
    const pby_ledger *l = s->ledger;
    const bool sum = l->filter == PBY_FILTER_APPROX;
    if (s->points == 0)
        return;
    fputs("<h2>The budget over time</h2>\n<figure>\n", out);
    put_curve(out, s,
              sum                                  ? "sum of rhos"
              : l->filter == PBY_FILTER_ODOMETER   ? "epsilon read"
              : l->accounting == PBY_COMPOSE_EXACT ? "epsilon at the budget's delta"
                                                   : pby_mode_bound(l->filter),
              sum ? 0 : mpq_get_d(l->bound));
    if (l->terms.every > 0)
        fputs("<figcaption>Each period has the budget anew.</figcaption>\n", out);
    fputs("</figure>\n", out);
}

/* ---- tables -------------------------------------------------------------------------------------- */

static int by_share(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    const double d = y->share - x->share;
    return d > 0 ? 1 : d < 0 ? -1 : (y->count > x->count) - (y->count < x->count);
}

/* Sets the shares where releases compose: each is that of a group alone, and they do not add up. */
static pby_status compose_groups(const struct story *s, struct groups *g, pby_error *err)
{
    pby_status status = PBY_OK;
    pby_enclosure e;
    pby_enclosure_init(&e);
    for (size_t i = 0; i < g->count && i < COMPOSED && status == PBY_OK; i++) {
        status = compose(&e, NULL, s->ledger, &g->group[i].totals, NULL, err);
        g->group[i].share = mpfr_get_d(e.hi, MPFR_RNDU);
    }
    pby_enclosure_clear(&e);
    return status;
}

static void put_group(FILE *out, const struct group *g, bool shared)
{
    fputs("<tr><td class=\"event\">", out);
    pby_html_text(out, g->name);
    fprintf(out, "</td><td class=\"number\">%zu</td><td class=\"number\">", g->count);
    if (shared)
        fprintf(out, "%.6g", g->share);
    fputs("</td></tr>\n", out);
}

static pby_status put_groups(FILE *out, const struct story *s, struct groups *g, const char *title,
                             const char *first, pby_error *err)
{
    if (g->count == 0)
        return PBY_OK;
    qsort(g->group, g->count, sizeof *g->group, by_share);
    if (!adds(s))
        PBY_TRY(compose_groups(s, g, err));
    fprintf(out,
            "<h2>%s</h2>\n<table>\n<tr><th>%s</th><th class=\"number\">releases</th>"
            "<th class=\"number\">%s</th></tr>\n",
            title, first, adds(s) ? unit_of(s->ledger) : "epsilon");
    for (size_t i = 0; i < g->count && i < LISTED; i++)
        put_group(out, &g->group[i], adds(s) || i < COMPOSED);
    fputs("</table>\n", out);
    if (g->count > LISTED)
        fprintf(out, "<p>And %zu others.</p>\n", g->count - LISTED);
    if (!adds(s))
        fprintf(
            out,
            "<p>Each epsilon is that of these releases alone%s, composed, at the budget's delta%s. They do "
            "not add up to what was spent.</p>\n",
            s->ledger->terms.every > 0 ? " in this period" : "",
            s->parts.count > 0 ? ", for the part that has most of them" : "");
    return PBY_OK;
}

static void put_releases(FILE *out, const struct story *s)
{
    static const char *const classes[COLUMNS] = {[NUMBER] = "number", [SPEC] = "event", [CHARGE] = "number"};
    const char *const titles[COLUMNS] = {
        [NUMBER] = "number",
        [WHEN] = "when, UTC",
        [SPEC] = "mechanism",
        [PART] = s->parts.count > 0 ? "part" : NULL,
        [PERSON] = s->people.count > 0 ? "person" : NULL,
        [CHARGE] = adds(s) ? unit_of(s->ledger) : NULL,
    };
    if (s->lines == 0)
        return;
    fputs("<h2>Releases</h2>\n<div style=\"overflow-x: auto\"><table>\n<tr>", out);
    for (size_t j = 0; j < COLUMNS; j++)
        if (titles[j] != NULL)
            fprintf(out, "<th%s>%s</th>", classes[j] != NULL && j != SPEC ? " class=\"number\"" : "",
                    titles[j]);
    fputs("</tr>\n", out);
    for (size_t i = s->lines; i-- > 0;) {
        fputs("<tr>", out);
        for (size_t j = 0; j < COLUMNS; j++) {
            if (titles[j] == NULL)
                continue;
            fprintf(out, "<td class=\"%s\">", classes[j] == NULL ? "" : classes[j]);
            pby_html_text(out, s->listed[i].text[j]);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
    if (s->entries > s->lines)
        fprintf(out, "<p>The last %zu of %zu.</p>\n", s->lines, s->entries);
}

/* ---- the page ------------------------------------------------------------------------------------ */

static pby_status put_body(FILE *out, struct story *s, const pby_spec *planned, const char *epsilon,
                           pby_error *err)
{
    char digest[PBY_LEDGER_DIGEST_SIZE];
    pby_ledger *l = s->ledger;
    PBY_TRY(pby_ledger_digest(digest, l, err));
    put_top(out, s, digest);
    PBY_TRY(put_left(out, l, err));
    if (planned != NULL)
        PBY_TRY(put_planned(out, l, planned, epsilon, err));
    put_time(out, s);
    PBY_TRY(put_groups(out, s, &s->people, "By person", "person", err));
    PBY_TRY(put_groups(out, s, &s->parts, "By part of the users", "part", err));
    PBY_TRY(put_groups(out, s, &s->mechanisms, "By mechanism", "mechanism", err));
    put_releases(out, s);
    fprintf(out, "<p>These numbers: Probity %s, by <code>probity ledger show --report</code>.</p>\n",
            pby_version());
    return PBY_OK;
}

static pby_status write_page(char **page, struct story *s, const pby_spec *planned, const char *epsilon,
                             pby_error *err)
{
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    pby_html_begin(out, "A ledger of privacy");
    pby_status status = put_body(out, s, planned, epsilon, err);
    pby_html_end(out);
    return pby_printed_end(page, &printed, status, err);
}

pby_status pby_ledger_page(char **page, pby_ledger *ledger, const pby_spec *planned, const char *epsilon,
                           pby_error *err)
{
    struct story s = {.ledger = ledger};
    *page = NULL;
    PBY_TRY(pby_ledger_enter(ledger, err));
    pby_totals_init(&s.totals);
    s.totals.period = LLONG_MIN;
    pby_status status = pby_ledger_catch_up(ledger, NULL, err);
    s.entries = status == PBY_OK ? (size_t)ledger->totals.chain.entries : 0;
    if (status == PBY_OK)
        status = pby_ledger_each(ledger, visit, &s, err);
    if (status == PBY_OK)
        status = write_page(page, &s, planned, epsilon, err);
    story_clear(&s);
    pby_ledger_leave(ledger);
    return status;
}
