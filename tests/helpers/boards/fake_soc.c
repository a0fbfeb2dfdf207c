// What rpi_ws281x touches of a Raspberry Pi up to 4, for LD_PRELOAD: physical memory with the clock manager, DMA, PWM
// and PCM in it, and the mailbox. Files in the folder $FAKE_PI stand for those of the system with the same path.
// A transfer of the DMA is a line in $FAKE_PI/dma: process, destination, divider, function of GPIO10-19 and 20-29, words.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define RAM 0x1e000000u  // where the mailbox has memory to give
#define SIZE 0x1000000
#define PWM_FIFO 0x7e20c018u
#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

static int memory = -1, mailbox = -1;
static volatile uint8_t *peripherals, *ram;
#define REGISTER(offset) (*(volatile uint32_t *)(peripherals + (offset)))
#define CHANNEL 0x7a00  // of the DMA: 10

static int stuck(void) {  // another program has taken the channel
    char path[4096];
    snprintf(path, sizeof path, "%s/stuck", getenv("FAKE_PI"));
    return !access(path, F_OK);
}

static void run_clock(uint32_t control) {  // BCM2835 ARM Peripherals, p. 107: password, kill, enable, busy
    uint32_t value = REGISTER(control);
    if (value >> 24 != 0x5a) return;
    int runs = value & 0x10 && !(value & 0x20);
    REGISTER(control) = (value & 0xffff5f) | (runs ? 0x80 : 0);
}

static void run_dma(void) {  // p. 38: control block of source, destination and length
    if (!(REGISTER(CHANNEL) & 1) || !REGISTER(CHANNEL + 4) || stuck()) return;
    volatile uint32_t *block = (void *)(ram + (REGISTER(CHANNEL + 4) & 0x3fffffff) - RAM);
    volatile uint32_t *words = (void *)(ram + (block[1] & 0x3fffffff) - RAM);
    char path[4096];
    snprintf(path, sizeof path, "%s/dma", getenv("FAKE_PI"));
    FILE *log = fopen(path, "a");
    uint32_t divider = REGISTER(block[2] == PWM_FIFO ? 0x1010a4 : 0x10109c) >> 12 & 0xfff;
    fprintf(log, "%d %08x %u %x %x ", getpid(), block[2], divider, REGISTER(0x200004), REGISTER(0x200008));
    for (uint32_t n = 0; n < block[3] / 4; n++) fprintf(log, "%08x", words[n]);
    fprintf(log, "\n");
    fclose(log);
    REGISTER(CHANNEL + 4) = 0;
    REGISTER(CHANNEL) = 2;
}

static void *run(void *unused) {
    for (;; usleep(20)) {
        run_clock(0x1010a0);
        run_clock(0x101098);
        REGISTER(0x203000) |= 1 << 21;  // the FIFO of PCM is empty
        run_dma();
    }
    return unused;
}

static void start(void) {
    memory = memfd_create("memory", 0);
    mailbox = memfd_create("mailbox", 0);
    ftruncate(memory, 0x100000000ll);
    peripherals = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, strtoul(getenv("FAKE_BASE"), 0, 16));
    ram = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, RAM);
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
}

// The path in $FAKE_PI, if there is such a file. Device files there only say that there is the device.
static const char *moved(const char *path, char *room) {
    snprintf(room, 4096, "%s%s", getenv("FAKE_PI"), path);
    return strncmp(path, "/dev/", 5) && strncmp(path, "/proc/", 6) ? path : access(room, F_OK) ? path : room;
}

static int opened(const char *name, const char *path, int flags, mode_t mode) {
    char room[4096];
    int is_memory = !strcmp(path, "/dev/mem"), is_mailbox = !strcmp(path, "/dev/vcio");
    path = moved(path, room);
    if (is_memory || is_mailbox) {
        if (path != room) return errno = ENOENT, -1;
        if (memory < 0) start();
        return dup(is_memory ? memory : mailbox);
    }
    return NEXT(int (*)(const char *, int, ...), name)(path, flags, mode);
}

#define OPEN(name) int name(const char *path, int flags, ...) { \
    va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
    return opened(#name, path, flags, mode); }
OPEN(open)
OPEN(open64)

#define FOPEN(name) FILE *name(const char *path, const char *mode) { \
    char room[4096]; return NEXT(FILE *(*)(const char *, const char *), #name)(moved(path, room), mode); }
FOPEN(fopen)
FOPEN(fopen64)

int mknod(const char *path, mode_t mode, dev_t device) { return errno = EPERM, -1; }  // as in the service's sandbox

int ioctl(int file, unsigned long request, ...) {
    va_list rest; va_start(rest, request); uint32_t *message = va_arg(rest, void *); va_end(rest);
    if (request >> 8 != 0xc00864) return NEXT(int (*)(int, unsigned long, ...), "ioctl")(file, request, message);
    message[5] = message[2] == 0x3000c ? 1 : message[2] == 0x3000d ? 0xc0000000u | RAM : 0;
    return 0;
}

ssize_t send(int file, const void *data, size_t size, int flags) {  // an answer tells the test that the frame is out
    while (memory >= 0 && REGISTER(CHANNEL) & 1 && !stuck()) usleep(20);
    return NEXT(ssize_t (*)(int, const void *, size_t, int), "send")(file, data, size, flags);
}
