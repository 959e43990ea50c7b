/** What the model reads about Config. */

export const configPrompt = `Reads or changes a setting of this session. Without a value it reads; with one it changes the setting, and the user is asked first.

Use it only when the user wants to know or change a setting.`
