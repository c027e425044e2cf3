/** What is kept as a clause, written where a sentence stands. */

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** With a dot at its end, unless it ends a sentence already. */
export const dotted = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** With a capital and a dot. */
export const sentence = (text: string): string => dotted(capital(text));
