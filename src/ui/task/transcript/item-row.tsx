import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { capital, count, countdown, sizeText } from "../../../core/text/figures.ts";
import { fullTime, hourAndMinute, timeOfDay } from "../../../report/local-times.ts";
import { visible } from "../../parts/ansi.ts";
import { Icon, type Sign } from "../../parts/icon.tsx";
import { fenceAfter } from "../fence.ts";
import { formatGateTime } from "../gates/gate-rows.ts";
import { Output } from "../log/output.tsx";
import { type Item, type ToolItem, type ToolSort, toolSort } from "./items.ts";

/** By path: its finding, where the task does not own it. */
export type ForeignPaths = ReadonlyMap<string, string>;

type RowProps = {
  readonly at: number;
  readonly sign: ComponentChildren;
  readonly right?: ComponentChildren;
  readonly tone?: string;
  readonly children: ComponentChildren;
  /** Output, in the full width. */
  readonly below?: ComponentChildren;
};

/** Time, sign, what, and a figure. */
export function Row({ at, sign, right, tone = "plain", children, below }: RowProps) {
  return (
    <li class={`task-entry task-entry-${tone}`}>
      <time class="mono" dateTime={new Date(at).toISOString()} title={fullTime(at)}>
        {timeOfDay(at)}
      </time>
      <span class="task-entry-sign quiet row">{sign}</span>
      <div class="task-entry-what wrap">{children}</div>
      {right !== undefined && <div class="task-entry-right faint mono">{right}</div>}
      {below !== undefined && <div class="task-entry-below">{below}</div>}
    </li>
  );
}

export function ItemRow({ item, foreign }: { readonly item: Item; readonly foreign: ForeignPaths }) {
  const { at } = item;
  switch (item.kind) {
    case "tool":
      return <ToolRow item={item} at={at} foreign={foreign} />;
    case "text":
      return (
        <Row at={at} sign={<Icon sign="text" size={14} />}>
          <AgentText text={item.text} />
        </Row>
      );
    case "sub":
      return (
        <Row at={at} sign={<Icon sign="next" size={14} />}>
          <details class="task-fold">
            <summary>Subagent, {count(item.items.length, "step")}</summary>
            <ol>
              {item.items.map((one, n) => (
                <ItemRow key={n} item={one} foreign={foreign} />
              ))}
            </ol>
          </details>
        </Row>
      );
    case "noise":
      return (
        <Row at={at} sign={<Icon sign="shell" size={14} />} tone="quiet">
          <details class="task-fold">
            <summary>{count(item.lines.length, "line")} of other output</summary>
            <Output text={item.lines.join("\n")} />
          </details>
        </Row>
      );
    default:
      return <NoteRow item={item} />;
  }
}

type Noted = Exclude<Item, { kind: "tool" | "text" | "sub" | "noise" }>;

function NoteRow({ item }: { readonly item: Noted }) {
  const { sign, tone, text } = describeNote(item);
  return (
    <Row at={item.at} sign={<Icon sign={sign} size={14} />} tone={tone}>
      <p>{text}</p>
    </Row>
  );
}

function describeNote(item: Noted): { readonly sign: Sign; readonly tone: string; readonly text: string } {
  switch (item.kind) {
    case "began":
      return {
        sign: "pulse",
        tone: "quiet",
        text: item.model === null ? "Agent started" : `Agent started, model ${visible(item.model)}`,
      };
    case "retry": {
      const after = item.status === null ? "" : ` after status ${item.status}`;
      const delay = item.delayMs === null ? "" : ` in ${countdown(item.delayMs)}`;
      const times = item.times === 1 ? "" : `, ${item.times} times`;
      return { sign: "warning", tone: "wait", text: `Agent retries${after}${delay}${times}` };
    }
    case "limit": {
      const until = item.resetsAt === null ? "" : ` until ${hourAndMinute(item.resetsAt)}`;
      return { sign: "warning", tone: "wait", text: `Agent reached a limit${until}` };
    }
    case "denied":
      return { sign: "warning", tone: "wait", text: `Agent was denied ${visible(item.tool)}` };
    case "note":
      return { sign: "pulse", tone: "quiet", text: visible(item.text) };
    case "cut":
      return { sign: "warning", tone: "cut", text: `${sizeText(item.bytes)} omitted` };
  }
}

const SIGNS: { readonly [S in ToolSort]: Sign } = {
  read: "file",
  edit: "edit",
  bash: "shell",
  agent: "next",
  other: "tool",
};

type ToolRowProps = { readonly item: ToolItem; readonly at: number; readonly foreign: ForeignPaths };

function ToolRow({ item: { name, target, end }, at, foreign }: ToolRowProps) {
  const sort = toolSort(name);
  const owner = sort === "edit" && target !== null ? foreign.get(target) : undefined;
  return (
    <Row
      at={at}
      sign={<Icon sign={SIGNS[sort]} size={14} />}
      right={<ToolFigure end={end} at={at} isCommand={sort === "bash"} />}
      below={end?.output === undefined ? undefined : <ToolOutput text={end.output} ok={end.ok} />}
    >
      <p>
        <b>{capital(visible(name))}</b> <code>{visible(target ?? "")}</code>
        {owner !== undefined && (
          <span class="task-chip framed quiet task-chip-warn mono">
            <Icon sign="warning" size={11} />
            {owner}
          </span>
        )}
      </p>
    </Row>
  );
}

/** Open at once only where the tool failed. */
function ToolOutput({ text, ok }: { readonly text: string; readonly ok: boolean }) {
  if (!ok) return <Output text={text} />;
  return (
    <details class="task-fold">
      <summary>{count(text.split("\n").length, "line")} of output</summary>
      <Output text={text} />
    </details>
  );
}

type ToolFigureProps = { readonly end: ToolItem["end"]; readonly at: number; readonly isCommand: boolean };

function ToolFigure({ end, at, isCommand }: ToolFigureProps) {
  if (end === null) return null;
  if (end.change !== undefined) {
    return (
      <>
        <span class="task-added">+{end.change.added}</span> <span class="bad">−{end.change.removed}</span>
      </>
    );
  }
  if (end.lines !== undefined) return <>{count(end.lines, "line")}</>;
  const parts = [
    ...(end.code === undefined ? (end.ok ? [] : ["failed"]) : [`exit ${end.code}`]),
    ...(isCommand ? [formatGateTime(end.at - at)] : []),
  ];
  return <>{parts.join(", ")}</>;
}

/** Text of an agent: paragraphs, `code` as code, and code blocks as blocks. Everything else is plain text. */
function AgentText({ text }: { readonly text: string }) {
  const parts = useMemo(() => partsOf(visible(text)), [text]);
  return (
    <div class="task-said">
      {parts.map(({ text: part, isCode }, n) => {
        const trimmed = part.replace(/^\n+|\s+$/g, "");
        if (trimmed === "") return null;
        return isCode ? <pre key={n}>{trimmed}</pre> : <p key={n}>{withCode(trimmed)}</p>;
      })}
    </div>
  );
}

/** Without the lines that only mark where code begins and ends. */
function partsOf(text: string): { readonly text: string; readonly isCode: boolean }[] {
  const parts = [{ text: "", isCode: false }];
  let open: string | null = null;
  for (const line of text.split("\n")) {
    const mark = fenceAfter(line, open);
    if (mark !== open) parts.push({ text: "", isCode: mark !== null });
    else (parts.at(-1) as { text: string }).text += `${line}\n`;
    open = mark;
  }
  return parts;
}

function withCode(text: string) {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, n) => (n % 2 === 1 ? <code key={n}>{part.slice(1, -1)}</code> : part));
}
