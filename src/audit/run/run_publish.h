/* SPDX-License-Identifier: MIT */
/* The outputs of an audit: the verdict as an object, and files. */
#ifndef PBY_AUDIT_RUN_RUN_PUBLISH_H
#define PBY_AUDIT_RUN_RUN_PUBLISH_H

#include "audit/run/audit_run.h"

/* The verdict as a JSON object; `looks` is left out when it is 0, and *out is for json_decref. */
PBY_CHECKED
pby_status pby_audit_object(json_t **out, const pby_verdict *verdict, uint64_t looks, pby_error *err);

/* Makes a page about something, for free(3). */
typedef pby_status pby_page_maker(char **page, const void *what, const pby_report *about, pby_error *err);

/* Writes the report, if one is asked for: a page with what the request says of the audit. */
PBY_CHECKED
pby_status pby_audit_publish(const pby_audit_request *r, pby_page_maker *make, const void *what,
                             pby_error *err);
PBY_CHECKED
pby_status pby_audit_report(const pby_audit_request *r, const pby_verdict *verdict, pby_error *err);

/* Where the outputs of a side are kept, for free(3); *path is NULL where they are not. */
PBY_CHECKED
pby_status pby_audit_keep_path(char **path, const pby_audit_request *r, int side, pby_error *err);

/* Where running times are kept, alike. */
PBY_CHECKED
pby_status pby_audit_times_path(char **path, const pby_audit_request *r, pby_error *err);

/* Writes the verdict to the folder where the outputs are kept, if they are. */
PBY_CHECKED
pby_status pby_audit_keep_verdict(const pby_audit_request *r, const json_t *verdict, pby_error *err);

/* Writes the text file that an option names, whole or not at all. */
PBY_CHECKED
pby_status pby_audit_save(const char *option, const char *path, const char *text, pby_error *err);

/* Checks before the long work that pby_audit_save could write the file; path NULL passes. */
PBY_CHECKED
pby_status pby_audit_can_save(const char *option, const char *path, pby_error *err);

#endif
