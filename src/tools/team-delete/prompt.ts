/** What the model reads about TeamDelete. */

export const teamDeletePrompt = `Removes your team, its mailboxes and its task list. Members that still run keep it: ask each of them to shut down first (SendMessage, shutdown_request) and await their answers.`
