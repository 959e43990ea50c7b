/** `kedge mcp serve`: sessions for programs that speak MCP. */
import type { Command } from './command-row.js'
import { SERVE_COMMAND } from './server-command-rows.js'

const SHARED = ['host', 'port', 'token', 'allow-host', 'allow-origin', 'allow-remote'] as const

/** Flags of `kedge serve`, of which only some apply here. */
const HTTP_FLAGS = SERVE_COMMAND.flags.filter((flag): flag is Extract<typeof flag, { name: (typeof SHARED)[number] }> =>
  SHARED.some((name) => name === flag.name),
)

export const MCP_SERVE_COMMAND = {
  name: 'mcp serve',
  help: 'offer your sessions to MCP clients',
  about:
    'Offer sessions as the tools of an MCP server: start a session, send prompts, read, and answer requests. Without --http, the client starts this command and talks to it on stdin and stdout.',
  flags: [
    {
      name: 'root',
      kind: 'repeat',
      value: 'FOLDER',
      default: 'this folder',
      help: 'let sessions work in this folder and below; repeatable',
    },
    { name: 'model', kind: 'text', value: 'NAME', help: 'model for sessions that name none; practice needs no key' },
    {
      name: 'trust',
      kind: 'switch',
      help: 'use settings, hooks, and MCP servers of all folders (default: only of folders you trust)',
    },
    {
      name: 'scope',
      kind: 'repeat',
      value: 'SCOPE',
      choices: ['read', 'prompt', 'answer'],
      default: 'all three',
      help: 'let the client only read, prompt, or answer requests; repeatable; not with --http, where the token decides',
    },
    { name: 'http', kind: 'switch', help: 'listen on a port, at the path /mcp, instead of stdin' },
    ...HTTP_FLAGS,
  ],
  examples: [
    ['kedge mcp serve', 'for a client that starts it'],
    ['kedge mcp serve --scope read --scope prompt', "the client can't approve tool calls"],
    ['kedge mcp serve --http --port 4142', 'for clients on this machine that have the token'],
  ],
  page: 'mcp-server',
} as const satisfies Command
