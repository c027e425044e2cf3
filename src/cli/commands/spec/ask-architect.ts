import { relative } from "node:path";
import { type Asked as AskedAgent, askAgent } from "../../../app/ask/ask-agent.ts";
import type { AskTelling } from "../../../app/ask/asking.ts";
import { killLive } from "../../../app/index.ts";
import { type CheckedDesign, checkedDesign } from "../../../app/spec/decompose/check-design.ts";
import { type DesignOutcome, designRounds, type Rounds } from "../../../app/spec/decompose/design-rounds.ts";
import { keepDesign } from "../../../app/spec/decompose/keep-design.ts";
import { isGood } from "../../../app/spec/decompose/write-folder.ts";
import { failureText } from "../../../core/select/failure-text.ts";
import { count, duration } from "../../../core/select/preview/words.ts";
import { errorText } from "../../../spec/design/design-prompt.ts";
import { strictJsonSchema } from "../../../spec/design/json-schema.ts";
import { tellPrograms } from "../../config.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { tellDiagnostics } from "../../plan-file.ts";
import { askingLine } from "../../progress/asking.ts";
import { shown } from "../../render/visible.ts";
import { warn } from "../../render/warning.ts";
import type { Request } from "../../request.ts";
import { abortOnSignals } from "../../signals.ts";
import { errorStream } from "../../streams.ts";
import type { Designed, Making } from "./decompose.ts";
import { type Asked, type DecomposeEnd, NO_END } from "./decompose-end.ts";

/** An agent designs, as often as its design does not hold and rounds are left. */
export async function askArchitect(making: Making): Promise<Designed | DecomposeEnd> {
  const { host, request, wanted, decomposition } = making;
  const { options } = request;
  const { repository, techSpecId } = decomposition;
  if (repository === null) throw new Error("an agent needs a repository to look around in");
  const [agent, limits, schema] = [agentFor(making), limitsFor(making), strictJsonSchema()];
  tellPrograms(new Set([agent.use]), making.config.agents, request);
  const watch = abortOnSignals((code) => {
    killLive();
    process.exit(code);
  });
  const { signal } = watch;
  const view = watchedBy(request, agent.use);
  const tell: AskTelling = {
    warning: view.warn,
    doing: view.doing,
    again: (failure, ms) => view.say(`${failureText(failure, limits)}; tries again in ${duration(ms)}`),
  };
  const rounds: Rounds = {
    most: wanted.rounds,
    check: (text) =>
      checkedDesign(host, { file: DESIGN, text }, { decomposition, caps: wanted.caps, signal }),
    onRound: (n, errors) => {
      const again = `the design goes back with ${count(errors.length, "error")}, round ${n - 1} of ${wanted.rounds}`;
      view.say(n === 1 ? `${agent.use} designs how ${techSpecId} is cut into tasks` : again);
    },
  };
  const budgetUsd = options.budgetUsd ?? null;
  const about = { repository, name: "decompose", about: "spec", agent, schema, limits, budgetUsd };
  try {
    const asked = await askAgent(host, { ...about, signal, tell }, (ask) =>
      designRounds(decomposition, ask, rounds),
    ).finally(view.close);
    const code = watch.code();
    if (code !== null) return { ...NO_END, exit: code, problem: ENDED };
    return await endOf(making, granted(asked), agent.use);
  } finally {
    watch.end();
  }
}

const DESIGN = "design.json";
const ENDED = { message: "ended; nothing was written", hint: null };

/** What people see while they wait; programs see the end. */
function watchedBy({ options, env, output }: Request, agent: string) {
  const { isTerminal, width } = errorStream(env.columns);
  const { glyphs } = output;
  const print = (text: string) => {
    if (options.json !== true) output.say([[shown(text, glyphs)]]);
  };
  const line = askingLine(agent, {
    moves: isTerminal && !env.ci && options.json !== true,
    ...{ width, mark: glyphs.cut, say: print },
    clock: { now: Date.now, setTimer: systemTimer },
  });
  const resting = (speak: () => void) => {
    line.rest();
    speak();
  };
  return {
    say: (text: string) => resting(() => print(text)),
    warn: (text: string) => resting(() => output.say(warn(text, output))),
    doing: (action: string) => line.doing(shown(action, glyphs)),
    close: line.close,
  };
}

const systemTimer = (ms: number, fire: () => void) => {
  const timer = setTimeout(fire, ms);
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
};

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
  { result, usage, folder }: AskedAgent<DesignOutcome>,
  agent: string,
): Promise<Designed | DecomposeEnd> {
  const { host, request, wanted } = making;
  const { checked, words, rounds, failure, again } = result;
  const asked: Asked = { agent, rounds, usage, conversation: relative(host.cwd, folder) };
  if (checked !== null && words === null && failure === null && isGood(checked)) return { checked, asked };
  const kept = checked === null ? [] : await keepBad(making, checked);
  const named = checked === null ? null : calledAs(checked, kept[0] ?? DESIGN);
  if (named !== null) tellDiagnostics(named.diagnostics, named.sources, { request, file: kept[0] ?? DESIGN });
  const same = again ? ", the same as in the round before" : "";
  const wrong = count(checked?.errors.length ?? 0, "error");
  const errors =
    wanted.rounds === 0
      ? `the design has ${wrong}`
      : `the design still has ${wrong} after ${count(wanted.rounds, "round")} of repair${same}`;
  const spoken = words === null ? null : spokenText(words);
  const why = failure === null ? spoken : failureText(failure, limitsFor(making));
  const message = why === null ? errors : `${agent} gave no design that holds: ${why}`;
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

/** Beside the folder that was not made, as people are told it. */
async function keepBad(
  { host, decomposition: { folder } }: Making,
  checked: CheckedDesign,
): Promise<string[]> {
  const errorsOf = (path: string) => {
    const { diagnostics } = calledAs(checked, relative(host.cwd, path));
    return `${diagnostics.map(errorText).join("\n")}\n`;
  };
  const kept = await keepDesign(folder, { design: `${checked.text.trimEnd()}\n`, errorsOf });
  return kept.map((path) => relative(host.cwd, path));
}

/** Its findings by the name that it is kept under: there people look for them. */
function calledAs({ file, diagnostics, sources }: CheckedDesign, name: string) {
  const renamed = (old: string) =>
    old === file ? name : old.startsWith(`${file}#`) ? name + old.slice(file.length) : old;
  const moved = <At extends { readonly file: string }>(at: At): At => ({ ...at, file: renamed(at.file) });
  return {
    diagnostics: diagnostics.map((one) => ({
      ...one,
      at: one.at === null ? null : moved(one.at),
      related: one.related.map((other) => ({ ...other, at: moved(other.at) })),
    })),
    sources: new Map(Array.from(sources, ([old, text]) => [renamed(old), text] as const)),
  };
}
