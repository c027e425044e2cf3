import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readRequirements } from "./read-requirements.ts";

const read = (text: string) => readRequirements({ file: "prd.md", text });
const found = (text: string) =>
  read(text).requirements.map(({ id, text: says, at }) => `${at.start.line} ${id}: ${says}`);

describe("ids that a document writes", () => {
  test("begin rows, items, headings and paragraphs, plain or marked", () => {
    const text = `# Shop

| id | what |
|---|---|
| R1 | The shop reserves |
| **R2** | What is *reserved* |

- FR-2: Sign in
- **NFR-3** Answers in 200 ms
- [ ] \`REQ-001\`: Export
1. US-4 – Leave

### FR-AUTH-01: Tokens

**R9.** A paragraph
R10: not at the beginning of one

#### Requirement 12: As Kiro has it
`;
    expect(found(text)).toEqual([
      "5 R1: The shop reserves",
      "6 R2: What is *reserved*",
      "8 FR-2: Sign in",
      "9 NFR-3: Answers in 200 ms",
      "10 REQ-001: Export",
      "11 US-4: Leave",
      "13 FR-AUTH-01: Tokens",
      "15 R9: A paragraph",
      "18 R12: As Kiro has it",
    ]);
    expect(read(text)).toMatchObject({ hasIds: true, repeated: [] });
  });

  test("are told from the code or the emphasis that the text behind them begins with", () => {
    const text = `- R1: \`inStock(items)\` gives a \`list\`
- **R2** – \`priceOf\`
- \`R3:\` whole
- R4: *fast* and **bold**
- R5: **bold** alone
`;
    expect(found(text)).toEqual([
      ...["1 R1: `inStock(items)` gives a `list`", "2 R2: `priceOf`", "3 R3: whole"],
      ...["4 R4: *fast* and bold", "5 R5: bold alone"],
    ]);
  });

  test("are not standards, versions, products, decisions, nor references in a sentence", () => {
    const text = `---
title: R1
---
# Product requirements for R2

R2 storage keeps the files. As R1 says, it is fast.

## Goals

- Reservations that hold (R1)
- UTF-8 everywhere
- S3: a bucket
- RFC-0007: decided
- TS-0042: the spec
- P0: first of all
- R2 storage is used
- 1.1 million users
- V2: next year

\`\`\`
R5: code
\`\`\`

<!-- R6: a comment -->
<!--
R7: another
-->

## Out of scope

- R8: not now

## Release 1.1

1.1 is the next version.
`;
    expect(found(text)).toEqual([]);
  });

  test("are numbers and other prefixes only below a heading that speaks of requirements", () => {
    const text = `## 1 Overview
### 1.1 Not a requirement
## 2 Functional requirements
- PAY-7: Pay
### 2.1 Sign in
- 2.1.1 With a password
- 2.1.2 With a key
### 2.2 Sign out
- 2.5 GB of memory
- S3 keeps the files
- SHA-256: hashes
## 3 Traceability
| R1 | task |
`;
    expect(found(text)).toEqual([
      "4 PAY-7: Pay",
      "6 2.1.1: With a password",
      "7 2.1.2: With a key",
      "8 2.2: Sign out",
    ]);
    expect(read(text).groups).toEqual(["2.1"]);
  });

  test("below numbered areas count, and the areas do not; a heading may have a prefix of its own", () => {
    const text = `# PRD
## 3. Functional requirements
### 3.1 Accounts
- **FR-01**: Sign in
- **FR-02**: Sign out
### 3.2 Payments
### DM-001 Direct messages
### IPV6 works
## 4. User stories
### Epic 1: Selling
#### US-101: List
`;
    expect(found(text)).toEqual([
      "4 FR-01: Sign in",
      "5 FR-02: Sign out",
      "6 3.2: Payments",
      "7 DM-001: Direct messages",
      "11 US-101: List",
    ]);
  });

  test("count once; two declarations among requirements are told", () => {
    const text = "## Requirements\n- R1: a\n- R2: b\n- R1: c\n\n## Plan\n- R2: later\n";
    expect(found(text)).toEqual(["2 R1: a", "3 R2: b"]);
    expect(read(text).repeated).toMatchObject([{ first: { text: "a" }, second: { text: "c" } }]);
  });
});

describe("documents without ids", () => {
  test("have the headings below a section of requirements by their names, else its items by number", () => {
    const text = `# PRD
## Problem
- not this
## Functional requirements
### Overview
### Sign in
- a detail
### Sign out
## Non-functional requirements
- Fast
  - on old machines
- Safe
## Non-goals
- Cheap
`;
    expect(found(text)).toEqual(["6 sign-in: Sign in", "8 sign-out: Sign out", "10 R3: Fast", "12 R4: Safe"]);
    expect(read(text).hasIds).toBe(false);
    expect(found("## User stories\n\n| As a user |\n|---|\n| I sign in |\n")).toEqual(["5 R1: I sign in"]);
    expect(found("# Shop\n\nA shop.\n")).toEqual([]);
  });
});

test("the examples have those of their PRDs, and their tech specs only refer to them", () => {
  for (const name of ["inventory-python", "inventory-typescript"]) {
    const prd = readFileSync(new URL(`../../../examples/${name}/docs/prd.md`, import.meta.url), "utf8");
    expect(read(prd).requirements.map(({ id }) => id)).toEqual(["R1", "R2", "R3", "R4", "R5", "R6", "R7"]);
  }
});

test("long lines and many braces cost little", () => {
  const text = `## Requirements\n${"- **".repeat(50_000)}\n${"|".repeat(100_000)}\n${"R".repeat(100_000)}\n`;
  const from = performance.now();
  read(text);
  expect(performance.now() - from).toBeLessThan(1_000);
});
