/** What the model reads about StructuredOutput. */

export const structuredOutputPrompt = `Hands in the final answer as data. Call it once, when the work is done, with an input that matches its schema exactly: it is what the user's program reads. After that, end with a short text.`

/** When the model ends without having called it. */
export const STRUCTURED_OUTPUT_MISSING =
  'The answer has to be handed in with the StructuredOutput tool, and that has not happened yet. Call it now, with an input that matches its schema.'
