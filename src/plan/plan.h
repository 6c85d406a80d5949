/* SPDX-License-Identifier: MIT */
/* A release plan: a unit of privacy, bounds on a user's rows, statistics, one budget (docs/plan.md).
 *
 * A plan is a file of TOML. Inside a certificate it is JSON with the same members, and is read by the same
 * rules. Every refusal is one line, NAME: KEY 'VALUE': expected ..., and comes before any data are read. */
#ifndef PBY_PLAN_PLAN_H
#define PBY_PLAN_PLAN_H

#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "io/digest.h"
#include "plan/toml.h"
#include "probity/loss.h"
#include "probity/spec.h"

enum {
    PBY_PLAN_VERSION = 1,
    PBY_PLAN_BOUND_MAX = 1000000, /* rows of a user, groups of a user, rows in a group */
    PBY_PLAN_TIMES_MAX = 100000,
    PBY_PLAN_STATISTICS_MAX = 64,
    PBY_PLAN_COLUMNS_MAX = 8,
    PBY_PLAN_GROUPINGS_MAX = 16,
    PBY_PLAN_BY_MAX = 4,
    PBY_PLAN_GROUPS_MAX = 1 << 20,
    PBY_PLAN_CELLS_MAX = 1 << 20,  /* points of a grid, buckets of a histogram */
    PBY_PLAN_POINTS_MAX = 1 << 23, /* points of a quantile's grid in all groups together */
    PBY_PLAN_SHARES_MAX = 16,      /* quantiles of one statistic */
    PBY_PLAN_BEST_MAX = 1000,      /* groups of a top */
    PBY_PLAN_NAME_MAX = 60
};

typedef enum pby_plan_kind {
    PBY_PLAN_COUNT,
    PBY_PLAN_USERS,
    PBY_PLAN_SUM,
    PBY_PLAN_MEAN,
    PBY_PLAN_VARIANCE,
    PBY_PLAN_QUANTILE,
    PBY_PLAN_HISTOGRAM,
    PBY_PLAN_TOP
} pby_plan_kind;

extern const char *const pby_plan_kinds[];

/* True if statistics of this kind are of a column of numbers. */
bool pby_plan_has_column(pby_plan_kind kind);

/* The P of a P-quantile is over/under, in lowest terms, above 0 and below 1. */
typedef struct pby_plan_share {
    uint32_t over, under;
} pby_plan_share;

/* A column of numbers: they are taken for the nearest multiple of step and moved into the bounds. */
typedef struct pby_plan_column {
    char *name;
    mpq_t step;
    int64_t lo, hi; /* the bounds in steps, lo < hi */
    bool fills;     /* a missing value counts as `missing`, in steps; else its row is dropped */
    int64_t missing;
} pby_plan_column;

/* A column of numbers in buckets, which are called by their left ends. */
typedef struct pby_plan_buckets {
    char *text; /* NAME:LO:HI:WIDTH; NULL of a column that is not in buckets */
    size_t count;
    char **end;
} pby_plan_buckets;

/* The groups of some columns' values. The first grouping of a plan is the whole table: one group. */
typedef struct pby_plan_grouping {
    char *name; /* NULL of the whole table */
    size_t by;
    char *column[PBY_PLAN_BY_MAX];
    pby_plan_buckets bucket[PBY_PLAN_BY_MAX];
    bool hidden; /* groups come from the data, by a threshold; `groups` is then 1, and `group` NULL */
    size_t groups;
    char **group; /* `by` fields of each group, one after the other; NULL out of a certificate */
    char digest[sizeof((pby_digest *)0)->sha256]; /* of the groups' fields and their order */
    uint64_t rows, k, m; /* C, groups of a user, rows in a group: not above what they can come to */
    mpq_t expect;        /* public guess of a group's rows, which scales errors alone */
    bool expected;       /* it is of the plan, and not the 1 that stands for none */
} pby_plan_grouping;

typedef struct pby_plan_statistic {
    char *name;
    pby_plan_kind kind;
    size_t column;   /* of sum, mean, variance, quantile and histogram */
    size_t grouping; /* 0: the whole table */
    mpq_t weight;    /* its importance, above 0 */
    bool bounded;    /* the error must stay within `within`, and weight is not used */
    mpq_t within;
    int64_t width;  /* of a histogram, in steps */
    size_t buckets; /* of a histogram */
    size_t shares;  /* of a quantile */
    pby_plan_share share[PBY_PLAN_SHARES_MAX];
    uint64_t best; /* of a top: how many groups */
} pby_plan_statistic;

typedef struct pby_release_plan {
    char *name; /* in refusals */
    char *user; /* the column of the users; NULL: a record is the unit */
    pby_neighbours relation;
    pby_question budget;         /* PBY_ASK_DELTA, of epsilon and delta; PBY_ASK_RHO or PBY_ASK_MU */
    mpq_t epsilon, delta, bound; /* the bound is that of a rho or a mu */
    uint64_t rows;               /* C of [unit]; 0: not given */
    uint64_t times;              /* releases that the budget is for */
    size_t columns, groupings, statistics;
    pby_plan_column *column;
    pby_plan_grouping *grouping;
    pby_plan_statistic *statistic;
} pby_release_plan;

/* Reads a file, and the files of groups that it names, which are looked for beside it. */
PBY_CHECKED
pby_status pby_plan_read(pby_release_plan **out, const char *path, pby_error *err);

/* Reads a plan's text; groups in files are refused where folder is NULL. */
PBY_CHECKED
pby_status pby_plan_parse(pby_release_plan **out, const char *name, const char *folder, const char *text,
                          size_t size, pby_error *err);

/* A plan out of a tree, whose groups are a list, or, with `sealed`, a table of count and sha256. */
PBY_CHECKED
pby_status pby_plan_of(pby_release_plan **out, const char *name, const char *folder, const pby_toml *root,
                       bool sealed, pby_error *err);

/* The number of the budget that is made greater or smaller: epsilon, rho or mu; and its name. */
mpq_ptr pby_plan_budget(pby_release_plan *plan);
const char *pby_plan_budget_name(const pby_release_plan *plan);

/* NULL is allowed. */
void pby_plan_free(pby_release_plan *plan);

#endif
