/* memory.h - allocation that never returns NULL, vectors, text.
**
** A failed allocation jumps to the innermost memory_guard of the same thread
** (every public function sets one), so the code in between needs no checks.
** What must survive such a jump hangs on the caller's handle; temporaries of
** the interrupted call are lost, which is the price of running out of memory.
** No libclingo frame is ever jumped over: libclingo lives in another process. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void *memory_resize(void *old, size_t count, size_t size); /* realloc */
void *memory_zero(size_t count, size_t size);              /* calloc */
char *memory_copy(const char *text, size_t length);        /* ends in NUL */

_Noreturn void memory_fail(void); /* as if an allocation had failed */
void *memory_have(void *block);   /* of another allocator: NULL is a failure */

/* Guards nest: the macro's value is 0 first and nonzero after a failure.
**   MemoryGuard guard;
**   if (memory_guard(&guard)) status = LIMIT; else status = work();
**   memory_unguard(&guard); */
typedef struct MemoryGuard {
  jmp_buf jump;
  struct MemoryGuard *outer;
} MemoryGuard;

#define memory_guard(guard) (memory_guard_enter(guard), setjmp((guard)->jump))
void memory_guard_enter(MemoryGuard *);
void memory_unguard(MemoryGuard *);

/* A growing array; {0} is empty.  Elements move when it grows: keep indices. */
#define VEC(T)      \
  struct {          \
    T *at;          \
    size_t n, room; \
  }

void *memory_grow(void *old, size_t *room, size_t need, size_t size)
    __attribute__((returns_nonnull));

#define vec_reserve(v, more)    \
  ((v)->n + (more) <= (v)->room \
       ? (void)0                \
       : (void)((v)->at = memory_grow((v)->at, &(v)->room, (v)->n + (more), sizeof *(v)->at)))
/* The element counts when it is there: making it may run out of memory. */
#define vec_push(v, ...) \
  (vec_reserve(v, 1), (void)((v)->at[(v)->n] = (__VA_ARGS__)), (void)(v)->n++)
#define vec_free(v) (free((v)->at), (v)->at = NULL, (v)->n = (v)->room = 0)

/* Text under construction; at[n] is NUL once anything was written. */
typedef VEC(char) Text;

void text_add(Text *, const char *bytes, size_t length);
void text_puts(Text *, const char *string);
void text_printf(Text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(Text *, const char *format, va_list) __attribute__((format(printf, 2, 0)));
char *text_take(Text *); /* the caller frees; the text is empty again */

#endif
