/* SPDX-License-Identifier: MIT */
/* JSON as a tree of TOML, so that one reader serves both. */
#ifndef PBY_PLAN_TOML_JSON_H
#define PBY_PLAN_TOML_JSON_H

#include <jansson.h>

#include "plan/toml.h"

/* An object; nulls, reals and what is nested deeper than 8 are refused, by the name. For pby_toml_free. */
PBY_CHECKED
pby_status pby_toml_of_json(pby_toml **out, const json_t *json, const char *name, pby_error *err);

#endif
