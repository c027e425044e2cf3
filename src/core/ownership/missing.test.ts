import { expect, test } from "vitest";
import { findMissingCreations } from "./change.ts";
import { parseClaim } from "./parse.ts";
import type { Claim } from "./pattern.ts";

const claim = (text: string, mode: Claim["mode"]): Claim => {
  const parsed = parseClaim(text, mode);
  if (!parsed.ok) throw new Error(text);
  return parsed.claim;
};

test("only what was to be created and fits no path is missing", () => {
  const owns = [
    claim("src/a.ts", "create"),
    claim("src/b.ts", "create"),
    claim("docs/", "create"),
    claim("test/*.test.ts", "create"),
    claim("src/c.ts", "modify"),
    claim("src/d.ts", "any"),
    claim("src/e.ts::run", "create"),
  ];
  expect(findMissingCreations(owns, ["src/a.ts", "docs/x/y.md"])).toEqual(["src/b.ts", "test/*.test.ts"]);
});
