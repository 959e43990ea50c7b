/** `headersHelper`: the user's own command that prints headers, such as a token, as a JSON object. */
import type { ProcessRunner } from '../../platform/processes/processes.js'
import { isObject } from '../../protocol/json.js'
import { messageOf } from '../../protocol/thrown.js'
import { McpError } from '../mcp-error.js'
import { type ConfigVariables, checkHeaders } from '../server-config.js'

const TIMEOUT_MS = 10_000

export type HeadersHelperInput = {
  name: string
  url: string
  cwd: string
  env: ConfigVariables
  processes: Pick<ProcessRunner, 'run'>
}

/**
 * Runs the command that prints headers for an MCP server. Rejects with a reason that never repeats what the command
 * printed on stdout: it may be a key.
 */
export async function runHeadersHelper(command: string, run: HeadersHelperInput): Promise<Record<string, string>> {
  const fail = (reason: string) => new McpError('mcp_invalid_configuration', `headersHelper ${reason}`)
  const end = await run.processes
    .run({
      // A shell command line by definition, written by the user.
      command: 'bash',
      args: ['-c', command],
      cwd: run.cwd,
      env: { ...run.env, CLAUDE_CODE_MCP_SERVER_NAME: run.name, CLAUDE_CODE_MCP_SERVER_URL: run.url },
      timeoutMs: TIMEOUT_MS,
      maxBytes: 65_536,
    })
    .catch((error: unknown) => {
      throw fail(`could not be started: ${messageOf(error)}`)
    })
  if (end.timedOut) throw fail(`did not answer within ${TIMEOUT_MS / 1000} s.`)
  if (end.exitCode !== 0) throw fail(`ended with exit code ${end.exitCode}: ${end.stderr.trim().slice(-200)}`)
  let value: unknown
  try {
    value = JSON.parse(end.stdout)
  } catch {
    value = undefined
  }
  const entries = isObject(value) ? Object.entries(value) : undefined
  const texts = entries?.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  if (!texts || texts.length !== entries?.length) throw fail('must print a JSON object of texts.')
  const problems: string[] = []
  const headers = checkHeaders(Object.fromEntries(texts), problems)
  if (problems[0] !== undefined) throw fail(`printed headers that can't be used: ${problems[0]}.`)
  return headers
}
