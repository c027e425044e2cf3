import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/core/plan.ts";
import { openLog } from "../../src/process/attempt-log.ts";
import { createMasker } from "../../src/process/mask/masker.ts";
import { type CommandEnd, type CommandOptions, runCommand } from "../../src/process/run-command.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { ignoresSignals } from "./children.ts";
import { env, newMarker, pidsWith, tempFolder, until } from "./support.ts";

async function run(command: Command, options: Partial<CommandOptions> = {}) {
  const marker = newMarker();
  const cwd = await tempFolder();
  const end = await runCommand(
    { command, cwd, env },
    { marker, runMarker: marker, timeoutMs: 60_000, ...options },
  );
  return { marker, cwd, end };
}

const shell = (line: string): Command => ({ kind: "shell", line });

function ended(end: CommandEnd) {
  if (end.kind !== "ended") throw new Error(end.failure.message);
  return end;
}

describe("a command", () => {
  it("as a string is run by sh, as a list without one", async () => {
    const first = ended((await run(shell("echo $((1 + 2)) | cat; exit 4"))).end);
    expect([first.output, first.exit.code]).toEqual(["3\n", 4]);
    const second = ended((await run({ kind: "argv", argv: ["echo", "$((1 + 2))", "|", "cat"] })).end);
    expect(second.output).toBe("$((1 + 2)) | cat\n");
  });

  it("gives the end of both its streams, masked, as they came, and says how much came before", async () => {
    const folder = await tempFolder();
    const waitsFor = (name: string): string => `while [ ! -e ${folder}/${name} ]; do sleep 0.01; done`;
    // It goes on when what it printed was read: two pipes have no order but that of their reading.
    const write = async (bytes: Buffer): Promise<void> => {
      if (bytes.toString().endsWith("\n1000\n")) await writeFile(join(folder, "one"), "");
      if (bytes.toString().startsWith("error")) await writeFile(join(folder, "two"), "");
    };
    const close = () => Promise.reject(new Error("it is not the command's to close"));
    const { end } = await run(
      shell(`seq 1000; ${waitsFor("one")}; echo error hunter2-hunter2 >&2; ${waitsFor("two")}; echo done`),
      { outputTailBytes: 50, masker: createMasker(["hunter2-hunter2"]), log: { write, close } },
    );
    const { output, droppedBytes, exit } = ended(end);
    expect(output).toMatch(/\n1000\nerror \[masked\]\ndone\n$/);
    expect(Buffer.byteLength(output)).toBe(50);
    expect(droppedBytes).toBeGreaterThan(3_000);
    expect(exit.stderrTail).toBe("error [masked]\n");
  });

  it("writes its log", async () => {
    const path = join(await tempFolder(), "log");
    const opened = await openLog(path);
    if (!opened.ok) throw new Error(opened.failure.message);
    await run(shell("echo out; echo err >&2"), { log: opened.log });
    await opened.log.close();
    expect((await readFile(path, "utf8")).split("\n").sort()).toEqual(["", "err", "out"]);
  });

  it("that takes too long is stopped, with everything it started", async () => {
    const clock = createManualClock();
    const running = run(shell(`setsid sleep 60 & ${ignoresSignals}`), { clock, timeoutMs: 5_000 });
    await until(() => clock.pending() > 0);
    const passing = setInterval(() => clock.advance(1_000), 20);
    const { marker, end } = await running.finally(() => clearInterval(passing));
    expect(ended(end).exit).toMatchObject({ why: "total", signal: "SIGKILL", leftOver: [] });
    expect(pidsWith(`PLAIT_ATTEMPT=${marker}`)).toEqual([]);
  });

  it("is stopped when nobody wants it any more, also when that was so before it started", async () => {
    const abort = new AbortController();
    const marker = newMarker();
    const running = run(shell("exec sleep 60"), { marker, signal: abort.signal });
    await until(() => pidsWith(`PLAIT_ATTEMPT=${marker}`).length > 0);
    abort.abort();
    expect(ended((await running).end).exit).toMatchObject({ why: "stop" });
    expect(ended((await run(shell("exec sleep 60"), { signal: AbortSignal.abort() })).end).exit.why).toBe(
      "stop",
    );
  });

  it("that cannot be started says why", async () => {
    const { end } = await run({ kind: "argv", argv: ["no-such-program"] });
    expect(end).toMatchObject({ kind: "not-started", failure: { reason: "not-found" } });
  });
});
