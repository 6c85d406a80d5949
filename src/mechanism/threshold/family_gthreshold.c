/* SPDX-License-Identifier: MIT */
/* gthreshold:sigma2=S,T=T,bars=K[,sensitivity=c][,moves=one-way|both-ways], also written
 * threshold:sigma2=S,...: only bars that occur get noise, discrete Gaussian, and only noisy counts from T on
 * are published.
 *
 * A record is in at most K bars, with 1 to c in each. Of these J are bars that the other neighbour does not
 * have, and K - J move by c far above T; there is a pair for each J, in both orders. Where a record is
 * changed, or moves both ways, at most K bars rise and at most K fall: I of these vanish and J appear, and
 * all others move (docs/theory/gthreshold.md).
 */
#include <inttypes.h>
#include <stdio.h>

#include "kernel/histogram.h"
#include "kernel/threshold.h"
#include "law/gauss_sum.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/gauss/dgauss_curve.h"
#include "mechanism/gauss/dgauss_vector.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "mechanism/threshold/gated.h"
#include "number/scoped.h"
#include "number/text.h"

enum { SIGMA2, T, BARS, SENSITIVITY, MOVES };

/* The pairs of so many bars are listed in seconds: 2 K + 1 of them one way, and (K + 1)^2 both ways. */
enum { ONE_WAY_MAX = 32, BOTH_WAYS_MAX = 8, LISTED_BITS = 23 };

static pby_status gthreshold_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_dgauss(out, &m->value[SIGMA2], err);
}

/* ---- pairs -------------------------------------------------------------------------------------- */

/* True if all bars of one neighbour are at least those of the other. */
static bool one_way(const pby_mechanism *m, pby_neighbours relation)
{
    return relation == PBY_ADD_REMOVE && fmpq_is_zero(&m->value[MOVES]);
}

/* Refuses what cannot be listed: too many bars, or moved bars whose inner product with the noise has too many
 * values. */
static pby_status check_listed(const pby_mechanism *m, bool ordered, pby_error *err)
{
    const int64_t bars = pby_mechanism_natural(m, BARS), each = pby_mechanism_natural(m, SENSITIVITY);
    const int64_t most = ordered ? ONE_WAY_MAX : BOTH_WAYS_MAX, moved = ordered ? bars : 2 * bars;
    char expected[128];
    if (bars > most) {
        snprintf(expected, sizeof expected, "at most %" PRId64 "%s", most,
                 ordered ? "" : " where bars may rise and fall: each may appear, vanish or move");
        return pby_refuse_rational(err, "gthreshold:bars", &m->value[BARS], expected);
    }
    const bool fits = each <= 1 << 16 && pby_dgauss_tractable(&m->value[SIGMA2]) &&
                      (moved == 1 || pby_dgauss_vector_tractable(&m->value[SIGMA2],
                                                                 (ulong)(moved * each * each), LISTED_BITS));
    return fits ? PBY_OK
                : pby_refuse_rational(err, "gthreshold:sigma2", &m->value[SIGMA2],
                                      "from 2^-16 on, and bars sensitivity^2 sigma2 up to 2^23: the losses "
                                      "of the bars that move are listed");
}

/* The i-th pair of a record in so many bars: all of them move, or J are on one side, in either order. */
static void set_ordered(pby_gated *gate, pby_direction *direction, ulong bars, ulong i)
{
    const ulong fresh = (i + 1) / 2;
    const bool forward = i % 2 == 1;
    gate->moved = bars - fresh;
    gate->only_p = forward ? 0 : fresh;
    gate->only_q = forward ? fresh : 0;
    *direction = fresh == 0 ? PBY_BOTH : forward ? PBY_FORWARD : PBY_BACKWARD;
}

static void set_any(pby_gated *gate, pby_direction *direction, ulong bars, ulong i)
{
    gate->only_p = i / (bars + 1);
    gate->only_q = i % (bars + 1);
    gate->moved = 2 * bars - gate->only_p - gate->only_q;
    *direction = PBY_BOTH;
}

static pby_status gthreshold_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                   pby_error *err)
{
    const bool ordered = one_way(m, wanted->relation);
    PBY_TRY(check_listed(m, ordered, err));
    const ulong bars = (ulong)pby_mechanism_natural(m, BARS);
    const size_t count = (size_t)(ordered ? 2 * bars + 1 : (bars + 1) * (bars + 1)); /* checked to be few */
    pby_gated gate = {.sigma2 = &m->value[SIGMA2],
                      .threshold = pby_mechanism_natural(m, T),
                      .each = pby_mechanism_natural(m, SENSITIVITY)};
    PBY_TRY(pby_pairs_init(out, count, err));
    for (size_t i = 0; i < count; i++) {
        (ordered ? set_ordered : set_any)(&gate, &out->pair[i].direction, bars, i);
        PBY_TRY(pby_gated_curve(&out->pair[i].curve, &gate, err));
    }
    return PBY_OK;
}

/* ---- release ------------------------------------------------------------------------------------ */

static pby_status gthreshold_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                     const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    const size_t occupied = pby_support(counts, n);
    int64_t *noise;
    const pby_status status = pby_noise_draw(&noise, sampler, source, occupied, err);
    if (status == PBY_OK)
        pby_threshold(noisy, counts, n, noise, pby_mechanism_natural(m, T));
    pby_noise_free(noise, occupied);
    return status;
}

/* ---- selection ---------------------------------------------------------------------------------- */

/* The chance that something is published of K bars that only one neighbour has. */
static void shown(arb_t chance, const pby_mechanism *m, slong prec)
{
    pby_log_silence(chance, &m->value[SIGMA2], pby_mechanism_natural(m, SENSITIVITY),
                    pby_mechanism_natural(m, T), false, prec);
    arb_mul_si(chance, chance, pby_mechanism_natural(m, BARS), prec);
    arb_expm1(chance, chance, prec);
    arb_neg(chance, chance);
}

static int64_t ordered_from(const pby_mechanism *m)
{
    (void)m;
    return 1;
}

/* Noise beyond it has less than exp(-60) of delta. */
static int64_t last_of(const pby_mechanism *m, const pby_target *target)
{
    enum { LAST_MAX = 1 << 17, BITS = 60 };
    const slong level = (slong)mpz_sizeinbase(mpq_denref(target->delta), 2) + BITS;
    PBY_FMPZ(far);
    pby_gauss_reach(far, &m->value[SIGMA2], level);
    fmpz_add_si(far, far, pby_mechanism_natural(m, SENSITIVITY));
    return fmpz_cmp_si(far, LAST_MAX) < 0 ? fmpz_get_si(far) : LAST_MAX;
}

/* Only new bars in the pairs depend on T: K of them, each of c at most. */
static void tail_of(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    (void)relation;
    shown(tail, m, prec);
}

static const pby_integers gthresholds = {1, ordered_from, last_of, shown, tail_of};

static const pby_select_row gthreshold_selection = {
    .chosen = PBY_ROLE_LEAST,
    .rising = true,
    .integers = &gthresholds,
    .monotone = "a release under a greater T is a part of one under a smaller T",
    .never_zero = "a bar that only one neighbour has may pass",
    .binds = "sigma2, the variance of the noise,",
};

/* ---- the family --------------------------------------------------------------------------------- */

static const pby_story gthreshold_stories[] = {
    {.what =
         "Discrete Gaussian noise, proportional to exp(-k^2/(2 sigma2)) on the integers, is added to the "
         "occupied bars. Noisy counts of at least T are published with their names. The set of names need "
         "not be public.",
     .neighbours =
         {"one record more or fewer: at most `bars` counts change, each by at most the sensitivity, "
          "and bars may appear or vanish",
          "one record changed: at most `bars` counts rise and as many fall, each by at most the "
          "sensitivity, and bars may appear or vanish"},
     .pair = {"some bars that only one input has, each of the sensitivity, and other bars far above T whose "
              "counts change by it: for every such division of `bars`, in either order",
              "some bars that only the one input has and some that only the other has, each of the "
              "sensitivity, and other bars far above T whose counts change by it"},
     .accuracy =
         "without at most t (T - 1) of the records in t occupied bars, " PBY_STORY_NOISE("every count is"),
     .pages = {"gthreshold.md", "dgauss.md", "accuracy.md"},
     .kernel = {{"pby_threshold", "threshold.h"}}},
    {.what = NULL},
};

static const char *const gthreshold_examples[] = {"gthreshold:sigma2=16,T=20,bars=4",
                                                  "gthreshold:sigma2=9/2,T=12,bars=2,sensitivity=2", NULL};

static const char *const gthreshold_manual[] = {
    "gthreshold:sigma2=S,T=T,bars=K[,sensitivity=C][,moves=M]",
    "Discrete Gaussian noise on the bars that occur; noisy counts below T are not published. A record is in "
    "at most K bars, with 1 to C in each. M is one-way, or both-ways if an additional record may also lower "
    "bars, at most K. Also written threshold:sigma2=S,....",
    NULL,
};

const pby_family pby_family_gthreshold = {
    .name = "gthreshold",
    .summary = "discrete Gaussian noise under a threshold, in an open universe",
    .relations = PBY_CENTRAL,
    .parameters = {{"sigma2", PBY_POSITIVE, NULL,
                    "sigma2=S, noise proportional to exp(-k^2/(2S)), a rational above 0", PBY_ROLE_VARIANCE},
                   {"T", PBY_NATURAL, NULL, "T=T, the least count that is published, an integer from 1 on",
                    PBY_ROLE_LEAST},
                   {"bars", PBY_NATURAL, NULL, "bars=K, the most bars that a record is in",
                    PBY_ROLE_DIMENSIONS},
                   {"sensitivity", PBY_NATURAL, "1", "sensitivity=C, the most that a record adds to one bar",
                    PBY_ROLE_EACH},
                   {"moves", PBY_CHOICE, "one-way",
                    "moves=one-way, where a record more lowers no bar, or moves=both-ways", PBY_ROLE_MOVES}},
    .words = {"one-way", "both-ways"},
    .law = gthreshold_law,
    .list[PBY_ABOVE] = gthreshold_pairs,
    .form = PBY_RELEASE_PASSED,
    .release = gthreshold_release,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_GATED},
    .select = &gthreshold_selection,
    .stories = gthreshold_stories,
    .manual = gthreshold_manual,
    .examples = gthreshold_examples,
};
