import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunAction } from "../../core/decide.ts";
import type { RefName } from "../../core/ids.ts";
import { isProposed, type LandStyle, type Publish } from "../../core/plan.ts";
import { formatAction } from "../../core/select/action-text.ts";
import { capital, shortRef } from "../../core/text/figures.ts";
import type { ActionAnswer } from "../../report/page/wire.ts";
import { useMoment, useOffers, usePage, useToast } from "../context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { SourceError } from "../source/source.ts";
import { useAnnounce } from "./messages.tsx";
import "./dialog.css";

type ConfirmProps = { readonly action: RunAction; readonly onClose: () => void };

/** Shows the effect of an action and asks once, then does it. A refusal is shown as whoever refused worded it. */
export function Confirm({ action: given, onClose }: ConfirmProps) {
  const { state, isRunning } = useMoment();
  const [action, setAction] = useState(given);
  // As it was when it was asked: a question must not change while it is read.
  const text = useMemo(() => formatAction(state, action, { isRunning }), [action]);
  const { isAsking, refusal, act } = useAct(onClose);
  const softer = useSofterStop(action);
  const verb = useRef<HTMLButtonElement>(null);
  // Again after a refusal: until the answer the button could not have the focus.
  useLayoutEffect(() => verb.current?.focus(), [refusal]);
  return (
    <Dialog name={text.question} class="confirm" onClose={onClose}>
      <h2 class="confirm-question">{text.question}</h2>
      <p class="confirm-effect quiet">
        <SentenceText text={text.effect} />
      </p>
      {action.kind === "land" && <LandForm action={action} onChange={setAction} />}
      {refusal !== null && (
        <p class="confirm-refusal wrap actor-you" role="alert">
          Not done: {refusal.message}
          {refusal.hint !== "" && <span class="confirm-hint quiet">{capital(refusal.hint)}</span>}
        </p>
      )}
      <div class="confirm-buttons">
        {softer !== null && (
          <button type="button" class="button confirm-safe" disabled={isAsking} onClick={() => act(softer)}>
            Stop when attempts finish
          </button>
        )}
        <button type="button" class="button" onClick={onClose}>
          Cancel <kbd class="key">esc</kbd>
        </button>
        <button
          ref={verb}
          type="button"
          class={`button ${text.isGrave ? "danger" : "primary"}`}
          disabled={isAsking}
          onClick={() => act(action)}
        >
          {text.verb}
        </button>
      </div>
    </Dialog>
  );
}

type Refusal = Extract<ActionAnswer, { ok: false }>;

function useSofterStop(action: RunAction): RunAction | null {
  const offers = useOffers(null);
  if (action.kind !== "stop" || action.mode === "drain") return null;
  return offers.find((one) => one.kind === "stop" && one.mode === "drain") ?? null;
}

function useAct(onClose: () => void) {
  const { source } = usePage();
  const { state, isRunning } = useMoment();
  const toast = useToast();
  const announce = useAnnounce();
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function ask(action: RunAction): Promise<void> {
    setAsking(true);
    setRefusal(null);
    const answer = await source.act(state.run, action).catch(toRefusal);
    setAsking(false);
    if (!answer.ok) {
      setRefusal(answer);
      return;
    }
    const { accepted } = formatAction(state, action, { isRunning });
    toast({ shown: "passed", text: accepted, isAnswer: true });
    announce({ text: accepted, isUrgent: true, about: "task" in action ? action.task : null });
    onClose();
  }
  return { isAsking, refusal, act: (action: RunAction) => void ask(action) };
}

function toRefusal(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, message, hint: error instanceof SourceError ? error.hint : "" };
}

type LandAction = Extract<RunAction, { kind: "land" }>;

type LandFormProps = { readonly action: LandAction; readonly onChange: (action: LandAction) => void };

const STYLES: readonly Choice<LandStyle["as"]>[] = [
  ["rebase", "One commit per task"],
  ["merge", "Merge commit"],
  ["squash", "One commit"],
];

const PUBLISHING: readonly Choice<Publish>[] = [
  ["no", "Land only"],
  ["push", "Land and push"],
  ["pull-request", "Open a pull request"],
  ["pull-request-per-task", "Open one pull request per task"],
];

/** How the run lands: as it was started, unless it is changed here. */
function LandForm({ action, onChange }: LandFormProps) {
  const { state } = useMoment();
  const { publish, landStyle } = state.policy;
  const target = shortRef(action.target ?? state.target ?? "");
  const isLanded = state.landing.kind === "landed";
  const put = (change: Partial<LandAction>) => onChange({ ...action, ...change });
  return (
    <div class="confirm-fields">
      {!isLanded && (
        <>
          <Select
            name="Commits"
            choices={STYLES}
            value={action.as ?? landStyle.as}
            onPick={(as) => put({ as })}
          />
          <TextField
            name="Branch"
            value={target}
            onType={(name) => put({ target: `refs/heads/${name.trim()}` as RefName })}
          />
        </>
      )}
      <Select
        name="Publish"
        choices={PUBLISHING}
        value={action.publish ?? publish}
        onPick={(one) => put({ publish: one })}
      />
      {isProposed(action.publish ?? publish) && (
        <PullRequestFields action={action} style={landStyle} onChange={onChange} />
      )}
    </div>
  );
}

type PullRequestFieldsProps = LandFormProps & { readonly style: LandStyle };

function PullRequestFields({ action, style, onChange }: PullRequestFieldsProps) {
  const { draft: _, ...rest } = action;
  return (
    <>
      <TextField
        name="Reviewers"
        value={(action.reviewers ?? style.reviewers ?? []).join(", ")}
        onType={(text) => onChange({ ...action, reviewers: splitNames(text) })}
      />
      <TextField
        name="Labels"
        value={(action.labels ?? style.labels ?? []).join(", ")}
        onType={(text) => onChange({ ...action, labels: splitNames(text) })}
      />
      <label class="confirm-field quiet">
        <span>Draft</span>
        <input
          type="checkbox"
          checked={action.draft ?? style.draft ?? false}
          disabled={style.draft === true}
          onChange={(event) => onChange(event.currentTarget.checked ? { ...rest, draft: true } : rest)}
        />
      </label>
    </>
  );
}

const splitNames = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

type Choice<T> = readonly [value: T, name: string];

type SelectProps<T> = {
  readonly name: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  readonly onPick: (value: T) => void;
};

function Select<T extends string>({ name, choices, value, onPick }: SelectProps<T>) {
  return (
    <label class="confirm-field quiet">
      <span>{name}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value as T)}>
        {choices.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

type TextFieldProps = {
  readonly name: string;
  readonly value: string;
  readonly onType: (text: string) => void;
};

/** Takes what was typed when it is left: a list that is written back while it is typed loses its commas. */
function TextField({ name, value, onType }: TextFieldProps) {
  return (
    <label class="confirm-field quiet">
      <span>{name}</span>
      <input type="text" value={value} onChange={(event) => onType(event.currentTarget.value)} />
    </label>
  );
}
