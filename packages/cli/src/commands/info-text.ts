import type { Info, MachineInfo, MpiLibraryInfo, SharedMemoryInfo } from "@cobre/comm/info";

/** A line of a section: its cells are aligned with those of the lines around it. */
type Row = readonly string[];

/** The text that `cobre info` prints. */
export function formatInfo(info: Info): string {
  const { machine, sharedMemory, foreignFunctions, backends, selection, mpi, variables } = info;
  const sections = [
    section(`cobre ${info.version}`, [
      ["Node.js", `${machine.node} on ${machine.platform} ${machine.arch}${libcText(machine)}`],
      ["Cores", `${machine.cores.available} available of ${machine.cores.total}`],
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

/** Pads every cell but a row's last to the width of its column. */
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

/** An environment variable may hold anything; a control character would spoil the terminal. */
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
