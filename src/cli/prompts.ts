import type { Prompt, PromptPlan } from "../app/index.ts";
import type { Request } from "./request.ts";
import { RequestError, UsageError } from "./request-error.ts";

/** What a command is to work on: the path of a plan, or prompts that were typed instead of one. */
export async function planOf({
  args,
  options,
}: Pick<Request, "args" | "options">): Promise<string | PromptPlan> {
  const { prompt: texts = [], promptFile: files = [], gate: gates = [] } = options;
  const [path] = args;
  const isTyped = texts.length + files.length > 0;
  if (path !== undefined) {
    if (isTyped) throw new UsageError("a plan and prompts were given", `keep one: ${path}, or -p`);
    if (gates.length > 0) throw new UsageError("--gate goes with -p", "in a plan, gates stand under gates:");
    return path;
  }
  if (!isTyped) throw new UsageError("no plan is named", 'name a plan file, or say what to do: -p "…"');
  if (files.filter((file) => file === "-").length > 1)
    throw new UsageError("--prompt-file - is there twice", "standard input can be read once");
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
  return { prompts: [...typed, ...(await Promise.all(named))], gates };
}

/** What stands for the plan in messages. */
export function planName({ args: [path] }: Pick<Request, "args">): string {
  return path ?? "-p";
}

/** ` 2`, where there is more than one. */
function numbered(index: number, list: readonly string[]): string {
  return list.length > 1 ? ` ${index + 1}` : "";
}

/** More than any prompt may have; what may be in one is checked with the others. */
const MOST_BYTES = 64 * 1024 * 1024;

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new RequestError(`standard input has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  const read = Buffer.concat(chunks);
  const text = read.toString("utf8");
  if (text.trim() === "")
    throw new RequestError("--prompt-file - is empty", "nothing came from standard input");
  if (!Buffer.from(text, "utf8").equals(read)) throw new RequestError("standard input is not text in UTF-8");
  return text;
}
