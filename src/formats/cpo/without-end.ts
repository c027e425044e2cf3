/** Without the signs of one kind that a text ends with. A pattern that looks for the end tries from each of them anew. */
export function withoutEnd(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}
