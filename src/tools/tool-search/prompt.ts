/** What the model reads about ToolSearch. */

export const toolSearchPrompt = `Finds tools that exist but are not offered to you yet, and makes those it finds available from your next step on.

- "select:A,B" takes tools by name, when you know them.
- Words find tools by their names and descriptions: "slack message".
- "+slack send" finds only what has to do with slack, what fits "send" best first.

Such a tool can be called only after this one has found it.`
