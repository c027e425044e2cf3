import fc from "fast-check";
import { expect, test } from "vitest";
import { parseScope } from "./scope.ts";
import { scopePath, scopeText } from "./scope-text.ts";

const path = fc
  .array(
    fc.constantFrom(
      ...[
        "a",
        "src/",
        "*",
        "**/",
        "?",
        "{a,b}",
        "{a,{b,c}}",
        "::Class.method",
        "[id]",
        "(group)/",
        "@x",
        "$id",
      ],
      ...[", ", " ", " - ", "#", " #", ".", ":", "é", "none", "-", '"', "'", "CREATE:", "\n", "\\"],
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text.trim() !== "");
const paths = fc.array(path, { maxLength: 4 });

test("whatever paths a scope has, they are read as they were written", () => {
  fc.assert(
    fc.property(paths, paths, paths, (CREATE, MODIFY, BOUNDARY) => {
      const text = scopeText({ CREATE, MODIFY, BOUNDARY });
      const { entries } = parseScope(text, { start: 0, end: text.length });
      const read = entries.map(({ word, text: told, isProse }) => [word, told, isProse]);
      const all = { CREATE, MODIFY, BOUNDARY };
      const written = (["CREATE", "MODIFY", "BOUNDARY"] as const).flatMap((word) =>
        all[word].map((one) => [word, scopePath(one), false]),
      );
      expect(read).toEqual(written);
    }),
    { numRuns: 300 },
  );
});
