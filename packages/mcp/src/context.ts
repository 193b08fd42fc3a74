import { openRun, type Run } from "@cobre/study";
import { checkTree } from "./files/confined-tree.js";
import { Roots } from "./files/roots.js";
import { DEFAULT_LIMITS, type Limits, type ServerOptions } from "./options.js";
import { Refusal } from "./refusal.js";
import { RunKeeper } from "./runs/run-keeper.js";

/** What all tools of a server work with, whoever the client is. */
export class Context {
  readonly roots: Roots;
  readonly keeper: RunKeeper;
  readonly limits: Limits;
  private readonly allowWrite: boolean;
  private readonly allowRun: boolean;

  constructor(options: ServerOptions, endsWithServer: boolean) {
    this.roots = new Roots(options.roots);
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.allowWrite = options.allowWrite ?? false;
    this.allowRun = options.allowRun ?? false;
    const { limits } = this;
    const command = options.command ?? ["cobre"];
    this.keeper = new RunKeeper(this.roots, { limits, command, endsWithServer });
  }

  /** What may be done, in words for the instructions of the server. */
  get permissions(): string {
    const may = (isAllowed: boolean, what: string, option: string) =>
      isAllowed ? `It may ${what}.` : `It may not ${what}: it was started without ${option}.`;
    return [
      may(this.allowWrite, "write new cases", "--allow-write"),
      may(this.allowRun, "start and cancel runs", "--allow-run"),
    ].join(" ");
  }

  mustAllowWriting(): void {
    if (this.allowWrite) return;
    throw new Refusal(
      "this server may not write",
      "Tell the user that writing needs `cobre mcp --allow-write`; only the user can restart the server.",
    );
  }

  mustAllowRunning(): void {
    if (this.allowRun) return;
    throw new Refusal(
      "this server may not start or cancel runs",
      "Tell the user that running needs `cobre mcp --allow-run`; only the user can restart the server.",
    );
  }

  /** The real path of a folder that may be read as a whole. */
  async folder(path: string): Promise<string> {
    const folder = await this.roots.folder(path);
    await checkTree(this.roots, folder);
    return folder;
  }

  /** The results of a run. */
  async run(path: string): Promise<Run> {
    return await openRun(await this.folder(path));
  }
}
