/** Times and sizes that the environment sets, as users of MCP servers know them. */

export type ServerLimits = {
  /** Until a server is ready. */
  connectMs: number
  /** For one call of a tool, where the server's configuration says nothing. */
  callMs: number
  /** Maximum tokens that one call adds to the conversation. */
  outputTokens: number
}

const CONNECT_MS = 30_000
/** As good as none: some tools build for hours, and the user can always interrupt. */
const CALL_MS = 100_000_000
const OUTPUT_TOKENS = 25_000
const MAX_MS = 2 ** 31 - 1

export function readLimits(env: Readonly<Record<string, string | undefined>>): ServerLimits {
  return {
    connectMs: number(env['MCP_TIMEOUT'], CONNECT_MS, MAX_MS),
    callMs: number(env['MCP_TOOL_TIMEOUT'], CALL_MS, MAX_MS),
    outputTokens: number(env['MAX_MCP_OUTPUT_TOKENS'], OUTPUT_TOKENS, 10_000_000),
  }
}

/** A whole number above zero; anything else counts as not set. */
function number(text: string | undefined, otherwise: number, max: number): number {
  if (text === undefined || !/^\s*\d{1,15}\s*$/.test(text)) return otherwise
  const value = Number(text)
  return value === 0 ? otherwise : Math.min(value, max)
}
