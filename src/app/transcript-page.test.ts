import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { transcriptPage } from "./transcript.ts";

const said = (text: string): string => `${JSON.stringify({ at: 1, kind: "text", text })}\n`;

function transcript(): { path: string; write: (...lines: string[]) => void } {
  const folder = mkdtempSync(join(tmpdir(), "plait-transcript-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "t.ndjson");
  return { path, write: (...lines) => writeFileSync(path, lines.join("")) };
}

const textsOf = ({ entries }: Awaited<ReturnType<typeof transcriptPage>>) =>
  entries.map((entry) => ("text" in entry ? entry.text : entry.kind));

test("who asks again gets what is new, and never half a line", async () => {
  const { path, write } = transcript();
  const none = await transcriptPage(path, null);
  expect(none.entries).toEqual([]);
  write(said("a"), said("b"), '{"at":1,"ki');
  const first = await transcriptPage(path, none.next);
  expect(textsOf(first)).toEqual(["a", "b"]);
  expect(textsOf(await transcriptPage(path, first.next))).toEqual([]);
  write(said("a"), said("b"), said("c"));
  expect(textsOf(await transcriptPage(path, first.next))).toEqual(["c"]);
});

test("the place is found again where the middle of the file is gone meanwhile", async () => {
  const { path, write } = transcript();
  const all = Array.from({ length: 20 }, (_, i) => said(`line ${i}`));
  const cut = '\n{"kind":"cut","bytes":"            100"}\n';
  write(...all.slice(0, 15));
  const { next } = await transcriptPage(path, null);
  write(...all.slice(0, 3), cut, ...all.slice(12));
  expect(textsOf(await transcriptPage(path, next))).toEqual(all.slice(15).map((_, i) => `line ${i + 15}`));
  write(...all.slice(0, 3), cut, ...all.slice(17));
  expect(textsOf(await transcriptPage(path, next))).toEqual(["cut", "line 17", "line 18", "line 19"]);
});

test("a place that nobody told begins at the beginning", async () => {
  const { path, write } = transcript();
  write(said("a"));
  for (const from of ["", "-1", "1e9", "99999.0123456789abcdef", "../x"])
    expect(textsOf(await transcriptPage(path, from))).toEqual(["a"]);
});

test("a long one comes in pages", async () => {
  const { path, write } = transcript();
  const line = "x".repeat(900_000);
  write(...Array.from({ length: 5 }, () => said(line)));
  const sizes: number[] = [];
  let next: string | null = null;
  for (let page = 0; page < 4; page += 1) {
    const told = await transcriptPage(path, next);
    sizes.push(told.entries.length);
    next = told.next;
  }
  expect(sizes).toEqual([2, 2, 1, 0]);
});

test("a page of a long one says that there is more", async () => {
  const { path, write } = transcript();
  write(...Array.from({ length: 3 }, (_, n) => said(`${n}${"x".repeat(1_000_000)}`)));
  const first = await transcriptPage(path, null);
  expect([first.entries.length, first.hasMore]).toEqual([2, true]);
  const second = await transcriptPage(path, first.next);
  expect([second.entries.length, second.hasMore]).toEqual([1, false]);
});
