/* SPDX-License-Identifier: MIT */
/* Questions about accuracies as the tests ask them: with numbers as text, and an answer as two decimals. */
#ifndef PBY_TESTS_ACCURACY_ASKED_H
#define PBY_TESTS_ACCURACY_ASKED_H

#include "probity/experimental/accuracy.h"

/* The mean error of a mechanism for n records or users and so many bars. */
static inline pby_status asked_average(pby_decimals *mean, const pby_spec *spec, uint64_t n, uint64_t support,
                                       const char *gamma, unsigned digits, pby_error *err)
{
    const pby_accuracy_request request = {
        .ask = PBY_ACCURACY_AVERAGE, .n = n, .support = support, .gamma = {.text = gamma}, .digits = digits};
    pby_accuracy_answer answer;
    pby_accuracy_answer_init(&answer);
    const pby_status status = pby_accuracy_ask(&answer, spec, &request, err);
    *mean = answer.mean_text;
    pby_accuracy_answer_clear(&answer);
    return status;
}

#endif
