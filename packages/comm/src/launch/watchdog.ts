import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Reads the groups to watch from a pipe that only the launcher holds open. End-of-file without a
 * goodbye means that the launcher was killed: the script asks the groups to end, then kills them.
 *
 * $1 is the grace time in tenths of a second. The other arguments are files and folders to remove.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM
groups=' '
while read -r word group; do
  case $word in
    watch) groups="$groups$group " ;;
    forget) groups="\${groups%% $group *} \${groups#* $group }" ;;
    goodbye) exit 0 ;;
  esac
done
exec 2>/dev/null
tenths=$1
shift
for group in $groups; do
  kill -s TERM -- "-$group"
  kill -s CONT -- "-$group"
done
while [ "$tenths" -gt 0 ]; do
  alive=
  for group in $groups; do kill -s 0 -- "-$group" && alive=yes; done
  [ -z "$alive" ] && break
  if sleep 0.1; then tenths=$((tenths - 1)); else sleep 1; tenths=$((tenths - 10)); fi
done
for group in $groups; do kill -s KILL -- "-$group"; done
[ $# -gt 0 ] && rm -rf -- "$@"
exit 0
`;

const DISMISSAL_MS = 1000;

/**
 * A shell that outlives a killed launcher just long enough to end its ranks. On a machine without a
 * shell there is no such protection; everything else works.
 */
export class Watchdog {
  readonly #shell: ChildProcess | undefined;

  constructor(graceMs: number, leftovers: readonly string[], shell = "/bin/sh") {
    const tenths = String(Math.ceil(graceMs / 100));
    try {
      this.#shell = spawn(shell, ["-c", SCRIPT, "cobre-launch-watchdog", tenths, ...leftovers], {
        detached: true, // signals to the launcher's group must not end the watchdog
        cwd: "/",
        stdio: ["pipe", "ignore", "ignore"],
      });
    } catch {
      return; // no shell: spawn threw
    }
    this.#shell.on("error", () => {}); // no shell: reported later
    this.#shell.stdin?.on("error", () => {}); // the shell has ended
  }

  watch(group: number): void {
    this.#tell(`watch ${group}`);
  }

  /** Stops watching a group that is empty: its number may be reused. */
  forget(group: number): void {
    this.#tell(`forget ${group}`);
  }

  /** Ends the watchdog; settles when it has ended. */
  async dismiss(): Promise<void> {
    const shell = this.#shell;
    if (shell?.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return;
    const gone = once(shell, "exit");
    this.#tell("goodbye");
    shell.stdin?.end();
    const impatience = setTimeout(() => shell.kill("SIGKILL"), DISMISSAL_MS);
    await gone;
    clearTimeout(impatience);
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }
}
