/* SPDX-License-Identifier: MIT */
/* Privacy loss, enclosed.
 *
 * delta(epsilon) is the largest hockey-stick divergence over neighbouring inputs, both orders; it is
 * computed from the exact law of the outputs, never from a formula in a paper. epsilon(delta) is its
 * inverse: the least epsilon whose delta is not above the one asked for. It is -inf from delta 1 on,
 * may be negative, and is inf where the outputs of one input can be impossible under the other with a
 * greater chance than delta.
 */
#ifndef PROBITY_LOSS_H
#define PROBITY_LOSS_H

#include <gmp.h>
#include <stdbool.h>

#include "probity/enclosure.h"
#include "probity/rational.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

/* The quantity that a question asks for. */
typedef enum pby_question {
    PBY_ASK_DELTA,   /* the least delta at an epsilon */
    PBY_ASK_EPSILON, /* the least epsilon at a delta */
    PBY_ASK_RENYI,   /* the Renyi divergence of an order */
    PBY_ASK_RHO,     /* the least rho of concentrated privacy, at xi */
    PBY_ASK_MU       /* the least mu of Gaussian differential privacy */
} pby_question;

/* ---- one question ------------------------------------------------------------------------------ */

/* A question about a loss. A member that is left out asks for the mechanism itself, composed exactly, between
 * two neighbours that differ by a record. */
typedef struct pby_loss_request {
    pby_question ask;
    pby_neighbours relation;
    pby_value at;            /* epsilon, delta from 0 to 1, an order from 1 on (none, or the text inf:
                              * infinity), xi from 0 on (none: 0); nothing for mu */
    const char *conversion;  /* the name of one that answers in place of the mechanism (pby_conversions) */
    const char *composition; /* exact, basic, advanced or optimal (pby_composition) */
    unsigned long group;     /* inputs that are at most so many neighbours apart; 0: 1 */
    pby_value width;         /* the widest enclosure of a composition on a grid, relative; none: 1/100 */
    unsigned digits;         /* 0: PBY_DIGITS_DEFAULT, or as many as the width needs */
} pby_loss_request;

/* Where some output is possible on one input alone the divergence is inf at every order. Then, and for
 * any spec, this stands beside it: on any two neighbours there are events, each of chance 1 - delta or more,
 * given which the divergence is at most `loss`. That is the delta-approximate divergence, taken from the
 * dominating pair given what both of its laws can give; delta is 0 where nothing had to be left out. */
typedef struct pby_approximate {
    pby_enclosure loss, delta;
} pby_approximate;

/* The answer, each number also as two decimals. */
typedef struct pby_answer {
    pby_enclosure value;
    pby_decimals text;
    bool wider; /* than was asked for: finer grids bring the ends no closer, or the worst neighbours are not
                 * known. It is as right */
    bool has_approximate; /* for PBY_ASK_RENYI and PBY_ASK_RHO */
    pby_approximate approximate;
    pby_decimals approximate_loss, approximate_delta;
    const char *source; /* the statement by which the mechanism's paper claims a delta here, or NULL */
    pby_enclosure claimed;
    pby_decimals claimed_text;
} pby_answer;

void pby_answer_init(pby_answer *x) PBY_NONNULL(1);
void pby_answer_clear(pby_answer *x) PBY_NONNULL(1);

/* Asks for a loss. out is initialised, and may be asked into again. */
PBY_CHECKED
pby_status pby_loss_ask(pby_answer *out, const pby_spec *spec, const pby_loss_request *request,
                        pby_error *err) PBY_NONNULL(1, 2, 3);

/* ---- several values at once -------------------------------------------------------------------- */

/* The precision of an answer; NULL stands for all 0. */
typedef struct pby_loss_options {
    unsigned
        digits; /* significant digits that the enclosure is good for; 0: PBY_DIGITS_DEFAULT, and more than
                 * PBY_DIGITS_MAX are taken for that many. Fewer than the width needs widen the enclosure */
    mpq_srcptr width; /* a composition of several uses may need a grid, which is refined until each enclosure
                       * is at most so wide, relative to the smaller of its ends: a rational from 1e-1000 on,
                       * below 1; NULL: 1/100. Refused with the reason where such a grid is too fine or takes
                       * more than 2 GiB */
    size_t count;     /* how many values are asked at, one after the other in memory; 0: one. The mechanism's
                       * pairs and compositions are made once for all of them */
    bool *wider; /* unless NULL, set to true if refining the grid did not help and some enclosure is wider
                  * than asked for; it is still valid */
} pby_loss_options;

/* The answers at the values; value is NULL for the order infinity, for xi = 0 and for mu. */
PBY_CHECKED
pby_status pby_loss(pby_enclosure *answer, pby_question question, const pby_spec *spec,
                    pby_neighbours relation, mpq_srcptr value, const pby_loss_options *options,
                    pby_error *err) PBY_NONNULL(1, 3);

/* ---- conversions ------------------------------------------------------------------------------ */

typedef struct pby_conversion {
    const char *name;   /* such as zcdp-to-approx-classical */
    const char *source; /* the statement that it applies */
} pby_conversion;

/* The conversions, ended by one without a name. */
extern const pby_conversion pby_conversions[];

/* ---- composition theorems --------------------------------------------------------------------- */

/* The ways to compose the loss of several uses:
 *   exact      from the laws of the mechanisms, as pby_loss_delta and pby_loss_epsilon do
 *   basic      epsilons add and deltas add
 *   advanced   [Survey] Theorems 5.8 and 5.9, for uses that need not be equal
 *   optimal    the best that holds of every k mechanisms of one epsilon and delta; one mechanism, k times
 * All but exact know of a mechanism only its largest finite loss and the chance of an infinite one, and
 * refuse a mechanism whose loss has no end. */
typedef enum pby_composition {
    PBY_COMPOSE_EXACT,
    PBY_COMPOSE_BASIC,
    PBY_COMPOSE_ADVANCED,
    PBY_COMPOSE_OPTIMAL
} pby_composition;

PBY_CHECKED
pby_status pby_composition_parse(pby_composition *out, const char *name, const char *text, pby_error *err)
    PBY_NONNULL(1, 2, 3);
PBY_CHECKED
const char *pby_composition_text(pby_composition by);

PBY_END_API

#endif
