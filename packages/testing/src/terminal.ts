import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { needs } from "./needs.js";

/** A time that only a hang takes. */
const LIMIT_MS = 60_000;

/** Whether there is a tmux; skips the test otherwise. */
export function hasTerminal(t: TestContext): boolean {
  return needs(t, spawnSync("tmux", ["-V"]).status === 0, "tmux");
}

/** What runs in the terminal, and how large it is. */
export interface TerminalOptions {
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A real terminal: a tmux of its own, with one window. It is looked at as a person does, by what it shows. */
export class Terminal implements AsyncDisposable {
  /** For a socket of its own, which keeps it apart from every other tmux of this user. */
  private readonly folder = mkdtempSync(join(tmpdir(), "cobre-tmux-"));
  private readonly codeFile = join(this.folder, "exit-code");

  static open(options: TerminalOptions): Terminal {
    return new Terminal(options);
  }

  private constructor({ command, cwd, columns = 80, rows = 24, env = {} }: TerminalOptions) {
    const place = cwd === undefined ? [] : ["-c", cwd];
    const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const size = ["-x", String(columns), "-y", String(rows)];
    const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
    // A shell notes the exit code, because tmux 3.3 sometimes loses it. The keys that end the command must not end the shell first.
    const [part, whole] = [quote(`${this.codeFile}.part`), quote(this.codeFile)];
    const run = `trap : INT QUIT; ${command.map(quote).join(" ")}; echo $? > ${part}; mv ${part} ${whole}`;
    // The window stays when the command has ended, so that its last words can be read.
    const config = ["set-option", "-g", "remain-on-exit", "on", ";"];
    const options = ["-f", "/dev/null", "-u"];
    this.tmux(...options, ...config, "new-session", "-d", ...size, ...place, ...variables, run);
  }

  /** Types a text; `\t` and `\n` are the keys. */
  type(text: string): void {
    this.tmux("send-keys", "-l", text);
  }

  /** Presses a key by its name: `C-c`. */
  press(key: string): void {
    this.tmux("send-keys", key);
  }

  resize(columns: number, rows: number): void {
    this.tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** What is on the screen. Spaces at the ends of lines are kept where they were typed. */
  screen(): string {
    return this.tmux("capture-pane", "-p", "-N");
  }

  /** What is on the screen, with its styles. */
  styledScreen(): string {
    return this.tmux("capture-pane", "-p", "-e");
  }

  /** Whether a program has the alternate screen, and whether the cursor is shown. */
  modes(): { readonly isAlternate: boolean; readonly isCursorShown: boolean } {
    const [alternate, cursor] = this.tmux(
      "display-message",
      "-p",
      "#{alternate_on} #{cursor_flag}",
    ).split(" ");
    return { isAlternate: alternate === "1", isCursorShown: cursor?.trim() === "1" };
  }

  /** The lines that have left the screen at its top, and those on it; lines that were broken are whole. */
  history(): string {
    return this.tmux("capture-pane", "-p", "-J", "-S", "-");
  }

  /** The exit code of the command, once it has ended. */
  exitCode(): number | undefined {
    return existsSync(this.codeFile) ? Number(readFileSync(this.codeFile, "utf8")) : undefined;
  }

  /** Waits until the screen matches; returns it. */
  async shows(pattern: RegExp): Promise<string> {
    const start = performance.now();
    for (;;) {
      const screen = this.screen();
      if (pattern.test(screen)) return screen;
      if (performance.now() - start > LIMIT_MS)
        throw new Error(`never shown: ${pattern}\n${screen}`);
      await sleep(20);
    }
  }

  /** Waits until the command has ended; returns its exit code. */
  async ended(): Promise<number> {
    const start = performance.now();
    for (let code = this.exitCode(); ; code = this.exitCode()) {
      if (code !== undefined) return code;
      if (performance.now() - start > LIMIT_MS) throw new Error(`never ended:\n${this.screen()}`);
      await sleep(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.tmux("kill-server");
    rmSync(this.folder, { recursive: true });
  }

  private tmux(...args: string[]): string {
    const all = ["-S", join(this.folder, "socket"), ...args];
    const { status, stdout, stderr } = spawnSync("tmux", all, { encoding: "utf8" });
    if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  }
}

/** The command, as npm links it. */
export const cobreCommand: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL("../../cli/bin/cobre.js", import.meta.url)),
];
