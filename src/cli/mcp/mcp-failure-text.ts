/** Why an MCP server can't be used and what to do about it, for people in a shell: an error of Node says neither. */
import { isObject } from '../../protocol/json.js'
import type { McpServerStatus } from '../../protocol/mcp-servers.js'

export type McpFailure = Pick<McpServerStatus, 'name' | 'status' | 'error'>

/** What is known of the server's configuration. */
export type McpServerPlace = {
  config?: unknown
  /** File and scope of the entry: "/home/you/.claude.json (local)". */
  where?: string
}

type Explanation = { problem: string; fix?: string }

const STATUS_WORDS: Readonly<Record<McpServerStatus['status'], string>> = {
  connected: 'is connected',
  failed: 'failed',
  pending: "didn't connect in time",
  'needs-auth': 'needs authentication',
  disabled: 'is disabled',
}

/** Returns "files failed: the program npxx doesn't exist." and what to do, where that is known. */
export function explainMcpFailure({ name, status, error }: McpFailure, place: McpServerPlace): Explanation {
  const start = `${name} ${STATUS_WORDS[status]}`
  if (error === undefined) return { problem: `${start}.` }
  const known = explainError(error, place)
  const problem = known?.problem ?? error
  // The server's output follows on separate lines.
  return { ...known, problem: problem.includes('\n') ? `${start}:\n${problem}` : `${start}: ${withFullStop(problem)}` }
}

const NO_PROGRAM = /^spawn (.+) (ENOENT|EACCES)$/
const NO_NAME = /^getaddrinfo (?:ENOTFOUND|EAI_AGAIN|EAI_NODATA) (\S+)$/

function explainError(error: string, { config, where }: McpServerPlace): Explanation | undefined {
  const at = where === undefined ? '' : ` in ${where}`
  const url = isObject(config) && typeof config['url'] === 'string' ? config['url'] : undefined
  const program = NO_PROGRAM.exec(error)
  if (program)
    return program[2] === 'ENOENT'
      ? { problem: `the program ${program[1]} doesn't exist`, fix: `correct \`command\`${at}, or install it.` }
      : { problem: `the program ${program[1]} can't be run`, fix: `make it executable, or correct \`command\`${at}.` }
  if (/\bECONNREFUSED\b/.test(error) && !error.includes('\n'))
    return {
      problem: url === undefined ? 'nothing listens at its address' : `nothing listens at ${url}`,
      fix: `start the server, or correct \`url\`${at}.`,
    }
  const host = NO_NAME.exec(error)?.[1]
  if (host !== undefined)
    return {
      problem: `the name ${host} could not be resolved`,
      fix: `correct \`url\`${at}, or check the network and its DNS.`,
    }
  return undefined
}

function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
