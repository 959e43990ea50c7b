/** What the model reads about TaskStop. */

export const taskStopPrompt = `Ends a background task, with every process it has started. task_id is the id you were given when the task was started. What the task has put out stays readable.`
