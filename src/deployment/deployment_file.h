/* SPDX-License-Identifier: MIT */
/* The deployment in a file that the command line names. */
#ifndef PBY_DEPLOYMENT_DEPLOYMENT_FILE_H
#define PBY_DEPLOYMENT_DEPLOYMENT_FILE_H

#include "deployment/deployment.h"

/* Standard input where the path is NULL. */
PBY_CHECKED
pby_status pby_deployment_file(pby_deployment **out, const char *path, pby_error *err);

#endif
