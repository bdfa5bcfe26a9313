/* client.c - see client.h. */
#include "solver/client.h"

#include "base/status.h"
#include "solver/place.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- starting and stopping ------------------------------------------------- */

static bool runnable(const char *path) { return access(path, X_OK) == 0; }

static int spawn(const char *path, int socket, size_t memory) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  char limit[32], name[] = "lpmln-worker", *arguments[] = {name, limit, NULL};
  pid_t pid = 0;
  snprintf(limit, sizeof limit, "%zu", memory);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
#ifdef NDEBUG /* libclingo's dying words help nobody but us */
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
#endif
  sigemptyset(&none);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  int failed = posix_spawn(&pid, path, &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failed ? 0 : pid;
}

WorkerOutcome worker_start(Worker *w, const Limits *limits) {
  if (w->pid)
    return WORKER_OK;
  int ends[2];
  char *path = worker_place(w->wanted); /* may run out of memory: the old one is still whole */
  free(w->path);
  w->path = path;
  if (!runnable(w->path) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return WORKER_MISSING;
  w->pid = spawn(w->path, ends[1], limits->memory);
  close(ends[1]);
  w->socket = ends[0];
  w->in.n = w->taken = 0;
  if (!w->pid) {
    close(ends[0]);
    return WORKER_MISSING;
  }
  return WORKER_OK;
}

/* How a worker that hung up ended. */
static WorkerOutcome reap(Worker *w) {
  assert(w->pid);
  int status = 0;
  close(w->socket);
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
    ;
  w->pid = 0;
  bool memory = WIFEXITED(status) && WEXITSTATUS(status) == WORKER_OUT_OF_MEMORY;
  return memory ? WORKER_MEMORY : WORKER_DIED;
}

void worker_stop(Worker *w) {
  if (!w->pid)
    return;
  kill(w->pid, SIGKILL);
  reap(w);
}

void worker_free(Worker *w) {
  worker_stop(w);
  free(w->path);
  vec_free(&w->in);
  *w = (Worker){0};
}

/* ---- talking ------------------------------------------------------------------- */

/* Waits until the socket is ready, the deadline is over or somebody stops us. */
static WorkerOutcome await(Worker *w, short events, const Limits *limits) {
  assert(w->pid && events);
  for (;;) {
    Status status = limits_check(limits);
    if (status != OK) {
      worker_stop(w);
      return status == LIMIT ? WORKER_TIME : WORKER_INTERRUPTED;
    }
    struct pollfd ready = {.fd = w->socket, .events = events};
    double left = limits->deadline > 0 ? limits->deadline - clock_now() : 1;
    int wait = left > 0.1 ? 100 : (int)(1000 * left) + 1;
    if (poll(&ready, 1, wait) > 0)
      return WORKER_OK;
  }
}

static WorkerOutcome send_bytes(Worker *w, const char *at, size_t n, const Limits *limits) {
  while (n) {
    WorkerOutcome outcome = await(w, POLLOUT, limits);
    if (outcome != WORKER_OK)
      return outcome;
    ssize_t sent = send(w->socket, at, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
      return reap(w);
    if (sent > 0)
      at += sent, n -= (size_t)sent;
  }
  return WORKER_OK;
}

WorkerOutcome worker_send(Worker *w, uint32_t type, const Text *payload, const Limits *limits) {
  assert(w->pid && payload->n <= UINT32_MAX);
  Header header = {type, (uint32_t)payload->n};
  WorkerOutcome outcome = send_bytes(w, (const char *)&header, sizeof header, limits);
  return outcome == WORKER_OK ? send_bytes(w, payload->at, payload->n, limits) : outcome;
}

static WorkerOutcome receive_more(Worker *w, const Limits *limits) {
  assert(w->taken <= w->in.n);
  WorkerOutcome outcome = await(w, POLLIN, limits);
  if (outcome != WORKER_OK)
    return outcome;
  if (w->taken == w->in.n)
    w->taken = w->in.n = 0;
  vec_reserve(&w->in, 1 << 17);
  ssize_t got = recv(w->socket, w->in.at + w->in.n, w->in.room - w->in.n, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return WORKER_OK;
  if (got <= 0)
    return reap(w);
  w->in.n += (size_t)got;
  return WORKER_OK;
}

WorkerOutcome worker_receive(Worker *w, Header *header, const char **bytes, const Limits *limits) {
  assert(w->pid);
  for (;;) {
    size_t have = w->in.n - w->taken;
    if (have >= sizeof *header) {
      memcpy(header, w->in.at + w->taken, sizeof *header);
      if (have >= sizeof *header + header->length) {
        *bytes = w->in.at + w->taken + sizeof *header;
        w->taken += sizeof *header + header->length;
        return WORKER_OK;
      }
    }
    if (w->taken > 1 << 20) { /* keep the buffer from growing for ever */
      memmove(w->in.at, w->in.at + w->taken, have);
      w->in.n = have, w->taken = 0;
    }
    WorkerOutcome outcome = receive_more(w, limits);
    if (outcome != WORKER_OK)
      return outcome;
  }
}
