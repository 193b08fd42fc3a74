import type {
  Info,
  MachineInfo,
  MpiLibraryInfo,
  ProcessorsInfo,
  SharedMemoryInfo,
} from "@cobre/comm/info";
import type { HighsLibraryInfo, SolversInfo } from "@cobre/solver/info";

/** A line of a section. Its cells are aligned with those of the other lines. */
type Row = readonly string[];

/** The text that `cobre info` prints. */
export function formatInfo(info: Info & SolversInfo): string {
  const { machine, sharedMemory, foreignFunctions, backends, selection, mpi, variables } = info;
  const sections = [
    section(`cobre ${info.version}`, [
      ["Node.js", `${machine.node} on ${machine.platform} ${machine.arch}${libcText(machine)}`],
      ["Cores", `${machine.cores.available} available of ${machine.cores.total}`],
      ...(machine.processors === null ? [] : [["Launch", processorsText(machine.processors)]]),
      ["Memory", memoryText(machine)],
      [sharedMemory.path, sharedMemoryText(sharedMemory)],
      ...(sharedMemory.warning === null ? [] : [["", `warning: ${sharedMemory.warning}`]]),
      ["FFI", foreignFunctions.details],
    ]),
    section(
      "Backends",
      backends.map(({ name, inBuild, usable, details }) => [
        name,
        usable ? "usable" : inBuild ? "not usable" : "-",
        details,
      ]),
    ),
    section("createCommunicator() here", [
      [
        selection.backend ?? "fails",
        selection.backend ? `(${selection.reason})` : selection.reason,
      ],
    ]),
    section(
      "MPI libraries",
      foreignFunctions.usable ? mpi.libraries.flatMap(libraryRows) : [["unknown without FFI"]],
    ),
    section(
      "MPI launchers",
      mpi.launchers.map(({ name, path, target }) => [
        name,
        path === target ? path : `${path} -> ${target}`,
      ]),
    ),
    section("Solvers", solverRows(info)),
    section(
      "Native HiGHS libraries",
      foreignFunctions.usable ? info.highsLibraries.flatMap(highsRows) : [["unknown without FFI"]],
    ),
    section(
      "Launch variables",
      variables.map(({ name, value }) => [name, value === "" ? "(empty)" : onOneLine(value)]),
    ),
  ];
  return sections.join("\n");
}

function section(title: string, rows: readonly Row[]): string {
  const lines = align(rows.length === 0 ? [["none"]] : rows);
  return [title, ...lines.map((line) => `  ${line}`), ""].join("\n");
}

/** Pads every cell except the last of a row to the width of its column. */
function align(rows: readonly Row[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.slice(0, -1).forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  "),
  );
}

function libraryRows({ file, origin, abi, version, reason }: MpiLibraryInfo): Row[] {
  const what = reason === null ? (version ?? "") : `cannot be used: ${reason}`;
  return [
    [abi ?? "-", `${file} (${origin})`],
    ["", what],
  ];
}

function solverRows({ solvers, auto }: SolversInfo): Row[] {
  return solvers.map(({ name, usable, version, details }) => [
    name,
    usable ? (version ?? "") : "not usable",
    name === auto ? `${details}; --solver auto` : details,
  ]);
}

function highsRows({ file, origin, version, reason }: HighsLibraryInfo): Row[] {
  const where = [version ?? "-", `${file} (${origin})`];
  return reason === null ? [where] : [where, ["", `cannot be used: ${reason}`]];
}

/** Escapes control characters, which an environment variable may contain and which would disturb the terminal. */
function onOneLine(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

function libcText({ libc }: MachineInfo): string {
  if (libc === null) return "";
  return libc.version === null ? `, ${libc.name}` : `, ${libc.name} ${libc.version}`;
}

/** The processors, and what the launcher does with them: `bind auto: 0-3 and 4-7 for two ranks`. */
function processorsText({ allowed, cores, nodes, bind, ofTwoRanks }: ProcessorsInfo): string {
  const node = nodes === 1 ? "" : ` on ${nodes} memory nodes`;
  const parts = `processors ${allowed} (${cores} ${cores === 1 ? "core" : "cores"}${node})`;
  const ranks =
    ofTwoRanks === null ? "ranks are not bound" : `${ofTwoRanks.join(" and ")} for two ranks`;
  return `${parts}; bind ${bind}: ${ranks}`;
}

function memoryText({ memory }: MachineInfo): string {
  const limit = memory.limitBytes === null ? "" : `, limited to ${bytesText(memory.limitBytes)}`;
  return `${bytesText(memory.freeBytes)} free of ${bytesText(memory.totalBytes)}${limit}`;
}

function sharedMemoryText({ present, sizeBytes, freeBytes }: SharedMemoryInfo): string {
  if (!present || sizeBytes === null || freeBytes === null) return "not there";
  return `${bytesText(freeBytes)} free of ${bytesText(sizeBytes)}`;
}

function bytesText(bytes: number): string {
  const gibibytes = bytes / 2 ** 30;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${Math.floor(bytes / 2 ** 20)} MiB`;
}
