// One answer of the model as the Responses API streams it. A model that Codex does not know is offered a shell and no tool for
// files; patches go through the shell, where Codex catches them and makes them itself.

import { LITTLE, newId, type StreamEvent } from "./model-message.ts";
import type { Answer } from "./model-script.ts";

export function responseEvents(answer: Answer, model: string): StreamEvent[] {
  const { input, output } = answer.usage ?? LITTLE;
  const response = { id: newId("resp"), model };
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
  return [
    { type: "response.created", response },
    { type: "response.output_item.done", item: itemOf(answer) },
    { type: "response.completed", response: { ...response, usage } },
  ];
}

function itemOf(answer: Answer): object {
  if ("text" in answer) {
    const content = [{ type: "output_text", text: answer.text }];
    return { type: "message", role: "assistant", id: newId("msg"), content };
  }
  if ("tool" in answer) return call(answer.tool, answer.input, answer.namespace);
  return call("exec_command", { cmd: commandFor(answer) });
}

type Command = Exclude<Answer, { readonly text: string } | { readonly tool: string }>;

function commandFor(answer: Command): string {
  if ("bash" in answer) return answer.bash;
  if ("read" in answer) return `cat '${answer.read}'`;
  if ("write" in answer) {
    const { path, content } = answer.write;
    return patch(`Add File: ${path}`, lines("+", content.replace(/\n$/, "")));
  }
  const { path, old, new: replacement } = answer.edit;
  return patch(`Update File: ${path}`, ["@@", ...lines("-", old), ...lines("+", replacement)]);
}

function patch(file: string, body: readonly string[]): string {
  const text = ["*** Begin Patch", `*** ${file}`, ...body, "*** End Patch"].join("\n");
  return `apply_patch <<'EOF'\n${text}\nEOF`;
}

const lines = (sign: string, text: string): string[] => text.split("\n").map((line) => `${sign}${line}`);

function call(name: string, input: object, namespace?: string): object {
  const id = { id: newId("fc"), call_id: newId("call") };
  const whole = { type: "function_call", ...id, name, arguments: JSON.stringify(input) };
  return namespace === undefined ? whole : { ...whole, namespace };
}
