/** What the model reads about Skill. */

export const skillPrompt = `Loads a skill: instructions for a kind of task, written by the user or for this project.

- When a task fits a skill that is available, load it before you begin, and follow it.
- "/name" in a user's message means the skill of that name; what follows the name goes into args.
- Use only names that were listed as available. Do not load the same skill again while its instructions are still in the conversation.`
