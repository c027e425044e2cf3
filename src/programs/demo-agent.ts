// The agent that plait brings along, as a process of its own. It reads its prompt from stdin, follows the script in it
// (demo-agent-script.ts has the verbs), and without one leaves a harmless trace in what its task owns. It prints one JSON
// object a line; src/agents/demo/read.ts is the other side.
//
//     demo-agent --access write|read-only --conversation ID [--model M] [--budget-usd N] [--owns=PATTERN[::SYMBOL]]…
//     PLAIT_TASK, PLAIT_ATTEMPT_N: whose attempt it is, and which; PLAIT_DONE_FILE: what it leaves when it is done

import { text as readAll } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { defaultWork } from "./demo-agent-default.ts";
import { print, printed, ScriptEnd, spent } from "./demo-agent-output.ts";
import { parseScript, type Verb } from "./demo-agent-script.ts";
import { perform, putFile } from "./demo-agent-verbs.ts";

const { values } = parseArgs({
  options: {
    version: { type: "boolean" },
    access: { type: "string", default: "write" },
    conversation: { type: "string" },
    model: { type: "string" },
    "budget-usd": { type: "string" },
    owns: { type: "string", multiple: true, default: [] },
  },
});

if (values.version) process.stdout.write("demo 1\n");
else await attempt();

async function attempt(): Promise<void> {
  endOnInterrupt();
  await print({ type: "started", conversation: values.conversation ?? null, model: values.model ?? "demo" });
  try {
    await work(await readAll(process.stdin));
    await sayDone();
    await end(null);
  } catch (error) {
    await end(
      error instanceof ScriptEnd ? error : new ScriptEnd({ reason: "agent-error", detail: String(error) }),
    );
  }
}

async function work(prompt: string): Promise<void> {
  const { PLAIT_TASK: task = "task", PLAIT_ATTEMPT_N: n = "1" } = process.env;
  const script = parseScript(prompt, Number(n));
  const byDefault = () => defaultWork({ task, access: values.access, owns: values.owns });
  const verbs: readonly Verb[] = script.length > 0 ? script : [{ name: "work", words: "" }];
  for (const verb of verbs) {
    await perform(verb, byDefault);
    if (values["budget-usd"] !== undefined && spent.costUsd > Number(values["budget-usd"])) {
      throw new ScriptEnd({ reason: "budget", detail: `spent ${spent.costUsd} USD` });
    }
  }
}

/** Agents that must say so are told by which file. */
async function sayDone(): Promise<void> {
  const { PLAIT_DONE_FILE: file } = process.env;
  if (file !== undefined) await putFile(file, "");
}

/** The result comes last, and the exit code says the same. */
async function end(failed: ScriptEnd | null): Promise<void> {
  await print({ type: "usage", usage: spent });
  await print({
    type: "result",
    ok: failed === null,
    text: printed.lastText,
    usage: spent,
    failure: failed === null ? null : failed.failure,
  });
  // Not left to the event loop: what a verb started in the background must not keep the agent alive.
  process.exit(failed === null ? 0 : 1);
}

/** As Claude does: one interrupt ends the work, with a result that tells what it cost. */
function endOnInterrupt(): void {
  process.once("SIGINT", () => {
    void end(new ScriptEnd({ reason: "agent-error", detail: "interrupted" }));
  });
}
