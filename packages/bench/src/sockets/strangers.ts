/** Makes many connections that are not ranks. The arguments are a port and their number. */
import { connect } from "node:net";

const [port, count] = process.argv.slice(2).map(Number) as [number, number];
const AT_A_TIME = 20;

/** One stranger: sends something meaningless, or is refused. Resolves to whether it connected. */
function call(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let reached = false;
    socket.on("connect", () => {
      reached = true;
      socket.end("senseless");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(reached));
    socket.resume();
  });
}

let left = count;
let reached = 0;
async function caller(): Promise<void> {
  while (left > 0) {
    left--;
    if (await call()) reached++;
  }
}
process.stdout.write("begun\n");
await Promise.all(Array.from({ length: AT_A_TIME }, caller));
process.stdout.write(`${reached}\n`);
