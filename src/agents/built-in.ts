/** The agents that plait brings along. Apart from their adapters, because who checks a plan needs no more than the names. */
export const BUILT_IN_NAMES: readonly string[] = ["claude", "codex", "demo"];

/** Of those, the ones that tell no cost: a budget of a run does not see what they spend. */
export const BUILT_IN_WITHOUT_COST: readonly string[] = ["codex"];
