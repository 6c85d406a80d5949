/* SPDX-License-Identifier: MIT */
/* Running times of a command on two inputs, each run on the input that a fair coin chooses; or of such runs
 * that were recorded. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "audit/count/count_table.h"
#include "audit/run/audit_run.h"
#include "audit/run/input_command.h"
#include "audit/run/run_publish.h"
#include "audit/timing/times_capital.h"
#include "audit/timing/times_read.h"
#include "base/interrupt.h"
#include "io/file.h"
#include "io/spool.h"
#include "number/scoped.h"
#include "probity/experimental/entropy.h"

/* ---- a look while runs are made --------------------------------------------------------------- */

/* The next look comes after a twentieth more runs; each look costs some milliseconds. */
static uint64_t next_look(uint64_t runs)
{
    return runs + runs / 20 + 1;
}

/* True if the claim is refuted already. */
static bool refuted_now(const pby_times *t, const pby_audit_request *r)
{
    PBY_FMPQ(epsilon, delta, error);
    fmpq_set_mpq(epsilon, r->epsilon);
    fmpq_set_mpq(delta, r->delta);
    fmpq_set_mpq(error, r->error);
    return pby_times_refuted(&t->counts, epsilon, delta, error);
}

/* ---- runs of a command ------------------------------------------------------------------------ */

struct runner {
    const pby_audit_request *r;
    char *command[2];
    pby_entropy *coins;
    uint64_t word; /* of coins, of which some are left */
    unsigned left;
    pby_spool *kept; /* NULL: the times are not kept */
};

static pby_status toss(pby_side *side, struct runner *u, pby_error *err)
{
    if (u->left == 0) {
        PBY_TRY(pby_entropy_words(u->coins, &u->word, 1, err));
        u->left = 64;
    }
    *side = (u->word & 1) == 0 ? PBY_LEFT : PBY_RIGHT;
    u->word >>= 1;
    u->left--;
    return PBY_OK;
}

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The time from its start to the end of its output. */
static pby_status time_run(uint64_t *time, const struct runner *u, pby_side side, pby_error *err)
{
    pby_child child;
    const unsigned patience = u->r->patience == 0 ? PBY_CHILD_PATIENCE : u->r->patience;
    const uint64_t begin = nanoseconds();
    PBY_TRY(pby_child_start(&child, u->command[side], patience, err));
    while (pby_child_byte(&child) != EOF)
        ;
    *time = nanoseconds() - begin;
    if (child.silent) {
        pby_child_stop(&child);
        return pby_input_command_silent(u->r->operand[side], patience, err);
    }
    const int status = pby_child_end(&child);
    return status == 0 ? PBY_OK : pby_input_command_failed(u->r->operand[side], status, err);
}

static pby_status keep_run(pby_spool *kept, pby_side side, uint64_t time, pby_error *err)
{
    char line[64];
    const int length = snprintf(line, sizeof line, "%s,%" PRIu64 "\n", pby_side_names[side], time);
    return kept == NULL ? PBY_OK : pby_spool_write(kept, line, (size_t)length, err);
}

static pby_status make_runs(pby_times *t, struct runner *u, pby_error *err)
{
    uint64_t look = next_look(0);
    for (uint64_t run = 0; run < u->r->n; run++) {
        pby_side side;
        uint64_t time;
        PBY_TRY(pby_interrupt_check(err));
        PBY_TRY(toss(&side, u, err));
        PBY_TRY(time_run(&time, u, side, err));
        PBY_TRY(pby_times_add(t, side, time, err));
        PBY_TRY(keep_run(u->kept, side, time, err));
        pby_observe(&u->r->observer, run + 1, u->r->n);
        if (!u->r->sequential || run + 1 < look)
            continue;
        if (refuted_now(t, u->r))
            break;
        look = next_look(run + 1);
    }
    return PBY_OK;
}

static pby_status open_kept(struct runner *u, pby_error *err)
{
    char *path;
    PBY_TRY(pby_audit_times_path(&path, u->r, err));
    pby_status status = path == NULL ? PBY_OK : pby_spool_open(&u->kept, path, err);
    free(path);
    if (status == PBY_OK && u->kept != NULL)
        status = pby_spool_write(u->kept, PBY_TIMES_HEADING "\n", sizeof PBY_TIMES_HEADING, err);
    return status;
}

static pby_status run_command(pby_times *t, const pby_audit_request *r, pby_error *err)
{
    struct runner u = {.r = r};
    for (int side = 0; side < 2; side++)
        u.command[side] = pby_input_command(r->command, r->operand[side], 1);
    pby_status status = u.command[0] == NULL || u.command[1] == NULL ? pby_no_memory(err)
                                                                     : pby_entropy_system(&u.coins, err);
    if (status == PBY_OK)
        status = open_kept(&u, err);
    if (status == PBY_OK)
        status = make_runs(t, &u, err);
    if (status == PBY_OK && u.kept != NULL)
        status = pby_spool_commit(u.kept, err);
    else
        pby_spool_abort(u.kept);
    pby_entropy_free(u.coins);
    free(u.command[0]);
    free(u.command[1]);
    return status;
}

/* ---- runs that were recorded ------------------------------------------------------------------ */

static pby_status read_record(pby_times *t, const char *path, pby_error *err)
{
    pby_lines *lines = NULL;
    PBY_TRY(pby_lines_open(&lines, pby_path_named(path), err));
    const pby_status status = pby_times_read(t, lines, err);
    pby_lines_close(lines);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------- */

pby_status pby_audit_times(pby_times **out, const pby_audit_request *r, pby_error *err)
{
    PBY_TRY(pby_times_new(out, err));
    const pby_status status = r->command == NULL ? read_record(*out, r->operand[0], err)
                                                 : run_command(*out, r, err);
    if (status == PBY_OK)
        return PBY_OK;
    pby_times_free(*out);
    *out = NULL;
    return status;
}
