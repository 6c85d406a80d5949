/* SPDX-License-Identifier: MIT */
/* The most that n records in at most t bars lose, when a bar of at most s records may lose all but k of them,
 * and a larger one l <= s.
 *
 * Where n <= t s all may lie in such bars, and x -> max(0, x - k) is convex, so that filling one after the
 * other is the worst. Where n > t s one bar at least is larger, and there is room for t - 1 of s beside it.
 */
#include "accuracy/row.h"

static void lost_in_small_bars(mpz_t lost, mpz_srcptr n, const pby_bar_loss *loss)
{
    const uint64_t rest = mpz_fdiv_q_ui(lost, n, loss->small);
    mpz_mul_ui(lost, lost, loss->small - loss->kept);
    mpz_add_ui(lost, lost, rest > loss->kept ? rest - loss->kept : 0);
}

void pby_drop_of(mpq_t alpha, const pby_input_class *inputs, const pby_bar_loss *loss)
{
    mpz_t n, lost;
    mpz_init_set_ui(n, inputs->n);
    mpz_init_set_ui(lost, inputs->support);
    mpz_mul_ui(lost, lost, loss->small);
    if (mpz_cmp(n, lost) <= 0) {
        lost_in_small_bars(lost, n, loss);
    } else {
        mpz_set_ui(lost, inputs->support - 1);
        mpz_mul_ui(lost, lost, loss->small - loss->kept);
        mpz_add_ui(lost, lost, loss->large);
    }
    mpz_set(mpq_numref(alpha), lost);
    mpz_set(mpq_denref(alpha), n);
    mpq_canonicalize(alpha);
    mpz_clear(lost);
    mpz_clear(n);
}
