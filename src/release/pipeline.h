/* SPDX-License-Identifier: MIT */
/* The request for one release: a map in front, the mechanism, a statistic behind. */
#ifndef PBY_RELEASE_PIPELINE_H
#define PBY_RELEASE_PIPELINE_H

#include <stdbool.h>

#include "base/observer.h"
#include "io/digest.h"
#include "probity/experimental/statistic.h"
#include "probity/release.h"
#include "release/budget.h"
#include "release/direction.h"
#include "table/key/key_names.h"
#include "table/map/arguments.h"
#include "table/map/table_scatter.h"
#include "table/row/layout.h"
#include "table/table.h"

/* Scores are moved into this range; both ends are public. */
typedef struct pby_score_range {
    mpq_t lo, hi;
} pby_score_range;

/* A receipt also tells what is known only after the run. */
typedef struct pby_learned {
    pby_digest table;  /* of the bytes that were read of filter, group, queries, scatter or keep */
    bool numbers;      /* the bars of the statistic stood at numbers */
    pby_layout layout; /* how the input was read, */
    bool named;        /* and whether its header's words may be shown */
    bool mixed;        /* only some did, and the statistic reads an order */
} pby_learned;

typedef struct pby_pipeline {
    const pby_budget *budget;
    const pby_arguments *names; /* what a refusal calls the members below */
    pby_table *table;     /* what is released, in the place of a file and its columns and map; NULL: these */
    const char *in, *out; /* NULL: standard input, standard output */
    const pby_key_names *keys; /* the columns' names (columns.h); */
    const char *counts;        /* both NULL: KEY,COUNT */
    const char *utility;       /* the column by which a threshold keeps bars; NULL: none */
    mpq_srcptr step;           /* what the counts are multiples of; NULL: 1 */
    const char *keep;      /* a list of keys that a threshold keeps in any case (universe.h); NULL: none */
    const char *user;      /* the column of the users that a histogram is bounded by; NULL: the unit of
                            * privacy is a record, or that of a table of records */
    pby_moment moment;     /* of a table of records, in the place of counts */
    const char *quantiles; /* of PBY_MOMENT_QUANTILE */
    bool json;             /* to be told as an object (receipt.h) */
    bool timing_safe;
    const char *filter, *group;     /* a table of keys (universe.h); NULL: none; not both */
    const pby_scatter *scatter;     /* by which records move; NULL: they stay */
    int64_t limit;                  /* of a count, INT64_MAX without one */
    const char *queries;            /* a table of queries (databases.h); NULL: none */
    const pby_score_range *range;   /* of scores; NULL: any */
    const pby_project *along;       /* what points are projected on; NULL: they are taken as they are */
    const pby_statistic *statistic; /* to be written in the place of the histogram; NULL: the histogram */
    uint64_t rounds;                /* of choosing; 0: all bars */
    pby_learned *learned;           /* NULL: nobody asks */
    pby_observer observer;          /* told of the bars; it may show their share, never their number */
} pby_pipeline;

/* True if the release stands in the object that tells of it: one is asked for, and no file. */
bool pby_pipeline_object(const pby_pipeline *p);

/* True if raw records are counted. */
bool pby_pipeline_has_records(const pby_pipeline *p);

/* The number of columns that name a bar. */
size_t pby_pipeline_key_columns(const pby_pipeline *p);

/* The argument that gives a table of keys: the groups if there are some, else the filter. */
pby_argument pby_pipeline_map(const pby_pipeline *p);

/* The type of a member, and the value that it has where the argument is not given. */
typedef enum pby_held {
    PBY_HELD_NOT,       /* the argument has no member of its own */
    PBY_HELD_FLAG,      /* bool: false */
    PBY_HELD_TEXT,      /* const char *: NULL, as are all that follow but the numbers */
    PBY_HELD_PATH,      /* const char *, the name of a file that is read */
    PBY_HELD_OUTPUT,    /* const char *, the name of one that is written */
    PBY_HELD_NAMES,     /* const pby_key_names * */
    PBY_HELD_RANGE,     /* const pby_score_range * */
    PBY_HELD_DIRECTION, /* const pby_project * */
    PBY_HELD_STATISTIC, /* const pby_statistic * */
    PBY_HELD_SCATTER,   /* const pby_scatter * */
    PBY_HELD_RATIONAL,  /* mpq_srcptr */
    PBY_HELD_ROUNDS,    /* uint64_t: 0 */
    PBY_HELD_LIMIT,     /* int64_t: INT64_MAX */
} pby_held;
typedef struct pby_pipeline_member {
    pby_held held;
    size_t at; /* its offset in pby_pipeline */
} pby_pipeline_member;

extern const pby_pipeline_member pby_pipeline_members[PBY_ARGS];

/* True if the argument is given. */
bool pby_pipeline_has(const pby_pipeline *p, pby_argument which);

/* The text that a refusal shows; NULL if the argument is not given, or is a number or a flag. */
const char *pby_pipeline_text(const pby_pipeline *p, pby_argument which);

/* Returns the name that refusals give the argument. */
const char *pby_pipeline_name(const pby_pipeline *p, pby_argument which);

/* Refuses a request for an argument, with its value where that has a text. Returns PBY_BAD. */
pby_status pby_pipeline_refuse(const pby_pipeline *p, pby_argument which, const char *expected,
                               pby_error *err);

#endif
