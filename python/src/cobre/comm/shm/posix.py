"""The system calls for shared memory, on Linux and x86-64. The C signature is above each of them.

Foreign functions are looked up at first use, so this module can be imported on every platform.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import functools
import os
import struct
from typing import Any, Final

_PROT_READ_WRITE: Final = 0x3
_MAP_SHARED: Final = 0x01
_MAP_FAILED: Final = ctypes.c_void_p(-1).value

# Numbers of x86-64 system calls that have no function in the C library.
_SYS_FUTEX: Final = 202
_SYS_MEMBARRIER: Final = 324
_FUTEX_WAIT: Final = 0
_FUTEX_WAKE: Final = 1
_GLOBAL_EXPEDITED: Final = 1 << 1
_REGISTER_GLOBAL_EXPEDITED: Final = 1 << 2

#: struct flock: short l_type, l_whence; off_t l_start, l_len; pid_t l_pid.
_FLOCK: Final = struct.Struct("hhqqi4x")


class _Timespec(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


class _Iovec(ctypes.Structure):
    _fields_ = (("address", ctypes.c_void_p), ("length", ctypes.c_size_t))


@functools.cache
def _libc() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    # void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset);
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_long,
    )
    # int munmap(void *addr, size_t length);
    libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    # ssize_t process_vm_readv(pid_t pid, const struct iovec *local, unsigned long liovcnt,
    #                          const struct iovec *remote, unsigned long riovcnt, unsigned long flags);
    libc.process_vm_readv.restype = ctypes.c_ssize_t
    libc.process_vm_readv.argtypes = (
        ctypes.c_int,
        ctypes.POINTER(_Iovec),
        ctypes.c_ulong,
        ctypes.POINTER(_Iovec),
        ctypes.c_ulong,
        ctypes.c_ulong,
    )
    return libc


@functools.cache
def _futex() -> Any:
    # long syscall(SYS_futex, uint32_t *uaddr, int op, uint32_t val, const struct timespec *timeout,
    #              uint32_t *uaddr2, uint32_t val3);
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    function.argtypes = (
        ctypes.c_long,
        ctypes.c_void_p,
        ctypes.c_int,
        ctypes.c_uint32,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_uint32,
    )
    return function


@functools.cache
def _shm() -> Any:
    # int shm_open(const char *name, int oflag, mode_t mode);
    # int shm_unlink(const char *name);
    libc = _libc()
    # Before glibc 2.34, shm_open was in a separate library.
    library = libc if hasattr(libc, "shm_open") else ctypes.CDLL("librt.so.1", use_errno=True)
    library.shm_open.argtypes = (ctypes.c_char_p, ctypes.c_int, ctypes.c_uint)
    library.shm_unlink.argtypes = (ctypes.c_char_p,)
    return library


def _check(call: str, result: int) -> int:
    if result != -1:
        return result
    code = ctypes.get_errno()
    raise OSError(code, f"{call}: {os.strerror(code)}")


def shm_open(name: str, flags: int, mode: int = 0) -> int:
    """Opens or creates a shared-memory object; the descriptor is closed on exec."""
    return _check("shm_open", _shm().shm_open(os.fsencode(name), flags, mode))


def shm_unlink(name: str) -> None:
    """Removes the name, if it still exists. Only rank 0 ever does this."""
    with contextlib.suppress(FileNotFoundError):
        _check("shm_unlink", _shm().shm_unlink(os.fsencode(name)))


def reserve(fd: int, offset: int, count: int) -> None:
    """Reserves pages on the memory node of the caller, so that touching them later cannot fail."""
    while True:
        try:
            os.posix_fallocate(fd, offset, count)
            return
        except InterruptedError:
            continue


def map_shared(fd: int, count: int) -> int:
    """Maps the first bytes of a file; returns the address.

    The mmap module is not used, because it keeps a copy of the descriptor open, and with it the locks.
    """
    address = _libc().mmap(None, count, _PROT_READ_WRITE, _MAP_SHARED, fd, 0)
    if address == _MAP_FAILED:
        _check("mmap", -1)
    return int(address)


def unmap(address: int, count: int) -> None:
    """Unmaps a mapping."""
    _libc().munmap(address, count)


def read_from(pid: int, remote: int, local: int, count: int) -> None:
    """Copies from the memory of another process. Raises ``OSError`` if that is not allowed."""
    done = 0
    while done < count:
        here = _Iovec(local + done, count - done)
        there = _Iovec(remote + done, count - done)
        got = _libc().process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
        done += _check("process_vm_readv", got)


def futex_wait(address: int, expected: int, seconds: float) -> None:
    """Sleeps until woken, if the word still holds ``expected``.

    It may also return for other reasons, so the caller must look at the word again.
    """
    timeout = _Timespec(int(seconds), int(seconds % 1 * 1e9))
    _futex()(_SYS_FUTEX, address, _FUTEX_WAIT, expected, ctypes.addressof(timeout), None, 0)


def futex_wake(address: int) -> None:
    """Wakes all sleepers on the word."""
    _futex()(_SYS_FUTEX, address, _FUTEX_WAKE, 0x7FFFFFFF, None, None, 0)


def register_for_barriers() -> bool:
    """Registers for ``barrier_everywhere``; returns whether the kernel supports it."""
    result: int = _futex()(_SYS_MEMBARRIER, _REGISTER_GLOBAL_EXPEDITED, 0, 0, None, None, 0)
    return result == 0


def barrier_everywhere() -> None:
    """A full memory barrier in every registered process."""
    _futex()(_SYS_MEMBARRIER, _GLOBAL_EXPEDITED, 0, 0, None, None, 0)


def lock_byte(fd: int, byte: int) -> bool:
    """Locks one byte for as long as this process has ``fd`` open; returns whether it was free.

    The kernel releases the lock however the process ends.
    """
    try:
        fcntl.fcntl(fd, fcntl.F_OFD_SETLK, _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0))
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True


def is_byte_locked(fd: int, byte: int) -> bool:
    """Whether another process holds the lock on that byte."""
    question = _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0)
    answer = fcntl.fcntl(fd, fcntl.F_OFD_GETLK, question)
    return bool(_FLOCK.unpack(answer)[0] != fcntl.F_UNLCK)
