/* SPDX-License-Identifier: MIT */
/* The most that n records in at most t bars lose, when a bar of at most s records may lose all but k of them,
 * and a larger one l <= s.
 *
 * Where n <= t s all may lie in such bars, and x -> max(0, x - k) is convex, so that filling one after the
 * other is the worst. Where n > t s one bar at least is larger, and there is room for t - 1 of s beside it.
 */
#include "accuracy/row.h"
#include "number/scoped.h"

/* Counts have 64 bits, and so has a limb of FLINT everywhere; the functions of GMP that end in _ui take a
 * long. */
static void lost_in_small_bars(fmpz_t lost, const fmpz_t n, const pby_bar_loss *loss)
{
    const uint64_t rest = fmpz_fdiv_ui(n, loss->small);
    fmpz_fdiv_q_ui(lost, n, loss->small);
    fmpz_mul_ui(lost, lost, loss->small - loss->kept);
    fmpz_add_ui(lost, lost, rest > loss->kept ? rest - loss->kept : 0);
}

void pby_drop_of(mpq_t alpha, const pby_input_class *inputs, const pby_bar_loss *loss)
{
    PBY_FMPZ(n, lost);
    fmpz_set_ui(n, inputs->n);
    fmpz_set_ui(lost, inputs->support);
    fmpz_mul_ui(lost, lost, loss->small);
    if (fmpz_cmp(n, lost) <= 0) {
        lost_in_small_bars(lost, n, loss);
    } else {
        fmpz_set_ui(lost, inputs->support - 1);
        fmpz_mul_ui(lost, lost, loss->small - loss->kept);
        fmpz_add_ui(lost, lost, loss->large);
    }
    fmpz_get_mpz(mpq_numref(alpha), lost);
    fmpz_get_mpz(mpq_denref(alpha), n);
    mpq_canonicalize(alpha);
}
