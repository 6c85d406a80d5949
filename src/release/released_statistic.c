/* SPDX-License-Identifier: MIT */
#include "release/released_statistic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "mechanism/run/noise_bars.h"
#include "number/exact.h"
#include "number/scoped.h"
#include "table/answer/answer.h"
#include "table/answer/bars.h"

static pby_status write_json(const pby_statistic *statistic, const pby_bars *bars, pby_spool *spool,
                             pby_error *err)
{
    json_t *value;
    pby_status status = pby_stat_json(&value, statistic, bars, err);
    if (status != PBY_OK)
        return status;
    char *text = pby_json_text(value, JSON_ENCODE_ANY);
    status = text == NULL ? pby_no_memory(err) : pby_spool_write(spool, text, strlen(text), err);
    free(text);
    return status;
}

static pby_status write_text(const pby_statistic *statistic, const pby_bars *bars, pby_spool *spool,
                             pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return pby_no_memory(err);
    pby_status status = pby_stat_print(out, statistic, bars, err);
    if (fclose(out) != 0 && status == PBY_OK)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = pby_spool_write(spool, text, size, err);
    free(text);
    return status;
}

/* The answer behind a last step, in quotes as JSON has it. */
static pby_status write_last(const pby_statistic *statistic, const pby_bars *bars, pby_release *release,
                             pby_spool *spool, bool json, pby_error *err)
{
    bool none = false;
    char *text = NULL;
    PBY_MPQ(number);
    pby_status status = pby_stat_number(number, &none, statistic, bars, err);
    if (status == PBY_OK && !none)
        status = pby_release_take_last(number, release, number, err);
    if (status == PBY_OK) {
        text = none ? strdup(json ? "null" : "none") : pby_exact_text(number);
        status = text == NULL ? pby_no_memory(err) : PBY_OK;
    }
    if (status == PBY_OK && json && !none)
        status = pby_spool_write(spool, "\"", 1, err);
    if (status == PBY_OK)
        status = pby_spool_write(spool, text, strlen(text), err);
    if (status == PBY_OK && (!json || !none))
        status = pby_spool_write(spool, json ? "\"" : "\n", 1, err);
    free(text);
    return status;
}

/* The keys that passed are known only now: where they are hidden, this refusal comes behind the charge. */
static pby_status learn_order(const pby_pipeline *p, const pby_key_kinds *kinds, pby_error *err)
{
    if (p->learned != NULL) {
        p->learned->numbers = pby_key_kinds_numbers(kinds);
        p->learned->mixed = pby_stat_mixed(p->statistic, kinds);
    }
    return pby_stat_order(p->statistic, kinds, err);
}

static pby_status write_bars(pby_spool *spool, const pby_pipeline *p, pby_release *release,
                             const pby_bars *bars, pby_error *err)
{
    const bool json = pby_pipeline_object(p);
    PBY_TRY(learn_order(p, &bars->kinds, err));
    if (pby_release_has_last(release))
        return write_last(p->statistic, bars, release, spool, json, err);
    return json ? write_json(p->statistic, bars, spool, err) : write_text(p->statistic, bars, spool, err);
}

pby_status pby_released_statistic(pby_spool *spool, const pby_pipeline *p, pby_release *release,
                                  pby_store *released, pby_error *err)
{
    pby_bars bars = {.count = 0};
    pby_status status = pby_bars_of(&bars, released, err);
    if (status == PBY_OK)
        status = write_bars(spool, p, release, &bars, err);
    pby_bars_clear(&bars);
    return status;
}
