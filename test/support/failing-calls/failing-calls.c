/*
 * A preloaded library that lets one call of daemon or primary fail. Not strace, which counts for each thread, follows the
 * workers too, and slows every call down: libuv calls the C library for all of these, so its functions are replaced here.
 * bench/faults/calls/library.js compiles it, and writes the file that says which call fails.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, PROC, CREATE, WRITE, SEND, FSYNC, RENAME, UNLINK, ACCEPT, CLONE, CONNECT, KINDS, NONE };
enum { DAEMON, PRIMARY, ROLES };

/* The file, as library.js writes and reads it. */
struct control {
  int armed, role, kind, error, nth, failed;
  int counts[ROLES][KINDS];
  char what[256];
};

static struct control *control;
static int role;
static pid_t self;
static char own_path[4096];

static int role_of(const char *argument) {
  if (strstr(argument, "/daemon/main.js")) return DAEMON;
  if (strstr(argument, "/primary/main.js")) return PRIMARY;
  return ROLES;
}

/* Raw calls: the functions below would count them. */
static long raw_open(const char *path, int flags) { return syscall(SYS_openat, AT_FDCWD, path, flags, 0); }

__attribute__((constructor)) static void attach(void) {
  Dl_info info;
  if (!dladdr((void *)attach, &info)) return;
  snprintf(own_path, sizeof own_path, "%s", info.dli_fname);
  char line[8192], path[4200];
  int file = raw_open("/proc/self/cmdline", O_RDONLY);
  long length = syscall(SYS_read, file, line, sizeof line - 1);
  close(file);
  line[length < 0 ? 0 : length] = 0;
  role = ROLES;
  for (char *word = line; word < line + length && role == ROLES; word += strlen(word) + 1) role = role_of(word);
  if (role == ROLES) return;
  snprintf(path, sizeof path, "%s.control", own_path);
  file = raw_open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *map = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  self = getpid();
  if (map != MAP_FAILED) control = map;
}

/* Between fork and exec the child shares no count with its parent. */
static int is_due(enum kind kind) {
  if (!control || !control->armed || kind == NONE || getpid() != self) return 0;
  int count = __sync_add_and_fetch(&control->counts[role][kind], 1);
  return control->role == role && control->kind == (int)kind && control->nth == count;
}

static int fail(const char *what) {
  snprintf(control->what, sizeof control->what, "%s", what);
  control->failed = 1;
  errno = control->error;
  return 1;
}

static int fails(enum kind kind, const char *what) { return is_due(kind) && fail(what); }

static int fails_on(enum kind kind, int fd) {
  if (!is_due(kind)) return 0;
  char link[64], what[200];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long length = readlink(link, what, sizeof what - 1);
  what[length < 0 ? 0 : length] = 0;
  return fail(what);
}

/* libuv's own pipes and event descriptors cannot fail in this way. */
static enum kind kind_of(int fd) {
  struct stat status;
  if (!control || !control->armed || fstat(fd, &status) < 0) return NONE;
  return S_ISREG(status.st_mode) ? WRITE : S_ISSOCK(status.st_mode) ? SEND : NONE;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int mode_of(int flags, va_list arguments) { return flags & O_CREAT ? va_arg(arguments, int) : 0; }

static enum kind kind_of_open(const char *path, int flags) {
  return flags & O_CREAT ? CREATE : strncmp(path, "/proc/", 6) ? OPEN : PROC;
}

#define OPENS(name)                                                        \
  int name(const char *path, int flags, ...) {                             \
    va_list arguments;                                                     \
    va_start(arguments, flags);                                            \
    int mode = mode_of(flags, arguments);                                  \
    va_end(arguments);                                                     \
    return fails(kind_of_open(path, flags), path) ? -1 : REAL(name)(path, flags, mode); \
  }
OPENS(open)
OPENS(open64)

DIR *opendir(const char *path) { return fails(kind_of_open(path, 0), path) ? NULL : REAL(opendir)(path); }

int scandir64(const char *path, struct dirent64 ***names, int (*filter)(const struct dirent64 *),
              int (*compare)(const struct dirent64 **, const struct dirent64 **)) {
  return fails(kind_of_open(path, 0), path) ? -1 : REAL(scandir64)(path, names, filter, compare);
}

ssize_t write(int fd, const void *bytes, size_t length) {
  return fails_on(kind_of(fd), fd) ? -1 : REAL(write)(fd, bytes, length);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  return fails_on(kind_of(fd), fd) ? -1 : REAL(writev)(fd, parts, count);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
  return fails_on(kind_of(fd), fd) ? -1 : REAL(pwrite64)(fd, bytes, length, at);
}

/* How a descriptor is sent: to a worker, or to the next daemon. */
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  return fails_on(kind_of(fd), fd) ? -1 : REAL(sendmsg)(fd, message, flags);
}

int fsync(int fd) { return fails_on(FSYNC, fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails_on(FSYNC, fd) ? -1 : REAL(fdatasync)(fd); }
int rename(const char *from, const char *to) { return fails(RENAME, to) ? -1 : REAL(rename)(from, to); }
int unlink(const char *path) { return fails(UNLINK, path) ? -1 : REAL(unlink)(path); }
int connect(int fd, const struct sockaddr *address, socklen_t length) {
  return fails_on(CONNECT, fd) ? -1 : REAL(connect)(fd, address, length);
}

/* Only while a client waits, which then goes on waiting: Node calls this once more after each connection. */
int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
  struct pollfd waiting = {.fd = fd, .events = POLLIN};
  if (control && control->armed && poll(&waiting, 1, 0) == 1 && fails_on(ACCEPT, fd)) return -1;
  return REAL(accept4)(fd, address, length, flags);
}

pid_t fork(void) { return fails(CLONE, "fork") ? -1 : REAL(fork)(); }

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  if (fails(CLONE, "pthread_create")) return EAGAIN;
  return REAL(pthread_create)(thread, attributes, run, argument);
}

/* Daemon and primary get a clean environment, so the library goes along here, to these two only. */
int execvp(const char *file, char *const arguments[]) {
  for (char *const *word = arguments; *word && *own_path; word += 1)
    if (role_of(*word) != ROLES) setenv("LD_PRELOAD", own_path, 1);
  return REAL(execvp)(file, arguments);
}
