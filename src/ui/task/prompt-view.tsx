import { useCallback, useMemo } from "preact/hooks";
import { sizeText } from "../../core/text/figures.ts";
import { usePage } from "../context.ts";
import { visible } from "../parts/ansi.ts";
import { Blank, Loading, Problem } from "../parts/blank.tsx";
import { CopyText } from "../parts/sentence-text.tsx";
import { useLoaded } from "../parts/use-loaded.ts";
import { MARKDOWN } from "./diff/languages.ts";
import { type Inside, type Token, tokenLine } from "./diff/tokens.ts";
import { type TabProps, toAttemptRef } from "./use-task.ts";

/** The prompt as the agent got it. */
export function PromptView({ shown, attempt, route }: TabProps) {
  const { source } = usePage();
  const ask = useCallback(() => source.prompt(toAttemptRef(route, attempt.n)), [source, attempt.attempt]);
  const loaded = useLoaded(attempt.attempt, ask);
  return (
    <div class="task-pane">
      <h3 class="unseen">Prompt of attempt {attempt.n}</h3>
      {loaded.kind === "loading" && <Loading what="the prompt" />}
      {loaded.kind === "problem" && <Problem error={loaded.error} />}
      {loaded.kind === "loaded" && loaded.value === null && (
        <Blank title="No prompt">
          <p>{shown.task.work.kind === "command" ? "The task is a command." : "The prompt was not saved."}</p>
        </Blank>
      )}
      {loaded.kind === "loaded" && loaded.value !== null && <Prompt {...loaded.value} />}
    </div>
  );
}

function Prompt({ text, cutBytes }: { readonly text: string; readonly cutBytes: number }) {
  const lines = useMemo(() => promptLines(visible(text)), [text]);
  return (
    <>
      <p class="task-prompt-bar faint row">
        {sizeText(new TextEncoder().encode(text).length)}
        {cutBytes > 0 && `, ${sizeText(cutBytes)} omitted`}
        <CopyText text={text} what="the prompt">
          Copy
        </CopyText>
      </p>
      <pre class="task-prompt wrap">
        {lines.map((tokens, n) => (
          <span key={n}>
            {tokens.map(({ text: piece, kind }, at) =>
              kind === null ? (
                piece
              ) : (
                <span key={at} class={`task-prompt-${kind}`}>
                  {piece}
                </span>
              ),
            )}
            {"\n"}
          </span>
        ))}
      </pre>
    </>
  );
}

function promptLines(text: string): (readonly Token[])[] {
  let inside: Inside = null;
  return text.split("\n").map((line) => {
    const read = tokenLine(MARKDOWN, line, inside);
    inside = read.inside;
    return read.tokens;
  });
}
