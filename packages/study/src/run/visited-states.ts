import { type OutputDirectory, STATES, type TableRow, tableOf } from "@cobre/io";
import type { TrialPoints } from "@cobre/sddp";

/** The states that the forward passes of this run visited, stage by stage. */
export class VisitedStates {
  private readonly stages: TableRow<typeof STATES>[][] = [];

  add(iteration: number, points: TrialPoints): void {
    for (let stage = 0; stage < points.stages; stage++) {
      const rows = this.stages[stage] ?? [];
      this.stages[stage] = rows;
      for (let pass = 0; pass < points.passes; pass++) {
        const offset = points.stateOffset(pass, stage);
        points.values.subarray(offset, offset + points.dimension).forEach((value, i) => {
          rows.push({ iteration, forward_pass: pass, state_index: i, value });
        });
      }
    }
  }

  get isEmpty(): boolean {
    return this.stages.length === 0;
  }

  write(staged: OutputDirectory): void {
    this.stages.forEach((rows, stage) => {
      const name = `policy/states/stage_${String(stage).padStart(3, "0")}.parquet`;
      staged.writeTable(name, tableOf(STATES, rows));
    });
  }
}
