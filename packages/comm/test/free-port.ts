import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/** Ports that the system gives to nobody by itself. */
const FIRST_PORT = 10_000;
const SHARES = 200;
const PORTS_OF_A_SHARE = 100;

/** Test files run side by side, and each takes a share of the ports as long as it runs. */
const share = await takeShare();
let taken = 0;

/** Lets a server listen on the loopback; returns its port. */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A port that was free a moment ago, and that no other test file is given. */
export async function freePort(): Promise<number> {
  for (let i = 0; i < PORTS_OF_A_SHARE; i++) {
    const port = FIRST_PORT + share * PORTS_OF_A_SHARE + (taken++ % PORTS_OF_A_SHARE);
    const server = createServer();
    try {
      await listenOnLoopback(server, port);
    } catch (error) {
      if (isInUse(error)) continue;
      throw error;
    }
    server.close();
    await once(server, "close");
    return port;
  }
  throw new Error(`no port of the ${PORTS_OF_A_SHARE} of this process is free`);
}

/** A share is taken by a socket that only one process can have; it is gone with the process. */
async function takeShare(): Promise<number> {
  for (let i = 0; i < SHARES; i++) {
    const candidate = (process.pid + i) % SHARES;
    const mark = createServer().unref();
    mark.listen(`\0cobre-test-ports-${candidate}`);
    try {
      await once(mark, "listening");
      return candidate;
    } catch (error) {
      if (!isInUse(error)) throw error;
    }
  }
  throw new Error(`${SHARES} processes have taken ports for tests`);
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
