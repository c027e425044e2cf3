import type { Prompt, PromptPlan } from "../app/index.ts";
import type { Request } from "./request.ts";
import { RequestError, UsageError } from "./request-error.ts";

/** The input of a command: the path of a plan, or prompts given on the command line. */
export async function resolvePlanInput({
  args,
  options,
}: Pick<Request, "args" | "options">): Promise<string | PromptPlan> {
  const { prompt: texts = [], promptFile: files = [], gate: gates = [], setup } = options;
  const copy = options.copy === false ? undefined : options.copy;
  const [path] = args;
  const isTyped = texts.length + files.length > 0;
  if (path !== undefined) {
    if (isTyped) throw new UsageError("a plan and -p cannot be combined", `remove one: ${path}, or -p`);
    if (gates.length > 0) throw new UsageError("--gate needs -p", "in a plan, set gates: [command]");
    if (copy !== undefined) throw new UsageError("--copy needs -p", "in a plan, set copy: [path]");
    if (setup !== undefined) throw new UsageError("--setup needs -p", "in a plan, set setup: [command]");
    return path;
  }
  if (!isTyped) throw new UsageError("missing plan", 'pass a plan file, or a prompt: -p "…"');
  if (files.filter((file) => file === "-").length > 1)
    throw new UsageError("stdin can be read only once", "remove one --prompt-file -");
  const typed = texts.map((text, index): Prompt => {
    return { flag: `--prompt${numbered(index, texts)}`, source: { kind: "inline", text } };
  });
  const named = files.map(async (file, index): Promise<Prompt> => {
    const flag = `--prompt-file${numbered(index, files)}`;
    return {
      flag,
      source: file === "-" ? { kind: "inline", text: await standardInput() } : { kind: "file", file },
    };
  });
  return {
    prompts: [...typed, ...(await Promise.all(named))],
    gates,
    ...(copy !== undefined && { copy }),
    ...(setup !== undefined && { setup }),
  };
}

/** A suggestion that is longer helps nobody. */
const MOST_TYPED = 2_000;

/** What was typed after `plait run`, without the flag that a run remembers by itself; undefined where it cannot be typed again. */
export function listTypedWords({ options }: Pick<Request, "options">): readonly string[] | undefined {
  if (options.promptFile?.includes("-") === true) return undefined;
  const typed = process.argv.slice(2);
  const at = typed.indexOf("run");
  const words = typed.filter((word, n) => n !== at && word !== "--allow-root");
  return at === -1 || words.join(" ").length > MOST_TYPED ? undefined : words;
}

/** The name of the plan in messages. */
export function planName({ args: [path] }: Pick<Request, "args">): string {
  return path ?? "the prompts";
}

/** ` 2`, where there is more than one. */
function numbered(index: number, list: readonly string[]): string {
  return list.length > 1 ? ` ${index + 1}` : "";
}

/** More than any prompt may have; the limit of a prompt is checked later. */
const MOST_BYTES = 64 * 1024 * 1024;

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new RequestError(`stdin has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  const read = Buffer.concat(chunks);
  const text = read.toString("utf8");
  if (text.trim() === "")
    throw new RequestError("stdin is empty", "pipe a prompt: --prompt-file - < prompt.md");
  if (!Buffer.from(text, "utf8").equals(read)) throw new RequestError("stdin is not UTF-8 text");
  return text;
}
