/* SPDX-License-Identifier: MIT */
/* The entries of a ledger as a table: an object of JSON on each line, or CSV. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/printed.h"
#include "certificate/ledger/ledger.h"
#include "certificate/ledger/mode.h"

struct list {
    FILE *out;
    pby_ledger_form form;
    const char *charge;
};

static void put_field(FILE *out, const char *text, const char *end)
{
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted)
        fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputs(quoted ? "\"" : "", out);
    fputs(end, out);
}

static void put_csv(FILE *out, const pby_ledger_entry *e, const char *digest)
{
    fprintf(out, "%lld,", e->number);
    put_field(out, e->at, ",");
    put_field(out, e->spec, ",");
    put_field(out, e->part, ",");
    put_field(out, e->epsilon, ",");
    put_field(out, e->delta, ",");
    put_field(out, e->spender, ",");
    put_field(out, digest, "\n");
}

static const char *or_null(const char *text)
{
    return text[0] == '\0' ? NULL : text;
}

static pby_status put_json(const struct list *l, const pby_ledger_entry *e, const char *digest,
                           pby_error *err)
{
    char *text = pby_json_text(json_pack("{s:I, s:s, s:s, s:s*, s:s*, s:s*, s:s*, s:s}", "number",
                                         (json_int_t)e->number, "at", e->at, "spec", e->spec, "part",
                                         or_null(e->part), l->charge, or_null(e->epsilon), "delta",
                                         or_null(e->delta), "spender", or_null(e->spender), "digest", digest),
                               JSON_COMPACT);
    if (text == NULL)
        return pby_no_memory(err);
    fprintf(l->out, "%s\n", text);
    free(text);
    return PBY_OK;
}

/* The spec of a copied entry has its part behind it; the table has them apart. */
static pby_status put_entry(const pby_ledger_entry *kept, const pby_chain *chain, void *what, pby_error *err)
{
    const struct list *l = what;
    pby_ledger_entry e = *kept;
    char *spec = strndup(kept->spec, pby_terms_split(&e.part, kept->spec));
    pby_status status = spec == NULL ? pby_no_memory(err) : PBY_OK;
    e.spec = spec;
    if (status == PBY_OK && l->form == PBY_LEDGER_CSV)
        put_csv(l->out, &e, chain->digest);
    else if (status == PBY_OK)
        status = put_json(l, &e, chain->digest, err);
    free(spec);
    return status;
}

pby_status pby_ledger_list(char **text, pby_ledger *ledger, pby_ledger_form form, pby_error *err)
{
    pby_printed printed;
    *text = NULL;
    struct list l = {pby_printed_begin(&printed), form, pby_mode_charge(pby_ledger_filter(ledger))};
    if (l.out == NULL)
        return pby_no_memory(err);
    if (form == PBY_LEDGER_CSV)
        fprintf(l.out, "number,at,spec,part,%s,delta,spender,digest\n", l.charge);
    const pby_status status = pby_store_copy(NULL, ledger, put_entry, &l, err);
    return pby_printed_end(text, &printed, status, err);
}
