/** The file by which an agent of this format says that it is done. */
export const DONE_FILE = ".claude-task-complete";

/** What every agent is told beside its prompt. Prompt files leave the form of the answer to whoever runs them. */
export function systemPrompt({ mayWrite }: { readonly mayWrite: boolean }): string {
  return `You work on one task of a larger plan; other agents work on the other tasks at the same time. Do the whole task without asking back.
${mayWrite ? done : ""}
End your last message with one JSON object, and write nothing after it:

{
  "task_completed": true,
  "validation_passed": true,
  "files_created": ["path"],
  "files_modified": ["path"],
  "tests_run": 0,
  "tests_passed": 0,
  "tests_failed": 0,
  "summary": "what you did, in a few sentences",
  "full_log": "what is worth knowing about how you did it",
  "error_message": null
}

task_completed: whether you did all that was asked. validation_passed: true only if every criterion is met and all tests pass.
Where one of them is false, say why in error_message.
`;
}

const done = `
When the task is done and its tests pass, and only then, run as your last command: touch ${DONE_FILE}
The file belongs into the root of your worktree. Do not commit it.
`;
