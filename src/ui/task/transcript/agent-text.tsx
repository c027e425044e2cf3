import { useMemo } from "preact/hooks";
import { visible } from "../../parts/ansi.ts";
import { fenceAfter } from "../fence.ts";

/** Text of an agent: paragraphs, `code` as code, and code blocks as blocks. Everything else is plain text. */
export function AgentText({ text }: { readonly text: string }) {
  const parts = useMemo(() => partsOf(visible(text)), [text]);
  return (
    <div class="task-said">
      {parts.map(({ text: part, isCode }, n) => {
        const trimmed = part.replace(/^\n+|\s+$/g, "");
        if (trimmed === "") return null;
        return isCode ? <pre key={n}>{trimmed}</pre> : <p key={n}>{withCode(trimmed)}</p>;
      })}
    </div>
  );
}

/** Without the lines that only mark where code begins and ends. */
function partsOf(text: string): { readonly text: string; readonly isCode: boolean }[] {
  const parts = [{ text: "", isCode: false }];
  let open: string | null = null;
  for (const line of text.split("\n")) {
    const mark = fenceAfter(line, open);
    if (mark !== open) parts.push({ text: "", isCode: mark !== null });
    else (parts.at(-1) as { text: string }).text += `${line}\n`;
    open = mark;
  }
  return parts;
}

function withCode(text: string) {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, n) => (n % 2 === 1 ? <code key={n}>{part.slice(1, -1)}</code> : part));
}
