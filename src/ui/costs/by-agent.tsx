import type { CostFigures } from "../../core/select/cost-figures.ts";
import { dollars, tokenCount } from "../../core/text/figures.ts";

export function ByAgent({ figures }: { readonly figures: CostFigures }) {
  const { byAgent, usd, total, tokens, lostUsd, remarks } = figures;
  const share = usd === null || usd === 0 ? 0 : Math.round((100 * lostUsd) / usd);
  return (
    <section class="costs-card card costs-agents" aria-labelledby="costs-agents">
      <header>
        <h2 id="costs-agents">By agent</h2>
      </header>
      {byAgent.length > 0 && (
        <table class="mono">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Tasks</th>
              <th scope="col">Tokens</th>
              <th scope="col">Not merged</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {byAgent.map((one) => (
              <tr key={one.agent}>
                <th scope="row">{one.agent}</th>
                <td>{one.tasks}</td>
                <td>{one.tokens === 0 ? "–" : tokenCount(one.tokens)}</td>
                <td class={one.lostUsd > 0 ? "costs-lost" : ""}>{dollars(one.lostUsd)}</td>
                <td>{one.usd === null ? "–" : dollars(one.usd)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All</th>
              <td>{byAgent.reduce((sum, one) => sum + one.tasks, 0)}</td>
              <td>{tokens === null ? "–" : tokenCount(tokens)}</td>
              <td class={lostUsd > 0 ? "costs-lost" : ""}>{dollars(lostUsd)}</td>
              <td>{total}</td>
            </tr>
          </tfoot>
        </table>
      )}
      {byAgent.length === 0 && <p>No agent has started.</p>}
      {lostUsd > 0 && <p>Not merged: attempts that failed or were retried, {share}% of the cost.</p>}
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
    </section>
  );
}
