// Retired words may only become fewer. `UPDATE=1` lowers the allowed counts and never raises one; `node scripts/words.mjs`
// lists every hit.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { collectLiterals, collectStrings, countByPlace, findRetired } from "./strings.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const allowedFile = new URL("allowed.json", import.meta.url);
const { UPDATE } = process.env;

describe("retired words", () => {
  const strings = collectStrings(root);
  const counts = countByPlace(findRetired(strings));

  it("are looked for in all there is to read", () => {
    const literals = strings.filter(({ file }) => file.startsWith("src/"));
    expect(literals.length).toBeGreaterThan(5_000);
    expect(strings.length - literals.length).toBeGreaterThan(1_000);
  });

  it("become fewer", () => {
    const allowed: Record<string, number> = JSON.parse(readFileSync(allowedFile, "utf8"));
    const grown = Object.entries(counts).filter(([place, count]) => count > (allowed[place] ?? 0));
    expect(
      grown.map(([place, count]) => `${place}: ${count}, allowed ${allowed[place] ?? 0}`),
      "list them: node scripts/words.mjs <path>",
    ).toEqual([]);
    if (UPDATE === "1") writeFileSync(allowedFile, `${JSON.stringify(counts, null, 2)}\n`);
  });

  const hit = (text: string) => findRetired([{ file: "src/a/b.ts", line: 1, text }]).map(({ word }) => word);

  it("are found in templates, tagged or not, and in words that become part of one", () => {
    const planted = mkdtempSync(join(tmpdir(), "plait-words-"));
    onTestFinished(() => rmSync(planted, { recursive: true }));
    mkdirSync(join(planted, "src/a"), { recursive: true });
    const lines = [
      "const a = sentence`${task(id)} was told`;",
      "const b = `${isOver ? 'parked' : name} now`;",
      "const c = { text: 'drained', kind: 'parked' };",
    ];
    writeFileSync(join(planted, "src/a/b.ts"), `${lines.join("\n")}\n`);
    const found = findRetired(collectLiterals(planted)).map(({ line, word }) => [line, word]);
    expect(found.sort()).toEqual([
      [1, "told"],
      [2, "parked"],
      [3, "drained"],
    ]);
  });

  it("are found in sentences", () => {
    expect(hit("the run goes on, and nobody drives it")).toEqual(["goes on", "nobody", "drives"]);
    expect(hit("`x` is no task")).toEqual(["is no t"]);
    expect(hit("What failed is tried again.")).toEqual(["What"]);
    expect(hit("colours of an artefact")).toHaveLength(1);
  });

  it("are not found in names, and not where English wants them", () => {
    expect(hit("the fact run.drained, the key `hears`, src/core/drive.ts")).toEqual([]);
    expect(
      hit(
        "there is no run; it is no longer open; a test-driven project; What now?; if there is none, plait says so and tries to connect to the server",
      ),
    ).toEqual([]);
  });
});
