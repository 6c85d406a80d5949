/* SPDX-License-Identifier: MIT */
#include "release/pipeline.h"

bool pby_pipeline_object(const pby_pipeline *p)
{
    return p->json && p->out == NULL;
}

bool pby_pipeline_has_records(const pby_pipeline *p)
{
    return p->table != NULL && pby_table_contributions(p->table) > 0;
}

size_t pby_pipeline_key_columns(const pby_pipeline *p)
{
    if (p->table != NULL)
        return pby_table_key_columns(p->table);
    return p->keys == NULL ? 1 : p->keys->count;
}

const char *pby_pipeline_map_name(const pby_pipeline *p)
{
    return p->group != NULL ? pby_argument_name(p->names, PBY_ARG_GROUP)
                            : pby_argument_name(p->names, PBY_ARG_FILTER);
}
