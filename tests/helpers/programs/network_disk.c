/* The C library of a disk like 9p, sshfs or SMB: it shares no memory and syncs no folder. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_index(int file) {
  char link[64], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length < 0) return 0;
  name[length] = 0;
  return strstr(name, "sqlite3-shm") != NULL;
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
  if ((flags & MAP_SHARED) && file >= 0 && is_index(file)) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  return real(at, size, protection, flags, file, offset);
}

void *mmap64(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(at, size, protection, flags, file, offset);
}

int fsync(int file) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
  struct stat found;
  if (fstat(file, &found) == 0 && S_ISDIR(found.st_mode)) {
    errno = EINVAL;
    return -1;
  }
  return real(file);
}
