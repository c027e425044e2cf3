import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import { ended } from "../../../test/support/checkout.ts";
import type { RunId } from "../../core/ids.ts";
import { htmlPage, inFileParts, scriptJson } from "../../report/page/html.ts";
import type { CutText, InlinedRun, TranscriptEntry } from "../../report/page/wire.ts";
import { leftOutSentences } from "../html-report.ts";
import { cutFile } from "../page/cut-text.ts";
import { costOf, fitting, fittingEntries, type Item, shareOut } from "./fitting.ts";
import { wantedOf } from "./items.ts";

/** A text of that many bytes, which gives as much of itself as it is asked for. */
const textOf = (bytes: number, most = 1_000_000): Item<number> => ({
  most,
  read: async (room) => {
    const given = Math.min(bytes, room);
    return { value: given, bytes: given, state: given === bytes ? "whole" : "cut" };
  },
});

describe("room in a file", () => {
  test("goes to all in part before it goes to one as a whole, and then to the first", async () => {
    const items = [50_000, 50_000, 1_000, 50_000].map((bytes) => textOf(bytes));
    const shares = await shareOut(items, 80_000);
    expect(shares.map(({ value }) => value)).toEqual([50_000, 20_808, 1_000, 8_192]);
  });

  test("is never more than there is, however many ask for it (I10)", async () => {
    for (const total of [0, 300, 5_000, 100_000]) {
      const shares = await shareOut(
        Array.from({ length: 500 }, () => textOf(9_000, 6_000)),
        total,
      );
      expect(shares.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(total);
      expect(shares).toHaveLength(500);
      expect(shares.map(({ state }) => state)).toContain(total < 200_000 ? "left-out" : "cut");
    }
  });

  test("is measured as it is written, so that escapes cost what they cost", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plait-html-"));
    afterAll(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "log");
    writeFileSync(path, "<\u001b[31m\u2028".repeat(20_000));
    const read = (bytes: number) => cutFile(path, bytes, (text) => text) as Promise<CutText>;
    const share = await fitting(10_000, read, ({ cutBytes }) => cutBytes > 0);
    expect(share.state).toBe("cut");
    expect(share.bytes).toBe(Buffer.byteLength(scriptJson(share.value)));
    expect(share.bytes).toBeLessThanOrEqual(10_000);
    expect(share.bytes).toBeGreaterThan(3_000);
  });

  test("leaves of a transcript its beginning and its end", () => {
    const entries: TranscriptEntry[] = Array.from({ length: 1_000 }, (_, n) => ({
      ...{ at: n, kind: "text", by: "agent" },
      text: `line ${n}`,
    }));
    const { value, bytes, state } = fittingEntries(entries, 4_000);
    expect(state).toBe("cut");
    expect(bytes).toBe(costOf(value));
    expect(bytes).toBeLessThanOrEqual(4_000);
    expect([value?.at(0), value?.at(-1)]).toEqual([entries[0], entries[999]]);
    const cut = value?.findIndex(({ kind }) => kind === "cut") ?? -1;
    expect(cut).toBeGreaterThan(5);
    expect(value?.length).toBeGreaterThan(cut * 3);
    expect(fittingEntries(entries, 1_000_000)).toMatchObject({ state: "whole", value: entries });
    expect(fittingEntries(entries, 50)).toMatchObject({ state: "left-out" });
  });
});

test("what failed comes before what was merged, and the prompts of the plan last", () => {
  const { facts, state } = ended();
  const wanted = wantedOf(facts, state);
  const place = (kind: string, attempt: string) =>
    wanted.findIndex((one) => one.kind === kind && "attempt" in one && one.attempt === attempt);
  const order = [
    place("diff", "tax/3"),
    place("log", "promo/2"),
    place("diff", "tax/1"),
    place("diff", "schema/1"),
    place("prompt", "schema/1"),
  ];
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(wanted.at(-1)?.kind).toBe("text");
});

test("what is left out is said by its kind, with where it can be seen", () => {
  const told = [
    { kind: "log", state: "cut" },
    { kind: "log", state: "left-out" },
    { kind: "log", state: "left-out" },
    { kind: "diff", state: "whole" },
    { kind: "text", state: "left-out" },
  ] as const;
  expect(leftOutSentences(told, { run: "shop-k7f2" as RunId, folder: "/runs/shop-k7f2" })).toEqual([
    "1 output of a gate or agent is left out: see /runs/shop-k7f2/texts",
    "1 log is cut short, 2 logs are left out: plait logs <task> --run shop-k7f2 --raw",
  ]);
});

describe("the file", () => {
  const run = {
    session: { run: "</title><script>" },
    texts: { a: "</script><!-- \u2028 \u2029 <script>" },
  } as unknown as InlinedRun;

  test("holds its data so that no text can end its element, and every text comes out as it was", () => {
    const html = htmlPage(run, { script: "1", style: "a{}" }, { script: "S", style: "T" });
    const json = /<script type="application\/json"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
    expect(JSON.parse(json)).toEqual(run);
    expect(json).not.toMatch(/[<\u2028\u2029]/);
    expect(html).toContain("<title>&lt;/title>&lt;script></title>");
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toContain(
      `default-src 'none'; script-src 'sha256-S'; style-src 'sha256-T'; img-src data:; base-uri 'none'; form-action 'none'`,
    );
  });

  test("takes a script that speaks of scripts and comments, and it means the same", () => {
    const script = "[/<!--(.)/.exec('<!--x')[1], `</SCRIPT>`, 1<2]";
    const { script: safe } = inFileParts({ script, style: "" });
    expect(safe).not.toMatch(/<\/script|<!--/i);
    expect(runInNewContext(safe)).toEqual(["x", "</SCRIPT>", true]);
  });

  test("refuses a script or style that would end its own element", () => {
    const hashes = { script: "", style: "" };
    for (const bad of ["'</SCRIPT>'", "a<!--b"])
      expect(() => htmlPage(run, { script: bad, style: "" }, hashes)).toThrow("end its own element");
    expect(() => htmlPage(run, { script: "", style: "</style" }, hashes)).toThrow("end its own element");
  });
});
