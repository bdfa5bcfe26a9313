/* sanitized.h - SANITIZED is defined in builds whose sanitizer takes most addresses for itself
** and opens files of its own: limits of addresses and of system calls are not for them. */
#ifndef BASE_SANITIZED_H
#define BASE_SANITIZED_H

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#endif
