import { expect, test } from "vitest";
import { formatPullRequestTitle, formatTaskTitle } from "./pull-request-title.ts";

test("a pull request is called after its task, the plan's sentence, or its tasks", () => {
  expect(formatPullRequestTitle("shop", ["Add search"])).toBe("Add search");
  expect(formatPullRequestTitle("a shop that sells", ["Add search", "Add tax"])).toBe("A shop that sells");
  expect(formatPullRequestTitle("shop", ["Add search", "Add tax", "Add invoices"])).toBe(
    "Add search, tax and invoices",
  );
  expect(formatPullRequestTitle("shop", ["Add search.", "Fix the API", "HTML mail"])).toBe(
    "Add search, fix the API and HTML mail",
  );
  const many = Array.from({ length: 12 }, (_, n) => `Write chapter number ${n}`);
  expect(formatPullRequestTitle("book", many)).toBe(
    "Write chapter number 0, chapter number 1, chapter number 2 and 9 more",
  );
  const long = ["Rewrite ".repeat(20), "Add tax"];
  expect([...formatPullRequestTitle("book", long)].length).toBeLessThanOrEqual(72);
  expect(formatPullRequestTitle("book", long)).toMatch(/^Rewrite Rewrite .*… and add tax$/);
  const mixed = [
    "Add search",
    `Rewrite the billing pages ${"so that totals are right ".repeat(3)}`,
    "Add invoices",
  ];
  expect(formatPullRequestTitle("shop", mixed)).toBe(
    "Add search, rewrite the billing pages so that… and add invoices",
  );
  expect(formatTaskTitle("add-search")).toBe("Add search");
});
