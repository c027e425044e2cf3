import type { ComponentChildren } from "preact";
import { ballOf, stateWord } from "../../core/select/state-words.ts";
import type { ShownState } from "../../core/select/task-rows.ts";
import { StateIcon } from "./icon.tsx";

/** A state as sign and word on its tint; `children` say until when, or how often. */
export function StateBadge({
  shown,
  children,
}: {
  readonly shown: ShownState;
  readonly children?: ComponentChildren;
}) {
  return (
    <span class={`badge ball-${ballOf[shown]}`}>
      <StateIcon shown={shown} />
      {stateWord(shown)}
      {children}
    </span>
  );
}
