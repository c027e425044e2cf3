import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/git/support.ts";
import { plait } from "../../../core/text/command.ts";
import { fix } from "../../../core/text/sentence.ts";
import { readSource } from "./read-source.ts";

const caps = { maxPlanBytes: 1e6, maxDepth: 32, maxTasks: 10, maxPromptBytes: 1e6 };

function project() {
  const root = tempFolder();
  for (const folder of ["docs", "tech-specs/approved", "tech-specs/archive/2026"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "docs/prd.md"), "# A shop\n");
  const spec = (path: string, head: string) =>
    writeFileSync(join(root, "tech-specs", path), `---\n${head}\n---\n# X\n`);
  spec("archive/2026/TS-0001-a.md", "tech_spec_id: TS-0001\nstatus: ARCHIVED\nrelated_prd: docs/prd.md");
  const read = (...words: string[]) => readSource(words, { root, cwd: join(root, "docs"), caps });
  return { root, spec, read };
}

test("requirements and a sentence find the tech spec that was made from them, but not one that was given up", async () => {
  const { spec, read } = project();
  expect(await read("prd.md")).toMatchObject({ ok: true, source: { path: "docs/prd.md" }, known: null });
  spec("approved/TS-0002-b.md", "tech_spec_id: TS-0002\nstatus: APPROVED\nrelated_prd: docs/prd.md");
  expect(await read("prd.md")).toMatchObject({ known: { number: 2 } });
  expect(await read("A", "bakery \n with bread")).toMatchObject({
    source: { kind: "sentence" },
    known: null,
  });
  spec("approved/TS-0003-c.md", "tech_spec_id: TS-0003\nstatus: APPROVED\nsource: A bakery with bread");
  expect(await read("A bakery", "with bread")).toMatchObject({ known: { number: 3 } });
  spec("approved/TS-0004-d.md", "tech_spec_id: TS-0004\nstatus: APPROVED\nrelated_prd: docs/prd.md");
  expect(await read("prd.md")).toMatchObject({
    refusal: {
      message: "2 tech specs come from this file: TS-0002, TS-0004",
      hint: fix("choose one", plait("spec go", "TS-0004")),
    },
  });
});

test("an id, and a file that has one, are the tech spec itself", async () => {
  const { spec, read } = project();
  spec("approved/TS-0002-b.md", "tech_spec_id: TS-0002\nstatus: APPROVED");
  for (const word of ["2", "ts-2", "../tech-specs/approved/TS-0002-b.md"])
    expect(await read(word)).toMatchObject({ ok: true, source: null, known: { number: 2 } });
});

test("a sentence may be longer than a name of a file, and a slip of the pen is none", async () => {
  const { read } = project();
  const long = "bread ".repeat(5_000);
  expect(await read(long)).toMatchObject({ ok: true, source: { kind: "sentence", text: long.trim() } });
  for (const slip of ["prd.txt", "shop/prd", "bakery", "."])
    expect(await read(slip)).toMatchObject({ ok: false });
});
