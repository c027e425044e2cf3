import { visible } from "../../parts/ansi.ts";

/** What an agent said: paragraphs, `code` as code, and blocks of code as blocks. Everything else is as it was written. */
export function Said({ text }: { readonly text: string }) {
  const parts = visible(text).split(/^```.*$/m);
  return (
    <div class="task-said">
      {parts.map((part, n) => {
        const trimmed = part.replace(/^\n+|\s+$/g, "");
        if (trimmed === "") return null;
        if (n % 2 === 1) return <pre key={n}>{trimmed}</pre>;
        return <p key={n}>{withCode(trimmed)}</p>;
      })}
    </div>
  );
}

function withCode(text: string) {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, n) => (n % 2 === 1 ? <code key={n}>{part.slice(1, -1)}</code> : part));
}
