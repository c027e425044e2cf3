// One answer of the model as the Messages API writes it: whole, or as the events of a stream.

import { randomBytes } from "node:crypto";
import type { Answer, Tokens } from "./model-script.ts";

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object };

export type Message = {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly Block[];
  readonly stop_reason: "end_turn" | "tool_use";
  readonly stop_sequence: null;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
};

/** An event of a stream; its type is also its name. */
export type StreamEvent = { readonly type: string } & { readonly [key: string]: unknown };

export const LITTLE: Tokens = { input: 100, output: 10 };

export function messageOf(answer: Answer, model: string): Message {
  const block = findBlocker(answer);
  const { input, output } = answer.usage ?? LITTLE;
  return {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model,
    content: [block],
    stop_reason: block.type === "text" ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  };
}

function findBlocker(answer: Answer): Block {
  if ("text" in answer) return { type: "text", text: answer.text };
  if ("bash" in answer) return use("Bash", { command: answer.bash, description: "Run a command" });
  if ("read" in answer) return use("Read", { file_path: answer.read });
  if ("write" in answer) {
    return use("Write", { file_path: answer.write.path, content: answer.write.content });
  }
  if ("edit" in answer) {
    const { path, old, new: replacement } = answer.edit;
    return use("Edit", { file_path: path, old_string: old, new_string: replacement });
  }
  return use(answer.tool, answer.input);
}

function use(name: string, input: object): Block {
  return { type: "tool_use", id: newId("toolu"), name, input };
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

export function eventsOf(message: Message): StreamEvent[] {
  const begun = { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } };
  const { stop_reason, stop_sequence, usage } = message;
  return [
    { type: "message_start", message: begun },
    { type: "ping" },
    ...message.content.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason, stop_sequence },
      usage: { output_tokens: usage.output_tokens },
    },
    { type: "message_stop" },
  ];
}

function blockEvents(block: Block, index: number): StreamEvent[] {
  const [empty, delta] =
    block.type === "text"
      ? [
          { ...block, text: "" },
          { type: "text_delta", text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        ];
  return [
    { type: "content_block_start", index, content_block: empty },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}
