/** What the model reads about ExitPlanMode. */

export const exitPlanModePrompt = `Shows the user your plan and asks for approval to leave plan mode and carry it out.

- Write the plan to the plan file first: the user is shown what that file holds.
- Call this only when the plan is complete. What is still open between you and the user belongs into AskUserQuestion before.
- This is the way to ask for approval: do not ask "Is this plan all right?" in text or with AskUserQuestion.
- Use it for work that changes something. For research, where nothing is to be carried out, just answer.
- allowedPrompts tells the user which kinds of commands will follow. It grants nothing by itself.`
