import fc from "fast-check";
import { expect, test } from "vitest";
import { folderFor, specStatuses, statusOfFolder, stepsFrom } from "./lifecycle.ts";
import { isTechSpecId, kebab, nextNumber, numberAsked, numberOfFile, techSpecFile } from "./names.ts";

test.each([
  ["Inventory Service", "inventory-service"],
  ["  R&D: the *next* step!  ", "r-and-d-the-next-step"],
  ["Straße über Łódź", "strasse-uber-lodz"],
  ["It's ok", "its-ok"],
  ["../../etc/passwd", "etc-passwd"],
  ["在庫", ""],
  ["在庫 service", "service"],
  ["---", ""],
])("the title %j gives the slug %j", (title, slug) => {
  expect(kebab(title)).toBe(slug);
});

const titles = fc.string({ unit: fc.constantFrom(..."aÉ- 在\n/’😀.ß&\0"), maxLength: 200 });

test("whatever the title is, the file name is a safe one and has its number", () => {
  fc.assert(
    fc.property(titles, fc.integer({ min: 1, max: 1e6 }), (title, n) => {
      const name = techSpecFile(n, title);
      expect(name).toMatch(/^TS-\d{4,7}(-[a-z0-9]+)*\.md$/);
      expect(name.length).toBeLessThan(80);
      expect(numberOfFile(name)).toBe(n);
    }),
  );
});

test("a long title is cut between words, a long word wherever it must be", () => {
  expect(kebab("one two three ".repeat(20))).toBe(
    "one-two-three-one-two-three-one-two-three-one-two-three-one",
  );
  expect(kebab("x".repeat(200))).toBe("x".repeat(60));
});

test("ids are typed in several ways and written in one", () => {
  expect(["TS-0042", "ts-42", "TS42", "42", "0042"].map(numberAsked)).toEqual([42, 42, 42, 42, 42]);
  expect(["TS-", "", "x", "TS-42-a", "a/TS-0042.md", "-1"].map(numberAsked)).toEqual(Array(6).fill(null));
  expect(["TS-0042", "TS-12345"].every(isTechSpecId)).toBe(true);
  expect(["TS-42", "ts-0042", "TS-0042 ", "XTS-0042"].some(isTechSpecId)).toBe(false);
  expect([nextNumber([]), nextNumber([3, 41, 7])]).toEqual([1, 42]);
});

test("the folder of a status says that status, and no other folder does", () => {
  for (const status of specStatuses) expect(statusOfFolder(folderFor(status, "2026"))).toBe(status);
  expect(["", "archived", "draft/old", "archive/2026/x", "drafts"].map(statusOfFolder)).toEqual(
    Array(5).fill(null),
  );
});

test("a spec goes one step on or back, may be archived from anywhere, and stays there", () => {
  const table = Object.fromEntries(specStatuses.map((status) => [status, stepsFrom(status)]));
  expect(table).toEqual({
    draft: ["approved", "archived"],
    approved: ["reference", "draft", "archived"],
    reference: ["archived", "approved"],
    archived: [],
  });
});
