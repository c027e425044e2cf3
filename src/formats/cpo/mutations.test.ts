import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, manifest, readFolder, taskFile, whole } from "../../../test/formats/cpo-folder.ts";

/** Whatever happens to the files of a folder, they become a plan or are refused; nothing throws. */

const signs = ["\t", "\n", ":", "- ", "[", "]", "{", "}", '"', "`", "**", "\0", "::", "---\n", "null", "0"];
const change = fc.record({ at: fc.nat(), length: fc.nat(12), put: fc.constantFrom("", ...signs) });
const files = ["manifest.json", "tasks/task-001-users.md", "tasks/task-003-orders.md"];

test("files that were cut and pasted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      async (file, changes) => {
        let text = whole[file] as string;
        for (const { at, length, put } of changes) {
          const start = at % (text.length + 1);
          text = text.slice(0, start) + put + text.slice(start + length);
        }
        for (const one of await check({ [file]: text }))
          expect(one).toMatch(/^(?:\S+:\d+:\d+ )?(?:error|warning|note) [a-z-]+: /);
      },
    ),
    { numRuns: 80 },
  );
});

describe("a manifest that is something else", () => {
  test.each([
    "[]",
    "null",
    "1",
    '"x"',
    "{}",
    '{"waves": {}}',
    '{"waves": [1, null, []]}',
    '{"version": "1.0.0"}',
    '{"tasks": {"files": [1]}}',
  ])("%s", async (text) => {
    const { said } = await readFolder({ "manifest.json": text });
    expect(said.some((one) => one.includes(" error "))).toBe(true);
  });
});

test("hundreds of tasks are read in a moment", async () => {
  const ids = Array.from({ length: 400 }, (_, i) => `task-${String(i + 1).padStart(4, "0")}`);
  const texts = ids.flatMap((id, i) => [
    [`tasks/${id}-x.md`, taskFile({ id: `${id}-x`, wave: 1, scope: `CREATE: f${i}.py` })],
    [`prompts/${id}.txt`, whole["prompts/task-001.txt"] as string],
  ]);
  const none = Object.fromEntries(Object.keys(whole).map((path) => [path, null]));
  const { draft, said } = await readFolder({
    ...none,
    ...Object.fromEntries(texts),
    "contracts/types.ts": "",
    "manifest.json": manifest([ids]),
  });
  expect([draft?.tasks.length, said]).toEqual([400, []]);
});
