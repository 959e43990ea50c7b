/** What the model reads about TaskOutput. */

export const taskOutputPrompt = `Shows what a background task has put out so far, and how it stands.

- task_id is the id you were given when the task was started.
- It waits for the task to end, up to timeout; set block to false for a look at once.
- You are told by yourself when a task ends: do not ask again and again.
- Long output loses its beginning. All of it is in the task's output file.`
