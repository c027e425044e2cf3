import type {
  GateDraft,
  PlanDraft,
  PreparationDraft,
  TaskDraft,
  TaskSettingsDraft,
  TextSource,
} from "../../core/draft.ts";
import type { SourceRange } from "../../core/source.ts";
import { plainTask, unprepared, unsaid, unset } from "../unsaid.ts";

/**
 * A plan without a file: prompts and gates as somebody typed them. It becomes a draft like any other, so everything that
 * can be done with a plan can be done with it. Places are the flags themselves.
 */
export type PromptPlan = {
  readonly prompts: readonly Prompt[];
  /** Lines for the shell; the gates of the plan. */
  readonly gates: readonly string[];
  /** Untracked paths of the checkout that worktrees get. */
  readonly copy?: readonly string[];
  /** Lines for the shell, in each fresh worktree. */
  readonly setup?: readonly string[];
  /** Left out: the first words of the first prompt. */
  readonly name?: string;
  /** The file that the prompts are about; left out where somebody typed them. */
  readonly path?: string;
  /** How the result lands; default: as the layers around the plan decide. */
  readonly landStyle?: PlanDraft["landStyle"];
  /** Of every task; what is left out, the layers around the plan decide. */
  readonly settings?: Partial<TaskSettingsDraft>;
};

/** `flag` says which one it was, such as `--prompt 2`. Id and title are made of the words where they are left out. */
export type Prompt = {
  readonly flag: string;
  readonly source: TextSource;
  readonly id?: string;
  readonly title?: string;
};

const PROMPTS_PATH = "-p";

export function draftOfPrompts(plan: PromptPlan): PlanDraft {
  const { prompts, gates, name, path, settings, landStyle } = plan;
  const ids = idsOf(prompts.map(({ source }) => source));
  const own = { ...unset, ...settings };
  return {
    format: "prompts",
    path: path ?? PROMPTS_PATH,
    name: name ?? ids[0] ?? "prompts",
    ...unsaid,
    tasks: prompts.map((prompt, index) => taskOf(prompt, prompt.id ?? (ids[index] as string), own)),
    gates: gates.map((line, index) =>
      gateOf(line, placeOf(gates.length > 1 ? `--gate ${index + 1}` : "--gate")),
    ),
    prepare: preparationFor(plan),
    ...(landStyle !== undefined && { landStyle }),
  };
}

function preparationFor({ copy, setup }: PromptPlan): PreparationDraft {
  const shell = (line: string) => ({ kind: "shell", line }) as const;
  return {
    ...unprepared,
    copy: copy?.map((value) => ({ value, at: placeOf("--copy") })) ?? null,
    setup: setup?.map((line) => ({ value: shell(line), at: placeOf("--setup") })) ?? null,
  };
}

/** A flag has no lines. */
function placeOf(flag: string): SourceRange {
  const nowhere = { line: 0, col: 0 };
  return { file: flag, start: nowhere, end: nowhere };
}

function taskOf({ flag, source, title }: Prompt, id: string, settings: TaskSettingsDraft): TaskDraft {
  const at = placeOf(flag);
  const work = { kind: "agent", prompt: { value: source, at } } as const;
  return { ...plainTask, id: { value: id, at }, title: title ?? titleOf(source), work, settings };
}

function gateOf(line: string, at: SourceRange): GateDraft {
  return {
    run: { kind: "shell", line },
    ...{ name: null, dir: null, when: [], retries: null, slots: null, timeoutMs: null },
    ...{ env: null, knownRed: null, results: null, at },
  };
}

const LONGEST_TITLE = 200;

function titleOf(source: TextSource): string {
  if (source.kind === "file") return source.file;
  const line = source.text.trim().split("\n")[0]?.trim() ?? "";
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1)}…` : line;
}

const LONGEST_ID = 32;
const MOST_WORDS = 5;
const SMALL_WORDS = /^(?:a|an|the)$/;

/** The first words of a prompt, or the name of its file; numbered where two begin alike. */
function idsOf(sources: readonly TextSource[]): string[] {
  const used = new Set<string>();
  return sources.map((source, index) => {
    const base = wordsOf(source) || `task-${index + 1}`;
    let id = base;
    for (let n = 2; used.has(id); n += 1) id = `${base}-${n}`;
    used.add(id);
    return id;
  });
}

function wordsOf(source: TextSource): string {
  const text =
    source.kind === "file"
      ? source.file.replace(/^.*[/\\]/, "").replace(/(?<=.)\.[^.]*$/, "")
      : (source.text.trim().split("\n")[0] ?? "");
  const words =
    text
      .normalize("NFKD")
      .replace(/[\p{M}'’]/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const telling = words.filter((word) => !SMALL_WORDS.test(word)).slice(0, MOST_WORDS);
  let id = "";
  for (const word of telling) {
    const longer = id === "" ? word.slice(0, LONGEST_ID) : `${id}-${word}`;
    if (longer.length > LONGEST_ID) break;
    id = longer;
  }
  return id;
}
