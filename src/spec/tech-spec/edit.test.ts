import { expect, test } from "vitest";
import { defaultCaps } from "../../config/settings.ts";
import { withStatus } from "./edit.ts";

const approve = (text: string) => withStatus(text, { status: "approved", today: "2026-02-01" }, defaultCaps);

test.each([
  [
    "with comments, CRLF and an order of its own",
    '---\r\n# mine\r\nlast_updated: 2026-01-15   # when\r\nstatus:  "DRAFT"  # soon\r\ntech_spec_id: TS-0001\r\n---\r\nstatus: DRAFT\r\n',
    '---\r\n# mine\r\nlast_updated: 2026-02-01   # when\r\nstatus:  "APPROVED"  # soon\r\ntech_spec_id: TS-0001\r\n---\r\nstatus: DRAFT\r\n',
  ],
  [
    "without a date: one is added",
    "---\r\nstatus: draft # x\r\ntech_spec_id: TS-0001\r\n---\r\n",
    "---\r\nstatus: APPROVED # x\r\nlast_updated: 2026-02-01\r\ntech_spec_id: TS-0001\r\n---\r\n",
  ],
  [
    "with the date left empty",
    "---\nlast_updated:\nstatus: 'DRAFT'\n---\n",
    "---\nlast_updated: 2026-02-01\nstatus: 'APPROVED'\n---\n",
  ],
  [
    "with a comment in the place of the date, and status as the last line",
    "---\nlast_updated: # when\nstatus: DRAFT\n---\n",
    "---\nlast_updated: 2026-02-01 # when\nstatus: APPROVED\n---\n",
  ],
  [
    "in one map",
    "---\n{ status: DRAFT, last_updated: x }\n---\n",
    "---\n{ status: APPROVED, last_updated: 2026-02-01 }\n---\n",
  ],
])("only status and date change: %s", (_, text, expected) => {
  expect(approve(text)).toBe(expected);
});

test.each([
  ["an alias", "---\nx: &s DRAFT\nstatus: *s\nlast_updated: y\n---\n"],
  ["one map without a date", "---\n{ status: DRAFT }\n---\n"],
  ["no status", "---\nx: y\n---\n"],
])("where the rest would change too, nothing is changed: %s", (_, text) => {
  expect(approve(text)).toBe(null);
});
