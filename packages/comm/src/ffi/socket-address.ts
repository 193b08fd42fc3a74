/** Socket addresses, as text and as the bytes of a `struct sockaddr` on Linux. */
import { isIPv4, isIPv6 } from "node:net";

/** An IP address, as text without brackets, and a port. */
export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

export const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;

/** Room for the longest address that is decoded: `struct sockaddr_in6`. */
export const SOCKADDR_BYTES = 28;

export type AddressFamily = typeof AF_UNIX | typeof AF_INET | typeof AF_INET6;

/** Stands for the address of a connection by Unix socket. */
const WITHIN_MACHINE: SocketAddress = { host: "this machine", port: 0 };

export function familyOf(host: string): typeof AF_INET | typeof AF_INET6 {
  return isIPv6(host) ? AF_INET6 : AF_INET;
}

/** `10.0.0.1:29500`, `[::1]:29500`. */
export function formatAddress({ host, port }: SocketAddress): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === "::1" || host.startsWith("127.") || host.startsWith("::ffff:127.");
}

/** The bytes of `struct sockaddr_in` or `struct sockaddr_in6`. */
export function encodeSockaddr({ host, port }: SocketAddress): Uint8Array {
  const family = familyOf(host);
  const bytes = new Uint8Array(family === AF_INET ? 16 : SOCKADDR_BYTES);
  new Uint16Array(bytes.buffer)[0] = family;
  new DataView(bytes.buffer).setUint16(2, port);
  if (family === AF_INET) bytes.set(host.split(".").map(Number), 4);
  else bytes.set(bytesOfIPv6(host), 8);
  return bytes;
}

/**
 * The bytes of a `struct sockaddr_un` with an abstract name. Such a name is not in the file system, and
 * disappears with its socket.
 */
export function encodeAbstractName(name: string): Uint8Array {
  const bytes = Buffer.from(`..\0${name}`, "latin1");
  new DataView(bytes.buffer, bytes.byteOffset).setUint16(0, AF_UNIX, true);
  return bytes;
}

export function decodeSockaddr(bytes: Uint8Array): SocketAddress {
  const family = new Uint16Array(bytes.buffer, bytes.byteOffset, 1)[0];
  if (family === AF_UNIX) return WITHIN_MACHINE;
  const port = new DataView(bytes.buffer, bytes.byteOffset).getUint16(2);
  if (family === AF_INET) return { host: bytes.subarray(4, 8).join("."), port };
  return { host: textOfIPv6(bytes.subarray(8, 24)), port };
}

function bytesOfIPv6(host: string): number[] {
  const text = host.replace(/%.*$/, "");
  const [head = "", tail] = text.split("::");
  const front = groupsOf(head);
  const back = tail === undefined ? [] : groupsOf(tail);
  const zeros = new Array<number>(8 - front.length - back.length).fill(0);
  return [...front, ...zeros, ...back].flatMap((group) => [group >> 8, group & 255]);
}

/** The 16-bit groups on one side of the `::`. The last may be an IPv4 address. */
function groupsOf(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!isIPv4(group)) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}

function textOfIPv6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] as number) << 8) | (bytes[2 * i + 1] as number)).toString(16),
  );
  const full = groups.join(":");
  if (full.startsWith("0:0:0:0:0:ffff:")) return bytes.subarray(12).join(".");
  // The longest run of zeros is written as "::".
  const runs = full.match(/\b0(:0)+\b/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  if (longest === "") return full;
  const at = full.indexOf(longest);
  const before = full.slice(0, at).replace(/:$/, "");
  const behind = full.slice(at + longest.length).replace(/^:/, "");
  return `${before}::${behind}`;
}
