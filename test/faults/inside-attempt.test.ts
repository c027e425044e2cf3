// An attempt may look at the run it belongs to and change nothing of it: it would approve its own work.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../cli/plait.ts";
import { factsOf, git, journal, makeRepo, type Place, runPlan, writePlan } from "./support.ts";

const PLAIT = `"${process.execPath}" "${main}"`;

/** Each line is run by the agent of a task beside one that is held; its output and exit code are files outside. */
async function runInside(lines: Readonly<Record<string, string>>): Promise<Place> {
  const place = makeRepo();
  const does = Object.entries(lines).map(
    ([name, line]) =>
      `run (REPO=${place.repo}; ${line}) > ${place.outside}/${name} 2>&1; echo "exit $?" >> ${place.outside}/${name}`,
  );
  const first = { id: "first", does: ["write first.txt x"] }; // so that there is something to land
  const agent = { id: "agent", needs: ["first"], does: ["write own.txt x", "sleep 1s", ...does] };
  const held = { id: "held", does: ["write held.txt x"], approve: true };
  await runPlan(place, writePlan(place, [first, agent, held]), []);
  return place;
}

const read = (place: Place, name: string): string => readFileSync(join(place.outside, name), "utf8");

describe("an attempt that asks for a change of its run", () => {
  test("is refused, however it hides its environment, and may read (I1)", async () => {
    const place = await runInside({
      approve: `cd "$REPO" && ${PLAIT} approve held`,
      hidden: `cd "$REPO" && env -u PLAIT_RUN -u PLAIT_ATTEMPT ${PLAIT} approve held`,
      land: `cd "$REPO" && ${PLAIT} land`,
      retry: `cd "$REPO" && ${PLAIT} retry --now`,
      stop: `cd "$REPO" && ${PLAIT} stop --now`,
      drop: `cd "$REPO" && ${PLAIT} drop held`,
      resume: `cd "$REPO" && ${PLAIT} resume --allow-root --allow-nested`,
      clean: `cd "$REPO" && ${PLAIT} clean --force`,
      status: `cd "$REPO" && ${PLAIT} status`,
    });
    for (const name of ["approve", "hidden", "land", "retry", "stop", "drop", "resume", "clean"])
      expect(read(place, name), name).toMatch(
        /error: agents and gates of \S+ cannot change runs of its repository\n +help: from here, only read it: plait status \S+\nexit 3/,
      );
    expect(read(place, "status")).toMatch(/exit 0$/m);
    expect(factsOf(journal(place), "task.approved")).toEqual([]);
    expect(git(place, "log", "--format=%s", "main")).not.toContain("held");
    expect(existsSync(join(place.repo, "held.txt"))).toBe(false);
  });
});
