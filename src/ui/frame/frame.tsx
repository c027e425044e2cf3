import type { ComponentChildren } from "preact";
import { useMoment } from "../context.ts";
import type { Route } from "../route.ts";

export type FrameProps = {
  readonly route: Exclude<Route, { view: "runs" }>;
  readonly children: ComponentChildren;
};

/** What is around every view of a run. */
export function Frame({ route, children }: FrameProps) {
  const { progress } = useMoment();
  return (
    <main>
      <h1>
        {route.run} {progress.done} of {progress.total} merged
      </h1>
      {children}
    </main>
  );
}
