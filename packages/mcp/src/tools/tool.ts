import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Context } from "../context.js";
import { Refusal } from "../refusal.js";

/** What a tool gives back: a sentence in words, and what it found. */
export interface Answer<T> {
  readonly summary: string;
  readonly data: T;
  /** A picture for clients that can show one. */
  readonly png?: Uint8Array | undefined;
}

/** Who waits for the answer. */
export interface Caller {
  /** Aborted when the client gives up. */
  readonly signal: AbortSignal;
  /** Tells the client how far it is, if it wants to know. */
  progress(done: number, total: number | undefined, message: string): Promise<void>;
}

/** What a tool is, and what it does. */
export interface ToolSpec<I extends z.ZodRawShape, O extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  /** For a reader who has never heard of the method. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  /** What it changes: nothing, by default. */
  readonly changes?: "adds" | "ends";
  run(
    args: z.infer<z.ZodObject<I>>,
    context: Context,
    caller: Caller,
  ): Promise<Answer<z.infer<z.ZodObject<O>>>>;
}

/** A tool that can be offered to clients. */
export interface Tool {
  readonly name: string;
  offer(server: McpServer, context: Context): void;
}

/** Answers are cut, not sent, beyond so many characters: a client pays for each of them. */
const LONGEST_ANSWER = 60_000;

export function defineTool<I extends z.ZodRawShape, O extends z.ZodRawShape>(
  spec: ToolSpec<I, O>,
): Tool {
  const { name, title, description, changes } = spec;
  const input: z.ZodObject = z.strictObject(spec.input);
  const output: z.ZodObject = z.object({
    summary: z.string().describe("What was found, in words."),
    ...spec.output,
  });
  const annotations = {
    readOnlyHint: changes === undefined,
    destructiveHint: changes === "ends",
    idempotentHint: changes !== "adds",
    openWorldHint: false,
  };
  return {
    name,
    offer: (server, context) => {
      const config = { title, description, inputSchema: input, outputSchema: output, annotations };
      server.registerTool(name, config, async (args, { mcpReq }): Promise<CallToolResult> => {
        const token = mcpReq._meta?.progressToken;
        const caller: Caller = {
          signal: mcpReq.signal,
          progress: async (progress, total, message) => {
            if (token === undefined || mcpReq.signal.aborted) return;
            const params = { progressToken: token, progress, message };
            const sized = total === undefined ? params : { ...params, total };
            await mcpReq.notify({ method: "notifications/progress", params: sized });
          },
        };
        try {
          const values = args as z.infer<z.ZodObject<I>>;
          return resultOf(await spec.run(values, context, caller));
        } catch (error) {
          return failureOf(error);
        }
      });
    },
  };
}

function resultOf({ summary, data, png }: Answer<object>): CallToolResult {
  const structuredContent = withoutNaN({ summary, ...data }) as Record<string, unknown>;
  const text = JSON.stringify(structuredContent);
  if (text.length > LONGEST_ANSWER) {
    throw new Refusal(
      `the answer would have ${text.length} characters`,
      "Ask for less: fewer columns, a filter, group_by with statistics, or a smaller limit.",
    );
  }
  const content: CallToolResult["content"] = [{ type: "text", text }];
  if (png !== undefined) {
    const data = Buffer.from(png).toString("base64");
    content.push({ type: "image", data, mimeType: "image/png" });
  }
  return { content, structuredContent };
}

/** Errors of our packages say what to do; others are told without their stack. */
export function failureOf(error: unknown): CallToolResult {
  const message = error instanceof Error ? error.message : String(error);
  const next = error instanceof Refusal ? error.next : NEXT[nameOf(error)];
  const text = `Not done: ${message.replace(/\.$/, "")}.${next === undefined ? "" : ` ${next}`}`;
  return { isError: true, content: [{ type: "text", text }] };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

/** What to do after the errors of the packages below, which are told for people at a command line. */
const NEXT: Readonly<Record<string, string>> = {
  ValidationError: "Call validate_case to see everything that is wrong with the case.",
  RunError: "Call list_runs to see which runs have results.",
  OutputError: "Choose another folder.",
  SddpError: "Call inspect_policy or list_runs to see what the run has.",
};

/** JSON has no NaN: a number that is missing is `null`. */
function withoutNaN(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(withoutNaN);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutNaN(one)]));
}
