/* The memo of one client: a database of one row about itself, and one for each value.
 *
 * A report is one transaction. The permanent response of a new value, and the count of its reports, are
 * committed before the report is handed out: a process that is killed loses at most a report that nobody has
 * seen. */
#include "session/memo.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"
#include "mechanism/rappor/respond.h"
#include "session/database.h"
#include "session/values.h"

enum { APPLICATION = 0x70624d31, VERSION = 1 }; /* pbM1 */

struct pby_memo {
    sqlite3 *db;
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

static pby_status fill(const char *path, const pby_spec *spec, const char *user, uint64_t cohort,
                       pby_error *err)
{
    sqlite3 *db;
    const pby_bound about[] = {of_text(pby_spec_text(spec)), of_text(user), of_number((int64_t)cohort)};
    pby_status status = pby_memo_database(&db, path, err);
    if (status != PBY_OK)
        return status;
    status = pby_memo_run(db,
                          "BEGIN IMMEDIATE;"
                          "PRAGMA application_id = 0x70624d31; PRAGMA user_version = 1;"
                          "CREATE TABLE memo (id INTEGER PRIMARY KEY CHECK (id = 1), spec BLOB NOT NULL,"
                          " user BLOB NOT NULL, cohort INTEGER NOT NULL);"
                          "CREATE TABLE permanent (value BLOB PRIMARY KEY NOT NULL, bits BLOB NOT NULL,"
                          " reports INTEGER NOT NULL) WITHOUT ROWID;",
                          err);
    if (status == PBY_OK)
        status = pby_memo_ask(db, "INSERT INTO memo (id, spec, user, cohort) VALUES (1, ?1, ?2, ?3)", about,
                              3, NULL, NULL, NULL, err);
    if (status == PBY_OK)
        status = pby_memo_run(db, "COMMIT", err);
    sqlite3_close(db);
    return status;
}

static pby_status refuse_path(const char *path, int error, pby_error *err)
{
    char expected[PBY_ERROR_SIZE];
    snprintf(expected, sizeof expected, "a file that can be made, but: %s", strerror(error));
    return pby_refuse(err, "memo", path, expected);
}

/* Fills the draft, pays, and gives it its name. */
static pby_status publish(const char *draft, const char *path, const pby_spec *spec, const char *user,
                          uint64_t cohort, pby_ledger *ledger, pby_error *err)
{
    struct stat there;
    pby_status status = lstat(path, &there) == 0 ? refuse_path(path, EEXIST, err) : PBY_OK;
    if (status == PBY_OK)
        status = fill(draft, spec, user, cohort, err);
    if (status == PBY_OK && ledger != NULL)
        status = pby_ledger_spend(ledger, spec, NULL, err);
    if (status == PBY_OK && link(draft, path) != 0)
        status = refuse_path(path, errno, err);
    return status;
}

static pby_status create(const char *path, const pby_spec *spec, const char *user, uint64_t cohort,
                         pby_ledger *ledger, pby_error *err)
{
    char *draft = NULL;
    if (asprintf(&draft, "%s.XXXXXX", path) < 0)
        return pby_no_memory(err);
    const int fd = mkostemp(draft, O_CLOEXEC); /* mode 0600 */
    pby_status status = fd < 0 ? refuse_path(path, errno, err) : PBY_OK;
    if (fd >= 0) {
        close(fd);
        status = publish(draft, path, spec, user, cohort, ledger, err);
        unlink(draft);
    }
    free(draft);
    if (status == PBY_OK && !pby_file_sync_folder(path))
        status = pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "memo: %s", strerror(errno));
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

static pby_status check_file(const char *path, pby_error *err)
{
    struct stat file;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return pby_refuse(err, "memo", path,
                          "a memo that probity report --new made: nothing is reported without one");
    return (file.st_mode & 077) == 0
               ? PBY_OK
               : pby_refuse(err, "memo", path, "a file that only its owner may read and write (mode 0600)");
}

static pby_status read_number(void *out, sqlite3_stmt *row, pby_error *err)
{
    (void)err;
    *(int64_t *)out = sqlite3_column_int64(row, 0);
    return PBY_OK;
}

static pby_status check_kind(sqlite3 *db, pby_error *err)
{
    int64_t application = 0, version = 0;
    pby_status status =
        pby_memo_ask(db, "PRAGMA application_id", NULL, 0, NULL, read_number, &application, err);
    if (status == PBY_OK)
        status = pby_memo_ask(db, "PRAGMA user_version", NULL, 0, NULL, read_number, &version, err);
    if (status == PBY_OK && (application != APPLICATION || version != VERSION))
        status = pby_memo_refuse(db, "it is another kind of file, or of another version", err);
    return status;
}

static pby_status read_check(void *out, sqlite3_stmt *row, pby_error *err)
{
    const unsigned char *text = sqlite3_column_text(row, 0);
    return text != NULL && strcmp((const char *)text, "ok") == 0 ? PBY_OK
                                                                 : pby_memo_refuse(out, "it is damaged", err);
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
    pby_status status = check_file(path, err);
    if (status == PBY_OK)
        status = pby_memo_database(&memo->db, path, err);
    if (status == PBY_OK)
        status = check_kind(memo->db, err);
    if (status == PBY_OK)
        status = pby_memo_ask(memo->db, "PRAGMA quick_check(1)", NULL, 0, NULL, read_check, memo->db, err);
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
    sqlite3_close(memo->db);
    pby_spec_free(memo->spec);
    free(memo);
}

uint64_t pby_memo_cohort(const pby_memo *memo)
{
    return memo->cohort;
}

/* ---- reports ---------------------------------------------------------------------------------- */

/* What the memo has of a value. */
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
    const pby_status status = count_values(&values, memo, err);
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

/* Inside a transaction: leaves the report in memo->bits. */
static pby_status report(pby_memo *memo, const pby_bound *value, pby_error *err)
{
    struct kept kept = {memo, 0};
    bool found = false;
    pby_status status = pby_memo_ask(memo->db, "SELECT bits, reports FROM permanent WHERE value = ?1", value,
                                     1, &found, read_kept, &kept, err);
    if (status == PBY_OK)
        status = found ? count_report(memo, value, kept.reports, err) : add_value(memo, value, err);
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
        status = pby_memo_run(memo->db, "BEGIN IMMEDIATE", err);
    if (status != PBY_OK)
        return status;
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
