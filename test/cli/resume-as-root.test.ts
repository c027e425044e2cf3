import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makePlace, plaitIn } from "./place.ts";

const spoken = ({ stdout, stderr }: { stdout: string; stderr: string }) =>
  `${stdout}${stderr}`.replaceAll(/\s+/g, " ");

/** Answers who it is, and fails at everything else. */
const CLAUDE = `#!/bin/sh
case "$*" in *--version*) echo "2.1.100 (Claude Code)";; *auth*) echo '{"loggedIn":true}';; *) echo broken >&2; exit 1;; esac
`;

it.runIf(process.getuid?.() === 0)(
  "resume and retry as root are refused at once, as run is, and the next commands carry the flag",
  async () => {
    const made = makePlace();
    const bin = join(made.repo, "..", "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "claude"), CLAUDE);
    chmodSync(join(bin, "claude"), 0o755);
    const place = {
      ...made,
      env: { ...made.env, PATH: `${bin}:${made.env["PATH"]}`, ANTHROPIC_API_KEY: "x" },
    };
    const task = "{ id: a, agent: claude, retries: 0, prompt: write }";
    writeFileSync(join(place.repo, "..", "plan.yaml"), `plait: 1\ntasks: [${task}]\n`);
    const refused = await plaitIn(place, "run", "../plan.yaml");
    expect([refused.code, spoken(refused)]).toEqual([3, expect.stringContaining("--allow-root")]);
    const ran = await plaitIn(place, "run", "../plan.yaml", "--allow-root");
    expect([ran.code, spoken(ran)]).toEqual([
      1,
      expect.stringMatching(/plait retry a --run \S+ --allow-root/),
    ]);
    for (const words of [["resume"], ["retry", "a"]]) {
      const again = await plaitIn(place, ...words);
      expect(again.code, spoken(again)).toBe(3);
      expect(spoken(again)).toContain("pass: --allow-root");
    }
    // Who looks later types the same commands, and they are accepted.
    const status = await plaitIn(place, "status", "--json");
    expect(status.stdout).not.toContain("rejected");
    const { run, next, needsYou } = JSON.parse(status.stdout);
    const commands = [...next, ...needsYou.map((need: { next: string }) => need.next)] as string[];
    const starting = commands.filter((line) => /^plait (resume|retry|run)/.test(line));
    expect(starting).toContain(`plait retry a --run ${run} --allow-root`);
    expect(starting.filter((line) => !line.endsWith(" --allow-root"))).toEqual([]);
    expect(spoken(await plaitIn(place, "status"))).toContain(`plait retry a --run ${run} --allow-root`);
    expect(spoken(await plaitIn(place, "report"))).toMatch(/plait retry a --run \S+ --allow-root/);
    expect((await plaitIn(place, "drop", "a")).code).toBe(0); // without the flag, which the run remembers
    expect(spoken(await plaitIn(place, "open", "a"))).toContain(`plait submit a --run ${run} --allow-root`);
  },
);
