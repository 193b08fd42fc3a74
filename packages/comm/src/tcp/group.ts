import type { Sockets } from "../ffi/sockets.js";
import { stir } from "../group/fingerprint.js";
import type { Joined, Mesh } from "./joined.js";
import type { Link } from "./link.js";
import type { Membership } from "./membership.js";
import type { Waiting } from "./waiting.js";
import { FINGERPRINT_BYTES, HEADER_BYTES, TAG, writeHeader } from "./wire.js";

const MAX_DIRECT_RANKS = 8;

/** This rank's view of the group: the call it is in, and whether the others make the same call. */
export class Group {
  readonly rank: number;
  readonly size: number;
  readonly sockets: Sockets;
  readonly membership: Membership;
  readonly waiting: Waiting;
  /** Links to all other ranks, by rank; `undefined` if there are only the links to rank 0. */
  readonly mesh: Mesh | undefined;
  /** The links of the mesh, starting with the next higher rank and wrapping around. */
  readonly peers: readonly Link[];
  /** Whether all ranks are on this machine. */
  readonly isWithinMachine: boolean;
  /** The frame that describes the current call of this rank. */
  readonly fingerprint = new Uint8Array(FINGERPRINT_BYTES);
  private readonly fields = new DataView(this.fingerprint.buffer);

  constructor(
    sockets: Sockets,
    membership: Membership,
    waiting: Waiting,
    { star, mesh, machines }: Joined,
  ) {
    this.sockets = sockets;
    this.membership = membership;
    this.waiting = waiting;
    const { rank, size } = membership;
    this.rank = rank;
    this.size = size;
    // With two ranks, the star connects all pairs.
    this.mesh = size === 2 ? (mesh ?? star) : mesh;
    const linked = this.mesh ?? [];
    this.peers = [...linked.slice(rank + 1), ...linked.slice(0, rank)] as Link[];
    this.isWithinMachine = machines.every((machine) => machine === machines[0]);
    writeHeader(this.fingerprint, 0, TAG.fingerprint, FINGERPRINT_BYTES - HEADER_BYTES);
  }

  /**
   * Opens a collective: adds the call to the history, which the fingerprint carries. `stirred` is a
   * hash of anything else that must be equal on all ranks. Returns whether the call and its length are
   * those of the call before.
   */
  open(call: number, length: number, stirred = 0): boolean {
    const { membership, fields } = this;
    const repeated = call === membership.call && length === membership.length;
    membership.call = call;
    membership.length = length;
    membership.sequence = (membership.sequence + 1) | 0;
    membership.history = stir(
      stir(stir(membership.history, call), length ^ (length / 2 ** 32)),
      stirred,
    );
    fields.setInt32(HEADER_BYTES, membership.sequence, true);
    fields.setInt32(HEADER_BYTES + 4, call, true);
    fields.setFloat64(HEADER_BYTES + 8, length, true);
    fields.setInt32(HEADER_BYTES + 16, membership.history, true);
    this.waiting.open();
    return repeated;
  }

  /**
   * Takes the fingerprint at the front of the link's input, if it has arrived, and checks that the
   * sender makes the same call. Returns whether it had arrived.
   */
  takeFingerprint(link: Link): boolean {
    const { membership } = this;
    if (link.available < FINGERPRINT_BYTES) return false;
    const at = link.start;
    if (link.input[at + 4] !== TAG.fingerprint) membership.failUnintelligible(link);
    const view = new DataView(link.input.buffer, link.input.byteOffset + at, FINGERPRINT_BYTES);
    const sequence = view.getInt32(HEADER_BYTES, true);
    const history = view.getInt32(HEADER_BYTES + 16, true);
    if (sequence !== membership.sequence || history !== membership.history) {
      const call = view.getInt32(HEADER_BYTES + 4, true);
      const length = view.getFloat64(HEADER_BYTES + 8, true);
      membership.failMismatch({ rank: link.rank, call, length });
    }
    link.start += FINGERPRINT_BYTES;
    return true;
  }

  /**
   * Whether ranks send short messages directly to all others. In a large group there are so many pairs
   * that going through the coordinator is as good.
   */
  get meetsDirectly(): boolean {
    return this.mesh !== undefined && this.size <= MAX_DIRECT_RANKS;
  }

  /** Waits until the link has sent everything. */
  finishSending(link: Link): void {
    while (link.isSending) {
      if (link.push()) {
        this.waiting.moved();
        continue;
      }
      if (link.isDeaf) this.membership.failLost(link);
      this.waiting.idle(() => [link.rank]);
    }
  }
}

/** The bytes of an array, in place. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
