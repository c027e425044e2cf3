import { describe, expect, it } from "vitest";
import { minutes, samplePlan } from "../../../test/support/sample-plan.ts";
import { preview } from "../../core/select/preview/preview.ts";
import { axis, bar, type Chart, criticalBar, criticalNames, slotsInUse } from "./gantt.ts";
import { glyphs } from "./glyphs.ts";

const chart: Chart = { width: 30, total: 30 * 60_000, unit: "ms", glyphs: glyphs.unicode };
const { tasks } = preview(
  samplePlan([
    { id: "build", estimate: minutes(10) },
    { id: "a", needs: ["build"], estimate: minutes(15) },
    { id: "b", needs: ["build"], estimate: minutes(5) },
    { id: "ship", needs: ["a", "b"], estimate: minutes(5) },
  ]),
  { slots: 4 },
);
const critical = tasks.filter((task) => task.critical);

describe("bars", () => {
  it("stand where they start and are as long as they take", () => {
    expect(bar({ start: 600_000, end: 900_000 }, "━", chart)).toBe(`${" ".repeat(10)}━━━━━`);
  });

  it("are never nothing, and stay inside", () => {
    expect(bar({ start: 0, end: 1 }, "━", chart)).toBe("━");
    expect(bar({ start: chart.total, end: chart.total }, "━", chart)).toBe(`${" ".repeat(29)}━`);
    expect(bar({ start: 0, end: 0 }, "━", { ...chart, total: 0 })).toBe("━");
  });

  it("of the critical path tell neighbours apart and carry names where there is room", () => {
    expect(criticalBar(critical, chart)).toBe("━━━━━━━━━━╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍━━━━━");
    expect(criticalNames(critical, chart)).toBe("build     a              ship");
    expect(criticalNames(critical, { ...chart, width: 12 })).toBe(
      "buil".length < 4 ? "" : "    a     ship".slice(0, 5),
    );
  });
});

describe("slots in use", () => {
  it("are blocks by the share of all slots, and numbers in ASCII", () => {
    expect(slotsInUse(tasks, 4, chart)).toBe("▂▂▂▂▂▂▂▂▂▂▄▄▄▄▄▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂");
    expect(slotsInUse(tasks, 4, { ...chart, glyphs: glyphs.ascii })).toBe("111111111122222111111111111111");
  });

  it("never show more than there are", () => {
    expect(slotsInUse(tasks, 1, chart)).toBe("█".repeat(30));
  });
});

describe("the axis", () => {
  it("has round values and ends with the unit", () => {
    expect(axis(chart)).toBe("0         10        20    30 m");
    expect(axis({ ...chart, width: 40, total: 58 * 60_000 })).toBe(
      "0             20            40      58 m",
    );
    expect(axis({ ...chart, unit: "task", total: 3 })).toBe("0         1         2        3");
    expect(axis({ ...chart, total: 90_000 })).toBe("0                50       90 s");
    expect(axis({ ...chart, total: 5.5 * 3_600_000 })).toBe("0          2          4  5.5 h");
  });

  it("is as wide as the chart", () => {
    for (const width of [12, 33, 60, 72]) {
      for (const total of [1, 59_000, 3_600_000, 80 * 3_600_000]) {
        expect(axis({ ...chart, width, total })).toHaveLength(width);
      }
    }
  });
});
