import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Why a request is refused, as HTTP tells it. */
export interface Objection {
  readonly status: number;
  readonly message: string;
}

/**
 * Whether a request comes from where it may. A page in a browser can send requests to this machine under a name of its own (DNS rebinding):
 * the names of host and origin must be those of this machine. Everything else needs the token.
 */
export function objectionTo(
  request: IncomingMessage,
  port: number,
  token: string,
): Objection | undefined {
  const { host, origin, authorization } = request.headers;
  const own = ["localhost", "127.0.0.1", "[::1]"].map((name) => `${name}:${port}`);
  if (host === undefined || !own.includes(host.toLowerCase())) {
    return { status: 403, message: "the Host header must name this machine" };
  }
  if (origin !== undefined && !own.some((name) => origin.toLowerCase() === `http://${name}`)) {
    return { status: 403, message: "requests from other origins are refused" };
  }
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  if (!isSame(given, token)) {
    return { status: 401, message: "send the header Authorization: Bearer TOKEN" };
  }
  return undefined;
}

/** Compared in the same time, whatever they are. */
function isSame(a: string, b: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}
