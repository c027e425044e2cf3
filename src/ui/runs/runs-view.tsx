import type { RunId } from "../../core/ids.ts";
import { usePage } from "../context.ts";

export function RunsView({ compare }: { readonly compare: readonly [RunId, RunId] | null }) {
  const { session } = usePage();
  return (
    <h1>
      Runs of {session.repository.name} {compare?.join(" with ")}
    </h1>
  );
}
