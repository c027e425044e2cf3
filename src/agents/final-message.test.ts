import { expect, test } from "vitest";
import { findSummary, formatReport } from "./final-message.ts";

test("the summary is what the agent reports as such, whatever else it says", () => {
  const message = "I added it.\n\nStatus: DONE\nSummary: The page asks the index\nas you type.\n";
  expect(findSummary(message)).toBe("The page asks the index\nas you type.");
  expect(findSummary("**Summary:** two `bugs`\nConcerns: none\n")).toBe("two `bugs`");
  expect(findSummary("Summary:\n\n- one\n- two\n\nStatus: DONE")).toBe("- one\n- two");
  expect(findSummary("Status: DONE\nSummary:\n")).toBeNull();
  expect(findSummary("## Summary\n\nI did it.")).toBeNull();
  expect(findSummary("I printed:\n\n```\nSummary: 3 passed\n```\n\n> Summary: quoted\n")).toBeNull();
});

test("a result object has its summary in a field", () => {
  const result =
    '{\n  "task_completed": true,\n  "summary": "Users sign up.",\n  "full_log": "All green."\n}';
  expect(findSummary(result)).toBe("Users sign up.");
  expect(findSummary(`All set.\n\n\`\`\`json\n${result}\n\`\`\``)).toBe("Users sign up.");
  expect(findSummary('{"task_completed": true, "summary": ""}')).toBeNull();
  expect(formatReport(`All set.\n\n\`\`\`json\n${result}\n\`\`\`\n`)).toBe(
    "All set.\n\nUsers sign up.\n\nAll green.",
  );
  expect(formatReport("Prices are integers.")).toBe("Prices are integers.");
});
