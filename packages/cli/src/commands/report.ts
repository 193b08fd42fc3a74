import { Command, Option } from "commander";
import { print } from "../standard-output.js";

const EXAMPLES = `
Examples:
  cobre report out                      what the run found, in words and charts
  cobre report out | less -R            the same, page by page
  cobre report out --html report.html   a page to look at: charts, scenarios, tables
  cobre report out --json | jq .costs   for programs; docs/report.md explains the keys`;

/** `cobre report`: the results of a run, for people or as JSON. */
export function reportCommand(): Command {
  return new Command("report")
    .description("show the results of a run")
    .argument("<output>", "the output directory of a run")
    .option("--html <file>", "write a page with charts instead of printing text")
    .addOption(new Option("--json", "print JSON instead of text").conflicts("html"))
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (directory: string, { json, html }: { json?: boolean; html?: string }) => {
      const { openRun, reportOf, summaryOfReport } = await import("@cobre/study");
      const report = await reportOf(await openRun(directory));
      if (html !== undefined) {
        const { writeReport } = await import("../report/write-report.js");
        await print(`${writeReport(html, report)}\n`);
        return;
      }
      const summary = summaryOfReport(report);
      if (json) {
        await print(`${JSON.stringify(summary, null, 2)}\n`);
        return;
      }
      const { pageOf } = await import("../report/page.js");
      const { reportText } = await import("../report/report-text.js");
      await print(reportText(pageOf(process.stdout), report, summary));
    });
}
