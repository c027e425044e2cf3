/** Exit codes of cast-parallel: a run that failed is not told from one that could not begin, and 128 is what git says outside a repository. */
export const castCodes = { ok: 0, failed: 1, usage: 2, noRepository: 128 } as const;
