import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { folderWith } from "./plait.ts";

/** What people and programs hand to a command line by mistake or on purpose: a clear message, fast, nothing written. */
const task = (id: string) => `plait: 1\ntasks:\n  - id: ${id}\n    prompt: Do it.\n`;

const files: Record<string, string | Uint8Array> = {
  "empty.yaml": "",
  "blank.yaml": " \n# only a comment\n",
  "binary.yaml": Uint8Array.from({ length: 4_096 }, (_, i) => (i * 37) % 256),
  "latin1.yaml": Uint8Array.from([0x70, 0xe4, 0x0a]),
  "huge.yaml": `plait: 1\ntasks:\n${"  - { id: x, prompt: y }\n".repeat(2_100_000)}`,
  "deep.yaml": `plait: 1\nx: ${"[".repeat(5_000)}${"]".repeat(5_000)}\n`,
  "proto.yaml": `${task("a")}__proto__: { polluted: true }\n`,
  "bomb.yaml": `plait: 1\n${bomb(12)}tasks: *l12\n`,
  "two.yaml": `${task("a")}---\n${task("b")}`,
  "dots.yaml": task('"../x"'),
  "flag.yaml": task('"--force"'),
  "newline.yaml": task('"a\\n"'),
  "long.yaml": task("x".repeat(300)),
  "other.txt": "just some text\n",
  "number.json": "42",
  "broken.json": '{"plait": 1,',
};
const folder = folderWith(files);
mkdirSync(join(folder, "folder.yaml"));

describe("bad input", () => {
  it.each([...Object.keys(files), "folder.yaml", "missing.yaml", "", "/dev/zero"])(
    "%j has a message, exit code 2, and takes no time",
    async (name) => {
      const before = performance.now();
      const { code, stdout, stderr } = await asked(["validate", name], { cwd: folder });
      expect(performance.now() - before).toBeLessThan(3_000); // a second, on a busy machine
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/error(\[[a-z-]+\])?: /);
      expect(stderr).not.toMatch(/this is a bug|\n\s+at /);
    },
  );

  it("leaves nothing behind", () => {
    expect(readdirSync(folder).sort()).toEqual([...Object.keys(files), "folder.yaml"].sort());
  });
});

function bomb(levels: number): string {
  const lines = ["l0: &l0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i <= levels; i += 1) lines.push(`l${i}: &l${i} [${`*l${i - 1}, `.repeat(9)}*l${i - 1}]`);
  return `${lines.join("\n")}\n`;
}
