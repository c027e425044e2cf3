import type { Config, DriverProgram, Host, OrRefusal } from "../app/index.ts";
import { wholeEnvironment } from "../config/env.ts";
import { type Command, formatCommand } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { readConfigFiles } from "./config.ts";
import { pickGiven } from "./flag.ts";
import { renderDiagnostics } from "./render/diagnostics.ts";
import type { Request } from "./request.ts";
import { EnvironmentError, RequestError } from "./request-error.ts";
import { errorStream, patientStream } from "./streams.ts";
import { version } from "./version.ts";

/** The caller's environment, as the library needs it. */
export function createHost(
  { options, startedIn, env, claude, hasFinalExits }: Request,
  command: Command,
): Host {
  if (startedIn === null && options.cwd === undefined) {
    throw new EnvironmentError("the current folder no longer exists", "change to another folder: cd /");
  }
  return {
    cwd: process.cwd(),
    env: wholeEnvironment(),
    version,
    command: formatCommand(command),
    allowRoot: options.allowRoot === true || env.isSandbox,
    hasRootFlag: options.allowRoot === true,
    allowNested: options.allowNested ?? false,
    ...pickGiven({ claude, hasFinalExits }),
    ...(errorStream(env.columns).isTerminal && { terminal: toTerminal }),
  };
}

/** A stopped terminal must not stop the run. */
function toTerminal(text: string): void {
  patientStream("stderr").write(text, () => undefined);
}

/** The command line for processes that continue a run, with the flags that also apply to them. */
export function driverProgram({ options }: Pick<Request, "options">): DriverProgram {
  return (words) => [
    ...[process.execPath, process.argv[1] ?? "", ...words],
    ...(options.allowRoot === true ? ["--allow-root"] : []),
    ...(options.allowNested === true ? ["--allow-nested"] : []),
    ...(options.yes === true ? ["--yes"] : []),
    ...(options.allowEnv ?? []).flatMap((name) => ["--allow-env", name]),
  ];
}

/** For a command that starts agents: adds the agents, traces and limits of the configuration. */
export async function drivingHost(request: Request, command: Command): Promise<Host> {
  const host = createHost(request, command);
  const { agents, traces, keep } = await requireConfig(request, command);
  return { ...host, agents, traces, keptCopyBytes: keep.copies };
}

/** For a command that shows a run's output: agent settings may hold secrets (I13), and an invalid configuration hides no run. */
export async function maskingHost(request: Request, command: Command): Promise<Host> {
  const { config } = await readConfigFiles(process.cwd());
  return { ...createHost(request, command), agents: config?.agents ?? [] };
}

/** The configuration, or an error after printing its findings. */
export async function requireConfig({ output, options }: Request, command: Command): Promise<Config> {
  const { config, diagnostics, sources } = await readConfigFiles(process.cwd(), options);
  if (config !== null) return config;
  output.say(renderDiagnostics(diagnostics, { sources, glyphs: output.glyphs, width: output.sayWidth }));
  throw new RequestError("the configuration is invalid", fix("fix the configuration, then", command));
}

/** The result, or the refusal as an error that ends the command. */
export function granted<T>(answer: OrRefusal<T>): { readonly ok: true } & T {
  if (answer.ok) return answer;
  const { kind, message, hint } = answer.refusal;
  throw kind === "request" ? new RequestError(message, hint) : new EnvironmentError(message, hint);
}
