/**
 * Stream sockets on Linux, for calls that never wait: each returns or throws at once, and `wait` is
 * the one that sleeps. Each foreign function stands under its C signature.
 */
import { closeSync } from "node:fs";
import { writeVector } from "./iovec.js";
import { type Koffi, loadKoffi } from "./koffi.js";
import { bindLendingCalls, type LendingCalls, PageLender } from "./page-lender.js";
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
const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;
const TCP_KEEPIDLE = 4;
const TCP_KEEPINTVL = 5;
const TCP_KEEPCNT = 6;
const IPPROTO_IPV6 = 41;
const IPV6_V6ONLY = 26;
const SHUT_WR = 1;

const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;

const EINPROGRESS = 115;

/** What `wait` looks for. */
export const READABLE = 0x001;
export const WRITABLE = 0x004;

/** The other side is silent for a minute: ask, and give up after three unanswered questions. */
const KEEPALIVE = { idleSecs: 60, intervalSecs: 15, questions: 3 };

/**
 * How much may be under way between processes of one machine: more of it means fewer turns. Elsewhere the
 * kernel finds out itself how much the network holds.
 */
const LOCAL_BUFFER_BYTES = 524_288;

/** Where ranks share processors, a turn is longer. */
const DEEP_BUFFER_BYTES = 1_048_576;

/** How many may have connected before they are let in. */
const BACKLOG = 1024;

/** The calls, bound to the C library of this process. */
export class Sockets {
  private readonly functions: ReturnType<typeof bind>;
  private readonly koffi: Koffi;
  private readonly option = new Int32Array(1);
  private readonly optionBytes = new Uint32Array(1);
  /** Two `struct iovec`: an address and a length, 64 bits each. */
  private readonly vectors = new Uint32Array(8);
  private readonly sockaddr = new Uint8Array(SOCKADDR_BYTES);
  private lendingCalls: LendingCalls | undefined;

  /** Throws `ForeignFunctionsUnavailable` where no foreign function can be called. */
  static async load(): Promise<Sockets> {
    return new Sockets(await loadKoffi());
  }

  private constructor(koffi: Koffi) {
    this.koffi = koffi;
    this.functions = bind(koffi);
  }

  /** A socket that listens at `address`; port 0 lets the system choose one. */
  listen(address: SocketAddress): number {
    return this.listenAt(familyOf(address.host), encodeSockaddr(address), (fd) => {
      // A port that was used a moment ago can be used again; one in use cannot.
      this.set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
      if (address.host === "::") this.set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    });
  }

  /** A socket that listens under a name that only processes of this machine can reach. */
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

  /** Connects to a name of this machine, at once or not at all. */
  connectWithin(name: string): number {
    const fd = this.startConnecting(AF_UNIX, encodeAbstractName(name));
    this.tune(fd);
    return fd;
  }

  /** The next connection that has come in, or `undefined`. */
  accept(listener: number): number | undefined {
    const flags = SOCK_NONBLOCK | SOCK_CLOEXEC;
    const fd = this.functions.accept4(listener, null, null, flags);
    // A connection that was broken off before it was accepted is none.
    return fd < 0 ? undefined : fd;
  }

  /** Begins to connect; it is done when the socket is writable, see `connectionError`. */
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

  /** Why a connection did not come about, or `undefined` if it did. */
  connectionError(fd: number): SystemCallError | undefined {
    this.optionBytes[0] = 4;
    const { option, optionBytes } = this;
    this.check(
      "getsockopt",
      this.functions.getsockopt(fd, SOL_SOCKET, SO_ERROR, option, optionBytes),
    );
    return option[0] === 0 ? undefined : new SystemCallError("connect", option[0] as number);
  }

  /** Small messages leave at once, and silent peers are asked now and then. */
  tune(fd: number): void {
    if (this.familyOf(fd) === AF_UNIX) {
      this.set(fd, SOL_SOCKET, SO_SNDBUF, LOCAL_BUFFER_BYTES);
      return;
    }
    this.set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    this.set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    this.set(fd, IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE.idleSecs);
    this.set(fd, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE.intervalSecs);
    this.set(fd, IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE.questions);
  }

  /** Lets a sender go on for a while before its reader has had the processor. */
  deepen(fd: number): void {
    if (this.familyOf(fd) === AF_UNIX) this.set(fd, SOL_SOCKET, SO_SNDBUF, DEEP_BUFFER_BYTES);
  }

  /** Who sends through the socket without copying; within a machine alone. */
  lenderFor(fd: number): PageLender | undefined {
    if (this.familyOf(fd) !== AF_UNIX) return undefined;
    this.lendingCalls ??= bindLendingCalls(this.koffi);
    return PageLender.open(this.lendingCalls, fd);
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

  /** Sends what goes out without waiting: how many bytes, `WOULD_BLOCK` or `ENDED`. */
  send(fd: number, address: number, bytes: number): number {
    return this.moved(this.functions.send(fd, address, bytes, MSG_DONTWAIT | MSG_NOSIGNAL));
  }

  /** Sends two stretches of memory, one behind the other, in one go. */
  sendBoth(fd: number, first: number, firstBytes: number, next: number, nextBytes: number): number {
    const { vectors } = this;
    writeVector(vectors, 0, first, firstBytes);
    writeVector(vectors, 4, next, nextBytes);
    return this.moved(this.functions.writev(fd, vectors, 2));
  }

  /** Receives what is there: how many bytes, `WOULD_BLOCK` or `ENDED`. */
  receive(fd: number, address: number, bytes: number): number {
    const got = this.functions.recv(fd, address, bytes, MSG_DONTWAIT);
    return got === 0 ? ENDED : this.moved(got);
  }

  /** No more will be sent; what was sent still arrives. */
  finishSending(fd: number): void {
    // It fails if the other side is gone already, and then there is nothing to finish.
    this.functions.shutdown(fd, SHUT_WR);
  }

  /**
   * Waits until one of the sockets in a `struct pollfd` array is ready, at most `milliseconds`. Returns
   * whether one is; a signal may have cut the waiting short.
   */
  wait(set: PollSet, milliseconds: number): boolean {
    return this.functions.poll(set.entries, set.length, milliseconds) > 0;
  }

  yieldProcessor(): void {
    this.functions.schedYield();
  }

  /** Where an array's elements are. Addresses have 48 bits: a number holds them exactly. */
  addressOf(array: ArrayBufferView): number {
    // A short array moves about the heap until somebody has looked at its buffer.
    void array.buffer;
    return Number(this.koffi.address(array));
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

  /** What was found at the i-th entry: flags, those of errors too. */
  found(i: number): number {
    return (this.entries[2 * i + 1] as number) >>> 16;
  }

  /** Whether anything, an error too, was found at the i-th entry. */
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
