/** Somebody who connects to a coordinator without being a rank. */
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { listenOnLoopback } from "../free-port.js";

const strangers: Socket[] = [];

/** What an introduction is for (0 to join, 1 to link), whom it means, and over what: 0 is the network, 1 a Unix socket. */
export interface Meant {
  readonly purpose: number;
  readonly target: number;
  readonly channel: number;
}

/** A stranger's end of a connection. */
export interface Stranger {
  readonly socket: Socket;
  /** Talks the protocol like a rank, until it is accepted. */
  join(
    rank: number,
    size: number,
    token: string | Uint8Array,
    meant?: Partial<Meant>,
  ): Promise<void>;
  /** What rank 0 sends when all have joined. */
  roster(): Promise<Buffer>;
  /** The text with which it is turned away. */
  refusal(): Promise<string>;
}

/** Connects, as soon as somebody listens. */
export async function connectStranger(port: number): Promise<Stranger> {
  const socket = await connected(port);
  strangers.push(socket);
  socket.on("error", () => {});
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  const nextFrame = async () => {
    for (;;) {
      const bytes = received.length < 4 ? Number.POSITIVE_INFINITY : 4 + received.readUInt32BE(0);
      if (received.length >= bytes) {
        const found = received.subarray(4, bytes);
        received = received.subarray(bytes);
        return found;
      }
      if (socket.closed) throw new Error("the connection ended without an answer");
      await sleep(2);
    }
  };
  return {
    socket,
    async join(rank, size, token, { purpose = 0, target = 0, channel = 0 } = {}) {
      const hello = helloOfVersion(4);
      socket.write(hello);
      const challenge = await nextFrame();
      const said = wordsOf(rank, size, 0, 0, 1, purpose, target, channel);
      const statement = Buffer.concat([said, Buffer.alloc(16)]);
      const proof = createHmac("sha256", token)
        .update("cobre worker\0")
        .update(hello.subarray(17))
        .update(challenge.subarray(9))
        .update(statement)
        .digest();
      socket.write(
        Buffer.concat([header(0x08, statement.length + proof.length), statement, proof]),
      );
      const ack = await nextFrame();
      if (ack[0] !== 0x09) throw new Error(`not accepted: ${ack.subarray(33)}`);
    },
    async roster() {
      const found = await nextFrame();
      if (found[0] !== 0x0f) throw new Error(`not a roster: tag ${found[0]}`);
      return found.subarray(1);
    },
    async refusal() {
      const found = await nextFrame();
      if (found[0] !== 0x0e) throw new Error(`not a refusal: tag ${found[0]}`);
      return found.subarray(33).toString("utf8");
    },
  };
}

async function connected(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return socket;
    } catch {
      await sleep(5);
    }
  }
}

/** Listens in the place of rank 0: it knows the token, and says that it is `rank`. Tells how many have come. */
export async function listenAs(rank: number, size: number, token: string) {
  let came = 0;
  const server = createServer((socket) => {
    const nonces: Buffer[] = [];
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      if (chunk[4] !== 0x0c) {
        const statement = wordsOf(size, rank);
        const proof = createHmac("sha256", token).update("cobre coordinator\0");
        for (const part of [...nonces, statement]) proof.update(part);
        socket.write(Buffer.concat([header(0x09, 40), statement, proof.digest()]));
        return;
      }
      came++;
      nonces.push(chunk.subarray(17), randomBytes(32));
      socket.write(Buffer.concat([header(0x0d, 40), wordsOf(4, 1), nonces[1] as Buffer]));
    });
  });
  const port = await listenOnLoopback(server);
  return { server, port, came: () => came };
}

/** The first frame of a rank that speaks the given version of the protocol. */
export function helloOfVersion(version: number): Buffer {
  const fields = Buffer.alloc(12);
  fields.write("CoBr", "latin1");
  fields.writeUInt32LE(version, 4);
  fields.writeUInt32LE(0x01020304, 8);
  return Buffer.concat([header(0x0c, 44), fields, randomBytes(32)]);
}

/** Whether the coordinator has ended the connection. */
export async function isRefused({ socket }: Stranger): Promise<boolean> {
  while (!socket.destroyed && !socket.readableEnded) await sleep(5);
  return true;
}

export function endStrangers(): void {
  for (const socket of strangers.splice(0)) socket.destroy();
}

function wordsOf(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => {
    bytes.writeUInt32LE(value, 4 * i);
  });
  return bytes;
}

function header(tag: number, payloadBytes: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(payloadBytes + 1, 0);
  bytes[4] = tag;
  return bytes;
}
