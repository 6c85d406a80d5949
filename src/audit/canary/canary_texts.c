/* SPDX-License-Identifier: MIT */
/* Verdicts by canaries with numbers as text. */
#include "number/number_texts.h"
#include "probity/experimental/canary.h"

/* Parses the three numbers and hands them on; an epsilon that is NULL stays so. */
typedef pby_status judge_by(pby_canary_verdict **out, const void *what, mpq_srcptr epsilon, mpq_srcptr delta,
                            mpq_srcptr error, pby_error *err);

static pby_status worded(judge_by *judge, pby_canary_verdict **out, const void *what, const char *epsilon,
                         const char *delta, const char *error, pby_error *err)
{
    static const char *const names[] = {"epsilon", "delta", "error"};
    const char *const texts[] = {epsilon, delta, error};
    mpq_t x[3];
    *out = NULL;
    mpq_inits(x[0], x[1], x[2], NULL);
    pby_status status = pby_worded_parse(x, names, texts, 3, err);
    if (status == PBY_OK)
        status = judge(out, what, epsilon != NULL ? x[0] : NULL, x[1], x[2], err);
    mpq_clears(x[0], x[1], x[2], NULL);
    return status;
}

static pby_status judge_scores(pby_canary_verdict **out, const void *what, mpq_srcptr epsilon,
                               mpq_srcptr delta, mpq_srcptr error, pby_error *err)
{
    return pby_canaries_judge(out, what, epsilon, delta, error, err);
}

static pby_status judge_guesses(pby_canary_verdict **out, const void *what, mpq_srcptr epsilon,
                                mpq_srcptr delta, mpq_srcptr error, pby_error *err)
{
    return pby_canary_guesses_judge(out, what, epsilon, delta, error, err);
}

static pby_status judge_runs(pby_canary_verdict **out, const void *what, mpq_srcptr epsilon, mpq_srcptr delta,
                             mpq_srcptr error, pby_error *err)
{
    return pby_canary_runs_judge(out, what, epsilon, delta, error, err);
}

pby_status pby_canaries_judge_text(pby_canary_verdict **out, const pby_canaries *canaries,
                                   const char *epsilon, const char *delta, const char *error, pby_error *err)
{
    return worded(judge_scores, out, canaries, epsilon, delta, error, err);
}

pby_status pby_canary_guesses_judge_text(pby_canary_verdict **out, const pby_canary_guesses *guesses,
                                         const char *epsilon, const char *delta, const char *error,
                                         pby_error *err)
{
    return worded(judge_guesses, out, guesses, epsilon, delta, error, err);
}

pby_status pby_canary_runs_judge_text(pby_canary_verdict **out, const pby_canary_runs *runs,
                                      const char *epsilon, const char *delta, const char *error,
                                      pby_error *err)
{
    return worded(judge_runs, out, runs, epsilon, delta, error, err);
}
