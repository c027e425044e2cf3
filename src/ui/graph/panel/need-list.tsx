import { listNeeds, type Need } from "../../../core/select/needs.ts";
import { capitalize, fix } from "../../../core/text/sentence.ts";
import { useMoment } from "../../context.ts";
import { Icon } from "../../parts/icon.tsx";
import { SentenceText } from "../../parts/sentence-text.tsx";

/** Needs that no row of the list shows. A banner offers to resume. */
export function useRunNeeds(): readonly Need[] {
  const { state, isRunning } = useMoment();
  return listNeeds(state, { isRunning }).filter(({ kind }) => !SHOWN.has(kind));
}

const SHOWN: ReadonlySet<Need["kind"]> = new Set<Need["kind"]>([
  "approve",
  "submit",
  "conflict",
  "failed",
  "resume",
]);

/** Each with the first thing to do about it. */
export function NeedList({ needs }: { readonly needs: readonly Need[] }) {
  if (needs.length === 0) return null;
  return (
    <ul class="graph-needs">
      {needs.map(({ key, text, details, steps: [first] }) => (
        <li key={key}>
          <Icon sign="warning" size={14} />
          <p>
            <SentenceText text={capitalize(text)} />
          </p>
          {details.slice(0, MOST_DETAILS).map((detail, n) => (
            <p key={n} class="quiet">
              <SentenceText text={capitalize(detail)} />
            </p>
          ))}
          <p class="quiet">
            <SentenceText text={capitalize(fix(first.purpose, first.command))} />
          </p>
        </li>
      ))}
    </ul>
  );
}

const MOST_DETAILS = 3;
