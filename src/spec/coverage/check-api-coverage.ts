import type { Diagnostic, Severity } from "../../core/source.ts";
import type { ContractFile } from "../contracts/check.ts";
import { operationsOf } from "../integrate/routes/operations.ts";
import { checkOperations, type OperationCoverage } from "./check-operations.ts";

export type ApiCoverage = Omit<OperationCoverage, "operations"> & {
  readonly api: ContractFile;
  /** Null where there is none. */
  readonly types: ContractFile | null;
  /** How grave it is that the two contradict each other. */
  readonly differing: Severity;
};

/** Whether tasks implement all of the API contract, and the types contract says the same as it does. */
export async function checkApiCoverage({
  api,
  types,
  differing,
  ...coverage
}: ApiCoverage): Promise<Diagnostic[]> {
  const unowned = checkOperations({ ...coverage, operations: operationsOf(api).operations });
  if (types === null) return unowned;
  const { checkContractsAgree } = await import("./check-contracts-agree.ts"); // with the parser of the language
  return [...unowned, ...(await checkContractsAgree({ types, api }, differing))];
}
