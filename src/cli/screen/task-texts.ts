import type { LogItem, RunTexts } from "../../app/index.ts";
import type { Fact } from "../../core/facts.ts";
import type { AttemptId } from "../../core/ids.ts";
import type { Task } from "../../core/plan.ts";
import { type Body, bodyOf } from "../render/detail/body.ts";
import { diffBody, diffFigures } from "../render/detail/diff-body.ts";
import { gatesBody } from "../render/detail/gates-body.ts";
import { createLogLines, type LogLines } from "../render/detail/log-body.ts";
import { dim, type Line, styled } from "../render/line.ts";
import type { Look } from "../render/run/look.ts";
import { shown } from "../render/visible.ts";
import { wrapWords } from "../render/width.ts";
import type { TaskPlace } from "./ui.ts";

/** The texts of the attempt that is looked at: fetched when they are first asked for, and drawn again when more comes. */
export type TaskTexts = {
  readonly read: (task: Task, place: TaskPlace, look: Look) => Shown;
  /** Something happened in the run: what was fetched may be old. */
  readonly heard: (fact: Fact) => void;
  /** Nobody looks any more. */
  readonly rest: () => void;
};

export type Shown = {
  readonly body: Body;
  /** Of a diff: `7 files +184 -22`. */
  readonly figures: string | null;
};

/** Something that is on its way, came, or will not come. */
type Text<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "there"; readonly value: T }
  | { readonly kind: "none"; readonly why: string };

type Diff = { readonly text: string; readonly cutBytes: number };

/** All that is known of one attempt. */
type Open = {
  readonly attempt: AttemptId;
  readonly abort: AbortController;
  readonly items: LogItem[];
  problem: string | null;
  log: { readonly key: string; readonly made: LogLines; taken: number } | null;
  diff: Text<Diff> | null;
  prompt: Text<string> | null;
  /** The body that was made last, and what it was made of. */
  made: { readonly key: string; readonly of: unknown; readonly shown: Shown } | null;
};

export function createTaskTexts(texts: RunTexts, changed: () => void): TaskTexts {
  let open: Open | null = null;

  function opened(attempt: AttemptId): Open {
    if (open?.attempt === attempt) return open;
    open?.abort.abort();
    const mine: Open = {
      ...{ attempt, abort: new AbortController(), items: [], problem: null },
      ...{ log: null, diff: null, prompt: null, made: null },
    };
    open = mine;
    const show = (item: LogItem): void => {
      mine.items.push(item);
      if (open === mine) changed();
    };
    void follow(texts, mine, show, changed);
    return mine;
  }

  return {
    read: (task, place, look) => {
      if (place.n === 0) return told(`${task.id} has not started: there is nothing to see yet`, look);
      const mine = opened(`${task.id}/${place.n}` as AttemptId); // as every attempt is named
      if (place.tab === "log") return { body: bodyOf(logLines(mine, task, look)), figures: null };
      if (place.tab === "diff") return diffShown(mine, { place, texts, changed }, look);
      if (place.tab === "gates") return gatesShown(mine, task, look);
      return promptShown(mine, { texts, changed }, look);
    },
    heard: (fact) => {
      if (open === null || !isAbout(fact, open.attempt)) return;
      if (fact.type === "attempt.saved") open.diff = null;
      if (fact.type === "attempt.started" || fact.type === "attempt.spawned") open.prompt = null;
    },
    rest: () => {
      open?.abort.abort();
      open = null;
    },
  };
}

const isAbout = (fact: Fact, attempt: AttemptId): boolean => "attempt" in fact && fact.attempt === attempt;

async function follow(
  texts: RunTexts,
  mine: Open,
  show: (item: LogItem) => void,
  changed: () => void,
): Promise<void> {
  try {
    const read = await texts.log(mine.attempt, { show, signal: mine.abort.signal });
    mine.problem = read.ok ? null : read.refusal.message;
  } catch (error) {
    mine.problem = messageOf(error);
  }
  changed();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function logLines(mine: Open, task: Task, look: Look): readonly Line[] {
  const key = `${look.width} ${look.glyphs.ascii}`;
  if (mine.log?.key !== key) {
    const worker = task.work.kind === "command" ? "command" : "agent";
    mine.log = { key, made: createLogLines(worker, look), taken: 0 };
  }
  const { log } = mine;
  for (; log.taken < mine.items.length; log.taken += 1) log.made.add(mine.items[log.taken] as LogItem);
  if (mine.problem !== null) return [...log.made.lines, problemLine(mine.problem, look)];
  return log.made.lines.length === 0 ? [[dim("nothing yet")]] : log.made.lines;
}

const problemLine = (problem: string, { glyphs }: Look): Line => [styled("red", shown(problem, glyphs))];

type Asking = { readonly texts: RunTexts; readonly changed: () => void };

function diffShown(
  mine: Open,
  { place, texts, changed }: Asking & { readonly place: TaskPlace },
  look: Look,
): Shown {
  mine.diff ??= load(mine, "diff", () => diffOf(texts, mine.attempt), changed);
  const { diff } = mine;
  if (diff.kind === "loading") return told("reading the diff", look);
  if (diff.kind === "none") return told(diff.why, look);
  const notes = notesOf(mine.items);
  const key = `diff ${look.width} ${look.glyphs.ascii} ${place.wraps} ${notes.size}`;
  return remembered(mine, key, diff.value, () => ({
    body: diffBody({ ...diff.value, notes, wraps: place.wraps }, look),
    figures: diffFigures(diff.value.text),
  }));
}

async function diffOf(texts: RunTexts, attempt: AttemptId): Promise<Text<Diff>> {
  const made = await texts.diff(attempt);
  if (!made.ok) return { kind: "none", why: made.refusal.message };
  if (made.kind === "at-work") return { kind: "none", why: "running: changes are shown once they are saved" };
  if (made.diff.text === "") return { kind: "none", why: "it changed nothing" };
  return { kind: "there", value: made.diff };
}

/** What was found when the work was saved, by file. */
function notesOf(items: readonly LogItem[]): Map<string, string> {
  return new Map(
    items.flatMap((item) => {
      if (item.kind !== "fact" || item.logged.fact.type !== "attempt.saved") return [];
      return item.logged.fact.findings.map(({ path, detail }): [string, string] => [path, detail]);
    }),
  );
}

function gatesShown(mine: Open, task: Task, look: Look): Shown {
  const key = `gates ${look.width} ${look.glyphs.ascii} ${mine.items.length}`;
  const gates = task.gates.map(({ name }) => name);
  return remembered(mine, key, mine.items, () => ({
    body: gatesBody({ gates, items: mine.items }, look),
    figures: null,
  }));
}

async function promptOf(texts: RunTexts, attempt: AttemptId): Promise<Text<string>> {
  const value = await texts.prompt(attempt);
  return value === null ? { kind: "none", why: "it has no prompt" } : { kind: "there", value };
}

function promptShown(mine: Open, { texts, changed }: Asking, look: Look): Shown {
  mine.prompt ??= load(mine, "prompt", () => promptOf(texts, mine.attempt), changed);
  const { prompt } = mine;
  if (prompt.kind === "loading") return told("reading the prompt", look);
  if (prompt.kind === "none") return told(prompt.why, look);
  const key = `prompt ${look.width} ${look.glyphs.ascii}`;
  return remembered(mine, key, prompt.value, () => {
    const lines = prompt.value.replaceAll("\t", "  ").split("\n");
    const wrapped = lines.flatMap((line) => wrapWords(shown(line, look.glyphs), look.width));
    return { body: bodyOf(wrapped.map((line): Line => [line])), figures: null };
  });
}

/** What was asked for again meanwhile is not put back by an older answer. */
function load<K extends "diff" | "prompt">(
  mine: Open,
  what: K,
  fetch: () => Promise<NonNullable<Open[K]>>,
  changed: () => void,
): NonNullable<Open[K]> {
  const loading = { kind: "loading" } as NonNullable<Open[K]>;
  void fetch()
    .catch((error: unknown) => ({ kind: "none", why: messageOf(error) }) as NonNullable<Open[K]>)
    .then((text) => {
      if (mine[what] === loading) mine[what] = text;
      changed();
    });
  return loading;
}

/** A screen is drawn many times a second; what it shows changes seldom. */
function remembered(mine: Open, key: string, of: unknown, make: () => Shown): Shown {
  if (mine.made?.key !== key || mine.made.of !== of) mine.made = { key, of, shown: make() };
  return mine.made.shown;
}

const told = (text: string, { glyphs, width }: Look): Shown => ({
  body: bodyOf(wrapWords(shown(text, glyphs), width).map((line): Line => [dim(line)])),
  figures: null,
});
