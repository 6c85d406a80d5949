/* SPDX-License-Identifier: MIT */
/* Prints the accuracy of a release and of a statistic of it, and the distance of two histograms. This file is
 * C and C++.
 *
 *     cc -std=c11 $(pkg-config --cflags probity) accuracy.c $(pkg-config --libs probity) -o accuracy
 *     c++ -std=c++17 $(pkg-config --cflags probity) -x c++ accuracy.c \
 *         -x none $(pkg-config --libs probity) -o accuracy
 *
 * It prints:
 *     stlap:eps=1/2,q=40 on 3000 records in 3 bars: a bar loses at most 40, and (1/25, 0, 0)
 *     of its maximum: (2/75, 0, 0)
 *     geometric:eps=1/2 on 12 bars: within 33, but for a chance of at most 6.18467e-07
 *     one in ten records may be left, and the others go no farther than 1
 */
#include <probity.h>
#include <stdio.h>
#include <string.h>

/* Asks about n records in so many bars, for noise at the least error that fails with a chance of at most
 * gamma. */
static pby_status ask(pby_accuracy_answer *a, pby_spec **spec, const char *text, uint64_t n, uint64_t bars,
                      const char *gamma, pby_error *err)
{
    pby_accuracy_request request;
    memset(&request, 0, sizeof request);
    request.ask = PBY_ACCURACY_RELEASE;
    request.n = n;
    request.support = bars;
    request.gamma.text = gamma;
    request.digits = 6;
    const pby_status status = pby_spec_parse(spec, &text, 1, err);
    return status == PBY_OK ? pby_accuracy_ask(a, *spec, &request, err) : status;
}

/* Prints the accuracy of a mechanism that takes records away and adds none: gamma is 0, and alpha is the
 * least. */
static pby_status print_release(const char *text, pby_error *err)
{
    pby_accuracy_answer a;
    pby_spec *spec = NULL;
    pby_accuracy_answer_init(&a);
    const pby_status status = ask(&a, &spec, text, 3000, 3, NULL, err);
    if (status == PBY_OK) {
        gmp_printf("%s on 3000 records in 3 bars: a bar loses at most %lu, and (%Qd, %Qd, %Qd)\n",
                   pby_spec_text(spec), (unsigned long)a.bar_loss, a.of.release.alpha.value,
                   a.of.release.beta.value, a.of.release.gamma);
        gmp_printf("of its maximum: (%Qd, %Qd, %Qd)\n", a.of.seen.alpha.value, a.of.seen.beta.value,
                   a.of.seen.gamma);
    }
    pby_accuracy_answer_clear(&a);
    pby_spec_free(spec);
    return status;
}

/* Prints, for noise without a bound, the least beta that fails with a chance of at most 1e-6. */
static pby_status print_noise(const char *text, pby_error *err)
{
    pby_accuracy_answer a;
    pby_spec *spec = NULL;
    pby_accuracy_answer_init(&a);
    const pby_status status = ask(&a, &spec, text, 1, 12, "1e-6", err); /* n is not read */
    if (status == PBY_OK)
        printf("%s on 12 bars: within %s, but for a chance of at most %s\n", pby_spec_text(spec),
               a.release.beta, a.chance.hi);
    pby_accuracy_answer_clear(&a);
    pby_spec_free(spec);
    return status;
}

static pby_status add(pby_measure *m, unsigned long at, unsigned long mass, pby_error *err)
{
    mpq_t point, weight;
    mpq_init(point);
    mpq_init(weight);
    mpq_set_ui(point, at, 1);
    mpq_set_ui(weight, mass, 1);
    const pby_status status = pby_measure_add(m, point, weight, err);
    mpq_clear(weight);
    mpq_clear(point);
    return status;
}

/* Nine records at 0 and one at 50, against ten at 1. */
static pby_status print_distance(pby_error *err)
{
    pby_measure *p = NULL, *q = NULL;
    mpq_t gamma, distance;
    mpq_init(gamma);
    mpq_init(distance);
    mpq_set_ui(gamma, 1, 10);
    pby_status status = pby_measure_new(&p, err);
    if (status == PBY_OK)
        status = pby_measure_new(&q, err);
    if (status == PBY_OK)
        status = add(p, 0, 9, err);
    if (status == PBY_OK)
        status = add(p, 50, 1, err);
    if (status == PBY_OK)
        status = add(q, 1, 10, err);
    if (status == PBY_OK)
        status = pby_lossy_distance(distance, p, q, gamma, err);
    if (status == PBY_OK)
        gmp_printf("one in ten records may be left, and the others go no farther than %Qd\n", distance);
    pby_measure_free(q);
    pby_measure_free(p);
    mpq_clear(distance);
    mpq_clear(gamma);
    return status;
}

int main(void)
{
    pby_error err = PBY_NO_ERROR;
    pby_status status = print_release("stlap:eps=1/2,q=40", &err);
    if (status == PBY_OK)
        status = print_noise("geometric:eps=1/2", &err);
    if (status == PBY_OK)
        status = print_distance(&err);
    if (status != PBY_OK)
        fprintf(stderr, "accuracy: %s\n", err.text);
    return (int)status;
}
