/* SPDX-License-Identifier: MIT */
/* Asks for the loss of a year of weekly counts, in C.
 *
 * It prints:
 *     52*dgauss:sigma2=1200: epsilon in [0.868, 0.875] at delta 1e-6
 */
#include <probity.h>
#include <stdio.h>

int main(void)
{
    const char *text = "52*dgauss:sigma2=1200";
    const pby_loss_request request = {.ask = PBY_ASK_EPSILON, .at.text = "1e-6", .digits = 3};
    pby_error err = PBY_NO_ERROR;
    pby_spec *spec = NULL;
    pby_answer answer;
    pby_answer_init(&answer);
    pby_status status = pby_spec_parse(&spec, &text, 1, &err);
    if (status == PBY_OK)
        status = pby_loss_ask(&answer, spec, &request, &err);
    if (status == PBY_OK)
        printf("%s: epsilon in [%s, %s] at delta 1e-6\n", text, answer.text.lo, answer.text.hi);
    else
        fprintf(stderr, "first: %s\n", err.text);
    pby_answer_clear(&answer);
    pby_spec_free(spec);
    return (int)status;
}
