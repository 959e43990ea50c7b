/** Why an MCP server can't be used and what to do about it, for people in a shell: an error of Node says neither. */
import { isObject } from '../../protocol/json.js'
import type { McpServerStatus } from '../../protocol/mcp-servers.js'
import { NETWORK_FAILURES } from './network-failures.js'

export type McpFailure = Pick<McpServerStatus, 'name' | 'status' | 'error'>

/** What is known of the server's configuration. */
export type McpServerPlace = {
  config?: unknown
  /** File and scope of the entry: "/home/you/.claude.json (local)". */
  where?: string
  /** What was printed while it connected. */
  notes?: readonly string[]
  /** The variables of this shell: proxies are set there. */
  env?: Readonly<Record<string, string | undefined>>
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
  const known = explainError(name, error, place)
  const problem = known?.problem ?? error
  // The server's output follows on separate lines.
  return { ...known, problem: problem.includes('\n') ? `${start}:\n${problem}` : `${start}: ${withFullStop(problem)}` }
}

const NOISE = /printed a line that isn't a JSON message: ([\s\S]*?)\s*$/
const NOT_READY = /^The server was not ready within (\S+) s/
const EXITED = /^The server exited with code (\d+)\.(?: It said: ([\s\S]*))?$/
const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']

function explainError(name: string, error: string, place: McpServerPlace): Explanation | undefined {
  const { config, where, notes = [], env = {} } = place
  const at = where === undefined ? '' : ` in ${where}`
  const url = isObject(config) && typeof config['url'] === 'string' ? config['url'] : undefined
  const noise = notes.map((note) => NOISE.exec(note)?.[1]).find((line) => line !== undefined)
  if (noise !== undefined) return explainNoise(noise, error)
  const [, seconds] = NOT_READY.exec(error) ?? []
  if (seconds !== undefined) return explainSlowStart(seconds, url, at)
  const exited = EXITED.exec(error)
  if (exited) return explainExit(exited, config, at)
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : 'the server'
  const proxy = PROXIES.find((variable) => env[variable]) ?? 'HTTPS_PROXY'
  for (const { pattern, explain } of NETWORK_FAILURES) {
    const found = pattern.exec(error)
    if (found) return explain({ name, at, url, host, proxy }, found)
  }
  return undefined
}

/** Programs that print a banner never get as far as an answer. */
function explainNoise(line: string, error: string): Explanation {
  const end = NOT_READY.test(error) ? 'and no answer came' : 'and it ended'
  return {
    problem: `it printed "${line}" on stdout, which isn't JSON-RPC, ${end}`,
    fix: 'make the program write its logs to stderr, or start the mode that speaks MCP over stdio.',
  }
}

function explainSlowStart(seconds: string, url: string | undefined, at: string): Explanation {
  const twice = Math.max(60, 2 * Number(seconds)) * 1000
  if (url !== undefined)
    return {
      problem: `${url} took the connection, but didn't answer within ${seconds} s`,
      fix: `check that it is the address of an MCP server, or wait longer: MCP_TIMEOUT=${twice} kedge mcp test NAME`,
    }
  return {
    problem: `the program started, but didn't answer within ${seconds} s`,
    fix: `wait longer, in milliseconds: MCP_TIMEOUT=${twice}. If that doesn't help, check \`args\`${at}: the program must speak MCP on stdin and stdout.`,
  }
}

function explainExit([, code, said]: RegExpExecArray, config: unknown, at: string): Explanation {
  const command = isObject(config) ? [config['command'], ...listOf(config['args'])].map(String).join(' ') : ''
  const how = code === '0' ? 'the program ended without an error' : `the program ended with exit code ${code}`
  return {
    problem: said === undefined ? `${how} before it answered` : `${how}. It printed:\n${said}`,
    fix: `run it in a shell, and correct \`command\` and \`args\`${at}: ${command}`,
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
