import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunAction } from "../../core/run-action.ts";
import { actionWords } from "../../core/select/action-words.ts";
import { capital } from "../../core/select/sentences.ts";
import type { ActionAnswer } from "../../report/page/wire.ts";
import { useMoment, usePage, useToast } from "../context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Words } from "../parts/words.tsx";
import { SourceError } from "../source/source.ts";
import { useOffers } from "../use-offers.ts";
import { useAnnounce } from "./live-region.tsx";
import "./dialog.css";

type ConfirmProps = { readonly action: RunAction; readonly onClose: () => void };

/** Asks once and tells the effect, then does it. What is refused is said here, in the words of who refused it. */
export function Confirm({ action, onClose }: ConfirmProps) {
  const { state, isDriven } = useMoment();
  // As it was when it was asked: a question must not change while it is read.
  const words = useMemo(() => actionWords(state, action, { isDriven }), [action]);
  const { isAsking, refusal, act } = useAct(onClose);
  const safe = useSafeChoice(action);
  const verb = useRef<HTMLButtonElement>(null);
  // Again after a refusal: while it was asked the button could not have the focus.
  useLayoutEffect(() => verb.current?.focus(), [refusal]);
  return (
    <Dialog name={words.question} class="confirm" onClose={onClose}>
      <h2 class="confirm-question">{words.question}</h2>
      <p class="confirm-effect">
        <Words text={words.effect} />
      </p>
      {refusal !== null && (
        <p class="confirm-refusal ball-you" role="alert">
          {refusal.message.startsWith(state.run) ? refusal.message : capital(refusal.message)}
          {refusal.hint !== "" && <span class="confirm-hint">{capital(refusal.hint)}</span>}
        </p>
      )}
      <div class="confirm-buttons">
        {safe !== null && (
          <button type="button" class="button confirm-safe" disabled={isAsking} onClick={() => act(safe)}>
            Drain: let them end
          </button>
        )}
        <button type="button" class="button" onClick={onClose}>
          Cancel <kbd class="key">esc</kbd>
        </button>
        <button
          ref={verb}
          type="button"
          class={`button ${words.isGrave ? "danger" : "primary"}`}
          disabled={isAsking}
          onClick={() => act(action)}
        >
          {words.verb}
        </button>
      </div>
    </Dialog>
  );
}

type Refusal = Extract<ActionAnswer, { ok: false }>;

/** Beside a stop there is a softer one. */
function useSafeChoice(action: RunAction): RunAction | null {
  const offers = useOffers(null);
  if (action.kind !== "stop" || action.mode === "drain") return null;
  return offers.find((one) => one.kind === "stop" && one.mode === "drain") ?? null;
}

function useAct(onClose: () => void) {
  const { source } = usePage();
  const { state, isDriven } = useMoment();
  const toast = useToast();
  const announce = useAnnounce();
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function ask(action: RunAction): Promise<void> {
    setAsking(true);
    setRefusal(null);
    const answer = await source.act(state.run, action).catch(problemOf);
    setAsking(false);
    if (!answer.ok) {
      setRefusal(answer);
      return;
    }
    const { asked } = actionWords(state, action, { isDriven });
    toast({ shown: "passed", text: asked, isAnswer: true });
    announce({
      text: asked.replace(/\.$/, ""),
      isUrgent: true,
      about: "task" in action ? action.task : null,
    });
    onClose();
  }
  return { isAsking, refusal, act: (action: RunAction) => void ask(action) };
}

function problemOf(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, message, hint: error instanceof SourceError ? error.hint : "" };
}
