import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { print, ScriptEnd, say, spent, useTool, write } from "./demo-agent-output.ts";
import { durationMs, sizeBytes, splitWord, unescaped, type Verb } from "./demo-agent-script.ts";

/** What each verb of a script does; demo-agent-script.ts says what they mean. */
export async function perform({ name, words }: Verb, work: () => Promise<void>): Promise<void> {
  if (name === "work") return work();
  const verb = VERBS.get(name);
  if (verb === undefined) throw wrong(`unknown verb ${JSON.stringify(name)}`);
  return verb(words);
}

const VERBS: ReadonlyMap<string, (words: string) => Promise<void>> = new Map([
  ["write", (words) => change("Write", words, putFile)],
  ["append", (words) => change("Edit", words, (path, text) => appendFile(path, text))],
  ["delete", (words) => change("Delete", words, (path) => rm(path, { recursive: true }))],
  ["commit", (words) => useTool("Bash", `commit ${words}`, () => shell(COMMIT, [words]))],
  ["run", (words) => useTool("Bash", words, () => shell(words, []))],
  ["say", (words) => say(unescaped(words))],
  ["answer", answer],
  ["sleep", (words) => sleep(asDuration(words))],
  ["spend", spend],
  ["retry", retry],
  [
    "limit",
    (words) => print({ type: "limit", resetsAt: words === "" ? null : Date.now() + asDuration(words) }),
  ],
  ["deny", (words) => print({ type: "denied", tool: words })],
  ["fail", fail],
  ["exit", async (words) => process.exit(Number(words))],
  ["kill", (words) => killItself(words as NodeJS.Signals)],
  ["hang", hang],
  ["flood", flood],
  ["daemon", daemon],
  ["forget", async () => void Reflect.deleteProperty(process.env, "PLAIT_DONE_FILE")],
  ["print", (words) => write(`${unescaped(words)}\n`)],
  ["warn", async (words) => void process.stderr.write(`${unescaped(words)}\n`)],
]);

export const verbNames: readonly string[] = ["work", ...VERBS.keys()];

export async function putFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function change(
  tool: string,
  words: string,
  apply: (path: string, text: string) => Promise<void>,
): Promise<void> {
  const [path, text] = splitWord(words);
  if (path === "") throw wrong(`${tool} needs a path`);
  await useTool(tool, path, () => apply(path, `${unescaped(text)}\n`));
}

async function answer(words: string): Promise<void> {
  const [path] = splitWord(words);
  const text = await readFile(path, "utf8").catch(() => {
    throw wrong(`no file ${JSON.stringify(path)} to answer with`);
  });
  await say(text);
}

/** As agents do it: all they see, by a shell. With an identity of its own, so that it works on any machine. */
const COMMIT = `git add -A && git -c user.name=demo -c user.email=demo@plait.invalid -c commit.gpgsign=false commit -q -m "$1"`;

const MOST_ERROR_CHARS = 2_000;

/** However much it prints: of that only the end of its errors is wanted, and only where it fails. */
async function shell(line: string, args: readonly string[]): Promise<void> {
  const child = spawn("sh", ["-c", line, "sh", ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = `${errors}${text}`.slice(-MOST_ERROR_CHARS);
  });
  const [code, signal] = await once(child, "close");
  if (code !== 0) throw new Error(`${signal ?? `exit code ${code}`}: ${line}\n${errors}`.trimEnd());
}

async function spend(words: string): Promise<void> {
  const usd = Number(words);
  if (!(usd >= 0)) throw wrong(`${JSON.stringify(words)} is not an amount`);
  spent.costUsd += usd;
}

async function retry(words: string): Promise<void> {
  const [status, delay] = splitWord(words);
  await print({ type: "retry", status: Number(status), delayMs: durationMs(delay) });
}

async function fail(words: string): Promise<void> {
  const [reason, rest] = splitWord(words);
  const [first, more] = splitWord(rest);
  const delay = durationMs(first);
  const detail = unescaped(delay === null ? rest : more) || "the script says so";
  if (delay === null) throw new ScriptEnd({ reason, detail });
  throw new ScriptEnd({ reason, detail, retryAfterMs: delay, resetsAt: Date.now() + delay });
}

async function killItself(signal: NodeJS.Signals): Promise<void> {
  process.kill(process.pid, signal);
  await sleep(60_000); // it comes in a moment
}

async function hang(words: string): Promise<void> {
  if (words === "deaf")
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) ignore(signal as NodeJS.Signals);
  await print({ type: "text", text: "hanging" }); // from here on it is as deaf as it was told to be
  for (;;) await sleep(3_600_000);
}

function ignore(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.on(signal, () => undefined);
}

async function flood(words: string): Promise<void> {
  const [size, how] = splitWord(words);
  const bytes = sizeBytes(size);
  if (bytes === null) throw wrong(`${JSON.stringify(size)} is not a size`);
  const line = "x".repeat(1_023);
  const chunk = (how === "unbroken" ? `${line}x` : `${line}\n`).repeat(64);
  for (let left = bytes; left > 0; left -= chunk.length) await write(chunk.slice(0, left));
  await write("\n");
}

/** In a session of its own, so that a signal to the agent's group does not reach it. Bounded, so that no test leaves it for ever. */
async function daemon(words: string): Promise<void> {
  const [first, second] = splitWord(words);
  const delay = durationMs(first);
  const isHolding = (delay === null ? first : second) === "holding";
  const child = spawn(process.execPath, ["-e", `setTimeout(() => undefined, ${delay ?? 60_000})`], {
    detached: true,
    stdio: isHolding ? ["ignore", "inherit", "inherit"] : "ignore",
  });
  await once(child, "spawn");
  child.unref();
  await say(`daemon ${child.pid}`);
}

function asDuration(words: string): number {
  const duration = durationMs(words);
  if (duration === null) throw wrong(`${JSON.stringify(words)} is not a duration`);
  return duration;
}

function wrong(detail: string): ScriptEnd {
  return new ScriptEnd({ reason: "agent-error", detail: `demo script: ${detail}` });
}
