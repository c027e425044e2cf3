import type { Node } from "yaml";
import type {
  ClaimDraft,
  EachSource,
  EnvDraft,
  GateDraft,
  PreparationDraft,
  TaskDraft,
  TaskSettingsDraft,
  TextSource,
} from "../../core/draft.ts";
import type { AgentChoice, Copy, Estimate, Range, SetupCommand } from "../../core/plan.ts";
import type { Located } from "../../core/source.ts";
import { durationText } from "../units.ts";
import { allTexts, command, type Entry, list, map, number, placeText, text, texts } from "./write-nodes.ts";

/** A task as a native plan has it. `fileName` says what a file is called from there. */
export function taskNode(task: TaskDraft, fileName: (file: string) => string): Node {
  const { id, title, needs, wave, owns, boundary, consent } = task;
  const { gates, artifacts, settings, reports, summaries, each } = task;
  const node = map([
    ["id", id.value],
    ["title", title],
    ["each", each && map(each.map(({ name, source }) => [name.value, eachNode(source), name.at]))],
    ["needs", texts(needs), needs[0]?.at],
    ["summaries", summaries && summariesNode(summaries), summaries?.from[0]?.task.at],
    ["wave", wave?.value, wave?.at],
    ...settingEntries(settings),
    ["priority", settings.priority],
    ["owns", ownsNode(owns), owns[0]?.text.at],
    ["boundary", texts(boundary), boundary[0]?.at],
    ["consent", consent && allTexts(consent)],
    ["gates", taskGatesNode(gates), gates.gates[0]?.at],
    ["reports", reports && allTexts(reports.map(({ value }) => value)), reports?.[0]?.at],
    ["artifacts", texts(artifacts), artifacts[0]?.at],
    ...preparationEntries(settings.prepare),
    workEntry(task, fileName),
  ]);
  const origin = task.origin === undefined ? "" : `, ${task.origin}`;
  node.commentBefore = ` from ${placeText(id.at)}${origin}`;
  return node;
}

function workEntry({ work }: TaskDraft, fileName: (file: string) => string): Entry {
  if (work.kind === "command") return ["command", command(work.run), work.at];
  const { value: source, at } = work.prompt;
  return source.kind === "inline"
    ? ["prompt", text(source.text, { long: true }), at]
    : ["prompt-file", fileName(source.file), at];
}

/** What a task and `defaults` have in common. */
export function settingEntries(settings: TaskSettingsDraft): Entry[] {
  const { agent, group, env, tools, estimate, systemPrompt, doneFile, dir } = settings;
  return [
    ["agent", agent && agentNode(agent.value), agent?.at],
    ["access", settings.access],
    ["retries", settings.retries],
    ["fix-rounds", settings.fixRounds],
    ["race", settings.race],
    ["timeout", durationOrNull(settings.totalMs)],
    ["start-timeout", durationOrNull(settings.startMs)],
    ["idle-timeout", durationOrNull(settings.idleMs)],
    ["group", group?.value, group?.at],
    ["env", env && envNode(env)],
    ["tools", tools && toolsNode(tools), (tools?.allow[0] ?? tools?.deny[0])?.at],
    ["budget", settings.budgetUsd],
    ["estimate", estimate && estimateNode(estimate)],
    ["allow-empty", settings.allowEmpty],
    ["approve", settings.approve],
    ["history", settings.history],
    ["dir", dir?.value, dir?.at],
    ["done-file", doneFile?.value, doneFile?.at],
    ["system-prompt", systemPrompt && text(inlineText(systemPrompt.value), { long: true }), systemPrompt?.at],
  ];
}

/** Who writes a plan has read what stands in files that a native plan cannot name. */
function inlineText(source: TextSource): string {
  if (source.kind === "inline") return source.text;
  throw new Error(`the text of ${source.file} was not read`);
}

export function preparationEntries({ copy, envFiles, setup, teardown }: PreparationDraft): Entry[] {
  const commands = (all: PreparationDraft["teardown"]) => all && list(all.map(({ value }) => command(value)));
  return [
    ["copy", copy && list(copy.map(({ value }) => copyNode(value))), copy?.[0]?.at],
    ["env-files", envFiles],
    ["setup", setup && list(setup.map(({ value }) => setupNode(value))), setup?.[0]?.at],
    ["teardown", commands(teardown), teardown?.[0]?.at],
  ];
}

function setupNode({ inputs, outputs, ...run }: SetupCommand): Node {
  if (outputs === undefined) return command(run);
  const paths = (all: readonly string[]) => list(all.map((path) => text(path)));
  const entries = { run: command(run), inputs: paths(inputs ?? []), outputs: paths(outputs) };
  return map(Object.entries(entries), { flow: true });
}

function copyNode(copy: Copy): Node {
  return typeof copy === "string" ? text(copy) : map(Object.entries(copy), { flow: true });
}

export function gateNodes(gates: readonly GateDraft[]): Node {
  return list(gates.map(gateNode));
}

function gateNode(gate: GateDraft): Node {
  const { name, run, dir, when, retries, slots, timeoutMs, env, knownRed, results } = gate;
  const options: Entry[] = [
    ["dir", dir?.value, dir?.at],
    ["when", texts(when), when[0]?.at],
    ["retries", retries],
    ["slots", slots],
    ["timeout", durationOrNull(timeoutMs)],
    ["env", env && envNode(env)],
    ["known-red", knownRed],
    ["results", results?.value, results?.at],
  ];
  const isPlain = name === null && options.every(([, value]) => value === undefined || value === null);
  const node = isPlain ? command(run) : map([["name", name], ["run", command(run)], ...options]);
  node.commentBefore = ` ${placeText(gate.at)}`;
  return node;
}

function taskGatesNode({ mode, gates }: TaskDraft["gates"]): Node | undefined {
  if (mode === "only") return map([["only", gateNodes(gates)]]);
  return gates.length === 0 ? undefined : gateNodes(gates);
}

/** Claims of one kind that follow each other stand together. */
function ownsNode(owns: readonly ClaimDraft[]): Node | undefined {
  const groups: { mode: ClaimDraft["mode"]; texts: string[] }[] = [];
  for (const { mode, text: claim } of owns) {
    const last = groups.at(-1);
    if (last?.mode === mode) last.texts.push(claim.value);
    else groups.push({ mode, texts: [claim.value] });
  }
  const [first, ...others] = groups;
  if (first === undefined) return undefined;
  const ofMode = ({ mode, texts: claims }: typeof first) => map([[mode, allTexts(claims)]], { flow: true });
  if (others.length === 0) return first.mode === "any" ? allTexts(first.texts) : ofMode(first);
  return list(
    groups.flatMap((group): Node[] =>
      group.mode === "any" ? group.texts.map((one) => text(one)) : [ofMode(group)],
    ),
  );
}

function summariesNode({ title, from }: NonNullable<TaskDraft["summaries"]>): Node {
  return map(Object.entries({ title, from: map(from.map(({ task, name }) => [task.value, name])) }));
}

function eachNode(source: EachSource): Node {
  if (source.kind === "values") return list(source.values.map(({ value }) => text(value)));
  if (source.kind === "command") return map([["command", command(source.run.value)]]);
  return map(Object.entries({ files: texts(source.patterns), exclude: texts(source.exclude) }));
}

function agentNode({ use, model, name }: Partial<AgentChoice>): Node {
  if (use && !model && !name) return text(use);
  return map(Object.entries({ use, model, name }), { flow: true });
}

function envNode(env: EnvDraft): Node {
  return map(env.map(({ name, value }) => [name.value, text(value.value), name.at]));
}

function toolsNode({ allow, deny }: { [List in "allow" | "deny"]: readonly Located<string>[] }): Node {
  return map(Object.entries({ allow: texts(allow), deny: texts(deny) }));
}

function estimateNode({ timeMs, costUsd }: Estimate): Node {
  const time = durationOrNull(timeMs);
  if (time !== null && costUsd === null) return text(time);
  return map(Object.entries({ time, cost: costUsd && rangeNode(costUsd) }), { flow: true });
}

export function rangeNode({ low, high }: Range): Entry[1] {
  return low === high ? low : list([number(low), number(high)], { flow: true });
}

function durationOrNull(ms: number | null): string | null {
  return ms === null ? null : durationText(ms);
}
