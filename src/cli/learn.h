/* learn.h - `lpmln learn`. */
#ifndef CLI_LEARN_H
#define CLI_LEARN_H

#include "cli/options.h"

lpmln_status learn(lpmln *, const Settings *, FILE *out);

#endif
