/** What the model reads about the tools of the task list. */

export const taskCreatePrompt = `Puts a task on the list of this session, where you and the user see what is to be done and how far it is.

Use the list for work of three steps or more, or when the user names several things to do. Skip it for a single simple step or a question. A new task is pending and has no owner; set up with TaskUpdate which tasks wait for which.`

export const taskGetPrompt = `Shows one task of the list in full: its description, its status, what it waits for and what waits for it. Read it before you start on a task.`

export const taskListPrompt = `Lists all tasks with their status, owner, and the unfinished tasks they wait for. A task is free to start when it is pending, has no owner and waits for nothing. Take tasks in the order of their ids unless there is a reason not to.`

export const taskUpdatePrompt = `Changes a task of the list.

- Set status to in_progress when you start, and to completed as soon as the task is really done: not when tests fail or parts are missing.
- addBlockedBy and addBlocks say which tasks wait for which. Tasks cannot wait for each other in a circle.
- deleted takes a task off the list for good.`
