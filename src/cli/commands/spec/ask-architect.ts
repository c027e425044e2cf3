import { relative } from "node:path";
import { type Asked as AskedAgent, askAgent } from "../../../app/ask/ask-agent.ts";
import type { AskTelling } from "../../../app/ask/asking.ts";
import { killLive } from "../../../app/index.ts";
import { checkedDesign } from "../../../app/spec/decompose/check-design.ts";
import { type DesignOutcome, designRounds, type Rounds } from "../../../app/spec/decompose/design-rounds.ts";
import { withInstalledAgents } from "../../../app/spec/decompose/installed-agents.ts";
import type { Decomposition } from "../../../app/spec/decompose/prepare.ts";
import { isGood } from "../../../app/spec/decompose/write-folder.ts";
import { failureText } from "../../../core/select/failure-text.ts";
import { count, duration } from "../../../core/select/preview/words.ts";
import { strictJsonSchema } from "../../../spec/design/json-schema.ts";
import { askingView } from "../../asking-view.ts";
import { tellPrograms } from "../../config.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { tellDiagnostics } from "../../plan-file.ts";
import { abortOnSignals } from "../../signals.ts";
import type { Designed, Making } from "./decompose.ts";
import { type Asked, type DecomposeEnd, NO_END } from "./decompose-end.ts";
import { calledAs, keepBad } from "./keep-beside.ts";

/** An agent designs, as often as its design does not hold and rounds are left. */
export async function askArchitect(making: Making): Promise<Designed | DecomposeEnd> {
  const { host, request, wanted } = making;
  const { options } = request;
  const { repository, techSpecId } = making.decomposition;
  if (repository === null) throw new Error("an agent needs a repository to look around in");
  const [agent, limits, schema] = [agentFor(making), limitsFor(making), strictJsonSchema()];
  tellPrograms(new Set([agent.use]), making.config.agents, request);
  const view = askingView(request, agent.use);
  const watch = abortOnSignals((code) => {
    void view.close();
    killLive();
    process.exit(code);
  });
  const { signal } = watch;
  signal.addEventListener("abort", () =>
    view.say(`${agent.use} is being ended; once more, and it is killed`),
  );
  const tell: AskTelling = {
    warning: view.warn,
    doing: view.doing,
    again: (failure, ms) => view.say(`${failureText(failure, limits)}; tries again in ${duration(ms)}`),
  };
  const rounds = (decomposition: Decomposition): Rounds => ({
    most: wanted.rounds,
    caps: wanted.caps,
    check: (text) =>
      checkedDesign(host, { file: DESIGN, text }, { decomposition, caps: wanted.caps, signal }),
    onRound: (n, errors) => {
      const again = `the design goes back with ${count(errors.length, "error")}, round ${n - 1} of ${wanted.rounds}`;
      view.say(n === 1 ? `${agent.use} designs how ${techSpecId} is cut into tasks` : again);
    },
  });
  const budgetUsd = options.budgetUsd ?? null;
  const told = ({ result: { rounds }, usage, folder }: AskedAgent<DesignOutcome>): Asked => ({
    ...{ agent: agent.use, rounds, usage },
    conversation: relative(host.cwd, folder),
  });
  const about = { repository, name: "decompose", about: "spec", agent, schema, limits, budgetUsd };
  try {
    const asked = await askAgent(host, { ...about, signal, tell }, async (ask) => {
      const decomposition = await withInstalledAgents(host, making.decomposition, agent.use);
      return designRounds(decomposition, ask, rounds(decomposition));
    }).finally(view.close);
    const code = watch.code();
    if (code !== null) return { ...NO_END, exit: code, problem: ENDED, asked: asked.ok ? told(asked) : null };
    return await endOf(making, granted(asked), told(granted(asked)));
  } finally {
    watch.end();
  }
}

const DESIGN = "design.json";
const ENDED = { message: "ended; nothing was written", hint: null };

function limitsFor({ request: { options }, config }: Making) {
  const { limits } = config.base;
  return options.timeout === undefined ? limits : { ...limits, totalMs: options.timeout };
}

function agentFor({ request: { options, env }, config: { base } }: Making) {
  const use = options.agent ?? env.agent ?? base.agent.use;
  const isOther = use !== base.agent.use; // whose model and sub-agent mean nothing to it
  return {
    use,
    name: isOther ? null : base.agent.name,
    model: options.model ?? env.model ?? (isOther ? null : base.agent.model),
  };
}

async function endOf(
  making: Making,
  { result }: AskedAgent<DesignOutcome>,
  asked: Asked,
): Promise<Designed | DecomposeEnd> {
  const { request, wanted } = making;
  const { checked, errors: wrong, words, failure, again } = result;
  const isSettled = failure === null && wrong.length === 0;
  if (isSettled && checked !== null && isGood(checked)) return { checked, asked };
  const kept = checked === null ? [] : await keepBad(making, checked, asked);
  const named = checked === null ? null : calledAs(checked, kept[0] ?? DESIGN);
  if (named !== null) tellDiagnostics(named.diagnostics, named.sources, { request, file: kept[0] ?? DESIGN });
  const same = again ? ", the same as in the round before" : "";
  const counted = count(checked?.errors.length ?? 0, "error");
  const errors =
    wanted.rounds === 0
      ? `the design has ${counted}`
      : `the design still has ${counted} after ${count(wanted.rounds, "round")} of repair${same}`;
  const spoken = words === null ? null : spokenText(words);
  const why = failure === null ? spoken : failureText(failure, limitsFor(making));
  const message = why === null ? errors : `${asked.agent} gave no design that holds: ${why}`;
  const hint =
    kept.length === 0
      ? `what was said is in ${asked.conversation}`
      : "mend the design by hand and take it with --from-file, or ask again with more --rounds";
  return {
    ...NO_END,
    exit: exitCodes.incomplete,
    ...{ asked, kept, findings: named?.diagnostics ?? [], problem: { message, hint } },
  };
}

/** A first line is enough to see what it was about; all of it is in the record. */
function spokenText(words: string): string {
  const line = (words.trim().split("\n", 1)[0] ?? "").trim();
  if (line === "") return "it said nothing";
  return `it said: ${line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS)}…` : line}`;
}

const LONGEST_WORDS = 200;
