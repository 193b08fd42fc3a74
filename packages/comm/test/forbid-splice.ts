/**
 * Preloaded into ranks (`node --import`): makes this machine one whose kernel has no `splice`, as some containers are. A
 * filter of system calls answers it with ENOSYS; everything else is as before.
 */
import koffi from "koffi";

const PR_SET_SECCOMP = 22;
const PR_SET_NO_NEW_PRIVS = 38;
const SECCOMP_MODE_FILTER = 2;

/** The number of the call, from the headers of Linux. */
const SPLICE: Partial<Record<NodeJS.Architecture, number>> = { x64: 275, arm64: 76 };

const splice = SPLICE[process.arch];
if (splice === undefined) throw new Error(`the number of splice is not known on ${process.arch}`);

const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const RETURN = 0x06;
const ANSWER_ENOSYS = 0x0005_0026;
const ALLOW = 0x7fff_0000;

/** One `struct sock_filter` each: code, where to go if true and if false, a number. */
const FILTER = [
  [LOAD_WORD, 0, 0, 0],
  [JUMP_IF_EQUAL, 0, 1, splice],
  [RETURN, 0, 0, ANSWER_ENOSYS],
  [RETURN, 0, 0, ALLOW],
] as const;

const instructions = new DataView(new ArrayBuffer(8 * FILTER.length));
FILTER.forEach(([code, ifTrue, ifFalse, number], i) => {
  instructions.setUint16(8 * i, code, true);
  instructions.setUint8(8 * i + 2, ifTrue);
  instructions.setUint8(8 * i + 3, ifFalse);
  instructions.setUint32(8 * i + 4, number, true);
});

/** `struct sock_fprog`: a length, and behind padding a pointer. */
const program = new DataView(new ArrayBuffer(16));
program.setUint16(0, FILTER.length, true);
program.setBigUint64(8, BigInt(koffi.address(new Uint8Array(instructions.buffer))), true);

// int prctl(int op, ...);
const prctl = koffi
  .load(null)
  .func("int prctl(int op, ulong first, void *second, ulong third, ulong fourth)");
const results = [
  prctl(PR_SET_NO_NEW_PRIVS, 1, null, 0, 0),
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, new Uint8Array(program.buffer), 0, 0),
];
if (results.some((result) => result !== 0)) throw new Error("splice cannot be forbidden here");
