import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { encloseByNothing } from "../../src/process/sandbox/bare.ts";
import { findKeeper } from "../../src/process/sandbox/keeper.ts";
import { supervise } from "../../src/process/supervise.ts";
import { describeWith } from "../support/extras.ts";
import { start } from "./support.ts";

const perl = "/usr/bin/perl";
const isThere = existsSync(perl);
const enclose = findKeeper(isThere ? perl : null) ?? encloseByNothing;

/** Sleepers of this test alone, by their odd number of seconds. */
function sleepers(seconds: number): string[] {
  try {
    return execFileSync("pgrep", ["-f", `^sleep ${seconds}$`], { encoding: "utf8" })
      .split("\n")
      .filter(Boolean);
  } catch {
    return []; // pgrep exits with 1 where there are none
  }
}

const QUIET = "> /dev/null 2>&1 < /dev/null";

describeWith(
  { name: "perl", isThere, install: "apt install perl" },
  "I5: the keeper of a program without walls",
  () => {
    it("hands on input, output, exit code and signal", async () => {
      const child = await start("cat; echo oops >&2; exit 3", { stdin: "hello\n", enclose });
      const exit = await child.ended;
      expect(child.lines).toEqual(["hello"]);
      expect(exit).toMatchObject({ code: 3, signal: null, stderrTail: "oops\n", leftOver: [], notRun: null });
      const killed = await (await start("kill -TERM $$", { enclose })).ended;
      expect(killed).toMatchObject({ code: null, signal: "SIGTERM" });
    });

    it("ends a daemon that left session, folder and environment behind", async () => {
      const child = await start(
        `cd / && (env -i setsid sh -c 'sleep 4101 & exit' ${QUIET} &) ; sleep 0.1; exit 0`,
        { enclose },
      );
      const exit = await child.ended;
      expect(exit).toMatchObject({ code: 0, leftOver: [] });
      expect(sleepers(4101)).toEqual([]);
    });

    it.each([{ kill: false }, { kill: true }])("ends all of it on a stop, %o", async (how) => {
      const child = await start(
        `cd / && (env -i setsid sh -c 'sleep 4102 & exit' ${QUIET} &) ; echo ready; sleep 4103`,
        { enclose },
      );
      await child.next();
      const exit = await child.stop(how);
      expect(exit).toMatchObject({ code: null, signal: how.kill ? "SIGKILL" : "SIGINT", leftOver: [] });
      expect([...sleepers(4102), ...sleepers(4103)]).toEqual([]);
    });

    it("does not make a verdict of a program that is not there", async () => {
      const options = { marker: "keeper.1", runMarker: "keeper", enclose };
      const started = await supervise(
        { argv: ["no-such-program"], cwd: "/", env: { PATH: "/usr/bin" }, stdin: null },
        options,
      );
      const exit = started.ok ? await started.ended : null;
      expect(exit?.notRun).toMatchObject({ reason: "not-found", errno: "ENOENT" });
    });
  },
);

describe("without perl", () => {
  it("there is no keeper", () => expect(findKeeper(null)).toBeNull());
});
