import type { ComponentChildren } from "preact";
import { nextActorByKind, type StatusKind } from "../../core/select/task-status.ts";
import { StateIcon } from "./icon.tsx";

/** A state as sign and word on its tint; `children` say until when, or how often. */
export function StateBadge({
  shown,
  children,
}: {
  readonly shown: StatusKind;
  readonly children?: ComponentChildren;
}) {
  return (
    <span class={`badge actor-${nextActorByKind[shown]}`}>
      <StateIcon shown={shown} />
      {shown}
      {children}
    </span>
  );
}
