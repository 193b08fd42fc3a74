/**
 * Sends memory through a Unix socket without copying it: a pipe takes references to the pages and hands
 * them to the socket, and the receiver copies straight from them. They are lent: until all was read, what
 * stands in them must not change. Each foreign function stands under its C signature.
 */
import { closeSync } from "node:fs";
import { writeVector } from "./iovec.js";
import type { Koffi } from "./koffi.js";
import { mayComeLater, WOULD_BLOCK } from "./transfer.js";

const O_NONBLOCK = 0o4000;
const O_CLOEXEC = 0o2000000;
const F_SETPIPE_SZ = 1031;
const F_GETPIPE_SZ = 1032;
const SPLICE_F_NONBLOCK = 2;
const SIOCOUTQ = 0x5411;

/** As much as the kernel lets every user have, unless told otherwise. */
const PIPE_BYTES = 1_048_576;

/** A user with many pipes gets short ones, which take more turns than lending is worth. */
const MIN_PIPE_BYTES = 131_072;

/** What `send` returns if the kernel will not: the bytes have to be copied, which also tells why. */
export const CANNOT_LEND = -2;

/** Lends pages to one socket. */
export class PageLender {
  /** How many bytes are in the pipe: those that go out next. */
  private held = 0;
  private readonly vector = new Uint32Array(4);
  private readonly unread = new Int32Array(1);

  private constructor(
    private readonly calls: LendingCalls,
    private readonly socket: number,
    private readonly readEnd: number,
    private readonly writeEnd: number,
  ) {}

  /** `undefined` where there is no pipe of use, or where it cannot be told what was read. */
  static open(calls: LendingCalls, socket: number): PageLender | undefined {
    const ends = new Int32Array(2);
    if (calls.pipe2(ends, O_NONBLOCK | O_CLOEXEC) !== 0) return undefined;
    const lender = new PageLender(calls, socket, ends[0] as number, ends[1] as number);
    calls.fcntl(lender.writeEnd, F_SETPIPE_SZ, "int", PIPE_BYTES);
    const pipeBytes = calls.fcntl(lender.writeEnd, F_GETPIPE_SZ, "int", 0);
    if (pipeBytes >= MIN_PIPE_BYTES && lender.askUnread() === 0) return lender;
    lender.close();
    return undefined;
  }

  /**
   * Sends what goes out without waiting: how many bytes, `WOULD_BLOCK` or `CANNOT_LEND`. Called again, it
   * must be given the bytes that follow.
   */
  send(address: number, bytes: number): number {
    const { calls, vector } = this;
    let sent = 0;
    while (sent < bytes) {
      const rest = bytes - sent - this.held;
      if (rest > 0) {
        writeVector(vector, 0, address + bytes - rest, rest);
        const taken = calls.vmsplice(this.writeEnd, vector, 1, SPLICE_F_NONBLOCK);
        if (taken > 0) this.held += taken;
        else if (this.held === 0) return sent > 0 ? sent : CANNOT_LEND;
      }
      const moved = calls.splice(
        this.readEnd,
        null,
        this.socket,
        null,
        this.held,
        SPLICE_F_NONBLOCK,
      );
      if (moved <= 0) {
        if (sent > 0) return sent;
        return mayComeLater(calls.koffi) ? WOULD_BLOCK : CANNOT_LEND;
      }
      this.held -= moved;
      sent += moved;
    }
    return sent;
  }

  /** Whether the receiver has read all that was sent, in other ways too. */
  get isAllRead(): boolean {
    return this.askUnread() === 0 && this.unread[0] === 0;
  }

  close(): void {
    closeSync(this.readEnd);
    closeSync(this.writeEnd);
  }

  private askUnread(): number {
    return this.calls.ioctl(this.socket, SIOCOUTQ, "void *", this.unread);
  }
}

export type LendingCalls = ReturnType<typeof bindLendingCalls>;

export function bindLendingCalls(koffi: Koffi) {
  const libc = koffi.load(null);
  return {
    koffi,
    // int pipe2(int pipefd[2], int flags);
    pipe2: libc.func("int pipe2(void *fds, int flags)"),
    // int fcntl(int fd, int op, ...);
    fcntl: libc.func("int fcntl(int fd, int op, ...)"),
    // ssize_t vmsplice(int fd, const struct iovec *iov, size_t nr_segs, unsigned int flags);
    vmsplice: libc.func("int64_t vmsplice(int fd, void *iov, size_t segments, uint flags)"),
    // ssize_t splice(int fd_in, off_t *off_in, int fd_out, off_t *off_out, size_t size, unsigned int flags);
    splice: libc.func(
      "int64_t splice(int from, void *fromOffset, int to, void *toOffset, size_t size, uint flags)",
    ),
    // int ioctl(int fd, unsigned long op, ...);
    ioctl: libc.func("int ioctl(int fd, ulong op, ...)"),
  };
}
