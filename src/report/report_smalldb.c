/* SPDX-License-Identifier: MIT */
/* Prints the size of a small database for an error, and the error of its release. No data are read. */
#include "accuracy/smalldb_size.h"
#include "mechanism/family.h"
#include "number/integer.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/reports.h"
#include "probity/rational.h"
#include "release/databases.h"
#include "report/sheet.h"

/* ---- what was asked ---------------------------------------------------------------------------- */

static pby_status read_part(fmpq_t out, const char *name, const char *text, bool whole, pby_error *err)
{
    PBY_MPQ(x);
    PBY_TRY(pby_rational_parse(x, name, text, err));
    if (mpq_sgn(x) <= 0 || mpq_cmp_ui(x, 1, 1) > 0 || (!whole && mpq_cmp_ui(x, 1, 1) == 0))
        return pby_refuse_mpq(err, name, x,
                              whole ? "a rational above 0 and up to 1" : "a rational above 0 and below 1");
    fmpq_set_mpq(out, x);
    return PBY_OK;
}

static pby_status read_error(pby_smalldb *x, const pby_smalldb_asked *asked, pby_error *err)
{
    unsigned long records = 0;
    if ((asked->records == NULL) != (asked->beta == NULL))
        return pby_fail(err, PBY_BAD,
                        "smalldb: expected records and beta, or neither: the error depends on both");
    if (asked->records == NULL)
        return PBY_OK;
    PBY_TRY(pby_integer_parse(&records, "records", asked->records, 1, INT64_MAX, 1, err));
    x->records = records;
    return read_part(x->beta, "beta", asked->beta, false, err);
}

/* A text that is complete without alpha has a size of its own. */
static pby_status refuse_sized(const pby_smalldb_asked *asked, pby_error *err)
{
    pby_spec *sized = NULL;
    pby_error ignored;
    const pby_status status = pby_databases_spec(&sized, asked->spec, asked->queries, "queries", 0, &ignored);
    pby_spec_free(sized);
    return status != PBY_OK
               ? PBY_OK
               : pby_refuse(err, "SPEC", asked->spec, "one without a size, which follows from alpha");
}

/* The spec gets the size and the digest of the table. */
static pby_status complete(pby_smalldb *x, pby_spec **spec, const pby_smalldb_asked *asked,
                           const pby_queries *q, pby_error *err)
{
    x->kinds = pby_names_count(q->kinds);
    x->queries = q->count;
    PBY_TRY(refuse_sized(asked, err));
    PBY_TRY(read_part(x->alpha, "alpha", asked->alpha, true, err));
    PBY_TRY(read_error(x, asked, err));
    PBY_TRY(pby_smalldb_size(&x->size, x->queries, x->alpha, err));
    PBY_TRY(pby_databases_spec(spec, asked->spec, asked->queries, "queries", x->size, err));
    const pby_mechanism *m = &(*spec)->use[0].mechanism;
    PBY_TRY(pby_databases_spread(m, q, err));
    m->family->rate(x->rate, m);
    return PBY_OK;
}

/* ---- what is told ------------------------------------------------------------------------------ */

static void write_count(pby_sheet *s, const pby_smalldb *x)
{
    const uint64_t count = pby_databases_count(x->kinds, x->size);
    if (count != 0) {
        pby_sheet_number(s, "databases", "databases", count);
        return;
    }
    pby_sheet_line(s, "databases",
                   "more than %d: none of this size is released here; a larger alpha has fewer",
                   PBY_DATABASES_MAX);
    pby_sheet_member(s, "databases", json_null());
}

static pby_status write_size(pby_sheet *s, const pby_smalldb *x, unsigned digits, pby_error *err)
{
    pby_enclosure printed;
    pby_enclosure_init(&printed);
    const pby_status status = pby_smalldb_printed_size(&printed, x->queries, x->alpha, digits, err);
    if (status == PBY_OK) {
        pby_sheet_line(s, "size", "%llu  the least with 2 |Q| exp(-2 size alpha^2) < 1",
                       (unsigned long long)x->size);
        pby_sheet_member(s, "size", json_integer((json_int_t)x->size));
        pby_sheet_enclosure(s, "  printed", "printed_size", &printed, digits,
                            "log|Q|/alpha^2, Survey/Algorithm 8: no whole number");
        write_count(s, x);
    }
    pby_enclosure_clear(&printed);
    return status;
}

static pby_status write_error(pby_sheet *s, const pby_smalldb *x, unsigned digits, pby_error *err)
{
    static const struct {
        const char *name, *key, *note;
    } rows[PBY_SMALLDB_BOUNDS] = {
        {"error", "error", "alpha + log((N - 1)(1 - beta)/beta)/(rate n), N databases"},
        {"  corrected", "corrected",
         "alpha + log(N/beta)/(rate n), Survey/Theorem 6.11 with this size and N"},
        {"  printed", "printed",
         "alpha + (log|chi| log|Q|/alpha^2 + log(1/beta))/(rate n), Survey/Theorem 6.11"},
    };
    PBY_MPQ(number);
    pby_enclosure error;
    pby_enclosure_init(&error);
    fmpq_get_mpq(number, x->rate);
    pby_sheet_exact(s, "rate", "rate", number);
    pby_sheet_number(s, "records", "records", x->records);
    fmpq_get_mpq(number, x->beta);
    pby_sheet_exact(s, "beta", "beta", number);
    pby_sheet_line(s, "promise",
                   "the worst average answer is off by at most the error, but for a chance of beta");
    pby_status status = PBY_OK;
    for (int b = 0; b < PBY_SMALLDB_BOUNDS && status == PBY_OK; b++) {
        status = pby_smalldb_error(&error, x, (pby_smalldb_bound)b, digits, err);
        if (status == PBY_OK)
            pby_sheet_enclosure(s, rows[b].name, rows[b].key, &error, digits, rows[b].note);
    }
    pby_enclosure_clear(&error);
    return status;
}

static pby_status write_all(pby_sheet *s, const pby_smalldb *x, const pby_spec *spec, unsigned digits,
                            pby_error *err)
{
    PBY_MPQ(alpha);
    fmpq_get_mpq(alpha, x->alpha);
    pby_sheet_text(s, "mechanism", "spec", pby_spec_text(spec));
    pby_sheet_number(s, "kinds", "kinds", x->kinds);
    pby_sheet_number(s, "queries", "queries", x->queries);
    pby_sheet_exact(s, "alpha", "alpha", alpha);
    PBY_TRY(write_size(s, x, digits, err));
    return x->records == 0 ? PBY_OK : write_error(s, x, digits, err);
}

pby_status pby_report_smalldb(char **text, const pby_smalldb_asked *asked, pby_report_form form,
                              pby_error *err)
{
    pby_smalldb x = {.records = 0};
    pby_queries *q = NULL;
    pby_spec *spec = NULL;
    pby_sheet s;
    fmpq_init(x.alpha);
    fmpq_init(x.rate);
    fmpq_init(x.beta);
    pby_sheet_begin(&s, form);
    pby_status status = pby_queries_read(&q, asked->queries, err);
    if (status == PBY_OK)
        status = complete(&x, &spec, asked, q, err);
    if (status == PBY_OK)
        status = write_all(&s, &x, spec, PBY_DIGITS_DEFAULT, err);
    pby_spec_free(spec);
    pby_queries_free(q);
    fmpq_clear(x.beta);
    fmpq_clear(x.rate);
    fmpq_clear(x.alpha);
    return pby_sheet_end(text, &s, status, err);
}
