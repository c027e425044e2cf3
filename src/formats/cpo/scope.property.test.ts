import fc from "fast-check";
import { expect, test } from "vitest";
import { parseScope, type ScopeWord } from "./scope.ts";
import { scopeText } from "./scope-text.ts";

/**
 * Whatever list of entries is written in any of the allowed ways is read back as exactly these entries, each at its own place. A
 * document mixes the ways: every directive has one of its own, and every entry its own marks and remarks.
 */

const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_+@-]{0,6}$/);
const braces = fc
  .tuple(name, fc.array(fc.oneof(name, fc.constant("{x,y}")), { minLength: 2, maxLength: 3 }), name)
  .map(([before, list, after]) => `${before}{${list.join(",")}}${after}`);
const segment = fc.oneof(
  { weight: 5, arbitrary: name },
  { weight: 1, arbitrary: braces },
  { weight: 1, arbitrary: fc.constantFrom("*", "**", "test_*", "?x", "[ab]c", "[id]", "(app)", ".github") },
);
const file = fc.tuple(name, fc.constantFrom(".py", ".tsx", ".d.ts", "")).map(([base, end]) => base + end);
const path = fc
  .tuple(
    fc.array(segment, { maxLength: 3 }),
    fc.oneof(file, braces, fc.constantFrom("*.py", "**", "{a,b}.ts")),
    fc.boolean(),
  )
  .map(([folders, last, isFolder]) => [...folders, last].join("/") + (isFolder ? "/" : ""));
const symbol = fc.tuple(name, fc.option(name)).map((own) => own.filter(Boolean).join("."));
const scoped = fc
  .tuple(fc.tuple(fc.array(name, { maxLength: 2 }), file), symbol)
  .map(([[folders, last], own]) => `${[...folders, last].join("/")}::${own}`);
/** One that stands for nothing, or is a directive, is none. */
const isEntry = (text: string) =>
  !/^(?:[*_([]*(?:none|nothing|n\/a|-)[*_)\].]*|create|modify|boundary)$/i.test(text);
const bare = fc.oneof({ weight: 3, arbitrary: path }, scoped).filter(isEntry);
/** Blanks, commas and marks of remarks stand between backticks. */
const odd = fc
  .tuple(name, fc.constantFrom(" ", ", ", " - ", " # ", " (", ": "), name)
  .map((parts) => `${parts.join("")}.md`);

type Entry = { readonly text: string; readonly marks: "`" | "" };
const entry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 3, arbitrary: bare.map((text): Entry => ({ text, marks: "" })) },
  { weight: 2, arbitrary: fc.oneof(bare, odd).map((text): Entry => ({ text, marks: "`" })) },
);
const written = ({ text, marks }: Entry) => `${marks}${text}${marks}`;

const words: readonly ScopeWord[] = ["CREATE", "MODIFY", "BOUNDARY"];
const directive = fc.constantFrom(
  (word: string) => `${word}:`,
  (word: string) => `**${word}**:`,
  (word: string) => `**${word}:**`,
  (word: string) => `- ${word}:`,
  (word: string) => `### ${word}`,
  (word: string) => `  ${word.toLowerCase()}:`,
);
const remark = fc.constantFrom(
  "",
  "",
  " - why, and how",
  " — of task-002",
  " (see task-002, task-003)",
  "   # why",
  " -- why",
);
const aside = fc.constantFrom("", "", " (of task-002, task-003)");
const bullet = fc.constantFrom("- ", "* ", "+ ", "  - ", "- [ ] ", "- [x] ", "  ");

type Block = {
  readonly word: ScopeWord;
  readonly entries: readonly Entry[];
  readonly lines: readonly string[];
};
const entries = fc.array(entry, { maxLength: 4 });

/** All behind the directive, with commas; a remark for one, or for the line. */
const oneLine = fc
  .tuple(
    fc.constantFrom(...words),
    fc.constantFrom("", "**", "- "),
    entries,
    fc.record({
      comma: fc.constantFrom(", ", ",", " , "),
      asides: fc.array(aside, { minLength: 4, maxLength: 4 }),
      end: fc.constantFrom("", "  # why, and how"),
    }),
  )
  .map(([word, style, list, { comma, asides, end }]): Block => {
    const head = style === "**" ? `**${word}**: ` : `${style}${word}: `;
    const told = list.map((one, i) => written(one) + (asides[i] ?? "")).join(comma);
    return { word, entries: list, lines: [head + (told === "" ? "(none)" : told + end)] };
  });

/** One below the other, each with a bullet of the list and a remark of its own. */
const list = fc
  .tuple(
    fc.constantFrom(...words),
    directive,
    bullet,
    fc.array(fc.tuple(entry, remark), { maxLength: 4 }),
    fc.boolean(),
  )
  .map(
    ([word, head, mark, items, hasGap]): Block => ({
      word,
      entries: items.map(([one]) => one),
      lines: [
        head(word),
        ...(hasGap ? [""] : []),
        ...items.map(([one, why]) => `${mark}${written(one)}${why}`),
      ],
    }),
  );

/** A comma at the end of a line goes on in the next. */
const flowing = fc
  .tuple(
    fc.constantFrom(...words),
    fc.array(entry, { minLength: 1, maxLength: 4 }),
    fc.constantFrom("", "    "),
  )
  .map(
    ([word, items, indent]): Block => ({
      word,
      entries: items,
      lines: items.map(
        (one, i) => `${i === 0 ? `${word}: ` : indent}${written(one)}${i === items.length - 1 ? "" : ","}`,
      ),
    }),
  );

const noise = fc.constantFrom([], [""], ["", "Some words about it, and more.", ""], ["```"], ["```yaml"]);
const document = fc.record({
  before: fc.constantFrom("", "---\nid: task-001\n---\n# CREATE: not.py\n", "é\n"),
  blocks: fc.array(fc.tuple(fc.oneof(oneLine, list, flowing), noise), { maxLength: 5 }),
  lineEnd: fc.constantFrom("\n", "\r\n"),
});

test("whatever a scope says, in whatever way it is written, is read as it is meant and at its place", () => {
  fc.assert(
    fc.property(document, ({ before, blocks, lineEnd }) => {
      const text = before + blocks.flatMap(([{ lines }, between]) => [...lines, ...between]).join(lineEnd);
      const { words: found, entries: read } = parseScope(text, { start: before.length, end: text.length });
      const meant = blocks.flatMap(([{ word, entries: own }]) =>
        own.map((one) => ({ word, text: one.text })),
      );
      expect(read.map(({ word, text: path }) => ({ word, text: path }))).toEqual(meant);
      expect(read.map(({ start, end }) => text.slice(start, end))).toEqual(meant.map((one) => one.text));
      expect(read.filter(({ isProse }) => isProse)).toEqual([]);
      expect([...found].sort()).toEqual([...new Set(blocks.map(([{ word }]) => word))].sort());
    }),
    { numRuns: 1000 },
  );
});

test("what plait writes as a scope is read as it was said", () => {
  const paths = fc.array(
    entry.map((one) => one.text),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(fc.record({ CREATE: paths, MODIFY: paths, BOUNDARY: paths }), (said) => {
      const text = scopeText(said);
      const { entries: read } = parseScope(text, { start: 0, end: text.length });
      const found = words.map((word) => read.filter((one) => one.word === word).map((one) => one.text));
      expect(found).toEqual(words.map((word) => said[word]));
    }),
    { numRuns: 300 },
  );
});
