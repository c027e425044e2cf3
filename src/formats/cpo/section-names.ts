import type { Part } from "../front-matter.ts";

/** The sections of a prompt file, in their order. Whoever reads, writes or checks prompts takes the names from here. */
export const sectionNames = [
  "REQUIRED SKILLS",
  "CONTEXT",
  "OBJECTIVE",
  "CONTRACTS",
  "FILES TO CREATE",
  "FILES TO MODIFY",
  "DO NOT MODIFY",
  "IMPLEMENTATION REQUIREMENTS",
  "ACCEPTANCE CRITERIA",
  "EXECUTION INSTRUCTIONS",
  "IMPORTANT RULES",
  "COMPLETION SIGNAL",
] as const;

export type SectionName = (typeof sectionNames)[number];

export const sectionLine = (name: SectionName): string => `=== ${name} ===`;

const MARKER = /^([ \t]*)=== ([^\r\n]*?) ===[ \t]*\r?$/gm;

/** `start` and `end` are those of what stands below the marker. */
export type PromptSection = Part & { readonly name: string; readonly heading: number };

/** Every section of a prompt, also those that nobody knows here. What stands above the first is none. */
export function sectionsIn(text: string): PromptSection[] {
  const markers = [...text.matchAll(MARKER)];
  return markers.map((marker, i) => ({
    name: marker[2] as string,
    heading: marker.index + (marker[1] as string).length,
    start: marker.index + marker[0].length,
    end: markers[i + 1]?.index ?? text.length,
  }));
}

/** A text that can begin no section, whatever is in it. */
export function withoutMarkers(text: string): string {
  return text.replace(MARKER, (line, blanks: string) => `${blanks}\\${line.slice(blanks.length)}`);
}
