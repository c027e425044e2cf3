/** A sentence in which what is typed stands between backticks, and looks typed. */
export function Words({ text }: { readonly text: string }) {
  return <>{text.split("`").map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}</>;
}
