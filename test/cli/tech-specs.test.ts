import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { git, makePlace } from "./place.ts";
import { folderWith } from "./plait.ts";

const PRD = "# PRD\n\n## Requirements\n\n- Pay\n- Refund\n";

describe("in a repository", () => {
  const place = makePlace({ "CLAUDE.md": "# Mine\n", "go.mod": "module x\n", "docs/prd.md": PRD });
  const docs = join(place.repo, "docs");
  const spec = (...words: string[]) => asked(["spec", ...words], { cwd: docs, env: place.env });

  it("is set up at its root, and told what was made and what was there", async () => {
    const first = await spec("setup");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout.split("\n").slice(0, 4)).toEqual([
      "parallel/README.md: created",
      "parallel/.gitignore: created",
      "CLAUDE.md: section added",
      "technology: go, detected from go.mod  (override with --tech)",
    ]);
    expect(readFileSync(join(place.repo, "parallel/README.md"), "utf8")).toContain("go test ./...");
    const again = await spec("setup", "--tech", "python");
    expect(again.stdout).toContain("parallel/README.md: already exists");
    expect(again.stdout).toContain("CLAUDE.md: section already exists");
  });

  it("a tech spec is made, goes on, and may not go everywhere; git's index is left alone (I3)", async () => {
    const index = readFileSync(join(place.repo, ".git/index"));
    const made = await spec("new", "Größe:", "the", '"first"', "--rfc", "RFC-0007", "--prd", "prd.md");
    const file = "tech-specs/draft/TS-0001-grosse-the-first.md";
    expect(made.stdout.split("\n")[0]).toBe(`../${file}`);
    expect(readFileSync(join(place.repo, file), "utf8")).toContain("| R1 | Pay |\n| R2 | Refund |\n");
    const { spec: read } = JSON.parse((await spec("status", "ts-1", "--json")).stdout);
    expect(read).toMatchObject({
      ...{ id: "TS-0001", title: 'Größe: the "first"', status: "draft", author: "User", file: `../${file}` },
      ...{ decisionRef: "RFC-0007", relatedPrd: "docs/prd.md", next: ["approved", "archived"] },
    });
    const moved = await spec("status", "1", "--set", "APPROVED");
    expect([moved.code, moved.stdout.split("\n")[0]]).toEqual([
      0,
      'TS-0001  DRAFT → APPROVED  Größe: the "first"',
    ]);
    expect(moved.stderr).toContain("TS-0001-grosse-the-first.md:4:9: warning[tech-spec-unfinished]");
    const archived = await spec("status", "TS-0001", "--set", "archive");
    expect(archived.code).toBe(0);
    const back = await spec("status", "TS-0001", "--set", "draft");
    expect([back.code, back.stderr]).toMatchObject([
      2,
      expect.stringContaining("cannot change from archived to draft"),
    ]);
    expect(readdirSync(join(place.repo, "tech-specs/draft"))).toEqual([]);
    expect(readFileSync(join(place.repo, ".git/index")).equals(index)).toBe(true);
    expect(git(place, "status", "--porcelain", "tech-specs")).toContain("?? tech-specs/");
  });
});

describe("what cannot be used", () => {
  const cwd = folderWith({
    "tech-specs/draft/TS-0003-a.md": "---\ntech_spec_id: TS-0003\ntitle: Three\nstatus: DRAFT\n---\n",
    "tech-specs/approved/TS-0003-b.md": "---\ntech_spec_id: TS-0003\ntitle: Other\nstatus: APPROVED\n---\n",
    "tech-specs/draft/TS-0004-c.md": "---\ntitle: No id\nstatus: DRAFT\n---\n",
    "tech-specs/draft/TS-0005-d.md": "---\ntech_spec_id: TS-0005\nstatus: done\n---\n# Five\n",
    "tech-specs/draft/TS-0006-e.md": '---\ntitle: "open\n---\n',
  });
  const spec = (...words: string[]) => asked(["spec", ...words], { cwd });

  it("is listed with its place and what is wrong, and two files of one id are told once", async () => {
    const { code, stdout, stderr } = await spec("list");
    expect(code).toBe(2);
    expect(stdout.split("\n").map((line) => line.split(/ +/).slice(0, 2).join(" "))).toEqual([
      ...[
        "id status",
        "TS-0003 approved",
        "TS-0003 draft",
        "TS-0004 broken",
        "TS-0005 broken",
        "TS-0006 broken",
      ],
      "",
    ]);
    const told = [...stderr.matchAll(/^(\S+:\d+:\d+): error\[(\S+)\]/gm)].map(
      ([, at, what]) => `${at} ${what}`,
    );
    expect(told).toEqual([
      "tech-specs/approved/TS-0003-b.md:2:15 tech-spec-twice",
      "tech-specs/draft/TS-0004-c.md:1:1 tech-spec-id",
      "tech-specs/draft/TS-0005-d.md:3:9 tech-spec-status",
      expect.stringMatching(/^tech-specs\/draft\/TS-0006-e\.md:\d+:\d+ yaml-/),
    ]);
  });

  it.each<[string, string[], RegExp]>([
    ["one of two", ["status", "3", "--set", "approved"], /TS-0003 is the id of 2 files/],
    [
      "one that is broken",
      ["status", "TS-0005", "--set", "approved"],
      /TS-0005-d\.md:3:9: error\[tech-spec-status\]/,
    ],
    ["one that is not there", ["status", "77"], /unknown tech spec TS-0077/],
    ["a path that is not there", ["status", "x.md"], /^x\.md: error\[file-missing\]/],
    ["a status that is none", ["status", "3", "--set", "done"], /not one of draft, approved/],
    ["no title", ["new", " "], /missing title/],
    ["requirements that are not there", ["new", "x", "--prd", "no.md"], /--prd no\.md does not exist/],
  ])("is refused with what to do, and nothing is written: %s", async (_, words, says) => {
    const before = readdirSync(cwd, { recursive: true });
    const { code, stdout, stderr } = await spec(...words);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(says);
    expect(readdirSync(cwd, { recursive: true })).toEqual(before);
  });

  it("a file in the place of their folder is told, and not taken for none", async () => {
    const other = folderWith({ "tech-specs": "mine" });
    const { code, stdout, stderr } = await asked(["spec", "list"], { cwd: other });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("tech-specs is a file")]);
  });

  it("setting up over a file of that name makes nothing", async () => {
    writeFileSync(join(cwd, "parallel"), "mine");
    const { code, stderr } = await spec("setup");
    expect([code, stderr]).toMatchObject([2, expect.stringContaining("parallel is a file")]);
    expect(existsSync(join(cwd, "CLAUDE.md"))).toBe(false);
  });
});
