/** How much of the conversation one Read may fill, in tokens that are estimated, not counted. */
import type { ToolContext } from '../tool.js'

const DEFAULT_TOKENS = 25_000
/** English and code come to about four ASCII characters per token; any other character is often one by itself. */
const ASCII_PER_TOKEN = 4

export function readTokenLimit(context: ToolContext): number {
  const asked = Number(context.env['CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS'])
  return Number.isInteger(asked) && asked > 0 ? asked : DEFAULT_TOKENS
}

export function estimateTokens(text: string): number {
  let ascii = 0
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) < 128) ascii += 1
  return Math.ceil(ascii / ASCII_PER_TOKEN) + text.length - ascii
}

/** What surely is more than so many tokens: a character has at most three bytes for each of its UTF-16 units. */
export function maxBytesOfTokens(tokens: number): number {
  return tokens * ASCII_PER_TOKEN * 3
}
