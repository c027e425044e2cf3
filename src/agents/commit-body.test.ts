import { expect, test } from "vitest";
import { formatCommitBody, muteReferences } from "./commit-body.ts";

test("the body of a commit is what the agent says to people, wrapped", () => {
  const message = `## Summary

Added **search** to the shop: \`src/search.ts\` has the index, and the page asks it as you type, with a delay of 200 ms.

- Index: built once at the start and kept in memory, because the catalogue has fewer than 10,000 items
- Page

\`\`\`ts
const hidden = 1;
\`\`\`

Status: DONE
Signed-off-by: Somebody <x@example.com>
`;
  expect(
    formatCommitBody(message),
  ).toBe(`Added search to the shop: \`src/search.ts\` has the index, and the page
asks it as you type, with a delay of 200 ms.

- Index: built once at the start and kept in memory, because the
  catalogue has fewer than 10,000 items
- Page`);
});

test("results for programs are no body", () => {
  expect(formatCommitBody('All done.\n\n```json\n{"status": "ok"}\n```')).toBe("All done.");
  expect(formatCommitBody('Written.\n{"status": "DONE",\n "files": {"a": 1}}\n')).toBe("Written.");
  expect(formatCommitBody('{"status":"DONE"}')).toBe("");
  expect(formatCommitBody("Status: DONE\nSummary: It works now.")).toBe("It works now.");
  expect(formatCommitBody("  \n")).toBe("");
  expect(formatCommitBody("Done.\n\n```\nnever closed\n")).toBe("");
});

test("no line passes for a trailer, a comment or a rule of git", () => {
  const body = formatCommitBody("Fixed.\n\nPlait-Task: other\n\n---\n\n#hidden\n\nNote: one\nHint: two");
  expect(body).toBe("Fixed.\n\nhidden\n\n- Note: one Hint: two");
  expect(formatCommitBody("#12 is fixed, and so is #13\n\n# 1. Steps\nTwo")).toBe(
    "No. 12 is fixed, and so is #13\n\n1. Steps Two",
  );
  expect(formatCommitBody(`${"word ".repeat(14)}#12`)).toBe(`${"word ".repeat(14).trim()}\nNo. 12`);
  expect(formatCommitBody("a\u001b[31mred\u0007")).not.toContain("\u001b");
});

test("a long message is cut between paragraphs", () => {
  const body = formatCommitBody(`One.\n\n${"word ".repeat(1000)}\n\nLast.`);
  expect(body).toBe("One.");
  expect(formatCommitBody("word ".repeat(10_000)).split("\n").length).toBeLessThan(26);
});

test("no word of an agent mentions, links or closes anything in a commit", () => {
  expect(muteReferences("fixes #3, a/b#4, GH-5 and !6; thanks @ada, (@bob)")).toBe(
    "fixes # 3, a/b# 4, GH 5 and ! 6; thanks @ ada, (@ bob)",
  );
  expect(muteReferences("closes https://x.test/a/b/issues/7 and `#8`")).toBe(
    "closes x.test/a/b/issues/7 and `# 8`",
  );
  const harmless = "C# mail ada@x.test, https://x.test/docs and #fff";
  expect(muteReferences(harmless)).toBe(harmless);
});
