import { expect, test } from "vitest";
import { summarizeMessage } from "./change-summary.ts";

test("the summary of a change is the first prose of the last message", () => {
  expect(summarizeMessage("# Done\n\nAdded **search** in `src/a.ts`.\n\nMore.", 100)).toBe(
    "Added search in src/a.ts.",
  );
  expect(summarizeMessage('```json\n{"a": 1}\n```\nStatus: DONE\n', 100)).toBeNull();
  expect(summarizeMessage('All is\nwritten.\n\n{"status": "ok"}', 100)).toBe("All is written.");
  expect(summarizeMessage("I changed:\n\n- the routes.\n- the tests\n", 100)).toBe(
    "I changed: the routes; the tests",
  );
  expect(summarizeMessage(`One. ${"word ".repeat(50)}`, 40)).toBe("One. word word word word word word…");
});
