/* SPDX-License-Identifier: MIT */
/* A row of a table of options. */
#ifndef PBY_BASE_OPTION_H
#define PBY_BASE_OPTION_H

/* The alternative of an option that has another name now: it is refused with that name, which stands in
 * `expected`. */
enum { PBY_OPTION_RENAMED = -1 };

/* A row of the table of a subcommand, whose last row has no name. The table drives the parser and its
 * refusals, --help (cli/help.h), and, through docs/options.py, the manual page and the completions of both
 * shells. */
typedef struct pby_option {
    const char *name;      /* --epsilon, -n */
    const char *shown;     /* the word for its value in the help: E, LO:HI:N */
    const char *expected;  /* describes the value in refusals; NULL for an option without one */
    const char *help;      /* sentences, the first with a small letter and the last without its point */
    const char *completes; /* its value for a shell: file, folder, spec, statistic, or the words themselves */
    int alternative;       /* not 0: excludes every other option with this number; or PBY_OPTION_RENAMED */
    const char *member;    /* its name in the structures of the library; NULL: it has none there */
    const char *value;     /* set by pby_options_parse: its value, "" without one, NULL if not given */
} pby_option;

#endif
