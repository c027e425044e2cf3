import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { richContents } from "../../../test/spec/rich-contents.ts";
import { defaultCaps } from "../../config/settings.ts";
import { specFiles } from "../../spec/spec-files.ts";
import { writeGraph } from "./write-overviews.ts";

const cwd = mkdtempSync(join(tmpdir(), "plait-graph-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const files = specFiles(richContents, "p");
for (const { path, text } of files) {
  mkdirSync(dirname(join(cwd, "p", path)), { recursive: true });
  writeFileSync(join(cwd, "p", path), text);
}
const graph = join(cwd, "p/task-graph.md");
const write = () => writeGraph("p", { cwd, caps: defaultCaps }, "2026-03-02T12:00:00.000Z");

test("the graph of a folder is drawn from its manifest and task files, and the one before is kept", async () => {
  const drawn = readFileSync(graph, "utf8");
  expect(await write()).toMatchObject({ ok: true, graph: { isNew: false, backup: null } });
  writeFileSync(graph, "# By hand\n");
  expect(await write()).toMatchObject({
    graph: { isNew: true, backup: "task-graph.md.backup-20260302T120000Z" },
  });
  expect(readFileSync(graph, "utf8")).toBe(drawn);
  expect(readFileSync(join(cwd, "p/task-graph.md.backup-20260302T120000Z"), "utf8")).toBe("# By hand\n");
  rmSync(graph);
  expect(await write()).toMatchObject({ graph: { isNew: true, backup: null } });
});

test("a folder that cannot be read leaves its graph as it is", async () => {
  writeFileSync(join(cwd, "p/manifest.json"), "{");
  const names = readdirSync(join(cwd, "p"));
  const written = await write();
  expect(written).toMatchObject({ ok: true, graph: null });
  expect(written.ok && written.diagnostics.some(({ severity }) => severity === "error")).toBe(true);
  expect(readdirSync(join(cwd, "p"))).toEqual(names);
});
