/**
 * Nonblocking stream sockets on Linux. Every call returns or throws at once; only `wait` sleeps. The C
 * signature is given above each foreign function.
 */
import { closeSync } from "node:fs";
import { DEFAULT_SILENCE_SECS } from "../group/settings.js";
import { addressOf } from "./address.js";
import { writeVector } from "./iovec.js";
import { type Koffi, loadKoffi } from "./koffi.js";
import {
  type AddressFamily,
  AF_UNIX,
  decodeSockaddr,
  encodeAbstractName,
  encodeSockaddr,
  familyOf,
  SOCKADDR_BYTES,
  type SocketAddress,
} from "./socket-address.js";
import { SystemCallError } from "./system-call-error.js";
import { ENDED, mayComeLater, WOULD_BLOCK } from "./transfer.js";

const SOCK_STREAM = 1;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;

const SOL_SOCKET = 1;
const SO_REUSEADDR = 2;
const SO_ERROR = 4;
const SO_SNDBUF = 7;
const SO_KEEPALIVE = 9;
const SO_PEERCRED = 17;
const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;
const TCP_KEEPIDLE = 4;
const TCP_KEEPINTVL = 5;
const TCP_KEEPCNT = 6;
const TCP_USER_TIMEOUT = 18;
const IPPROTO_IPV6 = 41;
const IPV6_V6ONLY = 26;
const SHUT_WR = 1;

const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;

const EINPROGRESS = 115;
const EAGAIN = 11;

/**
 * Errors of accept(2) that belong to the connection it would have returned, which is gone: EINTR, EPERM (a firewall), ENONET, EPROTO,
 * ENOPROTOOPT, EOPNOTSUPP, ENETDOWN, ENETUNREACH, ECONNABORTED, EHOSTDOWN, EHOSTUNREACH.
 */
const BROKEN_OFF: ReadonlySet<number> = new Set([4, 1, 64, 71, 92, 95, 100, 101, 103, 112, 113]);

/** What `wait` waits for. */
export const READABLE = 0x001;
export const WRITABLE = 0x004;

/** How many keepalive probes stay unanswered before a connection breaks. */
const QUESTIONS = 3;
/** The silence before the first probe and between two probes, as parts of the whole silence. */
const FIRST_QUESTION = 4 / 7;
const NEXT_QUESTION = 1 / 7;

/**
 * The send buffer of a Unix socket: a larger one means that two processes switch less often. For
 * TCP the kernel itself finds out how much the network holds.
 */
const LOCAL_BUFFER_BYTES = 524_288;

/** The same where ranks share cores: each runs for longer before another gets its turn. */
const DEEP_BUFFER_BYTES = 1_048_576;

/** How many connections may wait to be accepted. */
const BACKLOG = 1024;

/** The socket calls of this process's C library. */
export class Sockets {
  private readonly functions: ReturnType<typeof bind>;
  private readonly koffi: Koffi;
  /** How long a machine may be silent before connections to it break. */
  private readonly silenceSecs: number;
  private readonly option = new Int32Array(1);
  private readonly optionBytes = new Uint32Array(1);
  /** `struct ucred`: process, user, group. */
  private readonly credentials = new Uint32Array(3);
  /** Two `struct iovec`: an address and a length, 64 bits each. */
  private readonly vectors = new Uint32Array(8);
  private readonly sockaddr = new Uint8Array(SOCKADDR_BYTES);

  /** Throws `ForeignFunctionsUnavailable` where no foreign function can be called. */
  static async load(silenceSecs = DEFAULT_SILENCE_SECS): Promise<Sockets> {
    return new Sockets(await loadKoffi(), silenceSecs);
  }

  private constructor(koffi: Koffi, silenceSecs: number) {
    this.koffi = koffi;
    this.silenceSecs = silenceSecs;
    this.functions = bind(koffi);
  }

  /** A socket that listens at `address`. With port 0 the system chooses a port. */
  listen(address: SocketAddress): number {
    return this.listenAt(familyOf(address.host), encodeSockaddr(address), (fd) => {
      // Allows a port that was in use a moment ago, but not one that is in use now.
      this.set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
      if (address.host === "::") this.set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    });
  }

  /** A Unix socket that listens under a name. Only processes of this machine can reach it. */
  listenWithin(name: string): number {
    return this.listenAt(AF_UNIX, encodeAbstractName(name));
  }

  private listenAt(
    family: AddressFamily,
    address: Uint8Array,
    prepare?: (fd: number) => void,
  ): number {
    const fd = this.open(family);
    try {
      prepare?.(fd);
      this.check("bind", this.functions.bind(fd, address, address.length));
      this.check("listen", this.functions.listen(fd, BACKLOG));
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** Connects to a Unix socket by its name. It succeeds or throws at once. */
  connectWithin(name: string): number {
    const fd = this.startConnecting(AF_UNIX, encodeAbstractName(name));
    this.tune(fd);
    return fd;
  }

  /** The next waiting connection, or `undefined` if none waits. Throws if one waits and cannot be taken, as without a free descriptor. */
  accept(listener: number): number | undefined {
    for (;;) {
      const fd = this.functions.accept4(listener, null, null, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (fd >= 0) return fd;
      const errno = this.koffi.errno();
      if (errno === EAGAIN) return undefined;
      if (BROKEN_OFF.has(errno)) continue;
      // Linux looks for a free descriptor first, and only then whether a connection waits.
      if (!this.isReadable(listener)) return undefined;
      throw new SystemCallError("accept", errno);
    }
  }

  private isReadable(fd: number): boolean {
    const set = new PollSet();
    set.add(fd, READABLE);
    return this.wait(set, 0);
  }

  /** Begins to connect. It is done when the socket is writable; see `connectionError`. */
  connect(address: SocketAddress): number {
    return this.startConnecting(familyOf(address.host), encodeSockaddr(address));
  }

  private startConnecting(family: AddressFamily, address: Uint8Array): number {
    const fd = this.open(family);
    if (this.functions.connect(fd, address, address.length) === 0) return fd;
    const errno = this.koffi.errno();
    if (errno === EINPROGRESS) return fd;
    closeSync(fd);
    throw new SystemCallError("connect", errno);
  }

  /** Why connecting failed, or `undefined` if it succeeded. */
  connectionError(fd: number): SystemCallError | undefined {
    this.optionBytes[0] = 4;
    const { option, optionBytes } = this;
    this.check(
      "getsockopt",
      this.functions.getsockopt(fd, SOL_SOCKET, SO_ERROR, option, optionBytes),
    );
    return option[0] === 0 ? undefined : new SystemCallError("connect", option[0] as number);
  }

  /**
   * Makes small messages leave at once, and connections to a machine that vanishes break after a
   * while. Idle connections break by unanswered keepalive probes. While data is unacknowledged the
   * kernel sends no probes, so TCP_USER_TIMEOUT sets a limit there.
   */
  tune(fd: number): void {
    if (this.familyOf(fd) === AF_UNIX) {
      this.set(fd, SOL_SOCKET, SO_SNDBUF, LOCAL_BUFFER_BYTES);
      return;
    }
    this.set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    this.set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    const { silenceSecs } = this;
    this.set(fd, IPPROTO_TCP, TCP_KEEPIDLE, Math.round(silenceSecs * FIRST_QUESTION));
    this.set(fd, IPPROTO_TCP, TCP_KEEPINTVL, Math.round(silenceSecs * NEXT_QUESTION));
    this.set(fd, IPPROTO_TCP, TCP_KEEPCNT, QUESTIONS);
    this.set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, Math.round(silenceSecs * 1000));
  }

  /** Enlarges the send buffer, so that a sender can go on until its reader gets the core. */
  deepen(fd: number): void {
    if (this.familyOf(fd) === AF_UNIX) this.set(fd, SOL_SOCKET, SO_SNDBUF, DEEP_BUFFER_BYTES);
  }

  /** Whether it is a Unix socket, which connects processes of one machine without the network. */
  isWithinMachine(fd: number): boolean {
    return this.familyOf(fd) === AF_UNIX;
  }

  /** The user whose process is at the other end of a Unix socket: that it was when it connected or listened. */
  peerUid(fd: number): number {
    return this.peerCredentials(fd)[1] as number;
  }

  /** The process at the other end of a Unix socket; 0 if it is not in this process namespace. */
  peerPid(fd: number): number {
    return this.peerCredentials(fd)[0] as number;
  }

  private peerCredentials(fd: number): Uint32Array {
    const { credentials, optionBytes } = this;
    optionBytes[0] = credentials.byteLength;
    this.check(
      "getsockopt",
      this.functions.getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, optionBytes),
    );
    return credentials;
  }

  private familyOf(fd: number): number {
    this.localAddress(fd);
    return this.sockaddr[0] as number;
  }

  localAddress(fd: number): SocketAddress {
    this.optionBytes[0] = SOCKADDR_BYTES;
    const { sockaddr, optionBytes } = this;
    this.check("getsockname", this.functions.getsockname(fd, sockaddr, optionBytes));
    return decodeSockaddr(sockaddr);
  }

  remoteAddress(fd: number): SocketAddress {
    this.optionBytes[0] = SOCKADDR_BYTES;
    const { sockaddr, optionBytes } = this;
    this.check("getpeername", this.functions.getpeername(fd, sockaddr, optionBytes));
    return decodeSockaddr(sockaddr);
  }

  /** Sends without waiting. Returns the number of bytes sent, `WOULD_BLOCK` or `ENDED`. */
  send(fd: number, address: number, bytes: number): number {
    return this.moved(this.functions.send(fd, address, bytes, MSG_DONTWAIT | MSG_NOSIGNAL));
  }

  /** Sends two ranges of memory, one after the other, in one call. */
  sendBoth(fd: number, first: number, firstBytes: number, next: number, nextBytes: number): number {
    const { vectors } = this;
    writeVector(vectors, 0, first, firstBytes);
    writeVector(vectors, 4, next, nextBytes);
    return this.moved(this.functions.writev(fd, vectors, 2));
  }

  /** Receives what has arrived. Returns the number of bytes, `WOULD_BLOCK` or `ENDED`. */
  receive(fd: number, address: number, bytes: number): number {
    const got = this.functions.recv(fd, address, bytes, MSG_DONTWAIT);
    return got === 0 ? ENDED : this.moved(got);
  }

  /** Announces that no more will be sent. What was sent still arrives. */
  finishSending(fd: number): void {
    // It fails if the other side is already gone; then there is nothing to finish.
    this.functions.shutdown(fd, SHUT_WR);
  }

  /**
   * Waits until one of the sockets in the set is ready, for at most `milliseconds`. Returns whether one
   * is. A signal may end the wait early.
   */
  wait(set: PollSet, milliseconds: number): boolean {
    return this.functions.poll(set.entries, set.length, milliseconds) > 0;
  }

  yieldProcessor(): void {
    this.functions.schedYield();
  }

  /** The address of an array's elements. Addresses have 48 bits, so a number holds them exactly. */
  addressOf(array: ArrayBufferView): number {
    return Number(addressOf(this.koffi, array));
  }

  private open(family: AddressFamily): number {
    const type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    return this.check("socket", this.functions.socket(family, type, 0));
  }

  private set(fd: number, level: number, name: number, value: number): void {
    this.option[0] = value;
    this.check("setsockopt", this.functions.setsockopt(fd, level, name, this.option, 4));
  }

  private moved(result: number): number {
    if (result > 0) return result;
    return mayComeLater(this.koffi) ? WOULD_BLOCK : ENDED;
  }

  private check(call: string, result: number): number {
    if (result === -1) throw new SystemCallError(call, this.koffi.errno());
    return result;
  }
}

/** An array of `struct pollfd { int fd; short events; short revents; }`. */
export class PollSet {
  entries = new Int32Array(2 * 16);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  add(fd: number, events: number): void {
    if (2 * this.length === this.entries.length) {
      const larger = new Int32Array(2 * this.entries.length);
      larger.set(this.entries);
      this.entries = larger;
    }
    this.entries[2 * this.length] = fd;
    this.entries[2 * this.length + 1] = events;
    this.length++;
  }

  /** The flags that were found at the i-th entry, including error flags. */
  found(i: number): number {
    return (this.entries[2 * i + 1] as number) >>> 16;
  }

  /** Whether anything, including an error, was found at the i-th entry. */
  isReady(i: number): boolean {
    return this.found(i) !== 0;
  }
}

function bind(koffi: Koffi) {
  const libc = koffi.load(null);
  return {
    // int socket(int domain, int type, int protocol);
    socket: libc.func("int socket(int domain, int type, int protocol)"),
    // int bind(int sockfd, const struct sockaddr *addr, socklen_t addrlen);
    bind: libc.func("int bind(int fd, void *addr, uint addrlen)"),
    // int listen(int sockfd, int backlog);
    listen: libc.func("int listen(int fd, int backlog)"),
    // int accept4(int sockfd, struct sockaddr *addr, socklen_t *addrlen, int flags);
    accept4: libc.func("int accept4(int fd, void *addr, void *addrlen, int flags)"),
    // int connect(int sockfd, const struct sockaddr *addr, socklen_t addrlen);
    connect: libc.func("int connect(int fd, void *addr, uint addrlen)"),
    // int getsockopt(int sockfd, int level, int optname, void *optval, socklen_t *optlen);
    getsockopt: libc.func(
      "int getsockopt(int fd, int level, int optname, void *optval, void *optlen)",
    ),
    // int setsockopt(int sockfd, int level, int optname, const void *optval, socklen_t optlen);
    setsockopt: libc.func("int setsockopt(int fd, int level, int name, void *value, uint len)"),
    // int getsockname(int sockfd, struct sockaddr *addr, socklen_t *addrlen);
    getsockname: libc.func("int getsockname(int fd, void *addr, void *addrlen)"),
    // int getpeername(int sockfd, struct sockaddr *addr, socklen_t *addrlen);
    getpeername: libc.func("int getpeername(int fd, void *addr, void *addrlen)"),
    // ssize_t send(int sockfd, const void *buf, size_t len, int flags);
    send: libc.func("int64_t send(int fd, uintptr_t buf, size_t len, int flags)"),
    // ssize_t writev(int fd, const struct iovec *iov, int iovcnt);
    writev: libc.func("int64_t writev(int fd, void *iov, int iovcnt)"),
    // ssize_t recv(int sockfd, void *buf, size_t len, int flags);
    recv: libc.func("int64_t recv(int fd, uintptr_t buf, size_t len, int flags)"),
    // int shutdown(int sockfd, int how);
    shutdown: libc.func("int shutdown(int fd, int how)"),
    // int poll(struct pollfd *fds, nfds_t nfds, int timeout);
    poll: libc.func("int poll(void *fds, ulong nfds, int timeout)"),
    // int sched_yield(void);
    schedYield: libc.func("int sched_yield()"),
  };
}
