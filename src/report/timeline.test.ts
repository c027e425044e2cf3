import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { everySegment, everySegmentEnded } from "../../test/support/every-segment.ts";
import { gateOf } from "../../test/support/plans.ts";
import { Scenario } from "../../test/support/scenario.ts";
import { overview } from "../core/select/overview.ts";
import { type Timeline, type TimelineRow, timelineOf } from "../core/select/timeline.ts";
import { placeRow } from "./timeline-layout.ts";
import { timelineMermaid } from "./timeline-mermaid.ts";
import { timeScale } from "./timeline-scale.ts";
import { timelineSvg } from "./timeline-svg.ts";
import { gapText, rowText, timelineTitle } from "./timeline-text.ts";

const of = (run: Scenario): Timeline => timelineOf(run.facts, overview(run.state, run.now));
const HOUR = 3_600_000;
const noon = Date.UTC(2026, 10, 15, 12);
const clock = (at: number) => new Date(at).toISOString().slice(11, 19);

const { UPDATE } = process.env;

/** With UPDATE=1 they are written anew, to be looked at. */
async function expectPicture(name: string, picture: string): Promise<void> {
  const path = new URL(`pictures/${name}`, import.meta.url);
  if (UPDATE === "1") await writeFile(path, picture);
  expect(picture).toBe(await readFile(path, "utf8"));
}

describe("a scale of times", () => {
  const scale = (
    from: number,
    to: number,
    width = 1000,
    gaps: Parameters<typeof timeScale>[0]["gaps"] = [],
  ) => timeScale({ from, to, width, gaps, zoneMs: 0 });

  test("has five to nine labels at round clock times, and one where it begins", () => {
    for (const minutes of [3, 17, 42, 62, 95, 200, 800, 3_000]) {
      const { ticks } = scale(noon + 130_000, noon + 130_000 + minutes * 60_000);
      expect(
        ticks.length,
        `${minutes} m: ${ticks.map(({ label }) => label).join(" ")}`,
      ).toBeGreaterThanOrEqual(5);
      expect(ticks.length).toBeLessThanOrEqual(10);
      expect(ticks.slice(1).every(({ at }) => at % 30_000 === 0)).toBe(true);
    }
    expect(scale(noon, noon + 50 * 60_000, 200).ticks.map(({ label }) => label)).toEqual([
      "12:00",
      "12:20",
      "12:40",
    ]);
    const night = scale(noon + 10 * HOUR, noon + 14 * HOUR).ticks.map(({ label }) => label);
    expect(night).toContain("11-16 00:00");
  });

  test("leads back from a place to its time", () => {
    const gap = { from: noon + HOUR, to: noon + 9 * HOUR, why: "slept" } as const;
    for (const { x, at } of [scale(noon, noon + HOUR), scale(noon, noon + 10 * HOUR, 800, [gap])])
      for (const time of [noon, noon + HOUR / 2, noon + HOUR]) expect(at(x(time))).toBeCloseTo(time, 0);
  });

  test("makes a break of a night, and leaves a nap alone", () => {
    const night = { from: noon + HOUR, to: noon + 9 * HOUR, why: "undriven" } as const;
    const { x, breaks } = scale(noon, noon + 10 * HOUR, 820, [night]);
    expect(breaks).toEqual([{ x: 400, width: 20, gap: night }]);
    expect([x(noon), x(noon + HOUR), x(noon + 9 * HOUR), x(noon + 10 * HOUR)]).toEqual([0, 400, 420, 820]);
    const nap = { ...night, to: noon + HOUR + 30_000 };
    expect(scale(noon, noon + 2 * HOUR, 800, [nap]).breaks).toEqual([]);
    expect(gapText(night, clock)).toBe("not running: 13:00:00 to 21:00:00, 8:00:00");
  });
});

describe("a row", () => {
  const line = of(everySegment());
  const row = (task: string) => line.rows.find((one) => one.row.task === task) as Timeline["rows"][number];
  const scale = timeScale({ from: line.from, to: line.to, gaps: line.gaps, width: 1000, zoneMs: 0 });

  test("shows red however short it was, and nothing that no pixel is left for", () => {
    const { bars } = placeRow(row("emails"), scale);
    expect(bars.find(({ look }) => look === "red")?.width).toBeGreaterThan(9);
    expect(bars.every(({ width }) => width >= 0.75)).toBe(true);
    const elsewhere = { ...scale, x: (at: number) => scale.x(at) - 5000 };
    expect(placeRow(row("schema"), elsewhere)).toEqual({ bars: [], marks: [] });
  });

  test("has numbers where there are several attempts, and half the height for two at once", () => {
    const labels = (task: string) =>
      placeRow(row(task), scale).bars.flatMap(({ label }) => label?.text ?? []);
    expect([labels("money"), labels("tax"), labels("schema")]).toEqual([["#1", "#2"], ["#1", "#2"], []]);
    expect(
      placeRow(row("prices"), scale)
        .bars.filter(({ look }) => look === "agent")
        .map(({ height }) => height),
    ).toEqual([6.5, 6.5]);
  });

  test("is told in words", () => {
    expect(rowText(row("money"), clock)).toBe(
      "ready, not started: 14:00:00 to 14:00:10, 0:10; agent, attempt #1: 14:00:10 to 14:05:20, 5:09; " +
        "gates, attempt #1: 14:05:20 to 14:05:52, 0:32; gate test:unit red, 1 of 2 failed; " +
        "ready, not started: 14:05:52 to 14:05:55, 0:03; agent, attempt #2, fix 1 of 1: 14:05:55 to 14:07:40, 1:45; " +
        "gates, attempt #2, fix 1 of 1: 14:07:40 to 14:08:05, 0:25; queued: 14:08:05 to 14:08:12, 0:07; " +
        "merge: 14:08:12 to 14:09:00, 0:47; merged at 14:09:00",
    );
  });
});

test("the number of an attempt stands beside a red gate that covers its start, or nowhere", () => {
  const run = new Scenario([{ id: "a", retries: 3 }], { plan: { gates: [gateOf("unit")] } });
  for (const [attempt, minutes] of [
    ["a/1", 30],
    ["a/2", 30],
    ["a/3", 8],
    ["a/4", 30],
  ] as const)
    run
      .later(1_000)
      .start(attempt)
      .later(minutes * 60_000)
      .end(attempt)
      .save(attempt)
      .judge(gateOf("unit"), `work ${attempt}`, "red")
      .later(5_000);
  const line = of(run);
  const scale = timeScale({ from: line.from, to: line.to, width: 110, gaps: [], zoneMs: 0 });
  const { bars } = placeRow(line.rows[0] as TimelineRow, scale);
  const labels = bars.flatMap(({ label }) => label ?? []);
  expect(labels.map(({ text }) => text)).toEqual(["#1", "#2", "#4"]);
  const red = bars.filter(({ look }) => look === "red");
  expect(labels.filter(({ x }) => red.some((bar) => x < bar.x + bar.width && x + 7 > bar.x))).toEqual([]);
});

describe("pictures", () => {
  test("of a run under way, and of one that is over", async () => {
    await expectPicture("timeline.svg", timelineSvg(of(everySegment())));
    await expectPicture(
      "timeline-ended.svg",
      timelineSvg(of(everySegmentEnded()), { zoneMs: HOUR, width: 900 }),
    );
    await expectPicture("timeline.mmd", timelineMermaid(of(everySegment())));
  });

  test("say done where something only passed", () => {
    const run = new Scenario([{ id: "look", access: "read-only" }, { id: "write" }]);
    run
      .work("write/1")
      .merge()
      .start("look/1")
      .later(60_000)
      .end("look/1")
      .save("look/1", { changed: false });
    expect(timelineTitle(of(run))).toMatch(/^2 of 2 done, /);
  });

  const hostile = `</text><script>alert(1)</script> "]; %%{init}%% : , ; # \n end`;

  test("hold no markup but their own, whatever a gate or an agent says", () => {
    const run = new Scenario([{ id: "a", title: hostile, retries: 0 }]).start("a/1").later(60_000);
    run.end("a/1", { reason: "agent-error", detail: hostile }).save("a/1");
    const svg = timelineSvg(of(run));
    expect(new Set([...svg.matchAll(/<\/?([^\s>/]*)/g)].map(([, tag]) => tag)).has("script")).toBe(false);
    expect(svg).not.toMatch(/href|@import|url\([^#]/);
    expect(timelineMermaid(of(run))).not.toMatch(/[{}"]|init/);
  });

  test("of 200 tasks have 200 rows", () => {
    const tasks = Array.from({ length: 200 }, (_, n) => ({
      id: `t${n}`,
      needs: n < 20 ? [] : [`t${n - 20}`],
    }));
    const run = new Scenario(tasks, { policy: { slots: 20 } });
    for (let n = 0; n < 200; n += 1) run.later(5_000).work(`t${n}/1`).merge();
    expect(timelineSvg(of(run)).match(/class="id"/g)).toHaveLength(200);
  });
});
