import { Document, type Node } from "yaml";
import type { PlanDraft, TextSource } from "../../core/draft.ts";
import { formatGrant } from "../../core/plan.ts";
import type { Located } from "../../core/source.ts";
import { VERSION } from "./schema.ts";
import { allTexts, command, type Entry, list, map, text } from "./write-nodes.ts";
import { gateNodes, preparationEntries, rangeNode, settingEntries, taskNode } from "./write-task.ts";

export type WriteOptions = {
  /** What stands above the plan, for people; one or more lines. */
  readonly header: string;
  /** What a file that the draft names is called from the folder of the plan that is written; the same for folders. */
  readonly fileName: (file: string) => string;
  readonly folderName: (folder: string) => string;
};

/**
 * A draft of any format as the text of a native plan that means the same, with comments that say where each thing came from.
 * Read again it gives the same draft, but for places.
 */
export function writeNative(draft: PlanDraft, { header, fileName, folderName }: WriteOptions): string {
  const { slots, ports, prices, mergeMessage, commitMessage } = draft;
  const document = new Document(
    map([
      ["plait", VERSION],
      ["name", draft.name],
      ["folder", draft.folder === undefined ? null : folderName(draft.folder)],
      ["concurrency", slots?.value, slots?.at],
      ["budget", draft.budgetUsd],
      ["defaults", unlessEmpty(settingEntries(draft.defaults))],
      ["limits", unlessEmpty(draft.limits.map(({ group, max }) => [group.value, max.value, group.at]))],
      ["context", draft.context.length === 0 ? null : contextNode(draft.context, fileName)],
      ["gates", draft.gates.length === 0 ? null : gateNodes(draft.gates)],
      ["enforce", draft.enforce],
      ["consent", draft.consent && allTexts(draft.consent)],
      ["land", landNode(draft)],
      ["merge-message", mergeMessage],
      ["commit-message", commitMessage],
      ["ports", ports && map(Object.entries(ports.value) as Entry[], { flow: true }), ports?.at],
      ...preparationEntries(draft.prepare),
      ["hooks", hooksNode(draft.hooks)],
      ["notify", draft.notify && notifyNode(draft.notify)],
      ["isolation", draft.isolation],
      ["keep-awake", draft.keepAwake],
      ["warm-cache", draft.warmCache],
      ["sandbox", draft.sandbox],
      ["grant", draft.grants && allTexts(draft.grants.map(formatGrant))],
      ["webhooks", draft.webhooks && map(Object.entries(draft.webhooks))],
      ["prices", prices.length === 0 ? null : list(prices.map(priceNode))],
      ["save", draft.saveMaxBytes === null ? null : map([["max-bytes", draft.saveMaxBytes]], { flow: true })],
      ["tasks", apart(draft.tasks.map((task) => taskNode(task, fileName)))],
    ]),
  );
  document.commentBefore = header.replace(/^/gm, " ");
  // Nothing is folded: a line of the source stays a line.
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}

function unlessEmpty(entries: readonly Entry[]): Node | null {
  return entries.every(([, value]) => value === undefined || value === null) ? null : map(entries);
}

/** With an empty line between each two. */
function apart(nodes: readonly Node[]): Node {
  for (const node of nodes.slice(1)) node.spaceBefore = true;
  return list(nodes);
}

function contextNode(context: readonly Located<TextSource>[], fileName: (file: string) => string): Node {
  return list(
    context.map(({ value }) =>
      value.kind === "file" ? text(fileName(value.file)) : map([["text", text(value.text)]]),
    ),
  );
}

const PULL_REQUESTS: Readonly<Record<string, true | string>> = {
  "pull-request": true,
  "pull-request-per-task": "per-task",
};

/** One word where that says all. */
function landNode({ land, landStyle, publish }: PlanDraft): Node | null {
  const { as, sign, signoff, message, author, coAuthor, onto, draft, reviewers, labels } = landStyle;
  const names = (all: readonly string[] | undefined) => all && list(all.map((name) => text(name)));
  const how: Entry[] = [
    ["as", as],
    ["sign", sign],
    ["signoff", signoff],
    ["message", message],
    ["author", author],
    ["co-author", coAuthor],
    ["onto", onto],
    ["push", publish === "push" ? true : publish === "no" ? false : null],
    ["pull-request", PULL_REQUESTS[publish ?? "no"] ?? null],
    ["draft", draft],
    ["reviewers", names(reviewers)],
    ["labels", names(labels)],
  ];
  const isOneWord = how.every(([, value]) => value === undefined || value === null);
  if (isOneWord) return land === null ? null : text(land);
  return map([["when", land], ...how]);
}

function hooksNode({ start, end, failed, held }: PlanDraft["hooks"]): Node | null {
  const hooks = Object.entries({ start, end, failed, held });
  return unlessEmpty(
    hooks.map(([name, all]) => {
      const commands = all.map(({ value }) => command(value));
      return [name, commands.length === 0 ? null : list(commands), all[0]?.at];
    }),
  );
}

function notifyNode(notify: NonNullable<PlanDraft["notify"]>): Node {
  const { bell, desktop, command: run, webhook, when } = notify;
  return map(Object.entries({ bell, desktop, command: run && command(run), webhook, when }));
}

function priceNode({ agent, model, usdPerHour }: PlanDraft["prices"][number]): Node {
  return map(Object.entries({ agent, model, "usd-per-hour": rangeNode(usdPerHour) }));
}
