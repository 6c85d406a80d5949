/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/kept_sums.h"
#include "base/printed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 24 };

static const char period_key[] = "period ", sums_key[] = "sums ", spec_key[] = "spec ", part_key[] = "part ";

static void seal(char out[PBY_CHAIN_SIZE], const pby_kept_sums *sums, const pby_chain *begin)
{
    char number[NUMBER_SIZE];
    pby_chain hash;
    snprintf(number, sizeof number, "%lld", sums->chain.entries);
    const char *const texts[] = {begin->digest, number, sums->chain.digest, sums->text};
    pby_chain_begin(&hash, texts, sizeof texts / sizeof *texts);
    memcpy(out, hash.digest, PBY_CHAIN_SIZE);
}

/* ---- writing ------------------------------------------------------------------------------------ */

static void write_tally(FILE *out, const pby_ledger_tally *t, bool exact)
{
    char *bound = mpq_get_str(NULL, 10, t->bound), *delta = mpq_get_str(NULL, 10, t->delta);
    if (t->part != NULL)
        fprintf(out, "%s%s\n", part_key, t->part);
    fprintf(out, "%s%s %s\n", sums_key, bound, delta);
    for (size_t i = 0; i < t->items; i++)
        if (exact || t->item[i].sized)
            fprintf(out, "%s%llu %s\n", spec_key, (unsigned long long)t->item[i].count,
                    pby_spec_text(t->item[i].spec));
    free(delta);
    free(bound);
}

pby_status pby_sums_write(pby_kept_sums *out, const pby_totals *t, bool exact, const pby_chain *begin,
                          pby_error *err)
{
    pby_printed printed;
    *out = (pby_kept_sums){.chain = t->chain};
    FILE *text = pby_printed_begin(&printed);
    if (text == NULL)
        return pby_no_memory(err);
    if (t->chain.entries > 0) {
        fprintf(text, "%s%lld\n", period_key, t->period);
        write_tally(text, &t->all, exact);
        for (size_t i = 0; i < t->parts; i++)
            write_tally(text, &t->part[i], exact);
    }
    PBY_TRY(pby_printed_end(&out->text, &printed, PBY_OK, err));
    seal(out->seal, out, begin);
    return PBY_OK;
}

/* ---- reading ------------------------------------------------------------------------------------ */

bool pby_sums_are_sealed(const pby_kept_sums *sums, const pby_chain *begin)
{
    char right[PBY_CHAIN_SIZE];
    seal(right, sums, begin);
    return strcmp(right, sums->seal) == 0;
}

static const char *behind(const char *line, const char *key)
{
    const size_t length = strlen(key);
    return strncmp(line, key, length) == 0 ? line + length : NULL;
}

static pby_status refuse(const char *line, pby_error *err)
{
    return pby_refuse(err, "ledger sums", line, "sums as probity ledger keeps them");
}

/* The words of a line before and behind its first space. */
static bool split(char **second, char *words)
{
    char *space = strchr(words, ' ');
    if (space == NULL)
        return false;
    *space = '\0';
    *second = space + 1;
    return true;
}

static pby_status read_line(pby_totals *t, const char **part, char *line, pby_error *err)
{
    char *end, *second;
    const char *period = behind(line, period_key), *name = behind(line, part_key);
    const char *sums = behind(line, sums_key), *spec = behind(line, spec_key);
    if (period != NULL) {
        const long long number = strtoll(period, &end, 10);
        if (end == period || *end != '\0')
            return refuse(line, err);
        pby_totals_begin(t, number);
        return PBY_OK;
    }
    if (name != NULL) {
        *part = name;
        return PBY_OK;
    }
    char *words = line + strlen(sums_key); /* as long as the other key */
    if ((sums == NULL && spec == NULL) || !split(&second, words))
        return refuse(line, err);
    if (sums != NULL)
        return pby_totals_put(t, *part, words, second, err);
    const unsigned long long count = strtoull(words, &end, 10);
    return *end != '\0' || count == 0 ? refuse(line, err) : pby_totals_count(t, *part, second, count, err);
}

pby_status pby_sums_read(pby_totals *t, const pby_kept_sums *sums, pby_error *err)
{
    char *copy = strdup(sums->text), *rest = NULL;
    const char *part = "";
    pby_status status = copy == NULL ? pby_no_memory(err) : PBY_OK;
    t->period = LLONG_MIN;
    for (char *line = copy == NULL ? NULL : strtok_r(copy, "\n", &rest); line != NULL && status == PBY_OK;
         line = strtok_r(NULL, "\n", &rest))
        status = read_line(t, &part, line, err);
    free(copy);
    t->chain = sums->chain;
    return status;
}
