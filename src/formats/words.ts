const LONGEST = 60;

/** A text of the user as it would be typed in quotes, cut to what a hint can bear. */
export function inQuotes(text: string): string {
  return JSON.stringify(short(text));
}

export function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
