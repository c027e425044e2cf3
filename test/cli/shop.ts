/** A run with a bit of everything: merged, mended after a red gate, failed with work to keep, skipped, a command. */
export const shop = `plait: 1
name: shop
defaults: { agent: demo, retries: 0, fix-rounds: 1 }
gates:
  - name: no-todo
    run: "! grep -rn TODO src"
tasks:
  - id: schema
    title: Add the orders table
    owns: [src/schema/**]
    prompt: |
      demo: write src/schema/orders.sql create table orders (id int);
      demo: spend 0.04
      demo: say The orders table is there.\\nIts key is a number.
  - id: api
    title: Serve orders over HTTP
    needs: [schema]
    owns: [src/api/**]
    prompt: |
      demo: on attempt 1: write src/api/orders.js // TODO: answer
      demo: on attempt 2+: write src/api/orders.js export const orders = [];
      demo: spend 0.11
  - id: tax
    needs: [api]
    owns: [src/tax/**]
    prompt: |
      demo: write src/tax/rates.js half done
      demo: fail agent-said-no the rates are not known
  - id: invoices
    needs: [tax]
    owns: [src/invoices/**]
    prompt: Write invoices.
  - id: build
    needs: [api]
    owns: [out/**]
    command: "mkdir -p out && printf '\\\\033[31mred\\\\033[0m bell\\\\007\\\\n' && echo built > out/b.txt"
`;
