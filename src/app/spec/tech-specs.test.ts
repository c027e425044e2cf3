import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { defaultCaps as caps } from "../../config/settings.ts";
import type { SpecStatus } from "../../spec/tech-spec/lifecycle.ts";
import { moveTechSpec } from "./move-tech-spec.ts";
import { makeTechSpec, takeNumber } from "./new-tech-spec.ts";
import { findTechSpec, type KnownSpec, listTechSpecs } from "./tech-specs.ts";

const top = mkdtempSync(join(tmpdir(), "plait-tech-specs-"));
afterAll(() => rmSync(top, { recursive: true }));
let root = top;
beforeEach(() => {
  root = mkdtempSync(join(top, "root-"));
});

const put = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const text = (file: string) => readFileSync(join(root, file), "utf8");
const files = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name, parentPath }) => join(parentPath, name).slice(root.length + 1))
    .sort();
const make = (title: string) =>
  makeTechSpec({
    ...{ root, title, decisionRef: null, author: null, relatedPrd: null, today: "2026-01-15", caps },
  });
const spec = (id: string, status: string, more = "") =>
  `---\ntech_spec_id: ${id}\nstatus: ${status}\n${more}---\n# X\n`;

describe("a new tech spec", () => {
  test("has a number of its own, however many are made at the same moment", async () => {
    put("tech-specs/archive/2024/TS-0006-old.md", "nothing that can be read");
    put("tech-specs/reference/other.md", spec("TS-0007", "REFERENCE"));
    const made = await Promise.all(Array.from({ length: 12 }, (_, i) => make(i < 3 ? "same" : `title ${i}`)));
    const ids = made.map((one) => (one.ok ? one.id : one.refusal.message));
    expect(new Set(ids).size).toBe(12);
    expect(ids.every((id) => /^TS-00(?:0[89]|[1-9]\d)$/.test(id))).toBe(true);
    const drafts = readdirSync(join(root, "tech-specs/draft"));
    expect(drafts.map((name) => name.slice(0, 7)).sort()).toEqual([...ids].sort());
    const known = await listTechSpecs({ root, cwd: root, caps });
    expect(known.filter(({ number, diagnostics }) => number !== 6 && diagnostics.length > 0)).toEqual([]);
  });

  test("gives way to one that took the number under another title after it was seen to be free", async () => {
    put("tech-specs/draft/TS-0001-a.md", spec("TS-0001", "DRAFT"));
    expect(await takeNumber(root, 1, "x")).toMatchObject({ ok: false, reason: "exists" });
    expect(files()).toEqual(["tech-specs/draft/TS-0001-a.md"]);
    expect(await takeNumber(root, 2, "x")).toEqual({ ok: true });
    expect(await takeNumber(root, 2, "y")).toMatchObject({ ok: false, reason: "exists" });
    expect(text("tech-specs/draft/TS-0002.md")).toBe("x");
  });

  test.each(["tech-specs", "tech-specs/draft"])(
    "does not go through %s that is a link or a file",
    async (name) => {
      mkdirSync(join(root, "elsewhere"));
      mkdirSync(dirname(join(root, name)), { recursive: true });
      symlinkSync(join(root, "elsewhere"), join(root, name));
      expect(await make("x")).toMatchObject({ ok: false, refusal: { kind: "request" } });
      expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
      rmSync(join(root, name));
      put(name, "mine");
      expect(await make("x")).toMatchObject({ ok: false, refusal: { kind: "request" } });
    },
  );
});

describe("a tech spec that is moved", () => {
  const found = async (word = "1") => {
    const answer = await findTechSpec(word, { root, cwd: root, caps });
    if (!answer.ok || answer.found.spec === null) throw new Error("it is there and can be read");
    return answer.found as KnownSpec & { spec: NonNullable<KnownSpec["spec"]> };
  };
  const to = (status: SpecStatus) => ({ to: status, today: "2027-03-04", caps });

  test("lies in the folder of its status, and nothing but status and date has changed", async () => {
    const before =
      "\ufeff---\r\n# mine\r\ntech_spec_id: TS-0001 # id\r\nstatus: draft\r\n---\r\n# X\r\nstatus: draft";
    put("tech-specs/draft/TS-0001-x.md", before);
    chmodSync(join(root, "tech-specs/draft/TS-0001-x.md"), 0o640);
    for (const [status, folder] of [
      ["approved", "approved"],
      ["reference", "reference"],
      ["archived", "archive/2027"],
    ] as const) {
      expect(await moveTechSpec(await found("ts-1"), to(status))).toMatchObject({ ok: true, kind: "moved" });
      expect(files()).toEqual([`tech-specs/${folder}/TS-0001-x.md`]);
      const now = before.replace(
        "status: draft\r\n",
        `status: ${status.toUpperCase()}\r\nlast_updated: 2027-03-04\r\n`,
      );
      expect(text(`tech-specs/${folder}/TS-0001-x.md`)).toBe(now);
      expect(statSync(join(root, files()[0] as string)).mode & 0o777).toBe(0o640);
    }
    expect(await moveTechSpec(await found(), to("draft"))).toMatchObject({ ok: false });
    expect(await moveTechSpec(await found(), to("archived"))).toMatchObject({ kind: "already" });
  });

  test("is put where it belongs by the status that it has", async () => {
    put("tech-specs/draft/TS-0001-x.md", spec("TS-0001", "APPROVED"));
    expect((await found()).diagnostics).toMatchObject([{ code: "tech-spec-place", severity: "warning" }]);
    expect(await moveTechSpec(await found(), to("approved"))).toMatchObject({ kind: "moved" });
    expect(files()).toEqual(["tech-specs/approved/TS-0001-x.md"]);
  });

  test("stays whole where it was when it cannot be: a file in the way, changed meanwhile, a link", async () => {
    put("tech-specs/draft/TS-0001-x.md", spec("TS-0001", "DRAFT"));
    const one = await found();
    put("tech-specs/approved/TS-0001-x.md", "somebody's");
    expect(await moveTechSpec(one, to("approved"))).toMatchObject({ ok: false });
    expect(text("tech-specs/approved/TS-0001-x.md")).toBe("somebody's");
    rmSync(join(root, "tech-specs/approved/TS-0001-x.md"));
    put("tech-specs/draft/TS-0001-x.md", spec("TS-0001", "DRAFT", "author: me\n"));
    expect(await moveTechSpec(one, to("approved"))).toMatchObject({ ok: false });
    expect(text("tech-specs/draft/TS-0001-x.md")).toContain("author: me");
    expect(existsSync(join(root, "tech-specs/approved/TS-0001-x.md"))).toBe(false);
    symlinkSync(join(root, "tech-specs/draft/TS-0001-x.md"), join(root, "tech-specs/draft/TS-0002-y.md"));
    const link = await found("tech-specs/draft/TS-0002-y.md");
    expect(await moveTechSpec(link, to("approved"))).toMatchObject({
      ok: false,
      refusal: { kind: "request" },
    });
    expect(files()).toEqual(["tech-specs/draft/TS-0001-x.md", "tech-specs/draft/TS-0002-y.md"]);
  });

  test("by its path: in the tech-specs/ that it lies in, and outside of any where it is", async () => {
    put("shop/tech-specs/draft/TS-0001-x.md", spec("TS-0001", "DRAFT"));
    put("docs/x.md", spec("TS-0001", "DRAFT"));
    expect(
      await moveTechSpec(await found("shop/tech-specs/draft/TS-0001-x.md"), to("approved")),
    ).toMatchObject({ ok: true });
    expect(await moveTechSpec(await found("docs/x.md"), to("approved"))).toMatchObject({ kind: "in-place" });
    expect(files()).toEqual(["docs/x.md", "shop/tech-specs/approved/TS-0001-x.md"]);
    expect(text("docs/x.md")).toContain("status: APPROVED\nlast_updated: 2027-03-04\n");
  });
});

test("the list has every file: good, broken, misplaced, and two of one id, each told of the other", async () => {
  put("tech-specs/README.md", "not a spec");
  put("tech-specs/draft/README.md", "not a spec");
  put("tech-specs/draft/TS-0002-b.md", spec("TS-0002", "DRAFT"));
  put("tech-specs/approved/TS-0002-c.md", spec("TS-0002", "APPROVED"));
  put("tech-specs/archive/2024/TS-0001-a.md", spec("TS-0001", "ARCHIVED"));
  put("tech-specs/TS-0003-d.md", spec("TS-0003", "DRAFT"));
  put("tech-specs/draft/notes.md", "# Notes\n");
  put("tech-specs/draft/TS-0009-e.md", spec("TS-0008", "DRAFT"));
  writeFileSync(join(root, "tech-specs/draft/TS-0010.md"), Uint8Array.of(0xff, 0xfe));
  const known = await listTechSpecs({ root, cwd: join(root, "tech-specs"), caps });
  expect(
    known.map(({ file, number, diagnostics }) => [file, number, ...diagnostics.map(({ code }) => code)]),
  ).toEqual([
    ["archive/2024/TS-0001-a.md", 1],
    ["approved/TS-0002-c.md", 2, "tech-spec-twice"],
    ["draft/TS-0002-b.md", 2, "tech-spec-twice"],
    ["TS-0003-d.md", 3, "tech-spec-place"],
    ["draft/TS-0009-e.md", 8, "tech-spec-place"],
    ["draft/TS-0010.md", 10, "not-text"],
    ["draft/notes.md", null, "front-matter"],
  ]);
});

test("a folder that cannot be read is told, and a tech spec elsewhere is found all the same", async () => {
  put("docs/x.md", spec("TS-0007", "DRAFT"));
  mkdirSync(join(root, "tech-specs"));
  symlinkSync("draft", join(root, "tech-specs/draft")); // leads to itself
  const question = { root, cwd: root, caps };
  expect(await findTechSpec("7", question)).toMatchObject({
    ok: false,
    refusal: {
      kind: "environment",
      message: expect.stringMatching(/^cannot read .*tech-specs.draft \(ELOOP\)/),
    },
  });
  expect(await findTechSpec("docs/x.md", question)).toMatchObject({ ok: true, found: { number: 7 } });
});
