import type { Env } from "../plan.ts";
import type { Located } from "../source.ts";
import type { Say } from "./findings.ts";
import { quoted } from "./words.ts";

/** `subject` is who sets the variables, as the beginning of a sentence. */
export function checkEnv(env: Located<Env> | null, subject: string, say: Say): void {
  if (env === null) return;
  for (const [name, value] of Object.entries(env.value)) {
    const variable = quoted(name);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      const message = `${subject} sets the variable ${variable}, which is no name for one`;
      say("bad-env-name", { message, at: env.at, hint: "use letters, digits and underscores" });
      continue;
    }
    const reason = refusalOf(name);
    if (reason !== null) {
      say("env-refused", {
        message: `${subject} sets ${variable}, which ${reason}`,
        at: env.at,
        hint: INSIDE,
      });
    }
    if (value.includes("\0")) {
      const message = `${subject} sets ${variable} to a value with a NUL character`;
      say("bad-env-value", { message, at: env.at });
    }
  }
}

const INSIDE = "delete it, or set it inside the command that needs it";

const PROGRAMS = "decides which programs are run";
const LOADED = "loads code into other programs";
const SHELL = "changes how shells read every command";
const GIT = "changes what git does";

/** Names that a plan may not set, with the reason. */
const refused: ReadonlyMap<string, string> = new Map([
  ["PATH", PROGRAMS],
  ["SHELL", PROGRAMS],
  ["CDPATH", SHELL],
  ["IFS", SHELL],
  ["ENV", SHELL],
  ["BASH_ENV", SHELL],
  ["ZDOTDIR", SHELL],
  ["SHELLOPTS", SHELL],
  ["BASHOPTS", SHELL],
  ["PS4", SHELL],
  ["PROMPT_COMMAND", SHELL],
  ["NODE_OPTIONS", LOADED],
  ["NODE_PATH", LOADED],
  ["PYTHONPATH", LOADED],
  ["PYTHONHOME", LOADED],
  ["PYTHONSTARTUP", LOADED],
  ["PERL5LIB", LOADED],
  ["PERL5OPT", LOADED],
  ["PERL5DB", LOADED],
  ["RUBYOPT", LOADED],
  ["RUBYLIB", LOADED],
  ["JAVA_TOOL_OPTIONS", LOADED],
  ["JDK_JAVA_OPTIONS", LOADED],
  ["_JAVA_OPTIONS", LOADED],
  ["GCONV_PATH", LOADED],
]);

const refusedBeginnings: readonly (readonly [beginning: string, reason: string])[] = [
  ["LD_", LOADED],
  ["DYLD_", LOADED],
  ["BASH_FUNC_", SHELL],
  ["GIT_", GIT],
  ["PLAIT_", "belongs to plait itself"],
];

function refusalOf(name: string): string | null {
  const beginning = refusedBeginnings.find(([text]) => name.startsWith(text));
  return refused.get(name) ?? beginning?.[1] ?? null;
}
