/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_run.h"

#include <stdlib.h>
#include <string.h>

const char *const pby_trace_law_name[PBY_TRACE_LAWS] = {"laplace", "gauss",  "geometric", "dgauss",
                                                        "other",   "choice", "guarantee"};

static void noise_clear(pby_trace_noise *n)
{
    pby_trace_numbers_free(n->scale, n->scales);
    pby_trace_numbers_free(n->own, n->count);
    pby_trace_numbers_free(n->p, n->labels_count);
    for (size_t i = 0; i < n->labels_count && n->labels != NULL; i++)
        free(n->labels[i]);
    free(n->labels);
    pby_trace_number_clear(&n->declared);
    free(n->site);
    free(n->shape);
    free(n->spec);
}

static void sum_clear(pby_trace_sum *s)
{
    pby_trace_number_clear(&s->factor);
    pby_trace_number_clear(&s->centre);
    pby_trace_number_clear(&s->value);
}

static void output_clear(pby_trace_output *o)
{
    pby_trace_number_clear(&o->value);
    pby_trace_number_clear(&o->a);
    pby_trace_number_clear(&o->b);
    free(o->path);
    free(o->text);
}

static void clear_small(pby_trace_run *run)
{
    for (size_t i = 0; i < run->opens_count; i++) {
        free(run->opens[i].site);
        free(run->opens[i].by);
    }
    for (size_t i = 0; i < run->seeds_count; i++)
        free(run->seeds[i].site);
    for (size_t i = 0; i < run->sites_count; i++)
        free(run->sites[i]);
    free(run->opens);
    free(run->seeds);
    free(run->sites);
    free(run->events);
    free(run->error);
}

void pby_trace_run_clear(pby_trace_run *run)
{
    for (size_t i = 0; i < run->noise_count; i++)
        noise_clear(&run->noise[i]);
    for (size_t i = 0; i < run->sums_count; i++)
        sum_clear(&run->sums[i]);
    for (size_t i = 0; i < run->outputs_count; i++)
        output_clear(&run->outputs[i]);
    free(run->noise);
    free(run->sums);
    free(run->outputs);
    clear_small(run);
    *run = (pby_trace_run){.number = 0};
}

const pby_trace_number *pby_trace_scale(const pby_trace_noise *noise, size_t element)
{
    return &noise->scale[noise->scales == 1 ? 0 : element];
}

bool pby_trace_same_value(const pby_trace_output *x, const pby_trace_output *y)
{
    if (x->text != NULL || y->text != NULL)
        return x->text != NULL && y->text != NULL && strcmp(x->text, y->text) == 0;
    if (pby_trace_number_finite(&x->value) && pby_trace_number_finite(&y->value))
        return pby_trace_close(x->value.q, y->value.q);
    return pby_trace_number_equal(&x->value, &y->value);
}
