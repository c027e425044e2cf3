import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import type { Place } from "./place.ts";
import { folderWith, main, type Run, root, type Surroundings } from "./plait.ts";

/**
 * The built program without a start of its own, which is most of what a short command costs. For words in and words out;
 * what is about processes (their ends, signals, pipes, terminals) is tried with `plait`. One waits for the other: they share
 * a folder, an environment and streams.
 */
export function asked(args: readonly string[], surroundings: Watched = {}): Promise<Run> {
  const answer = last.then(() => answerOf(args, surroundings));
  last = answer.catch(() => undefined);
  return answer;
}

/** `onStart` can read stderr while the command runs. */
type Watched = Surroundings & { readonly onStart?: (readStderr: () => string) => void };

export const askedIn = ({ repo, env }: Place, ...args: readonly string[]): Promise<Run> =>
  asked(args, { cwd: repo, env });

let last: Promise<unknown> = Promise.resolve();

async function answerOf(args: readonly string[], { cwd = root, env = {}, onStart }: Watched): Promise<Run> {
  const { runProgram } = await program;
  const { env: own } = process;
  const [stdout, stderr] = [caught("stdout"), caught("stderr")];
  const before = process.cwd();
  const { PATH = "" } = own;
  try {
    process.env = { PATH, ...env };
    process.chdir(cwd);
    onStart?.(stderr.text);
    const code = await runProgram(args);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.chdir(before);
    process.env = own;
    for (const stream of [stdout, stderr]) stream.restore();
  }
}

/** What main.js loads for everything but the version. */
const chunk = /import\(`\.\/(chunks\/program-[^`]+)`\)/.exec(readFileSync(main, "utf8"))?.[1];
const program: Promise<{ readonly runProgram: (args: readonly string[]) => Promise<number> }> = import(
  join(dirname(main), chunk ?? "no program in main.js")
);

/** A file in the place of the stream: some of what is said goes by its descriptor. */
function caught(name: "stdout" | "stderr") {
  const file = join(folderWith({}), name);
  const fd = openSync(file, "a");
  const stream = new Writable({
    write: (bytes: Buffer, _, done) => {
      writeSync(fd, bytes);
      done();
    },
  });
  const real = Object.getOwnPropertyDescriptor(process, name) ?? {};
  Object.defineProperty(process, name, { configurable: true, value: Object.assign(stream, { fd }) });
  return {
    text: () => readFileSync(file, "utf8"),
    restore: () => {
      Object.defineProperty(process, name, real);
      closeSync(fd);
    },
  };
}
