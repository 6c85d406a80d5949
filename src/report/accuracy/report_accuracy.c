/* SPDX-License-Identifier: MIT */
/* Prints the accuracy of a release and of statistics of it, and the terms that these are composed of. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/accuracy.h"
#include "accuracy/row.h"
#include "accuracy/terms.h"
#include "mechanism/shared/lattice.h"
#include "number/ball.h"
#include "number/exact.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "probity/rational.h"
#include "report/accuracy/accuracy_line.h"
#include "report/sheet.h"

enum { STATISTICS_MAX = PBY_STATISTIC_QUANTILE + 1 };

struct question {
    const pby_spec *spec;
    pby_accuracy_kind kind;
    pby_accuracy_terms at;
    bool asks_statistics;                    /* by name; else those below that have a meaning */
    pby_statistic statistic[STATISTICS_MAX]; /* each name once */
    size_t statistics;
    unsigned digits;
    bool asks_untypical;
    fmpq_t density, within;
};

/* The accuracy of the release, and what it is made of. */
struct answer {
    const struct question *q;
    bool noisy; /* else only records are lost, and of the next only release and seen are told */
    pby_noisy_accuracy release;
    uint64_t bar_loss;
    mpq_t claimed;
    pby_accuracy bucketing;
    pby_enclosure truth, deviation; /* of shares */
    pby_enclosure untypical; /* the chance of data that a point's accuracy is not about, if asked for */
};

/* ---- the question -------------------------------------------------------------------------------- */

static const char DEFAULT_STATISTICS[] = "max,min,range,support,mode,median";

static pby_status read_statistic(struct question *q, const pby_accuracy_asked *asked, const char *name,
                                 bool *k_read, bool *q_read, pby_error *err)
{
    const bool k = strcmp(name, "max_k") == 0 || strcmp(name, "min_k") == 0,
               share = strcmp(name, "quantile") == 0;
    *k_read |= k;
    *q_read |= share;
    pby_statistic s;
    PBY_TRY(pby_statistic_parse(&s, name, k ? asked->k : NULL, share ? asked->q : NULL, err));
    if (q->asks_statistics)
        PBY_TRY(pby_statistic_admitted(q->spec, &s, err));
    for (size_t i = 0; i < q->statistics; i++)
        if (q->statistic[i].name == s.name)
            PBY_TRY(pby_refuse(err, "statistics", name, "each name once"));
    q->statistic[q->statistics++] = s;
    return PBY_OK;
}

/* A list of names separated by commas; each parameter must be read by one of them. */
static pby_status read_statistics(struct question *q, const pby_accuracy_asked *asked, pby_error *err)
{
    bool k_read = false, q_read = false;
    q->asks_statistics = asked->statistics != NULL;
    char *names = strdup(q->asks_statistics ? asked->statistics : DEFAULT_STATISTICS);
    char *rest = names, *name;
    pby_status status = names != NULL ? PBY_OK : pby_no_memory(err);
    while (status == PBY_OK && (name = strsep(&rest, ",")) != NULL)
        status = read_statistic(q, asked, name, &k_read, &q_read, err);
    free(names);
    if (status == PBY_OK && asked->k != NULL && !k_read)
        status = pby_refuse(err, "k of statistics", asked->k, "it with the statistic max_k or min_k");
    if (status == PBY_OK && asked->q != NULL && !q_read)
        status = pby_refuse(err, "q of statistics", asked->q, "it with the statistic quantile");
    return status;
}

static const pby_lattice_class *lattice_of(const struct question *q)
{
    return q->spec->use[0].mechanism.family->lattice;
}

static pby_status read_positive(fmpq_t out, const char *name, const char *text, pby_error *err)
{
    PBY_MPQ(x);
    pby_status status = pby_rational_parse(x, name, text, err);
    if (status == PBY_OK && mpq_sgn(x) <= 0)
        status = pby_refuse(err, name, text, "a rational above 0");
    fmpq_set_mpq(out, x);
    return status;
}

/* The law that records are drawn from, where one is told of. */
static pby_status read_law(struct question *q, const pby_accuracy_asked *asked, pby_error *err)
{
    const char *one = asked->density != NULL ? asked->density : asked->within;
    q->asks_untypical = one != NULL;
    if (one == NULL)
        return PBY_OK;
    if (asked->density == NULL || asked->within == NULL)
        return pby_fail(err, PBY_BAD, "density: expected this and within, or neither");
    if (lattice_of(q) == NULL || lattice_of(q)->untypical == NULL)
        return pby_refuse(err, "density", asked->density,
                          "a mechanism that is about typical data: fbquantile");
    const pby_status status = read_positive(q->density, "density", asked->density, err);
    return status == PBY_OK ? read_positive(q->within, "within", asked->within, err) : status;
}

static pby_status read_question(struct question *q, const pby_accuracy_asked *asked, pby_error *err)
{
    pby_status status = pby_accuracy_kind_of(&q->kind, q->spec, err);
    if (status == PBY_OK)
        status = pby_accuracy_terms_read(&q->at, asked, q->kind, err);
    if (status == PBY_OK)
        status = read_law(q, asked, err);
    return status == PBY_OK ? read_statistics(q, asked, err) : status;
}

/* True if users report, and something is estimated from all reports. */
static bool estimates(const struct question *q)
{
    return q->kind == PBY_ACCURACY_SHARE || q->kind == PBY_ACCURACY_MEAN;
}

/* ---- the answer ---------------------------------------------------------------------------------- */

static pby_status untypical_ball(arb_t ball, const void *question, slong prec, pby_error *err)
{
    const struct question *q = question;
    return lattice_of(q)->untypical(ball, &q->spec->use[0].mechanism, q->density, q->within, prec, err);
}

static pby_status compute_untypical(struct answer *a, pby_error *err)
{
    PBY_ARB(ball);
    const pby_status status = pby_enclose(ball, untypical_ball, a->q, a->q->digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(&a->untypical, ball, a->q->digits);
    return status;
}

static pby_status compute_noisy(struct answer *a, pby_error *err)
{
    const struct question *q = a->q;
    PBY_TRY(pby_accuracy_noisy(&a->release, q->spec, &q->at.inputs, q->at.asks_beta ? q->at.beta : NULL,
                               q->at.asks_gamma ? q->at.gamma : NULL, q->digits, err));
    if (estimates(q))
        PBY_TRY(pby_accuracy_share(&a->truth, &a->deviation, q->spec, q->at.inputs.n, q->digits, err));
    if (q->asks_untypical)
        return compute_untypical(a, err);
    return PBY_OK;
}

static pby_status compute(struct answer *a, pby_error *err)
{
    const struct question *q = a->q;
    if (a->noisy)
        return compute_noisy(a, err);
    PBY_TRY(pby_accuracy_release(&a->release.release, &a->bar_loss, q->spec, &q->at.inputs, err));
    PBY_TRY(pby_accuracy_seen(&a->release.seen, q->spec, &q->at.inputs, err));
    pby_distance_set(&a->bucketing.beta, &a->release.release.beta);
    if (q->kind == PBY_ACCURACY_DROPS)
        return pby_accuracy_claimed(a->claimed, q->spec, &q->at.inputs, err);
    return PBY_OK;
}

static void answer_init(struct answer *a, const struct question *q)
{
    *a = (struct answer){.q = q, .noisy = pby_accuracy_noisy_kind(q->kind)};
    pby_noisy_accuracy_init(&a->release);
    pby_accuracy_init(&a->bucketing);
    pby_enclosure_init(&a->truth);
    pby_enclosure_init(&a->deviation);
    pby_enclosure_init(&a->untypical);
    mpq_init(a->claimed);
}

static void answer_clear(struct answer *a)
{
    mpq_clear(a->claimed);
    pby_enclosure_clear(&a->untypical);
    pby_enclosure_clear(&a->deviation);
    pby_enclosure_clear(&a->truth);
    pby_accuracy_clear(&a->bucketing);
    pby_noisy_accuracy_clear(&a->release);
}

/* ---- of the release ------------------------------------------------------------------------------ */

static void print_accuracy(pby_sheet *s, const char *name, const pby_accuracy *a, const pby_terms *t)
{
    const pby_accuracy_line line = {.name = name, .key = name, .accuracy = a, .terms = t};
    pby_accuracy_tell(s, &line);
}

static void print_chance(pby_sheet *s, const char *name, const pby_enclosure *x, const char *note,
                         const struct answer *a)
{
    pby_sheet_enclosure(s, name, name, x, a->q->digits, note);
}

static const char *chance_note(const struct answer *a)
{
    if (a->q->kind == PBY_ACCURACY_POINT)
        return lattice_of(a->q)->note;
    if (a->q->kind == PBY_ACCURACY_CHOICE)
        return "the chance that the choice is farther below the best, at the worst";
    if (estimates(a->q))
        return "the chance that the estimate is farther off, at the worst";
    if (a->q->kind == PBY_ACCURACY_TOTALS)
        return "the chance that some total is farther off: from that of the last to the sum of all";
    if (a->q->kind == PBY_ACCURACY_STREAM)
        return "the chance that some answer is farther off, at the worst";
    return "the chance that some bar's noise goes farther";
}

static void print_noisy(pby_sheet *s, const struct answer *a)
{
    const pby_noisy_accuracy *r = &a->release;
    if (estimates(a->q)) {
        const bool mean = a->q->kind == PBY_ACCURACY_MEAN;
        print_chance(s, "truth", &a->truth,
                     mean ? "the chance that a report is what the value was rounded to"
                          : "the chance that a report is true",
                     a);
        print_chance(s, "deviation", &a->deviation,
                     mean ? "the standard error of the estimated mean, at the worst"
                          : "the standard error of the estimated share, at the worst",
                     a);
    }
    if (r->gated)
        print_chance(s, "lost", &r->lost, "the chance that a bar is hidden whose noise went farther", a);
    if (a->q->asks_untypical)
        print_chance(s, "untypical", &a->untypical, "the chance that the data are not typical, at most", a);
    print_chance(s, "chance", &r->chance, chance_note(a), a);
    if (r->gated)
        print_accuracy(s, "kept", &r->kept, NULL);
    print_accuracy(s, "release", &r->release, NULL);
}

/* Behind buckets: sigma of the identity is what it is asked at. */
static void print_dropping(pby_sheet *s, const struct answer *a)
{
    const pby_accuracy *release = &a->release.release;
    const pby_terms terms = {&release->alpha, &release->alpha, &a->bucketing.beta, &a->bucketing};
    const bool bucketed = mpq_sgn(a->bucketing.beta.value) != 0;
    if (bucketed)
        print_accuracy(s, "bucketing", &a->bucketing, NULL);
    print_accuracy(s, "release", release, bucketed ? &terms : NULL);
}

static void print_claimed(pby_sheet *s, const struct answer *a)
{
    static const char source[] = "threshold times support over n";
    if (a->q->kind != PBY_ACCURACY_DROPS)
        return;
    char *claimed = pby_exact_text(a->claimed);
    if (claimed == NULL)
        s->short_of_memory = true;
    else
        pby_sheet_line(s, "claimed", "%s  alpha as %s", claimed, source);
    free(claimed);
    pby_sheet_member(s, "claimed",
                     json_pack("{s:o, s:s}", "alpha", pby_exact_json(a->claimed), "source", source));
}

/* ---- of statistics ------------------------------------------------------------------------------- */

/* Behind an accuracy of records that move: which bars are there is known better than their counts. */
static void print_moved(pby_sheet *s, const struct answer *a, pby_accuracy_line *line, pby_accuracy *behind)
{
    const bool seen = pby_statistic_of_support(line->statistic);
    const pby_accuracy *first = seen ? &a->release.seen : &a->release.release;
    pby_distance zero, tau;
    pby_distance_init(&zero);
    pby_distance_init(&tau);
    const pby_terms terms = {&zero, &zero, &tau, first};
    pby_accuracy_statistic(behind, &tau, first, line->statistic, PBY_METRIC_POINTS);
    line->terms = &terms;
    line->at_most = !seen && mpq_sgn(behind->alpha.value) != 0;
    line->unknown = tau.infinite ? "records that move may meet in one bar; --eta charges for that" : NULL;
    pby_accuracy_tell(s, line);
    pby_distance_clear(&tau);
    pby_distance_clear(&zero);
}

static void print_statistic(pby_sheet *s, const struct answer *a, const pby_statistic *statistic)
{
    pby_accuracy behind;
    pby_accuracy_init(&behind);
    const char *name = pby_statistic_text(statistic->name);
    pby_accuracy_line line = {.name = name, .key = name, .accuracy = &behind, .statistic = statistic};
    if (a->noisy) {
        line.at_most =
            !pby_accuracy_counted(&behind, &line.unknown, &a->release, &a->q->at.inputs, statistic);
        pby_accuracy_tell(s, &line);
    } else {
        print_moved(s, a, &line, &behind);
    }
    pby_accuracy_clear(&behind);
}

static void print_statistics(pby_sheet *s, const struct answer *a)
{
    pby_sheet own = pby_sheet_part(s);
    for (size_t i = 0; i < a->q->statistics; i++)
        if (a->q->asks_statistics || pby_statistic_admitted(a->q->spec, &a->q->statistic[i], NULL) == PBY_OK)
            print_statistic(&own, a, &a->q->statistic[i]);
    pby_sheet_member(s, "statistics", pby_sheet_part_end(s, &own));
}

static void print_drop_move(pby_sheet *s, const struct answer *a)
{
    if (!a->q->at.asks_eta)
        return;
    pby_accuracy any;
    pby_accuracy_init(&any);
    pby_accuracy_drop_move(&any, &a->release.release, a->q->at.eta);
    const pby_accuracy_line line = {
        .name = "drop-move", .key = "drop_move", .accuracy = &any, .eta = a->q->at.eta};
    pby_accuracy_tell(s, &line);
    pby_accuracy_clear(&any);
}

/* ---- all of it ----------------------------------------------------------------------------------- */

static const char *function_of(const struct answer *a)
{
    switch (a->q->kind) {
    case PBY_ACCURACY_HIDES:
        return "support";
    case PBY_ACCURACY_CHOICE:
        return "best candidate";
    case PBY_ACCURACY_SHARE:
        return "share of an answer";
    case PBY_ACCURACY_MEAN:
        return "mean of all values";
    case PBY_ACCURACY_STREAM:
        return "answers of a session";
    case PBY_ACCURACY_TOTALS:
        return "running totals";
    case PBY_ACCURACY_POINT:
        return lattice_of(a->q)->function;
    case PBY_ACCURACY_QUERY:
        return "query";
    default:
        return "histogram";
    }
}

static const char *metric_of(const struct answer *a)
{
    switch (a->q->kind) {
    case PBY_ACCURACY_DROPS:
    case PBY_ACCURACY_HIDES:
        return "how far records move, in the maximum norm";
    case PBY_ACCURACY_CHOICE:
        return "how far the chosen score is below the best";
    case PBY_ACCURACY_SHARE:
        return "how far the estimate of a share is off";
    case PBY_ACCURACY_MEAN:
        return "how far the estimate of the mean is off";
    case PBY_ACCURACY_STREAM:
        return "how far above T a query is that is said to be below, or the other way, and a value is off";
    case PBY_ACCURACY_TOTALS:
        return "the greatest error of a total, of all steps";
    case PBY_ACCURACY_POINT:
        return lattice_of(a->q)->metric;
    case PBY_ACCURACY_QUERY:
        return "the greatest difference of an answer";
    default:
        return "the greatest difference of a count";
    }
}

/* The width of the buckets, wherever it was said. */
static void print_width(pby_sheet *s, const struct answer *a)
{
    PBY_MPQ(width);
    mpq_mul_2exp(width, a->bucketing.beta.value, 1);
    pby_sheet_exact(s, NULL, "width", width);
}

/* Prints the question: the inputs that are read, and the function that the numbers are about. */
static void print_question(pby_sheet *s, const struct answer *a)
{
    const struct question *q = a->q;
    pby_sheet_text(s, "mechanism", "spec", pby_spec_text(q->spec));
    if (q->at.asks_n)
        pby_sheet_member(s, "n", json_integer((json_int_t)q->at.inputs.n));
    if (!estimates(q))
        pby_sheet_member(s, "support", json_integer((json_int_t)q->at.inputs.support));
    if (!a->noisy)
        print_width(s, a);
    pby_sheet_text(s, "function", "function", function_of(a));
    if (pby_accuracy_is_histogram(q->kind))
        pby_sheet_text(s, "distortion", "distortion", "drop");
    if (!a->noisy)
        pby_sheet_line(s, "bar loss", "%" PRIu64, a->bar_loss);
    pby_sheet_line(s, "accuracy", "(alpha, beta, gamma)");
    pby_sheet_text(s, "beta", "metric", metric_of(a));
    if (!a->noisy)
        pby_sheet_member(s, "bar_loss", json_integer((json_int_t)a->bar_loss));
}

static pby_status answer(char **text, const struct question *q, pby_report_form form, pby_error *err)
{
    struct answer a;
    pby_sheet s;
    answer_init(&a, q);
    pby_sheet_begin(&s, form);
    const pby_status status = compute(&a, err);
    if (status == PBY_OK) {
        print_question(&s, &a);
        if (a.noisy)
            print_noisy(&s, &a);
        else
            print_dropping(&s, &a);
        print_claimed(&s, &a);
        print_statistics(&s, &a);
        print_drop_move(&s, &a);
    }
    answer_clear(&a);
    return pby_sheet_end(text, &s, status, err);
}

pby_status pby_report_accuracy(char **text, const pby_spec *spec, const pby_accuracy_asked *asked,
                               pby_report_form form, pby_error *err)
{
    struct question q = {.spec = spec, .digits = asked->digits == 0 ? PBY_DIGITS_DEFAULT : asked->digits};
    *text = NULL;
    pby_accuracy_terms_init(&q.at);
    fmpq_init(q.density);
    fmpq_init(q.within);
    pby_status status = read_question(&q, asked, err);
    if (status == PBY_OK)
        status = answer(text, &q, form, err);
    fmpq_clear(q.within);
    fmpq_clear(q.density);
    pby_accuracy_terms_clear(&q.at);
    return status;
}
