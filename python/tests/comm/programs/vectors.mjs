// Wire vectors, as the TypeScript ranks make and understand them.
//
//   node vectors.mjs write           prints what TypeScript ranks send
//   node vectors.mjs read < vectors  prints what they understand of what Python ranks send
import { readFileSync } from "node:fs";

const from = (path) => import(new URL(`../../../../packages/comm/dist/${path}`, import.meta.url));
const wire = await from("tcp/wire.js");
const handshake = await from("tcp/handshake.js");
const proof = await from("tcp/proof.js");
const { Group } = await from("tcp/group.js");
const { machineNumber } = await from("tcp/machine.js");
const fingerprint = await from("group/fingerprint.js");
const { equalPart } = await from("memory/reserve-pages.js");
const { Layout } = await from("shm/layout.js");

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (text) => new Uint8Array(Buffer.from(text, "hex"));

const SECRET = Buffer.from("a secret, with é in it", "utf8");
const NONCES = {
  worker: Uint8Array.from({ length: 32 }, (_, i) => i),
  coordinator: Uint8Array.from({ length: 32 }, (_, i) => 255 - i),
};
const WHO = {
  rank: 3,
  size: 5,
  machine: 0x0123456789abcdefn,
  port: 0,
  purpose: 0,
  target: 2,
  channel: 1,
  name: Uint8Array.from({ length: 16 }, (_, i) => 7 * i),
};
const REASON = Buffer.from("no é here", "utf8");
const NOTICE = { code: 2, missingRanks: [1, 700], text: "rank 1 calls é" };
const COUNTS_HASH = fingerprint.hashCounts([5, 0, 7, 2 ** 31 + 3, 2 ** 33 + 5]);
const CALLS = [
  { call: fingerprint.encodeCall(1, 0, 0, 0), length: 0, extra: 0 },
  { call: fingerprint.encodeCall(3, 1, 2, 0), length: 1_000_003, extra: 0 },
  { call: fingerprint.encodeCall(2, 10, 0, 1023), length: 2 ** 40 + 5, extra: 0 },
  { call: fingerprint.encodeCall(4, 7, 0, 0), length: 12, extra: COUNTS_HASH },
];

/** The frames with which a rank opens these calls, one after the other. */
function openings() {
  const membership = { rank: 0, size: 2, call: 0, length: 0, sequence: 0, history: 0 };
  const joined = { star: [undefined, {}], mesh: undefined, machines: [0, 0] };
  const group = new Group(undefined, membership, { open() {} }, joined);
  return CALLS.map(({ call, length, extra }) => {
    group.open(call, length, extra);
    return hex(group.fingerprint);
  });
}

function layoutOf(size) {
  const layout = new Layout(size);
  const last = size - 1;
  return {
    size,
    totalBytes: layout.totalBytes,
    record: layout.record(last),
    sleepWord: layout.sleepWord(last),
    firstLine: layout.lines(last),
    slot: layout.slot(last, 13),
    parts: [0, last].map((r) => layout.parts(r).map((part) => [part.offset, part.bytes])),
    equalParts: [0, 1, 4097, 1_000_000].map((bytes) => {
      const part = equalPart(bytes, last, size);
      return [part.offset, part.bytes];
    }),
  };
}

function write() {
  const statement = handshake.encodeIntroduction(WHO);
  return {
    hello: hex(handshake.encodeHello(NONCES.worker)),
    challenge: hex(handshake.encodeChallenge(true, NONCES.coordinator)),
    statement: hex(statement),
    workerProof: hex(proof.prove(SECRET, "worker", NONCES, statement)),
    coordinatorProof: hex(
      proof.prove(SECRET, "coordinator", NONCES, handshake.encodeAckStatement(5, 2)),
    ),
    refusal: hex(handshake.encodeRefusal(REASON, proof.prove(SECRET, "refusal", NONCES, REASON))),
    abort: hex(wire.encodeAbort(NOTICE)),
    shutdown: hex(wire.frame(wire.TAG.shutdown)),
    waiting: hex(wire.frame(wire.TAG.waiting, wire.words(7, 2))),
    openings: openings(),
    described: CALLS.map(({ call, length }) => fingerprint.describeCall(call, length)),
    machine: String(machineNumber()),
    layouts: [1, 2, 3, 4, 7, 1024].map(layoutOf),
  };
}

function read(vectors) {
  const payload = (frame) => bytes(frame).slice(wire.HEADER_BYTES);
  const said = handshake.decodeHandshake(payload(vectors.handshake));
  const ack = handshake.decodeAck(payload(vectors.ack));
  const roster = handshake.decodeRoster(payload(vectors.roster));
  const challenge = handshake.decodeChallenge(payload(vectors.challenge));
  const { machine, name, ...introduction } = said.introduction;
  const refusal = handshake.decodeRefusal(payload(vectors.refusal));
  return {
    hello: hex(handshake.decodeHello(payload(vectors.hello)).nonce),
    challenge: { wantsProof: challenge.wantsProof, nonce: hex(challenge.nonce) },
    introduction: { ...introduction, machine: String(machine), name: hex(name) },
    acceptedBy: ack.rank,
    refusal: handshake.printable(refusal.text),
    isRefusalProven: proof.isProven(refusal.proof, SECRET, "refusal", NONCES, refusal.text),
    isWorkerProven: proof.isProven(said.proof, SECRET, "worker", NONCES, said.statement),
    isCoordinatorProven: proof.isProven(ack.proof, SECRET, "coordinator", NONCES, ack.statement),
    roster: { machines: roster.machines, links: roster.links },
    abort: wire.decodeAbort(payload(vectors.abort)),
  };
}

const answer = process.argv[2] === "write" ? write() : read(JSON.parse(readFileSync(0, "utf8")));
console.log(JSON.stringify(answer));
