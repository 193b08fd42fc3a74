/** Many connections by somebody who is no rank: its arguments are a port and how many. */
import { connect } from "node:net";

const [port, count] = process.argv.slice(2).map(Number) as [number, number];
const AT_A_TIME = 20;

/** One stranger: says something senseless, or is turned away. */
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
