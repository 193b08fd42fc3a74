/** The `cobre` command, for programs that want to run it without a process of its own. */
export { createProgram, main } from "./main.js";
