#include "cli/accuracy_answer.h"

#include <stdio.h>
#include <stdlib.h>

#include "accuracy/row.h"
#include "base/status.h"
#include "cli/accuracy_line.h"
#include "cli/output.h"
#include "number/exact.h"

/* The accuracy of the release, and what it is made of. */
struct answer {
    const pby_accuracy_question *q;
    bool noisy; /* else only records are lost, and of the next only release and seen are told */
    pby_noisy_accuracy release;
    uint64_t bar_loss;
    mpq_t claimed;
    pby_accuracy bucketing;
};

static pby_status tell(json_t *object, const char *name, const pby_accuracy *a, const pby_terms *t,
                       pby_error *err)
{
    const pby_accuracy_line line = {.name = name, .accuracy = a, .terms = t};
    return pby_accuracy_tell(object, &line, err);
}

static pby_status tell_chance(json_t *object, const char *name, const pby_enclosure *x, const char *note,
                              const struct answer *a, pby_error *err)
{
    if (object != NULL)
        return pby_json_set(object, name, pby_json_enclosure(x, a->q->digits), err);
    pby_print_enclosure(name, x, a->q->digits, note);
    return PBY_OK;
}

/* ---- of the release ------------------------------------------------------------------------------ */

static const char *chance_note(const struct answer *a)
{
    if (a->q->kind == PBY_ACCURACY_CHOICE)
        return "the chance that the choice is farther below the best, at the worst";
    if (a->q->kind == PBY_ACCURACY_SHARE)
        return "the chance that the estimate is farther off, at the worst";
    if (a->q->kind == PBY_ACCURACY_STREAM)
        return "the chance that some answer is farther off, at the worst";
    return "the chance that some bar's noise goes farther";
}

/* Of reports: how many are true, and how far the estimate of a share is off on average. */
static pby_status tell_share(json_t *object, const struct answer *a, pby_error *err)
{
    pby_enclosure truth, deviation;
    pby_enclosure_init(&truth);
    pby_enclosure_init(&deviation);
    pby_status status =
        pby_accuracy_share(&truth, &deviation, a->q->spec, a->q->at.inputs.n, a->q->digits, err);
    if (status == PBY_OK)
        status = tell_chance(object, "truth", &truth, "the chance that a report is true", a, err);
    if (status == PBY_OK)
        status = tell_chance(object, "deviation", &deviation,
                             "the standard error of the estimated share, at the worst", a, err);
    pby_enclosure_clear(&deviation);
    pby_enclosure_clear(&truth);
    return status;
}

static pby_status tell_noisy(json_t *object, const struct answer *a, pby_error *err)
{
    const pby_noisy_accuracy *r = &a->release;
    pby_status status = a->q->kind == PBY_ACCURACY_SHARE ? tell_share(object, a, err) : PBY_OK;
    if (status == PBY_OK && r->gated)
        status = tell_chance(object, "lost", &r->lost,
                             "the chance that a bar is hidden whose noise went farther", a, err);
    if (status == PBY_OK)
        status = tell_chance(object, "chance", &r->chance, chance_note(a), a, err);
    if (status == PBY_OK && r->gated)
        status = tell(object, "kept", &r->kept, NULL, err);
    return status == PBY_OK ? tell(object, "release", &r->release, NULL, err) : status;
}

/* Behind buckets: sigma of the identity is what it is asked at. */
static pby_status tell_dropping(json_t *object, const struct answer *a, pby_error *err)
{
    const pby_accuracy *release = &a->release.release;
    const pby_terms terms = {&release->alpha, &release->alpha, &a->bucketing.beta, &a->bucketing};
    const bool bucketed = mpq_sgn(a->bucketing.beta.value) != 0;
    pby_status status = bucketed ? tell(object, "bucketing", &a->bucketing, NULL, err) : PBY_OK;
    return status == PBY_OK ? tell(object, "release", release, bucketed ? &terms : NULL, err) : status;
}

static pby_status tell_claimed(json_t *object, const struct answer *a, pby_error *err)
{
    static const char source[] = "threshold times support over n";
    if (a->q->kind != PBY_ACCURACY_DROPS)
        return PBY_OK;
    if (object != NULL)
        return pby_json_set(object, "claimed",
                            json_pack("{s:o, s:s}", "alpha", pby_exact_json(a->claimed), "source", source),
                            err);
    char *claimed = pby_exact_text(a->claimed);
    if (claimed == NULL)
        return pby_no_memory(err);
    printf("%-12s%s  alpha as %s\n", "claimed", claimed, source);
    free(claimed);
    return PBY_OK;
}

/* ---- of statistics ------------------------------------------------------------------------------- */

/* Behind an accuracy of records that move: which bars are there is known better than their counts. */
static pby_status tell_moved(json_t *object, const struct answer *a, pby_accuracy_line *line,
                             pby_accuracy *behind, pby_error *err)
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
    const pby_status status = pby_accuracy_tell(object, line, err);
    pby_distance_clear(&tau);
    pby_distance_clear(&zero);
    return status;
}

static pby_status tell_statistic(json_t *object, const struct answer *a, const pby_statistic *s,
                                 pby_error *err)
{
    pby_accuracy behind;
    pby_accuracy_init(&behind);
    pby_accuracy_line line = {.name = pby_statistic_text(s->name), .accuracy = &behind, .statistic = s};
    pby_status status;
    if (a->noisy) {
        line.at_most = !pby_accuracy_counted(&behind, &line.unknown, &a->release, &a->q->at.inputs, s);
        status = pby_accuracy_tell(object, &line, err);
    } else {
        status = tell_moved(object, a, &line, &behind, err);
    }
    pby_accuracy_clear(&behind);
    return status;
}

static pby_status tell_statistics(json_t *object, const struct answer *a, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < a->q->statistics && status == PBY_OK; i++) {
        const pby_statistic *s = &a->q->statistic[i];
        if (a->q->asks_statistics || pby_statistic_admitted(a->q->spec, s, NULL) == PBY_OK)
            status = tell_statistic(object, a, s, err);
    }
    return status;
}

static pby_status tell_drop_move(json_t *object, const struct answer *a, pby_error *err)
{
    if (!a->q->asks_eta)
        return PBY_OK;
    pby_accuracy any;
    pby_accuracy_init(&any);
    pby_accuracy_drop_move(&any, &a->release.release, a->q->eta);
    const pby_accuracy_line line = {
        .name = object == NULL ? "drop-move" : "drop_move", .accuracy = &any, .eta = a->q->eta};
    const pby_status status = pby_accuracy_tell(object, &line, err);
    pby_accuracy_clear(&any);
    return status;
}

/* ---- all of it ----------------------------------------------------------------------------------- */

static const char *function_of(const struct answer *a)
{
    if (a->q->kind == PBY_ACCURACY_HIDES)
        return "support";
    if (a->q->kind == PBY_ACCURACY_CHOICE)
        return "best candidate";
    if (a->q->kind == PBY_ACCURACY_SHARE)
        return "share of an answer";
    if (a->q->kind == PBY_ACCURACY_STREAM)
        return "answers of a session";
    return a->q->kind == PBY_ACCURACY_QUERY ? "query" : "histogram";
}

static const char *metric_of(const struct answer *a)
{
    if (!a->noisy)
        return "how far records move, in the maximum norm";
    if (a->q->kind == PBY_ACCURACY_CHOICE)
        return "how far the chosen score is below the best";
    if (a->q->kind == PBY_ACCURACY_SHARE)
        return "how far the estimate of a share is off";
    if (a->q->kind == PBY_ACCURACY_STREAM)
        return "how far above T a query is that is said to be below, or the other way, and a value is off";
    return a->q->kind == PBY_ACCURACY_QUERY ? "the greatest difference of an answer"
                                            : "the greatest difference of a count";
}

static pby_status tell_release(json_t *object, const struct answer *a, pby_error *err)
{
    pby_status status = a->noisy ? tell_noisy(object, a, err) : tell_dropping(object, a, err);
    if (status == PBY_OK)
        status = tell_claimed(object, a, err);
    return status;
}

static pby_status print_text(const struct answer *a, pby_error *err)
{
    char loss[32];
    snprintf(loss, sizeof loss, "%llu", (unsigned long long)a->bar_loss);
    pby_print_line("mechanism", pby_spec_text(a->q->spec));
    pby_print_line("function", function_of(a));
    if (pby_accuracy_is_histogram(a->q->kind))
        pby_print_line("distortion", "drop");
    if (!a->noisy)
        pby_print_line("bar loss", loss);
    pby_print_line("accuracy", "(alpha, beta, gamma)");
    pby_print_line("beta", metric_of(a));
    pby_status status = tell_release(NULL, a, err);
    if (status == PBY_OK)
        status = tell_statistics(NULL, a, err);
    return status == PBY_OK ? tell_drop_move(NULL, a, err) : status;
}

static pby_status set_width(json_t *object, const struct answer *a, pby_error *err)
{
    mpq_t width;
    mpq_init(width);
    mpq_mul_2exp(width, a->bucketing.beta.value, 1);
    const pby_status status = pby_json_set(object, "width", pby_exact_json(width), err);
    mpq_clear(width);
    return status;
}

/* What was asked: the inputs that are read, and of buckets the width, wherever it was said. */
static pby_status set_question(json_t *object, const struct answer *a, pby_error *err)
{
    const pby_accuracy_question *q = a->q;
    pby_status status = pby_json_set(object, "spec", json_string(pby_spec_text(q->spec)), err);
    if (status == PBY_OK && q->at.asks_n)
        status = pby_json_set(object, "n", json_integer((json_int_t)q->at.inputs.n), err);
    if (status == PBY_OK && q->kind != PBY_ACCURACY_SHARE)
        status = pby_json_set(object, "support", json_integer((json_int_t)q->at.inputs.support), err);
    if (status == PBY_OK && !a->noisy)
        status = set_width(object, a, err);
    if (status == PBY_OK)
        status = pby_json_set(object, "function", json_string(function_of(a)), err);
    if (status == PBY_OK && pby_accuracy_is_histogram(q->kind))
        status = pby_json_set(object, "distortion", json_string("drop"), err);
    if (status == PBY_OK)
        status = pby_json_set(object, "metric", json_string(metric_of(a)), err);
    if (status == PBY_OK && !a->noisy)
        status = pby_json_set(object, "bar_loss", json_integer((json_int_t)a->bar_loss), err);
    return status;
}

static pby_status print_json(const struct answer *a, pby_error *err)
{
    json_t *object = json_object(), *statistics = json_object();
    pby_status status = object != NULL && statistics != NULL ? set_question(object, a, err)
                                                             : pby_no_memory(err);
    if (status == PBY_OK)
        status = tell_release(object, a, err);
    if (status == PBY_OK)
        status = tell_statistics(statistics, a, err);
    if (status == PBY_OK)
        status = pby_json_set(object, "statistics", json_incref(statistics), err);
    if (status == PBY_OK)
        status = tell_drop_move(object, a, err);
    json_decref(statistics);
    if (status == PBY_OK)
        return pby_print_json(object, err);
    json_decref(object);
    return status;
}

static pby_status compute(struct answer *a, pby_error *err)
{
    const pby_accuracy_question *q = a->q;
    if (a->noisy)
        return pby_accuracy_noisy(&a->release, q->spec, &q->at.inputs, q->at.asks_beta ? q->at.beta : NULL,
                                  q->at.asks_gamma ? q->at.gamma : NULL, q->digits, err);
    pby_status status = pby_accuracy_release(&a->release.release, &a->bar_loss, q->spec, &q->at.inputs, err);
    if (status == PBY_OK)
        status = pby_accuracy_seen(&a->release.seen, q->spec, &q->at.inputs, err);
    if (status == PBY_OK)
        pby_distance_set(&a->bucketing.beta, &a->release.release.beta);
    if (status == PBY_OK && q->kind == PBY_ACCURACY_DROPS)
        status = pby_accuracy_claimed(a->claimed, q->spec, &q->at.inputs, err);
    return status;
}

pby_status pby_accuracy_answer(const pby_accuracy_question *q, pby_error *err)
{
    struct answer a = {.q = q, .noisy = pby_accuracy_noisy_kind(q->kind)};
    pby_noisy_accuracy_init(&a.release);
    pby_accuracy_init(&a.bucketing);
    mpq_init(a.claimed);
    pby_status status = compute(&a, err);
    if (status == PBY_OK)
        status = q->json ? print_json(&a, err) : print_text(&a, err);
    mpq_clear(a.claimed);
    pby_accuracy_clear(&a.bucketing);
    pby_noisy_accuracy_clear(&a.release);
    return status;
}
