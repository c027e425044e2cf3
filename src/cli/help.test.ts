import { describe, expect, it } from "vitest";
import { commands } from "./commands.ts";
import { exampleText, exitCodeText, itemText, shortHelp } from "./help.ts";
import { plainText } from "./render/line.ts";

const COMMAND = /^ {2}(plait|#) /;

describe("help", () => {
  it.each([30, 40, 60, 80, 120])("fits %i columns, but never breaks a command", (width) => {
    const texts = [
      ...commands.map(({ examples }) => exampleText(examples, width)),
      exitCodeText(width),
      itemText("-j, --concurrency <n>", "how many attempts may run at once", { left: 24, width }),
      shortHelp("1.2.3", width).map(plainText).join("\n"),
    ];
    const lines = texts.flatMap((text) => text.split("\n"));
    expect(lines.filter((line) => line.length > width && !COMMAND.test(line))).toEqual([]);
    for (const [command] of commands.flatMap(({ examples }) => examples)) {
      expect(lines.some((line) => line.includes(command))).toBe(true);
    }
  });

  it("puts what is said below where there is no room beside", () => {
    expect(itemText("--strict", "no doubts", { left: 10, width: 80 })).toBe("  --strict    no doubts");
    expect(itemText("--strict", "no doubts", { left: 30, width: 40 })).toBe("  --strict\n    no doubts");
    expect(itemText("--strict", "", { left: 30, width: 40 })).toBe("  --strict");
  });
});
