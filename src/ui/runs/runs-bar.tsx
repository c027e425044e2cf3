import type { RefObject } from "preact";
import { usePage } from "../context.ts";
import { Icon } from "../parts/icon.tsx";

/** The bar on top where no run is open. */
export function RunsBar({
  query,
  onQuery,
  input,
  hasFind,
}: {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly hasFind: boolean;
}) {
  const { session } = usePage();
  return (
    <header class="runs-bar">
      <a class="runs-logo" href="#/runs" aria-label="All runs">
        <Icon sign="logo" size={22} />
      </a>
      <span class="runs-path">
        <span title={session.repository.path}>{session.repository.name}</span>
        <span class="runs-slash"> / </span>
        <span class="mono">runs</span>
      </span>
      {hasFind && (
        <label class="runs-find">
          <Icon sign="find" size={14} />
          <span class="unseen">Find run</span>
          <input
            ref={input}
            type="search"
            placeholder="Find run"
            value={query}
            onInput={(event) => onQuery(event.currentTarget.value)}
          />
          <kbd>/</kbd>
        </label>
      )}
    </header>
  );
}
