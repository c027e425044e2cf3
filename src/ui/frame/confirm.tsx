import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunAction } from "../../core/decide.ts";
import { formatAction } from "../../core/select/action-text.ts";
import { capital } from "../../core/text/figures.ts";
import type { ActionAnswer } from "../../report/page/wire.ts";
import { useMoment, usePage, useToast } from "../context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { SourceError } from "../source/source.ts";
import { useOffers } from "../use-offers.ts";
import { LandForm } from "./land-form.tsx";
import { useAnnounce } from "./live-region.tsx";
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
      <p class="confirm-effect">
        <SentenceText text={text.effect} />
      </p>
      {action.kind === "land" && <LandForm action={action} onChange={setAction} />}
      {refusal !== null && (
        <p class="confirm-refusal actor-you" role="alert">
          {refusal.message.startsWith(state.run) ? refusal.message : capital(refusal.message)}
          {refusal.hint !== "" && <span class="confirm-hint">{capital(refusal.hint)}</span>}
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
