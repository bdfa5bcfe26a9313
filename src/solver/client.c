/* client.c - see client.h. */
#include "solver/client.h"

#include "base/file.h"
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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- starting and stopping ------------------------------------------------- */

static bool runnable(const char *path) { return access(path, X_OK) == 0; }

/* Both ends or none. */
static bool make_ends(int ends[2], bool pipe) {
  ends[0] = ends[1] = -1;
  if (pipe ? pipe2(ends, O_CLOEXEC) : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return false;
  ends[0] = file_lift(ends[0]), ends[1] = file_lift(ends[1]);
  if (ends[0] >= 0 && ends[1] >= 0)
    return true;
  close(ends[0]);
  close(ends[1]);
  return false;
}

static int spawn(const char *path, int socket, int note, size_t memory) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  char limit[32], name[] = "lpmln-worker", *arguments[] = {name, limit, NULL};
  pid_t pid = 0;
  snprintf(limit, sizeof limit, "%zu", memory);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, WORKER_IN);
  posix_spawn_file_actions_adddup2(&actions, socket, WORKER_OUT);
  posix_spawn_file_actions_adddup2(&actions, note, WORKER_NOTE);
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

/* ---- the list ---------------------------------------------------------------------- */

static void note_running(Worker *w, Workers *list) {
  w->home = NULL;
  if (!list)
    return;
  pthread_mutex_lock(&list->lock);
  if (list->n < MOST_NOTED) {
    list->at[list->n++] = w->is;
    w->home = list;
  }
  pthread_mutex_unlock(&list->lock);
}

static void forget_running(Worker *w) {
  Workers *list = w->home;
  if (!list)
    return;
  pthread_mutex_lock(&list->lock);
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i].pid == w->is.pid) {
      list->at[i] = list->at[--list->n];
      break;
    }
  pthread_mutex_unlock(&list->lock);
  w->home = NULL;
}

/* ---- one of them --------------------------------------------------------------------- */

static void close_ours(const Running *r) {
  close(r->socket);
  close(r->note);
  if (r->process >= 0)
    close(r->process);
}

/* A number of a process may be somebody else's by now, if the host reaps our children or
** ignores their end; a descriptor is not. */
static void end_running(const Running *r) {
  assert(r->pid && r->owner == getpid());
#ifndef COVERAGE /* it ends by itself and writes what it has counted */
  if (r->process < 0)
    kill(r->pid, SIGKILL);
  else
    syscall(SYS_pidfd_send_signal, r->process, SIGKILL, NULL, 0);
#endif
  shutdown(r->socket, SHUT_RDWR);
  while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
    ; /* or it is the host's to wait for */
  close_ours(r);
}

void workers_end(Workers *list, const Worker *but) {
  size_t kept = 0;
  for (size_t i = 0; i < list->n; i++) {
    const Running *r = &list->at[i];
    if (but->is.pid && r->pid == but->is.pid)
      list->at[kept++] = *r;
    else if (r->owner == getpid())
      end_running(r);
    else
      close_ours(r);
  }
  list->n = kept;
}

static void begin(Worker *w, int pid, int socket, int note) {
  assert(pid > 0 && socket > STDERR_FILENO && note > STDERR_FILENO);
  w->is = (Running){.pid = pid, .owner = getpid(), .socket = socket, .note = note};
  w->is.process = file_lift((int)syscall(SYS_pidfd_open, pid, 0));
  w->sent = w->received = 0;
  w->in.n = w->taken = 0;
}

/* After a fork the worker is the parent's: the child lets go of it. */
static void disown(Worker *w) {
  if (!w->is.pid || w->is.owner == getpid())
    return;
  forget_running(w);
  close_ours(&w->is);
  w->is.pid = 0;
}

WorkerOutcome worker_start(Worker *w, const Limits *limits) {
  disown(w);
  if (w->is.pid)
    return WORKER_OK;
  int ends[2], notes[2], pid = 0;
  char *path = worker_place(w->wanted); /* may run out of memory: the old one is still whole */
  free(w->path);
  w->path = path;
  if (!runnable(w->path) || !make_ends(ends, false))
    return WORKER_MISSING;
  if (make_ends(notes, true)) {
    pid = spawn(w->path, ends[1], notes[1], limits->memory);
    close(notes[1]);
    if (pid) {
      begin(w, pid, ends[0], notes[0]);
      note_running(w, limits->workers);
    } else {
      close(notes[0]);
    }
  }
  close(ends[1]);
  if (!pid)
    close(ends[0]);
  return pid ? WORKER_OK : WORKER_MISSING;
}

/* How a worker that hung up ended. */
static WorkerOutcome reap(Worker *w) {
  struct pollfd note = {.fd = w->is.note, .events = POLLIN};
  char said = 0;
  bool memory = poll(&note, 1, 0) > 0 && read(w->is.note, &said, 1) == 1 && said == NOTE_MEMORY;
  forget_running(w);
  end_running(&w->is);
  w->is.pid = 0;
  return memory ? WORKER_MEMORY : WORKER_DIED;
}

void worker_stop(Worker *w) {
  disown(w);
  if (w->is.pid)
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
  assert(w->is.pid && events);
  for (;;) {
    Status status = limits_check(limits);
    if (status != OK) {
      worker_stop(w);
      return status == LIMIT ? WORKER_TIME : WORKER_INTERRUPTED;
    }
    struct pollfd ready = {.fd = w->is.socket, .events = events};
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
    ssize_t sent = send(w->is.socket, at, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
      return reap(w);
    if (sent > 0)
      at += sent, n -= (size_t)sent;
  }
  return WORKER_OK;
}

WorkerOutcome worker_send(Worker *w, uint32_t type, const Text *payload, const Limits *limits) {
  assert(w->is.pid && payload->n <= UINT32_MAX);
  Header header = {.type = type, .length = (uint32_t)payload->n};
  header.sum = message_sum(&header, w->sent++, payload->at);
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
  ssize_t got = recv(w->is.socket, w->in.at + w->in.n, w->in.room - w->in.n, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return WORKER_OK;
  if (got <= 0)
    return reap(w);
  w->in.n += (size_t)got;
  return WORKER_OK;
}

/* Another one than what was sent: nothing it says is believed any more. */
static WorkerOutcome damaged(Worker *w) {
  worker_stop(w);
  return WORKER_DAMAGED;
}

WorkerOutcome worker_receive(Worker *w, Header *header, const char **bytes, const Limits *limits) {
  assert(w->is.pid);
  for (;;) {
    size_t have = w->in.n - w->taken;
    if (have >= sizeof *header) {
      memcpy(header, w->in.at + w->taken, sizeof *header);
      if (header->length >> 20 > limits->memory) /* more than it may have */
        return damaged(w);
      if (have >= sizeof *header + header->length) {
        *bytes = w->in.at + w->taken + sizeof *header;
        w->taken += sizeof *header + header->length;
        bool good = message_sum(header, w->received++, *bytes) == header->sum;
        return good ? WORKER_OK : damaged(w);
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
