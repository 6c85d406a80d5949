/* SPDX-License-Identifier: MIT */
/* Prints the privacy loss of a mechanism, and the least noise that keeps a promise. This file is C and C++.
 *
 *     cc -std=c11 $(pkg-config --cflags probity) loss.c $(pkg-config --libs probity) -o loss
 *     c++ -std=c++17 $(pkg-config --cflags probity) -x c++ loss.c \
 *         -x none $(pkg-config --libs probity) -o loss
 *
 * It prints:
 *     stlap:eps=1/2,q=40 at epsilon 1/2: delta in [1.4726e-05, 1.4727e-05]
 *     the least q for delta 1e-6 at epsilon 1/2: 51
 *     stlap:eps=-1,q=40 is refused: stlap:eps '-1': expected a rational above 0
 */
#include <probity.h>
#include <stdio.h>
#include <string.h>

/* Prints delta at epsilon to five digits. A function that can fail returns a status and fills err. */
static pby_status print_delta(const char *text, mpq_srcptr epsilon, pby_error *err)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    pby_spec *spec;
    pby_enclosure delta;
    pby_status status = pby_spec_parse(&spec, &text, 1, err);
    if (status != PBY_OK)
        return status;
    pby_enclosure_init(&delta);
    status = pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, epsilon, 5, err);
    if (status == PBY_OK) {
        pby_decimal(lo, delta.lo, 5, true);
        pby_decimal(hi, delta.hi, 5, false);
        printf("%s at epsilon 1/2: delta in [%s, %s]\n", pby_spec_text(spec), lo, hi);
    }
    pby_enclosure_clear(&delta);
    pby_spec_free(spec);
    return status;
}

/* The choice is proved: chosen.delta.hi is within the target, better.delta.lo is above it. */
static pby_status print_choice(mpq_srcptr epsilon, pby_error *err)
{
    pby_target target;
    pby_choice *choice;
    mpq_t delta;
    mpq_init(delta);
    pby_status status = pby_rational_parse(delta, "delta", "1e-6", err);
    memset(&target, 0, sizeof target); /* what is not set is not asked for */
    target.epsilon = epsilon;
    target.delta = delta;
    target.relation = PBY_ADD_REMOVE;
    target.uses = 1;
    if (status == PBY_OK)
        status = pby_select(&choice, "stlap", &target, err);
    if (status == PBY_OK) {
        gmp_printf("the least q for delta 1e-6 at epsilon 1/2: %Qd\n", choice->chosen.value);
        pby_choice_free(choice);
    }
    mpq_clear(delta);
    return status;
}

int main(void)
{
    pby_error err = PBY_NO_ERROR;
    mpq_t half;
    mpq_init(half);
    pby_status status = pby_rational_parse(half, "epsilon", "1/2", &err);
    if (status == PBY_OK)
        status = print_delta("stlap:eps=1/2,q=40", half, &err);
    if (status == PBY_OK)
        status = print_choice(half, &err);
    if (status != PBY_OK)
        fprintf(stderr, "loss: %s\n", err.text);
    if (status == PBY_OK && print_delta("stlap:eps=-1,q=40", half, &err) == PBY_BAD)
        printf("stlap:eps=-1,q=40 is refused: %s\n", err.text);
    mpq_clear(half);
    return (int)status;
}
