import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type AttemptId, attemptId, type TaskId } from "../core/ids.ts";
import { type RunFolder, runFolder } from "../engines/local/run-folder.ts";
import { tailTranscript } from "./transcript.ts";

const attempt: AttemptId = attemptId("tax" as TaskId, 1);

function folderWith(text: string | null): { folder: RunFolder; path: string } {
  const path = mkdtempSync(join(tmpdir(), "plait-transcript-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const folder = { ...runFolder(path), transcript: () => join(path, "tax.1.ndjson") };
  if (text !== null) writeFileSync(folder.transcript(), text);
  return { folder, path: folder.transcript() };
}

const said = (at: number, text: string): string =>
  `${JSON.stringify({ at, kind: "text", text, by: "agent" })}\n`;

it("a transcript that is not there yet is empty", async () => {
  const more = tailTranscript(folderWith(null), attempt);
  expect(await more()).toEqual([]);
});

it("gives what is added, and a line only when it is whole", async () => {
  const { folder, path } = folderWith(said(1, "one"));
  const more = tailTranscript({ folder }, attempt);
  expect((await more()).map(({ at }) => at)).toEqual([1]);
  expect(await more()).toEqual([]);
  const next = said(2, "two");
  appendFileSync(path, next.slice(0, 10));
  expect(await more()).toEqual([]);
  appendFileSync(path, next.slice(10));
  expect(await more()).toEqual([{ at: 2, kind: "text", text: "two", by: "agent" }]);
});

it("goes on behind what it has seen when the middle of the file was cut out", async () => {
  const { folder, path } = folderWith([1, 2, 3, 4].map((n) => said(n, `line ${n}`)).join(""));
  const more = tailTranscript({ folder }, attempt);
  await more();
  writeFileSync(
    path,
    `${said(1, "line 1")}\n{"kind":"cut","bytes":"     120"}\n${said(4, "line 4")}${said(5, "line 5")}`,
  );
  expect((await more()).map(({ at }) => at)).toEqual([5]);
});

it("tells where it was cut, skips what is no event, and cleans what a terminal would obey", async () => {
  const lines = [
    said(7, "\u001b[31mred\u001b[0m \u202eturned"),
    '\n{"kind":"cut","bytes":"         1234"}\n',
    'half a line","kind":"text"}\n',
    '{"at":8,"kind":"of another version"}\n',
    "[]\n",
  ];
  const { folder } = folderWith(lines.join(""));
  expect(await tailTranscript({ folder }, attempt)()).toEqual([
    { at: 7, kind: "text", text: "red <U+202E>turned", by: "agent" },
    { at: 7, kind: "cut", bytes: 1234 },
  ]);
});
