/* unit.h - what every unit test includes: cmocka, in the order it wants.
** Tests run without a memory guard: running out of memory aborts them. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

#endif
