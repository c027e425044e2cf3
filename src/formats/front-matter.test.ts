import { describe, expect, test } from "vitest";
import { frontMatter } from "./front-matter.ts";

const yamlOf = (path: string, text: string) => {
  const part = frontMatter(path, text);
  return part && text.slice(part.start, part.end);
};

describe("front matter", () => {
  test("is what stands between the first two lines of dashes", () =>
    expect(yamlOf("plan.md", "---\na: 1\n---\n# text\n---\n")).toBe("a: 1\n"));
  test("may have Windows line ends and blanks behind the dashes", () =>
    expect(yamlOf("plan.md", "--- \r\na: 1\r\n---\t\r\ntext")).toBe("a: 1\r\n"));
  test("may end with dots, as some tools write it", () =>
    expect(yamlOf("plan.md", "---\na: 1\n...\ntext\n---\n")).toBe("a: 1\n"));
  test("may be empty", () => expect(yamlOf("plan.md", "---\n---\ntext")).toBe(""));
  test("needs both lines", () => expect(yamlOf("plan.md", "---\na: 1\n")).toBeNull());
  test("starts in the first line", () => expect(yamlOf("plan.md", "\n---\na: 1\n---\n")).toBeNull());
  test("ends with dashes at the left edge only", () =>
    expect(yamlOf("plan.md", "---\na: |\n  ---\nb: 1\n---\n")).toBe("a: |\n  ---\nb: 1\n"));
  test.each(["plan.yaml", "plan.YML", "plan.json"])("is not looked for in %s", (path) =>
    expect(yamlOf(path, "---\na: 1\n---\nb: 1\n")).toBeNull(),
  );
});
