/* Families of mechanisms, one file and one row of the registry each.
 *
 * A family names its parameters and gives what it can: the noise law, the dominating pairs, the
 * paper's claim, the release. A member that it does not have is NULL, and what needs it is refused
 * with the family's name. To add a family: write src/mechanism/NAME.c with one pby_family, and add it
 * to the list in registry.c. */
#ifndef PBY_MECHANISM_FAMILY_H
#define PBY_MECHANISM_FAMILY_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>

#include "law/sampler.h"
#include "mechanism/pair.h"
#include "probity/release.h"
#include "probity/spec.h"
#include "status.h"

enum { PBY_PARAMETERS_MAX = 8, PBY_PARTS_MAX = 3 };

/* What a parameter's value may be. */
typedef enum pby_kind {
    PBY_POSITIVE, /* a rational above 0 */
    PBY_PROBABILITY, /* a rational from 0 to 1 */
    PBY_NOT_NEGATIVE, /* a rational from 0 on */
    PBY_ABOVE_ONE, /* a rational above 1 */
    PBY_NATURAL,  /* an integer from 1 to 2^31 - 1 */
    PBY_CHOICE    /* one of some words; its value is the word's place, from 0 on */
} pby_kind;

typedef struct pby_parameter {
    const char *name;
    pby_kind kind;
    const char *fallback; /* the value if left out; NULL when it must be given, and "" when it may be left
                           * out and has no default: its value is then 0, which its kind must exclude */
    const char *meaning;
} pby_parameter;

typedef struct pby_mechanism pby_mechanism;
typedef struct pby_family pby_family;

/* A promise about Renyi divergences: D_a <= xi + rho a, for every order a from 1 to `most`, or for
 * every order when it is not bounded. */
typedef struct pby_promise {
    fmpq_t xi, rho, most;
    bool bounded;
} pby_promise;

struct pby_family {
    const char *name;
    const char *summary;
    pby_parameter parameters[PBY_PARAMETERS_MAX]; /* up to the first without a name */
    const char *words[2];                         /* that a PBY_CHOICE is among */

    /* What several parameters must satisfy together, asked once when the spec is read. */
    pby_status (*check)(const pby_mechanism *m, pby_error *err);

    /* The noise law. */
    pby_status (*law)(pby_law **out, const pby_mechanism *m, pby_error *err);

    /* Whether the noise law depends on the size of the data, and the law on data of so many records in so many
     * bars; data that the spec is not about are refused. NULL where it never does. */
    bool (*reads_size)(const pby_mechanism *m);
    pby_status (*law_for)(pby_law **out, const pby_mechanism *m, uint64_t records, uint64_t bars,
                          pby_error *err);

    /* The dominating pairs for a neighbour relation. None at all, with PBY_OK, when they are products too
     * large to be written out; then `part` has their factors. */
    pby_status (*pairs)(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, pby_error *err);

    /* Fewer pairs that are enough for delta and epsilon of a single use: at every epsilon the worst of them is the
     * worst of all. Not so in a composition, where one that is the worst nowhere may add up to more. NULL where
     * `pairs` are few. */
    pby_status (*alone)(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, pby_error *err);

    /* Whether the pairs have densities, so that their direct route is an integral and not a sum; NULL where
     * they never have. */
    bool (*continuous)(const pby_mechanism *m);

    /* A mechanism that is several independent ones on the same two neighbours: the pairs of the i-th and
     * how often it occurs, 0 beyond the last; at most PBY_PARTS_MAX. NULL where it is one. No neighbours have
     * more, and some have *reached of each: where that is less, the loss is only known to lie between. */
    pby_status (*part)(pby_pairs *out, uint64_t *times, uint64_t *reached, const pby_mechanism *m,
                       pby_neighbours relation, size_t i, pby_error *err);

    /* What a mechanism without pairs is known by: sets the promise, which is initialised. */
    void (*promise)(pby_promise *out, const pby_mechanism *m);

    /* The paper's claim for delta at epsilon: false where it makes none. */
    bool (*claim)(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                  slong prec);
    const char *claim_source;

    /* What a release consists of, and the noise on a chunk of bars; noisy[i] is PBY_SUPPRESSED where nothing
     * may be published. */
    pby_release_form form;
    int64_t (*reach)(const pby_mechanism *m); /* of PBY_RELEASE_RANGES */
    pby_status (*release)(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                          const int64_t *counts, int64_t *noisy, size_t n, pby_error *err);
};

struct pby_mechanism {
    const pby_family *family;
    fmpq value[PBY_PARAMETERS_MAX]; /* in the family's order */
};

/* Whether a parameter without a default was given. */
bool pby_mechanism_has(const pby_mechanism *m, size_t parameter);

/* A parameter of the kind PBY_NATURAL; 0 when it was left out. */
int64_t pby_mechanism_natural(const pby_mechanism *m, size_t parameter);

/* One entry of a spec: a mechanism used so many times. */
typedef struct pby_use {
    pby_mechanism mechanism;
    uint64_t times;
} pby_use;

struct pby_spec {
    pby_use *use;
    size_t count;
    char *text;
};

/* The largest multiplicity of one use. */
enum { PBY_TIMES_MAX = 1000000000 };

/* The families, ended by NULL. */
extern const pby_family *const pby_families[];

extern const pby_family pby_family_geometric, pby_family_tgeometric, pby_family_dgauss, pby_family_laplace,
    pby_family_stlap, pby_family_threshold, pby_family_range, pby_family_partition, pby_family_buckethist,
    pby_family_gauss, pby_family_pure, pby_family_approx, pby_family_rdp, pby_family_zcdp;

/* The mechanism of a spec that is one use of one mechanism; `what` says what needs that. */
pby_status pby_spec_single(const pby_mechanism **out, const pby_spec *spec, const char *what, pby_error *err);

/* The refusal of a mechanism whose parameters do not go together. */
pby_status pby_mechanism_refuse(const pby_mechanism *m, const char *expected, pby_error *err);

/* The refusal of a family that lacks something. */
pby_status pby_family_lacks(const pby_mechanism *m, const char *what, pby_error *err);

#endif
