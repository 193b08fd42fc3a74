import type { Group } from "./group.js";
import type { Link } from "./link.js";
import { FINGERPRINT_BYTES, HEADER_BYTES, TAG, writeHeader } from "./wire.js";

/**
 * Results of up to this many bytes are sent as short messages: through buffers, one message to each
 * rank, or one to the coordinator and one back. Longer ones are streamed. Tuned with `npm run bench`.
 */
export const SHORT_BYTES = 65_536;

/**
 * When every rank sends its operand to all others: the limit for the operands of all ranks together on
 * one machine, and for a single operand over a network.
 */
const DIRECT_BYTES = 131_072;
const DIRECT_NETWORK_BYTES = 8192;

/** The longest operand of an allreduce that is sent as a short message. */
export function shortOperandBytes({ size, meetsDirectly, isWithinMachine }: Group): number {
  if (size === 2 || !meetsDirectly) return SHORT_BYTES;
  return isWithinMachine ? Math.min(SHORT_BYTES, DIRECT_BYTES / size) : DIRECT_NETWORK_BYTES;
}

/** Room for the fingerprint, the header and the operation. */
const OVERHEAD_BYTES = 64;

/** Messages that are composed in a buffer and sent whole. */
export class ShortMessages {
  private readonly group: Group;
  private readonly output = new Uint8Array(SHORT_BYTES + OVERHEAD_BYTES);
  private readonly outputAddress: number;
  private outputBytes = 0;
  /** By rank: whether the fingerprint has been checked. */
  private readonly checked: Uint8Array;

  constructor(group: Group) {
    this.group = group;
    this.outputAddress = group.sockets.addressOf(this.output);
    this.checked = new Uint8Array(group.size);
  }

  /** Begins a message: the fingerprint, if wanted, and a frame with room for `bytes` bytes. */
  compose(fingerprint: boolean, tag: number, op: number, bytes: number): Uint8Array {
    const { output } = this;
    let at = 0;
    if (fingerprint) {
      output.set(this.group.fingerprint);
      at = FINGERPRINT_BYTES;
    }
    const opBytes = tag === TAG.allreduceSend ? 1 : 0;
    writeHeader(output, at, tag, bytes + opBytes);
    at += HEADER_BYTES;
    if (opBytes === 1) output[at] = op;
    at += opBytes;
    this.outputBytes = at + bytes;
    return output.subarray(at, at + bytes);
  }

  /** Sends the composed message, and waits until it has been sent. */
  sendTo(link: Link): void {
    this.group.finishSending(link);
    link.sendRaw(this.outputAddress, this.outputBytes);
    // The next message reuses the buffer.
    if (link.isSending) this.group.finishSending(link);
  }

  /**
   * Waits for a frame from each of the links and calls `take` with its payload, which is valid only
   * during that call. The payload does not include the operation of an `allreduceSend`.
   */
  receive(
    links: readonly Link[],
    fingerprint: boolean,
    tag: number,
    bytesFrom: (rank: number) => number,
    take: (rank: number, payload: Uint8Array) => void,
  ): void {
    const { waiting } = this.group;
    for (const link of links) {
      link.isExpected = true;
      this.checked[link.rank] = fingerprint ? 0 : 1;
    }
    let left = links.length;
    while (left > 0) {
      let moved = false;
      for (const link of links) {
        if (!link.isExpected) continue;
        const bytes = bytesFrom(link.rank);
        let payload = this.framePayload(link, tag, bytes);
        if (payload === undefined && link.isReadable && link.fill()) {
          moved = true;
          payload = this.framePayload(link, tag, bytes);
        }
        if (payload !== undefined) {
          link.isExpected = false;
          left--;
          moved = true;
          take(link.rank, payload);
        } else if (link.hasEnded) {
          this.group.membership.failLost(link);
        }
      }
      if (moved) waiting.moved();
      else waiting.idle(() => links.filter((link) => link.isExpected).map((link) => link.rank));
    }
  }

  /** The payload of the awaited frame, if all of it has arrived. */
  private framePayload(link: Link, tag: number, bytes: number): Uint8Array | undefined {
    const { group, checked } = this;
    const { membership } = group;
    let front = membership.front(link);
    if (front === 0) return undefined;
    if (checked[link.rank] === 0) {
      if (front !== TAG.fingerprint) membership.failUnintelligible(link);
      if (!group.takeFingerprint(link)) return undefined;
      checked[link.rank] = 1;
      front = membership.front(link);
      if (front === 0) return undefined;
    }
    if (front !== tag) {
      // If it is a fingerprint, the error can name the other side's call.
      if (front === TAG.fingerprint && !group.takeFingerprint(link)) return undefined;
      membership.failUnintelligible(link);
    }
    const opBytes = tag === TAG.allreduceSend ? 1 : 0;
    const whole = HEADER_BYTES + opBytes + bytes;
    if (link.frameBytes(link.start) !== whole) membership.failUnintelligible(link);
    if (link.available < whole) {
      link.makeRoom(whole);
      return undefined;
    }
    const from = link.start + HEADER_BYTES + opBytes;
    link.start += whole;
    return link.input.subarray(from, from + bytes);
  }
}
