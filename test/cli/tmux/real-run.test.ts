import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { describeWith } from "../../support/extras.ts";
import { makePlace, type Place, plaitIn } from "../place.ts";
import { main } from "../plait.ts";
import { openTerminal, type Terminal, withTmux } from "./tmux.ts";

/** The agent says hello, and goes on when the test says so. */
const plan = (gate: string) => `plait: 1
name: live
defaults: { agent: demo }
tasks:
  - id: slow
    owns: [src/slow.txt]
    prompt: |
      demo: say Hello
      demo: run while [ ! -e ${gate}/go ]; do sleep 0.05; done
      demo: write src/slow.txt done
`;

function placeWithPlan(): Place {
  const place = makePlace();
  writeFileSync(join(dirname(place.repo), "plan.yaml"), plan(dirname(place.repo)));
  return place;
}

const plaitAt = ({ repo, env }: Place, command: string): Promise<Terminal> =>
  openTerminal({
    ...{ columns: 80, rows: 24, cwd: repo, env },
    argv: ["sh", "-c", `trap : INT; node ${main} ${command}; stty -a | grep -o '.icanon'`],
  });

const run = "run ../plan.yaml --land never --allow-nested";

describeWith(withTmux, "a real run at a terminal", () => {
  it.concurrent("goes on when who watches it leaves", async () => {
    const place = placeWithPlan();
    expect(await plaitIn(place, ...run.split(" "), "--detach")).toMatchObject({ code: 0 });
    const terminal = await plaitAt(place, "watch");
    await terminal.seen("q leave");
    await terminal.press("Enter");
    await terminal.seen("text   Hello");
    await terminal.press("Escape");
    await terminal.seen("q leave");
    await terminal.press("q");
    const left = await terminal.seen(/continues\n.*plait watch.* icanon\n$/s);
    expect(left).not.toContain("q leave");
    expect(await terminal.state()).toEqual({ hasCursor: true, isAlternate: false });
    writeFileSync(join(dirname(place.repo), "go"), "");
    const end = await plaitIn(place, "watch");
    expect([end.code, end.stdout]).toEqual([0, expect.stringContaining("1 of 1 done")]);
  });

  it.concurrent("is stopped and saved by ^C, also from the log of a task, and the terminal is as it was", async () => {
    const terminal = await plaitAt(placeWithPlan(), run);
    await terminal.seen("Bash while");
    await terminal.press("Down", "l");
    await terminal.seen("end, live");
    expect(await terminal.state()).toEqual({ hasCursor: false, isAlternate: true });
    await terminal.press("C-c");
    const end = await terminal.seen(/stopped by you, not landed.* icanon\n$/s);
    expect(end).toMatch(/slow +stopped /);
    expect(await terminal.state()).toEqual({ hasCursor: true, isAlternate: false });
  });
});
