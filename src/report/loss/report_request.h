/* SPDX-License-Identifier: MIT */
/* Prints a question about loss. */
#ifndef PBY_REPORT_LOSS_REPORT_REQUEST_H
#define PBY_REPORT_LOSS_REPORT_REQUEST_H

#include "loss/loss_request.h"
#include "report/sheet.h"

/* Prints the lines beside every answer: mechanism and neighbours, and group, conversion and width where there
 * are such. */
void pby_request_tell(pby_sheet *s, const pby_request *r);

/* Prints a number as it was given, or `missing` where none was. */
void pby_request_tell_number(pby_sheet *s, const char *name, const pby_value *number, const char *missing);

/* The sentence about an answer that stays wider than asked for. */
const char *pby_request_wider(const pby_request *r);

#endif
