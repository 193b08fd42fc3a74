/** Says how the kernel treats each TCP connection of this rank: a line of JSON. */
import { readdirSync, readlinkSync } from "node:fs";
import { createCommunicator } from "@cobre/comm";
import koffi from "koffi";

const SOL_SOCKET = 1;
const IPPROTO_TCP = 6;
const AF_INET = 2;
const AF_INET6 = 10;

/** What is read of each connection: level and number of each option, from the headers of Linux. */
const OPTIONS = {
  noDelay: [IPPROTO_TCP, 1],
  keepAlive: [SOL_SOCKET, 9],
  keepIdle: [IPPROTO_TCP, 4],
  keepInterval: [IPPROTO_TCP, 5],
  keepCount: [IPPROTO_TCP, 6],
  userTimeout: [IPPROTO_TCP, 18],
} as const;

export type SocketOptions = Record<keyof typeof OPTIONS, number>;

const SO_ACCEPTCONN = [SOL_SOCKET, 30] as const;
const SO_DOMAIN = [SOL_SOCKET, 39] as const;

const getsockopt = koffi
  .load(null)
  .func("int getsockopt(int fd, int level, int name, void *value, void *bytes)");

function read(fd: number, [level, name]: readonly [number, number]): number {
  const value = new Int32Array(1);
  return getsockopt(fd, level, name, value, Uint32Array.of(4)) === 0 ? (value[0] as number) : -1;
}

function isTcpConnection(fd: number): boolean {
  return [AF_INET, AF_INET6].includes(read(fd, SO_DOMAIN)) && read(fd, SO_ACCEPTCONN) === 0;
}

function openSockets(): number[] {
  return readdirSync("/proc/self/fd").map(Number).filter(isSocket);
}

function isSocket(fd: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith("socket:");
  } catch {
    return false; // it was that of the directory
  }
}

const comm = await createCommunicator();
comm.barrier();
const connections = openSockets()
  .filter(isTcpConnection)
  .map((fd) =>
    Object.fromEntries(Object.entries(OPTIONS).map(([name, option]) => [name, read(fd, option)])),
  );
process.stdout.write(`${JSON.stringify(connections)}\n`);
comm.barrier();
comm.close();
