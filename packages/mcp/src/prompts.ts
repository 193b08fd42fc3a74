/** Beginnings of conversations that people have about studies. */
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const path = z.string().max(1000);

export function offerPrompts(server: McpServer): void {
  server.registerPrompt(
    "set_up_study",
    {
      title: "Set up a study",
      description: "From a case to a run whose results can be trusted.",
      argsSchema: z.object({
        case: path.describe("The case"),
        question: z.string().max(2000).describe("What you want to know"),
      }),
    },
    ({ case: name, question }) =>
      says(`I want to know: ${question}

The case is ${name}. Please
1. look at it (describe_case) and check it (validate_case); tell me in two sentences what it models, and every warning that matters for my question;
2. say which settings or values decide my question (get_schema, search_docs) and whether a variant is needed (vary_case); ask me before you make one;
3. start a run (start_run), follow it (run_status with wait_seconds), and check whether it has converged (get_convergence). If the bound still rises by more than 1 % in ten iterations, propose to go on with more;
4. answer with numbers and their units, and with how sure they are: means of scenarios with their 95 % interval. Never call a sample mean a bound.`),
  );
  server.registerPrompt(
    "diagnose_convergence",
    {
      title: "Diagnose convergence",
      description: "Whether training has gone on long enough, and what to do if not.",
      argsSchema: z.object({ run: path.describe("The run") }),
    },
    ({ run }) =>
      says(`Has the run ${run} converged? Please
1. call get_convergence and render_chart (convergence). Tell me how much the lower bound rose in the last iterations, and how the forward mean scatters around it; the forward mean is a sample, not a bound;
2. if is_risk_neutral is false, say that bound and mean costs cannot be compared;
3. look for reasons where it has not converged: few iterations, few forward passes, many reservoirs or past inflows in the state (inspect_policy), coefficients that are badly scaled (the warnings);
4. recommend one thing to do, as a tool call or a command, and what it would cost in time.`),
  );
  server.registerPrompt(
    "explain_results",
    {
      title: "Explain results",
      description: "What came out of a run, for people who do not plan power systems.",
      argsSchema: z.object({ run: path.describe("The run") }),
    },
    ({ run }) =>
      says(`Explain the results of ${run} to somebody who does not plan power systems. Please
1. begin with the cost and how sure it is (query_results on costs, grouped by scenario_id; render_chart costs);
2. say where the power comes from (render_chart generation), and whether load is not met anywhere (deficit_mwh in buses);
3. show how full the reservoirs are over the stages (render_chart storage), and what water is worth (get_water_value);
4. take the dearest scenario, find its dearest stage (query_results), and explain it (explain_stage): which limits held the system back;
5. end with what would help most, judged by prices and water values.
Give units with every number.`),
  );
}

function says(text: string) {
  return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
}
