import type { CommandSpec } from "./commands.ts";

/** `plait spec …`: from a tech spec to an artefact folder that `plait run` takes. */
export const specCommands: readonly CommandSpec[] = [
  {
    name: "spec init",
    argument: ["<folder>", "the artefact folder, which must not exist"],
    says: "make an artefact folder with one example task, valid from the first moment",
    flags: ["techSpecId", "specName", "tech"],
    examples: [
      ["plait spec init parallel/TS-0042-inventory -t TS-0042 -n inventory", "then replace what says so"],
      [
        "plait spec init parallel/TS-0042-shop -t TS-0042 -n shop --tech typescript",
        "with types in TypeScript",
      ],
      ["plait validate parallel/TS-0042-inventory", "check the whole of it"],
    ],
    load: async () => (await import("./commands/spec/init.ts")).init,
  },
];
