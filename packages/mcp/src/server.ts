import { McpServer } from "@modelcontextprotocol/server";
import type { Context } from "./context.js";
import { offerPrompts } from "./prompts.js";
import { offerResources } from "./resources.js";
import { TOOLS } from "./tools/index.js";
import { packageVersion } from "./version.js";

/** Told to clients when they connect. */
const INSTRUCTIONS = `Cobre plans the operation of power systems with hydro plants and reservoirs: how much water to use now and how much to keep for later, when future inflows are uncertain. A case is a folder that describes such a system. A run trains an operating policy for it and simulates what following the policy costs.

A study: list_cases, describe_case, validate_case, start_run (follow it with run_status), get_convergence, query_results, get_water_value, explain_stage, render_chart. What-if: vary_case, start_run, compare_runs.

Costs are in $, volumes in hm³ (a million m³), flows in m³/s, power in MW. A lower bound is a bound on the expected cost; means of simulated or tried futures are samples, never bounds. Paths are relative to the folders of this server.`;

/** A server for one client. What it works with is shared by all clients. */
export function createServer(context: Context): McpServer {
  const server = new McpServer(
    { name: "cobre", title: "Cobre", version: packageVersion() },
    { instructions: `${INSTRUCTIONS}\n\n${context.permissions}` },
  );
  for (const tool of TOOLS) tool.offer(server, context);
  offerResources(server, context);
  offerPrompts(server);
  return server;
}
