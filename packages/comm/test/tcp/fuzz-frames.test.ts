/** Damaged and random frames, before and after the proof: nobody hangs, crashes, or gets a wrong result. */
import assert from "node:assert/strict";
import { after, afterEach, describe, it } from "node:test";
import { Dice, damagedBytes } from "@cobre/testing/fuzz";
import { inScope } from "@cobre/testing/scope";
import { wire } from "#internal";
import { type Answer, killAll, startRank } from "../by-hand.js";
import { SideBySide } from "../faults/side-by-side.js";
import { freePort } from "../free-port.js";
import { connectStranger, endStrangers, helloOfVersion } from "./stranger.js";

const LOOPBACK = "127.0.0.1";
const TOKEN = "secret";

/** So many strangers before the proof meet one group; after the proof each has a group of its own. */
const BEFORE = inScope({ quick: [{ first: 1, count: 100 }], rest: [{ first: 1000, count: 1000 }] });
const AFTER = inScope({ quick: [{ first: 1, count: 8 }], rest: [{ first: 1000, count: 40 }] });

/** A frame with any tag, also such as do not exist, and often a length that is not its own. */
function randomFrame(dice: Dice): Uint8Array {
  const payload = Uint8Array.from({ length: dice.below(dice.pick([16, 80])) }, () =>
    dice.below(256),
  );
  const length = dice.pick([payload.length + 1, payload.length + 1, 0, 1, 2 ** 20, 2 ** 32 - 1]);
  const bytes = Buffer.alloc(5 + payload.length);
  bytes.writeUInt32BE(length, 0);
  bytes[4] = dice.pick([wire.TAG.hello, wire.TAG.handshake, wire.TAG.abort, dice.below(0x16)]);
  bytes.set(payload, 5);
  return bytes;
}

/** An outcome that a user can understand: all have joined, or an error with a kind and a message. */
function assertClean({ joined, error, stderr = "" }: Answer, seed: number): void {
  assert.doesNotMatch(stderr, / {4}at /, `seed ${seed}`);
  if (joined !== undefined) return;
  assert.ok(error !== undefined && error.kind !== "" && error.message !== "", `seed ${seed}`);
}

/** Rank 0 is joined by somebody who knows the token and sends random frames. */
async function meetRubbish(seed: number): Promise<void> {
  const dice = new Dice(seed);
  const port = await freePort();
  const config = { size: 2, port, token: TOKEN, timeoutSecs: 5, rank: 0, bindAddress: LOOPBACK };
  const coordinator = startRank({ kind: "tcp", config });
  const stranger = await connectStranger(port);
  await stranger.join(1, 2, TOKEN);
  // Most get as far as the first collective: they say that they could not make links.
  if (dice.below(4) > 0) {
    await stranger.roster();
    stranger.socket.write(wire.frame(wire.TAG.links, Uint8Array.of(0)));
  }
  for (let i = 1 + dice.below(6); i > 0; i--) stranger.socket.write(randomFrame(dice));
  if (dice.below(2) === 0) stranger.socket.end();
  const answer = await coordinator.answer;
  assertClean(answer, seed);
  assert.equal(answer.joined, undefined, `seed ${seed}: a result of random bytes`);
  stranger.socket.destroy();
}

afterEach(async () => {
  endStrangers();
  await killAll();
});
after(endStrangers);

describe("tcp: frames of strangers", { timeout: 600_000 }, () => {
  for (const { first, count } of BEFORE) {
    it(`${count} strangers without a proof, from seed ${first}, do not keep a group from coming together`, async () => {
      const port = await freePort();
      const common = { size: 2, port, token: TOKEN, timeoutSecs: 120 };
      const config = { ...common, rank: 0, bindAddress: LOOPBACK };
      const coordinator = startRank({ kind: "tcp", config });
      for (let seed = first; seed < first + count; seed++) {
        const dice = new Dice(seed);
        const { socket } = await connectStranger(port);
        const start = dice.pick(["whole", "damaged", "none"]);
        if (start === "whole") socket.write(helloOfVersion(4));
        if (start === "damaged") socket.write(damagedBytes(helloOfVersion(4), dice));
        for (let i = dice.below(4); i > 0; i--) socket.write(randomFrame(dice));
        if (dice.below(2) === 0) socket.end();
      }
      const worker = startRank({
        kind: "tcp",
        config: { ...common, rank: 1, coordinator: LOOPBACK },
      });
      for (const answer of await Promise.all([coordinator.answer, worker.answer])) {
        assertClean(answer, first);
        assert.equal(answer.joined, 2, JSON.stringify(answer));
      }
    });
  }

  for (const { first, count } of AFTER) {
    it(`${count} members that send rubbish after their proof, from seed ${first}, end the others with an error`, async () => {
      // Most of these groups wait for the rest of a frame until their limit.
      const groups = new SideBySide();
      for (let seed = first; seed < first + count; seed++) await groups.add(meetRubbish(seed));
      await groups.settled();
    });
  }
});
