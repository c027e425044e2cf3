import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAsPlan, show } from "./read-as-plan.ts";

/**
 * Each file in fixtures is a plan as somebody might write it; beside it stands what plait says about it, and whether
 * enough is left to be analysed. A name may end in .txt to keep formatters away. UPDATE=1 writes what is said now; read the difference before you keep it.
 */
const { UPDATE } = process.env;
const folder = new URL("fixtures/", import.meta.url);
const plans = readdirSync(folder).filter((name) => !name.endsWith(".expected"));

describe("a plan with mistakes", () => {
  test("there are fixtures", () => expect(plans.length).toBeGreaterThan(20));

  test.each(plans)("%s", async (name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    const { draft, diagnostics } = await readAsPlan(name.replace(/\.txt$/, ""), text);
    const said = `${[draft ? "draft" : "no draft", ...diagnostics.map(show)].join("\n")}\n`;
    const expected = new URL(`${name}.expected`, folder);
    if (UPDATE === "1") writeFileSync(expected, said);
    expect(said).toBe(readFileSync(expected, "utf8"));
  });
});
