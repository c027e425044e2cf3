/** Mermaid refuses to draw more than this by default, and a diagram cannot raise it. */
export const MERMAID_EDGE_LIMIT = 500;
export const MERMAID_TEXT_LIMIT = 50_000;
