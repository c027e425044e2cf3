// Vitest's JSON report, without the line that says where it was written: `npm test` reads it and throws it away.
import { writeFileSync } from "node:fs";
import { JsonReporter } from "vitest/node";

export default class QuietReport extends JsonReporter {
  async writeReport(report) {
    writeFileSync(this.ctx.config.outputFile.json, report);
  }
}
