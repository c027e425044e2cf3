import type { Config, Host, OrRefusal } from "../app/index.ts";
import { wholeEnvironment } from "../config/env.ts";
import { configFor } from "./config.ts";
import { renderDiagnostics } from "./render/diagnostics.ts";
import type { Request } from "./request.ts";
import { EnvironmentError, RequestError } from "./request-error.ts";
import { errorStream, patientStream } from "./streams.ts";
import { version } from "./version.ts";

/** Who asks, as the library wants to know it. */
export function hostOf({ options, startedIn, env, claude, hasFinalExits }: Request, command: string): Host {
  if (startedIn === null && options.cwd === undefined) {
    throw new EnvironmentError("the current folder does not exist any more", "go to another one: cd /");
  }
  return {
    cwd: process.cwd(),
    env: wholeEnvironment(),
    version,
    command,
    allowRoot: options.allowRoot === true || env.isSandbox,
    allowNested: options.allowNested ?? false,
    ...(claude === undefined ? {} : { claude }),
    ...(hasFinalExits === undefined ? {} : { hasFinalExits }),
    ...(errorStream(env.columns).isTerminal && { terminal: toTerminal }),
  };
}

/** Like everything that is printed while a run goes on: a stopped terminal must not stop the run. */
function toTerminal(text: string): void {
  patientStream("stderr").write(text, () => undefined);
}

/** The same for a command that starts agents: it knows what the configuration says of them, and of traces. */
export async function drivingHost(request: Request, command: string): Promise<Host> {
  const host = hostOf(request, command);
  const { agents, traces } = await neededConfig(request, command);
  return { ...host, agents, traces };
}

/** For one that shows what a run left: settings of agents may hold secrets (I13), and a broken configuration hides no run. */
export async function maskingHost(request: Request, command: string): Promise<Host> {
  const { config } = await configFor(process.cwd());
  return { ...hostOf(request, command), agents: config?.agents ?? [] };
}

/** What the configuration says, or an error with all that is wrong with it. */
export async function neededConfig({ output }: Request, command: string): Promise<Config> {
  const { config, diagnostics, sources } = await configFor(process.cwd());
  if (config !== null) return config;
  output.say(renderDiagnostics(diagnostics, { sources, glyphs: output.glyphs, width: output.sayWidth }));
  throw new RequestError("the configuration cannot be used", `mend it, and then again: ${command}`);
}

/** What was asked for, or an error that ends the command with what to type next. */
export function granted<T>(answer: OrRefusal<T>): { readonly ok: true } & T {
  if (answer.ok) return answer;
  const { kind, message, hint } = answer.refusal;
  throw kind === "request" ? new RequestError(message, hint) : new EnvironmentError(message, hint);
}
