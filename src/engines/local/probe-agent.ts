import type { Adapter, Login, Probed, Problem, SubAgents } from "../../agents/adapter.ts";
import type { RunId } from "../../core/ids.ts";
import type { Env } from "../../core/plan.ts";
import { uniqueMarker } from "../../process/markers.ts";
import { supervise } from "../../process/supervise.ts";
import { createTail } from "../../process/tail.ts";

/** Where a question is asked, and in whose name its processes are known. */
export type ProbePlace = { readonly env: Env; readonly cwd: string; readonly run: RunId };

/** Starting a large program on a loaded machine takes its time; one that hangs is not there. */
const PROBE_MS = 60_000;
const OUTPUT_BYTES = 1024 * 1024;

/** Whether an agent's program is there and which version it is. Agents that cannot be asked are taken at their word. */
export async function probeAgent({ probe }: Adapter, asking: ProbePlace): Promise<Probed> {
  if (probe === null) return { ok: true, version: "unknown", warning: null };
  const { argv } = probe;
  return probe.parse(await ask({ argv, env: {}, stdin: null }, asking, () => false));
}

/** The sub-agents it knows; null where it does not tell. The program is ended as soon as it has told. */
export async function listSubAgents(
  { invocation, parse }: SubAgents,
  asking: ProbePlace,
): Promise<readonly string[] | null> {
  const { stdout } = await ask(invocation, asking, (text) => parse(text) !== null);
  return parse(stdout);
}

/** What keeps its attempts from beginning, as far as the program knows; null where nothing does. */
export async function loginProblem(
  { invocation, parse }: Login,
  asking: ProbePlace,
): Promise<Problem | null> {
  const question = invocation(asking.env);
  if (question === null) return null;
  // A server that is asked a question ends when its input does; a program that is asked nothing may wait for that end.
  const staysOpen = question.stdin !== "";
  const { stdout } = await ask({ ...question, staysOpen }, asking, (text) => parse(text) !== null);
  return parse(stdout)?.problem ?? null;
}

type Question = {
  readonly argv: readonly string[];
  readonly env: Env;
  readonly stdin: string | null;
  readonly staysOpen?: boolean;
};

async function ask(
  { env, ...question }: Question,
  asking: ProbePlace,
  isEnough: (stdout: string) => boolean,
) {
  const output = createTail(OUTPUT_BYTES);
  let enough: () => void = () => undefined;
  const started = await supervise(
    { ...question, cwd: asking.cwd, env: { ...asking.env, ...env } },
    {
      marker: uniqueMarker(asking.run, "probe"),
      runMarker: asking.run,
      limits: { totalMs: PROBE_MS },
      onLine: ({ text }) => {
        output.push(Buffer.from(`${text}\n`));
        if (isEnough(output.bytes().toString())) enough();
      },
    },
  );
  if (!started.ok) return { stdout: "", stderr: started.failure.message, code: null };
  enough = () => void started.stop({ kill: true });
  const { code, stderrTail } = await started.ended;
  return { stdout: output.bytes().toString(), stderr: stderrTail, code: code ?? 1 };
}

export type AgentVersions = ReturnType<typeof openAgentVersions>;

/** Which versions of its agents a run uses. Each program is asked once a driver: it takes a part of a second. */
export function openAgentVersions(asking: ProbePlace) {
  const known = new Map<string, Promise<string | null>>();
  return {
    /** Null where the program does not answer. */
    read: (adapter: Adapter): Promise<string | null> => {
      const ask = () => probeAgent(adapter, asking).then((probed) => (probed.ok ? probed.version : null));
      const asked = known.get(adapter.name) ?? ask();
      known.set(adapter.name, asked);
      return asked;
    },
  };
}
