import { type OutputDirectory, STATES, type TableRow, tableOf } from "@cobre/io";
import type { TrialPoints } from "@cobre/sddp";

/** The states that the forward passes of this run came through, stage by stage. */
export class VisitedStates {
  private readonly stages: TableRow<typeof STATES>[][] = [];

  add(iteration: number, points: TrialPoints): void {
    for (let stage = 0; stage < points.stages; stage++) {
      this.stages[stage] ??= [];
      for (let pass = 0; pass < points.passes; pass++) {
        const offset = points.stateOffset(pass, stage);
        for (let i = 0; i < points.dimension; i++) {
          this.stages[stage].push({
            iteration,
            forward_pass: pass,
            state_index: i,
            value: points.values[offset + i],
          });
        }
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
