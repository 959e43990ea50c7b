/** What the model reads about TodoWrite. */

export const todoWritePrompt = `Keeps the list of steps for the current task, so that you lose none of them and the user sees how far you are.

Use it for work of three steps or more, or when the user names several things to do. Skip it for a single simple step or a question.

- Every call gives the whole list; it replaces the old one.
- content says what is to be done ("Run the tests"); activeForm says it as something under way ("Running the tests").
- status is pending, in_progress or completed. Have one step in_progress at a time. Mark a step completed as soon as it is really done, not when its tests fail or parts are missing.
- Add steps you discover on the way; drop those that no longer matter.`
