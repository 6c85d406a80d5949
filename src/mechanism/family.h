/* SPDX-License-Identifier: MIT */
/* Families of mechanisms.
 *
 * A family names its parameters and gives what it can: the noise law, the dominating pairs, the
 * paper's claim, the release. A member that it does not have is NULL, and what needs it is refused
 * with the family's name. A family is a folder of src/mechanism with one pby_family, and a line in
 * registry.c.
 */
#ifndef PBY_MECHANISM_FAMILY_H
#define PBY_MECHANISM_FAMILY_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "law/sampler.h"
#include "mechanism/privacy/privacy.h"
#include "pair/pair.h"
#include "probity/experimental/accuracy.h"
#include "probity/family.h"
#include "probity/release.h"
#include "probity/spec.h"

enum { PBY_PARAMETERS_MAX = 12 };

/* The values that a parameter may have. */
typedef enum pby_kind {
    PBY_RATIONAL,     /* any rational */
    PBY_POSITIVE,     /* a rational above 0 */
    PBY_PROBABILITY,  /* a rational from 0 to 1 */
    PBY_RATE,         /* a rational above 0, at most 1 */
    PBY_NOT_NEGATIVE, /* a rational from 0 on */
    PBY_ABOVE_ONE,    /* a rational above 1 */
    PBY_NATURAL,      /* an integer from 1 to 2^31 - 1 */
    PBY_CHOICE,       /* one of some words; its value is the word's place, from 0 on */
    PBY_DIGEST,       /* a SHA-256, 64 hexadecimal digits; its value is the number that they write */
    PBY_NUMBERS /* rationals from 0 on with a ; between, or `sqrt`; its value is the number whose digits to
                       * the base 256 are the bytes of that text */
} pby_kind;

/* The meaning of a parameter, whatever it is called; all code but the family itself finds it by its role. No
 * family has two of one role, but for PBY_ROLE_NONE. */
typedef enum pby_role {
    PBY_ROLE_NONE,    /* nobody else's concern */
    PBY_ROLE_EPSILON, /* a privacy loss, or the rate of the noise */
    PBY_ROLE_DELTA,
    PBY_ROLE_ORDER, /* of a Renyi divergence */
    PBY_ROLE_RHO,
    PBY_ROLE_XI,
    PBY_ROLE_SENSITIVITY, /* the distance of neighbours */
    PBY_ROLE_NORM,        /* the same as the square of a Euclidean length, in place of a sensitivity */
    PBY_ROLE_DIMENSIONS,  /* the most bars that one record is counted in */
    PBY_ROLE_NEW,         /* the most bars that only one of two neighbours has; 0: those of a record */
    PBY_ROLE_UTILITY,     /* whether a column of its own decides which bars pass, 0 or 1 */
    PBY_ROLE_MOVES,       /* whether a record may raise one bar and lower another */
    PBY_ROLE_VARIANCE,
    PBY_ROLE_SCALE,
    PBY_ROLE_GRID,      /* what query and noise are multiples of */
    PBY_ROLE_MOST,      /* the greatest error of a count that is published */
    PBY_ROLE_LEAST,     /* the least count that is published */
    PBY_ROLE_LOSES,     /* the most that a bar may lose */
    PBY_ROLE_SHARE,     /* the same as a share of all records */
    PBY_ROLE_SIZE,      /* the number of records */
    PBY_ROLE_BARS,      /* the number of bars */
    PBY_ROLE_WIDTH,     /* of buckets of its own */
    PBY_ROLE_DIMENSION, /* the coordinates of a point */
    PBY_ROLE_OUTSIDE,   /* what becomes of a point outside */
    PBY_ROLE_ODDS,      /* of the truth against any one other answer */
    PBY_ROLE_ANSWERS,   /* how many answers there are */
    PBY_ROLE_THETA,     /* the mass of a random answer that no coupling need carry: pairs.c reveals it */
    PBY_ROLE_TURNED,    /* twice the chance that a bit is turned for good */
    PBY_ROLE_SAMPLE,    /* the chance of each record to be seen: pairs.c samples the family's pairs */
    PBY_ROLE_FIXED,     /* the share of all records that a sample of fixed size is */
    PBY_ROLE_ALLOCATE,  /* the steps of which a record is in one */
    PBY_ROLE_BATCH,     /* the most records of a sample that are used: pairs.c truncates */
    PBY_ROLE_AMONG,     /* the most records that there are in all, where samples are truncated */
    PBY_ROLE_TABLE,     /* a public table that is released with, by its digest */
    PBY_ROLE_RECORDS,   /* of the database that is released */
    PBY_ROLE_RELATION,  /* the only neighbours that it is about, 0 or 1 as a pby_neighbours */
    PBY_ROLE_RADIUS,    /* what the radius of a stable answer and its noise must exceed */
    PBY_ROLE_DECAY,     /* of smooth sensitivity: the least ratio of the scales of neighbours */
    PBY_ROLE_BASE,      /* whose powers are weights */
    PBY_ROLE_CURVE,     /* the file that a promise is a point of, by its digest */
    PBY_ROLE_RATE,      /* of geometric noise, where it is not the loss */
    PBY_ROLE_EACH,      /* the most that a record adds to each of its bars, in place of a sensitivity */
    PBY_ROLE_MU,        /* the distance of the two Gaussians of a promise */
    PBY_ROLE_STEPS,     /* how often something is released of what has come so far */
    PBY_ROLE_BANDS      /* by which the records of earlier steps count */
} pby_role;

typedef struct pby_parameter {
    const char *name;
    pby_kind kind;
    const char *fallback; /* the value if left out; NULL when it must be given, and "" when it may be left
                           * out and has no default: its value is then 0, which its kind must exclude */
    const char *meaning;
    pby_role role;
} pby_parameter;

/* The parameter of a family whose pairs may be sampled; 1 is no sampling. */
#define PBY_SAMPLE_MEANING \
    "sample=R, the chance of each record to be seen, drawn anew in every use, above 0 and at most 1"
#define PBY_SAMPLE_PARAMETER                                         \
    {                                                                \
        "sample", PBY_RATE, "1", PBY_SAMPLE_MEANING, PBY_ROLE_SAMPLE \
    }

/* The parameter of a family with one pair, its own reverse, under substitute neighbours; 1 is no sampling. */
#define PBY_FIXED_MEANING                                                                                \
    "fixed=R, the share of all records in a sample of fixed size, drawn anew in every use, above 0 and " \
    "at most 1"
#define PBY_FIXED_PARAMETER                                       \
    {                                                             \
        "fixed", PBY_RATE, "1", PBY_FIXED_MEANING, PBY_ROLE_FIXED \
    }

/* The parameter of a family whose query may be random; 0 is a query that is a number. */
#define PBY_THETA_MEANING \
    "theta=T, the mass of a random answer that may move beyond the sensitivity, from 0 to 1"
#define PBY_THETA_PARAMETER                                              \
    {                                                                    \
        "theta", PBY_PROBABILITY, "0", PBY_THETA_MEANING, PBY_ROLE_THETA \
    }

/* The kind of accuracy that a release has. */
typedef struct pby_accuracy_row {
    bool has;
    pby_accuracy_kind kind;
    pby_role needs; /* only for a mechanism that was given such a parameter; PBY_ROLE_NONE for any */
} pby_accuracy_row;

typedef struct pby_story pby_story;                 /* mechanism/spec/story.h */
typedef struct pby_select_row pby_select_row;       /* mechanism/shared/selection.h */
typedef struct pby_chooser_class pby_chooser_class; /* mechanism/shared/chooser.h */
typedef struct pby_lattice_class pby_lattice_class; /* mechanism/shared/lattice.h */
typedef struct pby_stream_class pby_stream_class;   /* mechanism/shared/stream.h */
typedef struct pby_estimator pby_estimator;         /* mechanism/shared/estimator.h */

/* The true answer, from 0 (none) to below `answers`, and how steady it is: its radius, or its scale. */
typedef struct pby_steady {
    int64_t answer, answers;
    int64_t radius;
    const fmpq *scale;
} pby_steady;

typedef void pby_silent_update(int64_t *noisy, const int64_t *counts, size_t n, const int64_t *noise);

/* The law in a theorem of Coq: the outcomes lo to hi at the truth 0, and the most that two truths differ by.
 */
typedef struct pby_formal {
    int64_t lo, hi, distance;
} pby_formal;

/* The way in which a certificate is stated in Coq: the spec and the neighbours are names in it. */
#define PBY_CERTIFICATE_DEFINITION                           \
    "\n"                                                     \
    "(* What is certified, of a mechanism by its name. *)\n" \
    "Definition certificate (spec neighbours : string) (epsilon delta : R) : Prop :=\n"

/* A statement of a paper about delta. Whether it holds for one mechanism is computed (loss/claim.h); that a
 * row of the ledger of claims (docs/claims.md) refutes it is said here, and `make claims` compares. */
typedef struct pby_statement {
    const char *source; /* the formula, and the row */
    const char *row;    /* NULL where the ledger has none */
    bool refuted;       /* the row has a counterexample, of whatever mechanism */
} pby_statement;

/* Sets of neighbour relations: a bit for each. */
enum {
    PBY_CENTRAL = 1 << PBY_ADD_REMOVE | 1 << PBY_SUBSTITUTE,
    PBY_LOCALLY = 1 << PBY_LOCAL,
    PBY_EVERY_RELATION = PBY_CENTRAL | PBY_LOCALLY
};

struct pby_family {
    const char *name;
    const char *summary;
    unsigned relations;                           /* which neighbours it is about */
    pby_parameter parameters[PBY_PARAMETERS_MAX]; /* up to the first without a name */
    const char *words[4]; /* that a PBY_CHOICE is among: two of the first, and two of a second */

    /* True if it is a last step: it changes what a mechanism in front of it has released, and has no loss. Or
     * a first one: it changes the data in front of a mechanism, and keeps neighbours. */
    bool last, first;

    /* Refuses parameters that do not go together; called once, when the spec is read. */
    pby_status (*check)(const pby_mechanism *m, pby_error *err);

    /* The noise law. */
    pby_status (*law)(pby_law **out, const pby_mechanism *m, pby_error *err);

    /* Where the noise law depends on the size of the data: n of data of n or n + 1 records, and 0 where it
     * does not; and the law on data of so many records in so many bars, data that the spec is not about being
     * refused. NULL where it never does. */
    int64_t (*size)(const pby_mechanism *m);
    pby_status (*law_for)(pby_law **out, const pby_mechanism *m, uint64_t records, uint64_t bars,
                          pby_error *err);

    /* Lists of pairs by what they are good for, the factors of products, and a function that changes the
     * facts that do not follow from which of them there are (privacy.h). A family without PBY_ABOVE is known
     * by a promise. */
    pby_pairs_of *list[PBY_LISTS];
    pby_factor_of *factor;
    void (*privacy)(pby_privacy *p, const pby_mechanism *m);

    /* Facts about every mechanism of the family: `select` asks for them before it has one. The loss is only
     * bounded; and the losses lie in an interval of known length. */
    bool loose, interval;

    /* The pairs are of one bar that moves: neighbours that move several by as much in all may be worse. */
    bool one_bar;

    /* Turns the mechanism into the one that a group of `size` sees, of the same family. NULL where it does so
     * by its sensitivity alone, and where what a group sees is none of the family. */
    void (*grow)(pby_mechanism *m, unsigned long size);

    /* Prints the definition `law truth k` of Coq, the chance of the output k where the truth is the integer
     * `truth`, from the definition of the mechanism and not from its tables (certificate/theorem.h). Sets the
     * outputs that truth 0 has, lo to hi, and how far the truths of neighbours may be apart. Refuses a
     * mechanism that has no such law. NULL where none of the family has. */
    pby_status (*formal)(FILE *out, pby_formal *formal, const pby_mechanism *m, pby_neighbours relation,
                         pby_error *err);

    /* The family of one eps as which this one was once accounted, so that certificates of that time hold;
     * NULL where there is none. */
    const pby_family *once;

    /* Prints a theorem of Coq about every two neighbours, by the lemmas of proofs/coq, where it has no finite
     * law: `epsilon` and `delta` are defined in front of it, and to say that the one bounds the other is left
     * to the tactic `numbers`. Behind it stand `certificate`, the statement for any epsilon and delta, which
     * says of the mechanism's laws too that no mass is missing, and `proved`, that it holds. Refuses a
     * mechanism that the lemmas do not know. NULL where none of the family is known. */
    pby_status (*theorem)(FILE *out, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                          pby_error *err);

    /* The paper's claim for delta at epsilon: false where it makes none. */
    bool (*claim)(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                  slong prec);
    /* The paper's claim as a quotient of sums of exponentials, by which a claim that is the exact delta is
     * known to hold; returns false where the paper makes none. NULL where it is never exact. */
    bool (*claim_terms)(pby_expsum_t numerator, pby_expsum_t denominator, const pby_mechanism *m,
                        pby_neighbours relation, const fmpq_t epsilon);
    pby_statement statement;
    /* Another statement that some mechanisms of the family fall under, NULL for the rest; NULL where none
     * does. */
    const pby_statement *(*other_statement)(const pby_mechanism *m);

    /* The form of a release, and the noise on a chunk of bars; noisy[i] is PBY_SUPPRESSED where nothing may
     * be published. */
    pby_release_form form;
    pby_input takes;
    int64_t (*most)(
        const pby_mechanism *m); /* the largest count or answer that is taken; NULL where any is */
    int64_t (*reach)(const pby_mechanism *m); /* of PBY_RELEASE_RANGES */
    pby_status (*release)(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                          const int64_t *counts, int64_t *noisy, size_t n, pby_error *err);

    /* For PBY_TAKES_SCORES, which needs no law and no release: the chance of a candidate is in proportion to
     * exp(rate score), unless a chooser says how it is chosen, rate being that of its noise. */
    void (*rate)(fmpq_t rate, const pby_mechanism *m);
    const pby_chooser_class *chooser;

    /* For PBY_RELEASE_STATISTIC, which needs no release: publishes an answer, by the sampler of the law where
     * there is one. */
    pby_status (*settle)(int64_t *answer, const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                         const pby_steady *of, pby_error *err);

    /* For PBY_RELEASE_POINT, which needs no law and no release: the grid and the scores of its points. */
    const pby_lattice_class *lattice;

    /* For a mechanism that is asked in a session; NULL elsewhere. */
    const pby_stream_class *stream;

    /* The unit of a released count: noisy[i] counts in such steps. NULL where it is 1. */
    const fmpq *(*unit)(const pby_mechanism *m);

    /* Does the work of `release` with noise that every bar has drawn, in steps that do not depend on counts
     * or noise (kernel/silent.h); NULL for a release that publishes some bars and not others, which shows
     * anyway. */
    pby_silent_update *silent;

    /* True if `release` itself is such, once its sampler is timing-safe. */
    bool even;

    pby_accuracy_row accuracy;
    const pby_estimator *estimator; /* what reports of users say together; NULL where there are none */
    const pby_select_row *select;   /* how a parameter is chosen; NULL where none is */
    const pby_story *stories;       /* ended by one that says nothing; the last is about every mechanism */
    const char *instead;         /* for refusals of what it lacks: "dgauss has ..."; NULL: no other is near */
    const char *const *manual;   /* for the manual: a form of its specs and what that is, ended by NULL */
    const char *const *examples; /* specs that the tests of all families walk through, ended by NULL */
};

struct pby_mechanism {
    const pby_family *family;
    fmpq value[PBY_PARAMETERS_MAX]; /* in the family's order */
};

/* The two words of a PBY_CHOICE. */
const char *const *pby_family_words(const pby_family *family, size_t parameter);

/* True if it is a first or a last step. */
bool pby_family_is_step(const pby_family *family);

/* The place of a parameter by its name or by its role: PBY_PARAMETERS_MAX when the family has none such. */
size_t pby_family_find(const pby_family *family, const char *name);
size_t pby_family_with(const pby_family *family, pby_role role);

/* A mechanism whose values are all 0. */
void pby_mechanism_init(pby_mechanism *m, const pby_family *family);
void pby_mechanism_clear(pby_mechanism *m);

/* The family and the values of another one; out is initialised. */
void pby_mechanism_copy(pby_mechanism *out, const pby_mechanism *m);

/* A mechanism step by step, m being initialised without a family. Reads FAMILY or FAMILY:name=value,..., and
 * sets a bit of *given for each parameter that is named. Sets a parameter to a value, refused as in a text;
 * its bit of `given` is the caller's to set, unless the parameter is given by its name. Completes it: what
 * was not given has its default, and all must go together. */
PBY_CHECKED
pby_status pby_mechanism_read(pby_mechanism *m, unsigned *given, const char *text, pby_error *err);
PBY_CHECKED
pby_status pby_mechanism_set(pby_mechanism *m, size_t parameter, const fmpq_t value, pby_error *err);
PBY_CHECKED
pby_status pby_mechanism_give(pby_mechanism *m, unsigned *given, const char *name, const fmpq_t value,
                              pby_error *err);
PBY_CHECKED
pby_status pby_mechanism_complete(pby_mechanism *m, unsigned given, pby_error *err);

/* True if a parameter without a default was given. */
bool pby_mechanism_has(const pby_mechanism *m, size_t parameter);

/* A parameter of the kind PBY_NATURAL; 0 when it was left out. */
int64_t pby_mechanism_natural(const pby_mechanism *m, size_t parameter);

/* A parameter of the kind PBY_DIGEST as it is written. */
enum { PBY_DIGEST_SIZE = 65 };
void pby_mechanism_digest(char out[PBY_DIGEST_SIZE], const pby_mechanism *m, size_t parameter);

/* A parameter of the kind PBY_NUMBERS as it is written, for flint_free. */
char *pby_mechanism_numbers(const pby_mechanism *m, size_t parameter);

/* A parameter by its role; NULL where the family has none of it and where it is 0. */
const fmpq *pby_mechanism_value(const pby_mechanism *m, pby_role role);

/* The chance of each record to be seen, of a mechanism that samples; NULL where it sees all. Whether its
 * samples have a fixed size. And the refusal of one that samples, `what` being what is known of all records
 * only. */
const fmpq *pby_mechanism_sample(const pby_mechanism *m);
bool pby_mechanism_fixed(const pby_mechanism *m);
PBY_CHECKED
pby_status pby_mechanism_unsampled(const pby_mechanism *m, const char *what, pby_error *err);

/* Refuses parameters that do not go together. */
PBY_CHECKED
pby_status pby_mechanism_check(const pby_mechanism *m, pby_error *err);

/* True if each record is in one of several steps. */
bool pby_mechanism_allocated(const pby_mechanism *m);

/* True if samples have a most size. */
bool pby_mechanism_truncated(const pby_mechanism *m);
bool pby_mechanism_loose(const pby_mechanism *m);

/* True if the interval of its family is that of its own losses: a sample has other losses. */
bool pby_mechanism_bounded(const pby_mechanism *m);

/* n of a mechanism that reads the size of its data; 0 of one that does not. */
int64_t pby_mechanism_size(const pby_mechanism *m);

/* The canonical text. */
void pby_mechanism_print(FILE *out, const pby_mechanism *m);

/* One entry of a spec: a mechanism used so many times. */
typedef struct pby_use {
    pby_mechanism mechanism;
    uint64_t times;
} pby_use;

/* A last step and a first one are none of the uses, as they cost nothing; one that stands alone is a use,
 * which has no loss. */
struct pby_spec {
    pby_use *use;
    size_t count;
    pby_mechanism first, last; /* without a family where there is none */
    char *text;
};

/* The spec of so many uses of one mechanism. */
PBY_CHECKED
pby_status pby_spec_of(pby_spec **out, const pby_mechanism *m, uint64_t times, pby_error *err);

/* The spec of these uses, each of which is checked as one that is parsed would be. */
PBY_CHECKED
pby_status pby_spec_of_uses(pby_spec **out, const pby_use *use, size_t count, pby_error *err);

/* The largest multiplicity of one use. */
enum { PBY_TIMES_MAX = 1000000000 };

/* The families, ended by NULL (registry.c). */
extern const pby_family *const pby_families[];

/* The family of that name, of so many bytes; NULL where there is none. */
const pby_family *pby_family_spelled(const char *name, size_t length);

/* The family that FAMILY or FAMILY:name=value,... means: the names may decide. NULL where there is none. */
const pby_family *pby_family_meant(const char *text);

/* Those that others are made of or judged as. */
extern const pby_family pby_family_stlap, pby_family_partition, pby_family_buckethist, pby_family_gauss,
    pby_family_dgauss, pby_family_laplace, pby_family_geometric, pby_family_rr, pby_family_krr,
    pby_family_rappor, pby_family_pure, pby_family_approx, pby_family_rdp, pby_family_zcdp, pby_family_gdp,
    pby_family_matrix;

/* True if a spec is one use of one mechanism; and that mechanism, `what` saying what needs it. */
bool pby_spec_is_single(const pby_spec *spec);
pby_status pby_spec_single(const pby_mechanism **out, const pby_spec *spec, const char *what, pby_error *err);

/* Call a family's pair functions; on failure leave *out empty. A family without pairs is refused. The
 * attained pairs are none where the pairs themselves are attained, those for a single use are the pairs where
 * no fewer are enough. */
pby_status pby_mechanism_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                               pby_error *err);
pby_status pby_mechanism_attained(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                                  pby_error *err);
pby_status pby_mechanism_alone(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                               pby_error *err);

/* True if its pairs are too many to be listed. */
bool pby_mechanism_unlisted(const pby_mechanism *m);

/* True if fewer pairs are enough for a single use. */
bool pby_mechanism_stands_alone(const pby_mechanism *m);

/* Every use `times` times as often; refused where that is beyond PBY_TIMES_MAX. */
pby_status pby_spec_times(pby_spec **out, const pby_spec *spec, uint64_t times, pby_error *err);

/* Finds the mechanisms of one release: `main`, and in front of it the threshold `gate` where there is one,
 * else NULL. A last step is not looked at. */
pby_status pby_spec_steps(const pby_mechanism **gate, const pby_mechanism **main, const pby_spec *spec,
                          pby_error *err);

/* Refuses neighbours that the mechanism is not about. */
pby_status pby_mechanism_about(const pby_mechanism *m, pby_neighbours relation, pby_error *err);

/* The L1 distance that the mechanism assumes between neighbouring histograms: its sensitivity, or 1 (2 of
 * substitute neighbours) if it has none. */
int64_t pby_mechanism_distance(const pby_mechanism *m, pby_neighbours relation);

/* The unit of a released count; NULL where it is 1. */
const fmpq *pby_mechanism_unit(const pby_mechanism *m);

/* Refuses a mechanism that takes neighbours to be closer than such a record brings their histograms. */
pby_status pby_mechanism_spans(const pby_mechanism *m, pby_neighbours relation, pby_error *err);

/* Refuses a mechanism with a norm that is less than `records` records move the counts by, all in one bar
 * (with substitute neighbours they move to another) or each in a bar of its own. */
pby_status pby_mechanism_lengths(const pby_mechanism *m, pby_neighbours relation, uint64_t records,
                                 pby_error *err);

/* Refuses two mechanisms on one histogram that take neighbours to move it by different distances: where the
 * farther is right, the other loses more than its pairs. */
pby_status pby_mechanism_agree(const pby_mechanism *one, const pby_mechanism *other, pby_neighbours relation,
                               pby_error *err);

/* True if a group sees of every use a mechanism of the same family (mechanism/privacy/group.c). */
bool pby_spec_grows(const pby_spec *spec);

/* The family with its dominating pairs as if neighbours attained them, and no other lists: a bound on one
 * that is loose. */
pby_family pby_family_as_attained(const pby_family *family);

/* The refusal of a mechanism whose parameters do not go together. */
pby_status pby_mechanism_refuse(const pby_mechanism *m, const char *expected, pby_error *err);

/* The refusal of a family that lacks something. */
pby_status pby_family_lacks(const pby_mechanism *m, const char *what, pby_error *err);

#endif
