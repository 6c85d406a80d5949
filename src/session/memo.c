/* SPDX-License-Identifier: MIT */
/* The memo of one client: a database of one row about itself, one for each value, and a head (memo_chain.h).
 *
 * A report is one transaction. The permanent response of a new value, and the count of its reports, are
 * committed before the report is handed out: a process that is killed loses at most a report that nobody has
 * seen. */
#include "session/memo.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "certificate/ledger/spent.h"
#include "io/file.h"
#include "io/sole.h"
#include "mechanism/rappor/respond.h"
#include "session/memo_chain.h"
#include "session/session_database.h"
#include "session/session_values.h"

struct pby_memo {
    sqlite3 *db;
    pid_t process; /* that opened it */
    pby_spec *spec;
    pby_rappor rappor; /* its numbers are the spec's */
    pby_responder responder;
    uint64_t cohort;
    uint64_t *bits; /* room for a report */
    char *text;
    pby_entropy *source;
    bool owns_source;
};

/* ---- what it is about ------------------------------------------------------------------------- */

static pby_status copy_spec(pby_spec **out, const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *m;
    *out = NULL;
    const pby_status status = pby_spec_rappor(&m, spec, err);
    return status == PBY_OK ? pby_spec_of(out, m, 1, err) : status;
}

static pby_status check_user(const char *user, pby_error *err)
{
    const size_t length = user == NULL ? 0 : strlen(user);
    if (user != NULL && (length == 0 || length > PBY_MEMO_USER_MAX))
        return pby_refuse(err, "user", user, "a name of 1 to 256 bytes");
    return PBY_OK;
}

static pby_bound of_text(const char *text)
{
    return (pby_bound){text == NULL ? "" : text, text == NULL ? 0 : strlen(text), 0};
}

static pby_bound of_number(int64_t number)
{
    return (pby_bound){NULL, 0, number};
}

/* ---- making ----------------------------------------------------------------------------------- */

/* The whole file of a memo that is not paid for yet, for sqlite3_free. */
static pby_status make_image(unsigned char **out, sqlite3_int64 *size, const pby_spec *spec, const char *user,
                             uint64_t cohort, pby_error *err)
{
    sqlite3 *db;
    const pby_bound about[] = {of_text(pby_spec_text(spec)), of_text(user), of_number((int64_t)cohort)};
    *out = NULL;
    pby_status status = pby_memo_database(&db, ":memory:", err);
    if (status != PBY_OK)
        return status;
    status = pby_memo_run(db, "BEGIN IMMEDIATE", err);
    if (status == PBY_OK)
        status = pby_memo_tables(db, err);
    if (status == PBY_OK)
        status = pby_memo_ask(db, "INSERT INTO memo (id, spec, user, cohort) VALUES (1, ?1, ?2, ?3)", about,
                              3, NULL, NULL, NULL, err);
    if (status == PBY_OK)
        status = pby_memo_run(db, "COMMIT", err);
    if (status == PBY_OK && (*out = sqlite3_serialize(db, "main", size, 0)) == NULL)
        status = pby_no_memory(err);
    sqlite3_close(db);
    return status;
}

/* It is paid for, and may be used. */
static pby_status finish(const char *path, pby_error *err)
{
    sqlite3 *db;
    pby_status status = pby_memo_database(&db, path, err);
    if (status != PBY_OK)
        return status;
    status = pby_memo_run(db, "BEGIN IMMEDIATE", err);
    if (status == PBY_OK)
        status = pby_memo_seal(db, err);
    if (status == PBY_OK)
        status = pby_memo_run(db, "COMMIT", err);
    sqlite3_close(db);
    return status;
}

static pby_status create(const char *path, const pby_spec *spec, const char *user, uint64_t cohort,
                         pby_ledger *ledger, pby_error *err)
{
    unsigned char *image = NULL;
    sqlite3_int64 size = 0;
    char *real;
    pby_status status = pby_sole_new(&real, "memo", path, err);
    if (status == PBY_OK)
        status = make_image(&image, &size, spec, user, cohort, err);
    if (status == PBY_OK)
        status = pby_draft_file("memo", real, image, (size_t)size, err);
    const bool made = status == PBY_OK;
    const uint64_t before = pby_ledger_spends(ledger);
    if (status == PBY_OK && ledger != NULL)
        status = pby_ledger_spend(ledger, spec, NULL, err);
    if (status == PBY_OK)
        status = pby_ledger_note(ledger, before, finish(real, err), err);
    if (made && status != PBY_OK)
        unlink(real);
    sqlite3_free(image);
    free(real);
    return status;
}

pby_status pby_memo_create_from(const char *path, const pby_spec *spec, const char *user, pby_ledger *ledger,
                                pby_entropy *source, pby_error *err)
{
    pby_spec *copy;
    pby_rappor r;
    uint64_t cohort = 0;
    pby_status status = copy_spec(&copy, spec, err);
    if (status != PBY_OK)
        return status;
    pby_rappor_of(&r, &copy->use[0].mechanism);
    status = check_user(user, err);
    if (status == PBY_OK)
        status = pby_rappor_cohort(&cohort, &r, source, err);
    if (status == PBY_OK)
        status = create(path, copy, user, cohort, ledger, err);
    pby_spec_free(copy);
    return status;
}

pby_status pby_memo_create(const char *path, const pby_spec *spec, const char *user, pby_ledger *ledger,
                           pby_error *err)
{
    pby_entropy *source;
    pby_status status = pby_entropy_system(&source, err);
    if (status != PBY_OK)
        return status;
    status = pby_memo_create_from(path, spec, user, ledger, source, err);
    pby_entropy_free(source);
    return status;
}

/* ---- opening ---------------------------------------------------------------------------------- */

/* The real path, for free(3). */
static pby_status find(char **real, const char *path, pby_error *err)
{
    struct stat file;
    const pby_status status = pby_sole_find(
        real, "memo", path, "a memo that probity report --new made: nothing is reported without one", err);
    if (status != PBY_OK || (stat(*real, &file) == 0 && (file.st_mode & 077) == 0))
        return status;
    free(*real);
    *real = NULL;
    return pby_refuse(err, "memo", path, "a file that only its owner may read and write (mode 0600)");
}

static pby_status read_number(void *out, sqlite3_stmt *row, pby_error *err)
{
    (void)err;
    *(int64_t *)out = sqlite3_column_int64(row, 0);
    return PBY_OK;
}

struct asked {
    pby_memo *memo;
    const char *user;
};

static bool same(sqlite3_stmt *row, int column, const char *text)
{
    const size_t size = (size_t)sqlite3_column_bytes(row, column), length = text == NULL ? 0 : strlen(text);
    const void *bytes = sqlite3_column_blob(row, column);
    return size == length && (size == 0 || memcmp(bytes, text, size) == 0);
}

static pby_status read_about(void *out, sqlite3_stmt *row, pby_error *err)
{
    const struct asked *asked = out;
    pby_memo *memo = asked->memo;
    const char *spec = pby_spec_text(memo->spec);
    if (!same(row, 0, spec))
        return pby_refuse(err, "SPEC", spec, "the spec that the memo was made with");
    if (!same(row, 1, asked->user))
        return asked->user == NULL ? pby_fail(err, PBY_BAD, "user: expected the user whose memo it is")
                                   : pby_refuse(err, "user", asked->user, "the user whose memo it is");
    const int64_t cohort = sqlite3_column_int64(row, 2);
    if (cohort < 0 || cohort >= memo->rappor.cohorts)
        return pby_memo_refuse(memo->db, "its cohort is none of its spec", err);
    memo->cohort = (uint64_t)cohort;
    return PBY_OK;
}

static pby_status read_memo(pby_memo *memo, const char *path, const char *user, pby_error *err)
{
    struct asked asked = {memo, user};
    bool found = false;
    char *real;
    pby_status status = find(&real, path, err);
    if (status == PBY_OK)
        status = pby_memo_database(&memo->db, real, err);
    free(real);
    if (status == PBY_OK)
        status = pby_memo_whole(memo->db, err);
    if (status == PBY_OK)
        status = pby_memo_ask(memo->db, "SELECT spec, user, cohort FROM memo", NULL, 0, &found, read_about,
                              &asked, err);
    return status == PBY_OK && !found ? pby_memo_refuse(memo->db, "it says nothing of itself", err) : status;
}

static pby_status make_room(pby_memo *memo, pby_error *err)
{
    memo->bits = calloc(pby_rappor_words(&memo->rappor), sizeof *memo->bits);
    memo->text = malloc(pby_rappor_text_size(&memo->rappor));
    return memo->bits == NULL || memo->text == NULL
               ? pby_no_memory(err)
               : pby_responder_init(&memo->responder, &memo->rappor, err);
}

pby_status pby_memo_open_from(pby_memo **out, const char *path, const pby_spec *spec, const char *user,
                              pby_entropy *source, pby_error *err)
{
    *out = NULL;
    pby_memo *memo = calloc(1, sizeof *memo);
    if (memo == NULL)
        return pby_no_memory(err);
    memo->source = source;
    memo->process = getpid();
    pby_status status = copy_spec(&memo->spec, spec, err);
    if (status == PBY_OK) {
        pby_rappor_of(&memo->rappor, &memo->spec->use[0].mechanism);
        status = check_user(user, err);
    }
    if (status == PBY_OK)
        status = read_memo(memo, path, user, err);
    if (status == PBY_OK)
        status = make_room(memo, err);
    if (status != PBY_OK) {
        pby_memo_close(memo);
        return status;
    }
    *out = memo;
    return PBY_OK;
}

pby_status pby_memo_open(pby_memo **out, const char *path, const pby_spec *spec, const char *user,
                         pby_error *err)
{
    pby_entropy *source;
    *out = NULL;
    pby_status status = pby_entropy_system(&source, err);
    if (status == PBY_OK)
        status = pby_memo_open_from(out, path, spec, user, source, err);
    if (status == PBY_OK)
        (*out)->owns_source = true;
    else
        pby_entropy_free(source);
    return status;
}

void pby_memo_close(pby_memo *memo)
{
    if (memo == NULL)
        return;
    const size_t size = memo->bits == NULL ? 0 : pby_rappor_words(&memo->rappor) * sizeof *memo->bits;
    if (size > 0)
        sodium_memzero(memo->bits, size);
    free(memo->bits);
    free(memo->text);
    pby_responder_clear(&memo->responder);
    if (memo->owns_source)
        pby_entropy_free(memo->source);
    if (memo->process == getpid())
        sqlite3_close(memo->db); /* in a child it would end a transaction of its parent */
    pby_spec_free(memo->spec);
    free(memo);
}

uint64_t pby_memo_cohort(const pby_memo *memo)
{
    return memo->cohort;
}

/* ---- reports ---------------------------------------------------------------------------------- */

/* The memo and the number of reports of a value in it. */
struct kept {
    pby_memo *memo;
    int64_t reports;
};

static pby_status read_kept(void *out, sqlite3_stmt *row, pby_error *err)
{
    struct kept *kept = out;
    const pby_memo *memo = kept->memo;
    const size_t size = pby_rappor_words(&memo->rappor) * sizeof *memo->bits;
    const void *bits = sqlite3_column_blob(row, 0);
    kept->reports = sqlite3_column_int64(row, 1);
    if (bits == NULL || (size_t)sqlite3_column_bytes(row, 0) != size || kept->reports < 1)
        return pby_memo_refuse(memo->db, "it is damaged", err);
    memcpy(memo->bits, bits, size);
    return PBY_OK;
}

static pby_status count_values(int64_t *out, pby_memo *memo, pby_error *err)
{
    return pby_memo_ask(memo->db, "SELECT count(*) FROM permanent", NULL, 0, NULL, read_number, out, err);
}

pby_status pby_memo_left(uint64_t *out, pby_memo *memo, pby_error *err)
{
    int64_t values = 0;
    pby_status status = pby_sole_process(memo->process, "memo", err);
    if (status == PBY_OK)
        status = count_values(&values, memo, err);
    *out = status == PBY_OK && values < memo->rappor.values ? (uint64_t)(memo->rappor.values - values) : 0;
    return status;
}

/* The permanent response of a value that the memo has not; memo->bits are those of the value on entry. */
static pby_status add_value(pby_memo *memo, const pby_bound *value, pby_error *err)
{
    uint64_t left;
    pby_status status = pby_memo_left(&left, memo, err);
    if (status == PBY_OK && left == 0)
        status = pby_fail_by(err, PBY_NO, PBY_REASON_BUDGET,
                             "the value (not shown): expected one of the memo's values, of which it has all "
                             "%lld that were paid for",
                             (long long)memo->rappor.values);
    if (status == PBY_OK)
        status =
            pby_responder_permanent(&memo->responder, memo->source, true, memo->bits, memo->bits, 1, err);
    const pby_bound row[] = {*value, {memo->bits, pby_rappor_words(&memo->rappor) * sizeof *memo->bits, 0}};
    return status == PBY_OK
               ? pby_memo_ask(memo->db, "INSERT INTO permanent (value, bits, reports) VALUES (?1, ?2, 1)",
                              row, 2, NULL, NULL, NULL, err)
               : status;
}

static pby_status count_report(pby_memo *memo, const pby_bound *value, int64_t reports, pby_error *err)
{
    if (memo->rappor.reports > 0 && reports >= memo->rappor.reports)
        return pby_fail_by(err, PBY_NO, PBY_REASON_BUDGET,
                           "the value (not shown): expected one that was reported fewer than %lld times",
                           (long long)memo->rappor.reports);
    return pby_memo_ask(memo->db, "UPDATE permanent SET reports = reports + 1 WHERE value = ?1", value, 1,
                        NULL, NULL, NULL, err);
}

/* A name that is added or taken away while the memo is open would part the responses from their journal. */
static pby_status check_place(const pby_memo *memo, pby_error *err)
{
    int moved = 0;
    const pby_status status = pby_sole_process(memo->process, "memo", err);
    if (status != PBY_OK)
        return status;
    const char *path = sqlite3_db_filename(memo->db, "main");
    if (sqlite3_file_control(memo->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0)
        return pby_refuse(err, "memo", path, "the file that was opened, but another has its name");
    return pby_sole_check("memo", path, err);
}

/* Inside a transaction: leaves the report in memo->bits. */
static pby_status report(pby_memo *memo, const pby_bound *value, pby_error *err)
{
    struct kept kept = {memo, 0};
    bool found = false;
    pby_status status = pby_memo_ask(memo->db, "SELECT bits, reports FROM permanent WHERE value = ?1", value,
                                     1, &found, read_kept, &kept, err);
    if (status == PBY_OK)
        status = found ? count_report(memo, value, kept.reports, err) : add_value(memo, value, err);
    if (status == PBY_OK)
        status = pby_memo_seal(memo->db, err);
    return status == PBY_OK
               ? pby_responder_report(&memo->responder, memo->source, true, memo->bits, memo->bits, 1, err)
               : status;
}

pby_status pby_memo_report(char **out, pby_memo *memo, const char *value, size_t length, pby_error *err)
{
    const pby_bound bound = {value, length, 0};
    pby_error later = PBY_NO_ERROR;
    *out = NULL;
    pby_status status = pby_rappor_encode(memo->bits, &memo->rappor, memo->cohort, value, length, err);
    if (status == PBY_OK)
        status = check_place(memo, err);
    if (status == PBY_OK)
        status = pby_memo_run(memo->db, "BEGIN IMMEDIATE", err);
    if (status != PBY_OK)
        return status;
    status = pby_memo_enter(memo->db, err);
    if (status == PBY_OK)
        status = report(memo, &bound, err);
    if (status == PBY_OK)
        status = pby_memo_run(memo->db, "COMMIT", err);
    if (status != PBY_OK && pby_memo_run(memo->db, "ROLLBACK", &later) != PBY_OK)
        return status; /* SQLite has rolled it back already */
    if (status == PBY_OK) {
        pby_rappor_text(memo->text, &memo->rappor, memo->cohort, memo->bits);
        *out = strdup(memo->text);
    }
    return status == PBY_OK && *out == NULL ? pby_no_memory(err) : status;
}

/* ---- values of a file ------------------------------------------------------------------------- */

static pby_status report_values(pby_memo *memo, pby_memo_values *values, pby_memo_told *told, void *what,
                                pby_error *err)
{
    pby_status status = PBY_OK;
    const char *value;
    size_t length;
    while (status == PBY_OK && pby_memo_values_next(&value, &length, values)) {
        pby_error why = PBY_NO_ERROR;
        char *report;
        status = pby_memo_report(&report, memo, value, length, &why);
        status = status == PBY_OK ? told(what, report, err) : pby_memo_values_refuse(values, &why, err);
        free(report);
    }
    return status;
}

pby_status pby_memo_report_lines(pby_memo *memo, const char *path, pby_memo_told *told, void *what,
                                 pby_error *err)
{
    pby_memo_values values;
    pby_status status = pby_memo_values_read(&values, path, err);
    if (status == PBY_OK)
        status = pby_memo_values_check(&values, &memo->rappor, err);
    if (status == PBY_OK)
        status = report_values(memo, &values, told, what, err);
    pby_memo_values_clear(&values);
    return status;
}
