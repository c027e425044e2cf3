import type { RunAction } from "../../core/decide.ts";
import { isPlainObject, ownField, parseCommand } from "../../engines/local/protocol-command.ts";

export type ParsedAction =
  | { readonly ok: true; readonly action: RunAction }
  /** A sentence for the one who asked. */
  | { readonly ok: false; readonly problem: string };

/** What a page or a tool asks of a run. Every field is looked at, and the action is made anew: the text comes from elsewhere. */
export function parseAction(value: unknown): ParsedAction {
  if (isPlainObject(value) && ownField(value, "kind") === "resume") {
    if (Object.keys(value).length === 1) return { ok: true, action: { kind: "resume" } };
    return { ok: false, problem: "resume takes no other field" };
  }
  const parsed = parseCommand(value);
  return parsed.ok ? { ok: true, action: parsed.command } : parsed;
}
