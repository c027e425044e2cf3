import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manifest, readFolder, taskFile } from "../../../test/formats/cpo-folder.ts";
import { cpuMs } from "../../../test/support/cpu.ts";
import { tooMuchGrowth } from "../../../test/support/growth.ts";
import { nodeInstallation } from "./dependencies.ts";
import { parseTools } from "./tools.ts";
import { looksLikePython, validationCommand } from "./validation.ts";

/** Whoever writes a plan can write anything: what is long, or meant to be slow, costs what its length costs. */
const sizes = { from: 400, to: 102_400 };
const filled = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const at = { file: "f", start: { line: 1, col: 1 }, end: { line: 1, col: 1 } };
const located = (value: string) => ({ value, at });

const only = {
  "manifest.json": manifest([["task-001-users"]]),
  "tasks/task-002-items.md": null,
  "tasks/task-003-orders.md": null,
};
const withTask = (text: string) => readFolder({ ...only, "tasks/task-001-users.md": text });
const withScope = (scope: string) => withTask(taskFile({ id: "task-001-users", wave: 1, scope }));
const withBody = (body: string) => withTask(`---\nid: task-001-users\nwave: 1\n---\n${body}\n`);

describe("long texts are read in time that grows with their length", () => {
  test.each([" ", "#", " #", ":", "`", "-", "* ", "\n", "# \n"])("in a task file: %j", async (piece) => {
    for (const start of ["", "# ", "## Scope", "# task-"])
      for (const end of ["", "x"]) {
        const work = (size: number) => withBody(`${start}${filled(piece, size)}${end}`);
        expect(await tooMuchGrowth(work, sizes), `${start}…${end}`).toBeNull();
      }
  });

  test.each([" ", "\u2028", "# ", ":", "`", "{", "-", " - ", "*", " (", " () ", ")", "a,", "- \n#\n `\n"])(
    "in a scope: %j",
    async (piece) => {
      for (const start of ["CREATE: a", "- `", "  ("])
        for (const end of ["", "x"]) {
          const work = (size: number) => withScope(`CREATE:\n${start}${filled(piece, size)}${end}`);
          expect(await tooMuchGrowth(work, sizes), `${start}…${end}`).toBeNull();
        }
    },
  );

  test.each(["def a", "for a", "for a in b", "if a", "import a", "from a", "assert ", "a.b", "#", ""])(
    "in a validation that begins with %j",
    async (start) => {
      const pieces = ["a", " ", "\n", ": ", ":", " in ", ".a", "; ", "#", "#\n", " \n\t", ", ", "(", " as "];
      for (const piece of pieces) {
        const work = (size: number) => looksLikePython(`${start}${filled(piece, size)}!`);
        expect(await tooMuchGrowth(work, sizes), JSON.stringify(piece)).toBeNull();
      }
    },
  );

  test("in the name of a contract", async () => {
    const work = (size: number) =>
      withTask(`---\nid: task-001-users\nwave: 1\ncontracts: ["${filled("/", size)}x"]\n---\n`);
    expect(await tooMuchGrowth(work, sizes)).toBeNull();
  });

  test("in what a task may edit", async () => {
    const work = (size: number) => parseTools([located("implementation")], [`a${filled(":", size)}\u2028x`]);
    expect(await tooMuchGrowth(work, sizes)).toBeNull();
  });

  test("in a dependency", async () => {
    const manager = { program: "npm", remove: "r", upgrade: "u", add: "a", addDev: "d" } as const;
    const work = (size: number) => {
      const add = [located(`zod@1.1.${filled("1", size)}!`)];
      return nodeInstallation({ at, add, remove: [], upgrade: [], add_dev: [] }, manager);
    };
    expect(await tooMuchGrowth(work, sizes)).toBeNull();
  });

  test("in whatever is made of signs that mean something", async () => {
    const signs = [
      " ",
      "#",
      ":",
      "`",
      "{",
      "}",
      "-",
      "*",
      "(",
      ")",
      ",",
      ".",
      "\n",
      "\r\n",
      "x",
      "::",
      "\\",
      '"',
    ];
    const words = ["CREATE:", "BOUNDARY", "## Scope", "# task-", "for ", " in ", "def ", "then"];
    const sign = fc.constantFrom(...signs);
    const run = fc.tuple(fc.constantFrom("", ...words), sign, sign);
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), async (runs) => {
        const text = runs.map(([start, long, end]) => `${start}${long.repeat(4_000)}${end}`).join("");
        const start = cpuMs();
        await withBody(`## Scope\nCREATE: ${text}`);
        await withBody(text);
        looksLikePython(text);
        expect(cpuMs() - start).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
  });
});

test("a validation of very many lines is taken as it is", () => {
  const lines = filled("  x = 1\n", 4_000_000);
  expect(validationCommand(lines)).toMatchObject({ kind: "argv" });
});

test("very many paths in one line are all read", async () => {
  const { draft } = await withScope(`CREATE: ${filled("a,", 600_000)}`);
  expect(draft?.tasks[0]?.owns).toHaveLength(300_000);
});
