/** What the model reads about AskUserQuestion. */

export const askUserQuestionPrompt = `Asks the user questions and waits for the answers.

Use it when a decision is the user's to make and the answer changes what you do: requirements that can be read in two ways, a choice between approaches with different costs, a preference you cannot know. Do not ask what you can find out yourself, and do not ask whether to go on.

- Ask related questions in one call, at most four. Each has two to four options that exclude each other, or multiSelect.
- If you recommend an option, put it first and add "(Recommended)" to its label.
- The user can choose, or answer in words of their own.
- In plan mode, clarify what the plan depends on with this tool, but get the plan itself approved with ExitPlanMode.`
