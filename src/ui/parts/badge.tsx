import type { ComponentChildren } from "preact";
import { nextActorByKind, type StatusKind } from "../../core/select/task-status.ts";
import { StateIcon } from "./icon.tsx";

type StateBadgeProps = {
  readonly shown: StatusKind;
  readonly word?: string;
  readonly children?: ComponentChildren;
};

/** A state as sign and word on its tint; `children` say until when, or how often. */
export function StateBadge({ shown, word = shown, children }: StateBadgeProps) {
  return (
    <span class={`badge actor-${nextActorByKind[shown]}`}>
      <StateIcon shown={shown} />
      {word}
      {children}
    </span>
  );
}
