import { expect, it } from "vitest";
import { drain, readOutput } from "../../src/process/output.ts";
import { processTable } from "../../src/process/process-table.ts";
import { spawnChild } from "../../src/process/spawn.ts";
import { endAll } from "../../src/process/tree.ts";
import { ignoresSignals, vanishes } from "./children.ts";
import { env, isAlive, killQuietly, start } from "./support.ts";

/** Nothing of ours runs meanwhile, as on a machine that is overloaded or was suspended. */
function freeze(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it("nobody is given up who was not killed, also when we slept through all of the time there was for it", async () => {
  const child = await start(ignoresSignals);
  await child.next();
  let looks = 0;
  const find = async () => {
    looks += 1;
    if (looks === 1) setTimeout(() => freeze(300), 1);
    return (await processTable()).entries.filter(({ pid }) => pid === child.pid);
  };
  expect(await endAll(find, { graceMs: () => 50, deadlineMs: 100 })).toEqual([]);
  expect(await child.ended).toMatchObject({ signal: "SIGKILL", why: null });
});

it("those who ask for the list of processes together share one, made after all of them asked", async () => {
  const asked = [processTable(), processTable(), processTable()];
  const [first, second, third] = await Promise.all(asked);
  expect([second === first, third === first]).toEqual([true, true]);
  const child = await start(ignoresSignals);
  const later = await processTable();
  expect(later.entries.some(({ pid }) => pid === child.pid)).toBe(true);
  await child.stop({ kill: true });
});

it("a pipe is cut by its deadline also when nobody can be looked for", async () => {
  const program = `${vanishes.replace("$SILENT", "echo \\$\\$; exec sleep 60")}`;
  const spawned = await spawnChild({ argv: ["sh", "-c", program], cwd: "/", env, stdin: null });
  if (!spawned.ok) throw new Error(spawned.failure.message);
  const { child, exited } = spawned;
  let pid = 0;
  const take = (line: { text: string }): void => {
    pid = Number(line.text);
  };
  const outputs = [child.stdout, child.stderr].map((stream) =>
    readOutput(stream, {
      masker: null,
      log: null,
      take: undefined,
      lines: { maxBytes: 100, take, heard: () => undefined },
    }),
  );
  await exited;
  const look = () => Promise.reject(new Error("no file may be opened any more"));
  await expect(drain(outputs, { deadlineMs: 200, look })).rejects.toThrow("no file may be opened");
  expect(outputs.map((one) => one.isOpen())).toEqual([false, false]);
  expect(isAlive(pid)).toBe(true); // it held them
  killQuietly(pid);
});
