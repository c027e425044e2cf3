import type { AppCode } from "./codes.ts";
import type { TextFailure } from "./read-text.ts";

/** What a finding is called when a text cannot be read, whatever it was to be. How much is too much depends on that. */
export const textCodes: { readonly [Reason in Exclude<TextFailure, "too-large">]: AppCode } = {
  missing: "file-missing",
  unreadable: "file-unreadable",
  "link-loop": "file-unreadable",
  folder: "not-a-file",
  special: "not-a-file",
  "not-text": "not-text",
};
