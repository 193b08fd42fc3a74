import { openSync } from "node:fs";
import { ReadStream } from "node:tty";
import termkit from "terminal-kit";
import type { Area, Line, Style } from "../text/styled.js";

type Attributes = NonNullable<termkit.ScreenBuffer.PutOptions["attr"]>;

/** The part of terminal-kit that its types leave out: which terminal `TERM` and its like name. */
interface Guesser {
  guessTerminal(isTerminal: boolean): { generic?: string; appId?: string; safe?: boolean };
}

const PLAIN: Attributes = { defaultColor: true, bgDefaultColor: true };
const ATTRIBUTES: Record<Style, Attributes> = {
  bold: { ...PLAIN, bold: true },
  dim: { ...PLAIN, dim: true },
  blue: { bgDefaultColor: true, color: "cyan" },
  yellow: { bgDefaultColor: true, color: "yellow" },
  red: { bgDefaultColor: true, color: "red" },
  green: { bgDefaultColor: true, color: "green" },
  inverse: { ...PLAIN, inverse: true },
};

/** Who uses the screen. */
export interface ScreenUser {
  readonly key: (name: string) => void;
  readonly resized: () => void;
}

/** The terminal as a screen of lines. terminal-kit reads the keys, keeps the alternate screen, and writes only what has changed. */
export class TerminalScreen {
  private readonly terminal: termkit.Terminal;
  private readonly input: ReadStream | typeof process.stdin;
  private readonly hasColors: boolean;
  private buffer: termkit.ScreenBuffer | undefined;
  private isOpen = false;

  /** @param hasColors whether there may be styles at all */
  constructor(user: ScreenUser, hasColors: boolean) {
    this.hasColors = hasColors;
    this.input = process.stdin.isTTY ? process.stdin : openKeyboard();
    const { generic, appId, safe } = (termkit as unknown as Guesser).guessTerminal(true);
    this.terminal = termkit.createTerminal({
      stdin: this.input,
      stdout: process.stdout,
      stderr: process.stderr,
      generic: generic ?? "unknown",
      appId: safe ? appId : undefined,
      isTTY: true,
    } as Partial<termkit.Terminal.CreateOptions> as termkit.Terminal.CreateOptions);
    this.terminal.on("key", (name: string) => user.key(name));
    this.terminal.on("resize", () => {
      this.buffer = undefined;
      user.resized();
    });
  }

  get area(): Area {
    const { columns, rows } = process.stdout;
    return { columns, rows };
  }

  /** Takes the terminal: its alternate screen, without a cursor, and every key. */
  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.buffer = undefined;
    this.terminal.fullscreen(true);
    this.terminal.hideCursor(true);
    this.terminal.grabInput({});
  }

  /** Gives the terminal back as it was. It may be called at any time, and more than once. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.terminal.grabInput(false);
    this.terminal.styleReset();
    this.terminal.hideCursor(false);
    this.terminal.fullscreen(false);
  }

  /** Nothing keeps the process alive any more. */
  dispose(): void {
    this.close();
    if (this.input !== process.stdin) this.input.destroy();
    else this.input.unref();
  }

  /** Forgets what was drawn, so that everything is drawn again. */
  forget(): void {
    this.buffer = undefined;
  }

  draw(lines: readonly Line[]): void {
    if (!this.isOpen) return;
    const { columns, rows } = this.area;
    const isNew = this.buffer === undefined;
    this.buffer ??= new termkit.ScreenBuffer({ dst: this.terminal, width: columns, height: rows });
    const { buffer } = this;
    buffer.fill({ attr: PLAIN, char: " " });
    lines.slice(0, rows).forEach((spans, y) => {
      buffer.moveTo(0, y);
      for (const { text, style } of spans) {
        const attr = this.hasColors && style !== undefined ? ATTRIBUTES[style] : PLAIN;
        buffer.put({ attr, wrap: false } as termkit.ScreenBuffer.PutOptions, text);
      }
    });
    if (isNew) this.terminal.clear();
    buffer.draw({ delta: !isNew });
  }
}

/** Keys come from the terminal even if standard input is something else. */
function openKeyboard(): ReadStream {
  const file = openSync("/dev/tty", "r");
  return new ReadStream(file);
}
