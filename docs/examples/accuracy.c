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

/* Prints the accuracy of a mechanism that takes records away and adds none: gamma is 0, and alpha is the
 * least. */
static pby_status print_release(const char *text, pby_error *err)
{
    pby_input_class inputs;
    pby_accuracy release, seen;
    pby_spec *spec;
    uint64_t bar_loss;
    pby_status status = pby_spec_parse(&spec, &text, 1, err);
    if (status != PBY_OK)
        return status;
    inputs.n = 3000;
    inputs.support = 3;
    inputs.width = NULL;
    pby_accuracy_init(&release);
    pby_accuracy_init(&seen);
    status = pby_accuracy_release(&release, &bar_loss, spec, &inputs, err);
    if (status == PBY_OK)
        status = pby_accuracy_seen(&seen, spec, &inputs, err);
    if (status == PBY_OK) {
        gmp_printf("%s on 3000 records in 3 bars: a bar loses at most %lu, and (%Qd, %Qd, %Qd)\n",
                   pby_spec_text(spec), (unsigned long)bar_loss, release.alpha.value, release.beta.value,
                   release.gamma);
        gmp_printf("of its maximum: (%Qd, %Qd, %Qd)\n", seen.alpha.value, seen.beta.value, seen.gamma);
    }
    pby_accuracy_clear(&seen);
    pby_accuracy_clear(&release);
    pby_spec_free(spec);
    return status;
}

/* Prints, for noise without a bound, the least beta that fails with a chance of at most 1e-6. */
static pby_status print_noise(const char *text, pby_error *err)
{
    char chance[PBY_DECIMAL_SIZE];
    pby_input_class inputs;
    pby_noisy_accuracy a;
    pby_spec *spec;
    mpq_t gamma;
    pby_status status = pby_spec_parse(&spec, &text, 1, err);
    if (status != PBY_OK)
        return status;
    inputs.n = 1; /* not read */
    inputs.support = 12;
    inputs.width = NULL;
    mpq_init(gamma);
    pby_noisy_accuracy_init(&a);
    status = pby_rational_parse(gamma, "gamma", "1e-6", err);
    if (status == PBY_OK)
        status = pby_accuracy_noisy(&a, spec, &inputs, NULL, gamma, 6, err);
    if (status == PBY_OK) {
        pby_decimal(chance, a.chance.hi, 6, false);
        gmp_printf("%s on 12 bars: within %Qd, but for a chance of at most %s\n", pby_spec_text(spec),
                   a.release.beta.value, chance);
    }
    pby_noisy_accuracy_clear(&a);
    mpq_clear(gamma);
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
