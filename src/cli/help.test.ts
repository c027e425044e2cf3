import { describe, expect, it } from "vitest";
import { commands, groups } from "./commands.ts";
import { commandLines } from "./compat/command-lines.ts";
import { type Flag, flags } from "./flags.ts";
import {
  flagGroups,
  helpTopics,
  renderCommandHelp,
  renderGroupHelp,
  renderMainHelp,
  renderTopic,
} from "./help.ts";

const VERBS =
  `Approve Check Continue Convert Create Drop Explain Follow Generate Install List Make Merge Open Pin Preview Print
  Redraw Remove Restore Retry Run Serve Show Split Stop Submit Turn Undo Watch Write`.split(/\s+/);

const texts: [name: string, render: (width: number) => string][] = [
  ...commands.map((spec): [string, (width: number) => string] => [
    spec.name,
    (width) => renderCommandHelp(spec, width),
  ]),
  ...groups.map((group): [string, (width: number) => string] => [
    group.name,
    (width) => renderGroupHelp(group, width),
  ]),
  ...helpTopics.map((topic): [string, (width: number) => string] => [
    `help ${topic}`,
    (width) => renderTopic(topic, width) ?? "",
  ]),
];

/** Spaces and `x|y` separate words; a default in parentheses is part of the text. */
const countWords = (text: string): number => text.split(/\s+/).length;
const listLines = (text: string): string[] => text.trimEnd().split("\n");

describe("the help of plait", () => {
  const lines = listLines(renderMainHelp(80));

  it("fits one screen", () => {
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it("lists every command once", () => {
    const names = lines.flatMap((line) => /^ {2}(\w+) /.exec(line)?.[1] ?? []);
    const all = [...commands, ...groups].map(({ name }) => name).filter((name) => !name.includes(" "));
    expect([...names].sort()).toEqual(all.sort());
  });
});

describe("the help of a command", () => {
  it.each(texts)("%s fits 60 lines of 80 columns", (_, render) => {
    const lines = listLines(render(80));
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([30, 40, 60])("fits %i columns, but breaks no command", (width) => {
    const lines = [renderMainHelp(width), ...texts.map(([, render]) => render(width))].flatMap(listLines);
    const isCopied = (line: string) => /^ {2}\S|^Usage:|^ {7}plait /.test(line);
    expect(lines.filter((line) => line.length > width && !isCopied(line))).toEqual([]);
  });

  it.each(commands.map((spec) => [spec.name, spec] as const))(
    "%s has at most four examples",
    (name, spec) => {
      expect(spec.examples.length).toBeGreaterThanOrEqual(1);
      expect(spec.examples.length).toBeLessThanOrEqual(4);
      expect(spec.examples[0]).toMatch(new RegExp(`^plait ${name}\\b`));
      expect(spec.examples.filter((example) => / --json$/.test(example))).toEqual([]);
    },
  );

  it("shows every flag that the command takes, and no global one", () => {
    for (const spec of commands) {
      const text = renderCommandHelp(spec, 80);
      const names = spec.flags.map((name) => /--[\w-]+/.exec(flags[name].usage)?.[0] ?? "");
      expect(names.filter((name) => !/^--max-/.test(name) && !text.includes(name))).toEqual([]);
      expect(text).not.toContain("--no-color");
    }
  });
});

describe("a summary", () => {
  const summaries = [...commands, ...groups, ...Object.values(commandLines)].map(({ summary }) => summary);
  const flagTexts = Object.values(flags).flatMap(({ summary }: Flag) => summary ?? []);
  const argumentTexts = commands.flatMap(({ argument }) => argument?.[1] ?? []);

  it("has at most ten words, and no semicolon or period", () => {
    const all = [...summaries, ...flagTexts, ...argumentTexts];
    expect(all.length).toBeGreaterThan(150);
    expect(all.filter((text) => countWords(text) > 10 || /;|\.$/.test(text))).toEqual([]);
  });

  it("of a command begins with a verb", () => {
    expect(summaries.filter((text) => !VERBS.includes(text.split(/[ ,]/)[0] ?? ""))).toEqual([]);
  });
});

describe("the table of groups", () => {
  it("names each flag once", () => {
    const names = flagGroups.flatMap(([, inGroup]) => inGroup);
    expect(new Set(names).size).toBe(names.length);
  });
});
