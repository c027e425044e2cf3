import type { ComponentChildren } from "preact";
import type { DiffDocument } from "../../../report/page/wire.ts";
import type { Loaded } from "../../parts/use-loaded.ts";
import type { TaskRoute } from "../../route.ts";
import type { ShownTask } from "../use-task.ts";

export type RailProps = {
  readonly shown: ShownTask;
  readonly route: TaskRoute;
  readonly diff: Loaded<DiffDocument>;
};

type SectionProps = {
  readonly title: string;
  readonly right?: ComponentChildren;
  /** On a narrow page it comes last. */
  readonly isLate?: boolean;
  readonly children: ComponentChildren;
};

export function Section({ title, right, isLate = false, children }: SectionProps) {
  return (
    <section class={isLate ? "task-rail-section ruled task-rail-late" : "task-rail-section ruled"}>
      <div class="task-rail-title quiet">
        <h3>{title}</h3>
        {right !== undefined && <span>{right}</span>}
      </div>
      {children}
    </section>
  );
}
