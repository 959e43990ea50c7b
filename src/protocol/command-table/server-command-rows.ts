/** Commands that offer sessions to other programs, or join them: serve, attach, acp. */
import type { Command } from './command-row.js'

export const SERVE_COMMAND = {
  name: 'serve',
  help: 'start the web app and the HTTP API',
  about:
    'Start a server with a web app and an HTTP API for your sessions. Sessions continue after you close the browser, and after a restart. On a terminal, Kedge prints the link that signs you in.',
  flags: [
    { name: 'host', kind: 'text', value: 'ADDRESS', default: '127.0.0.1', help: 'address to listen on' },
    {
      name: 'port',
      kind: 'text',
      value: 'NUMBER',
      range: [0, 65_535],
      default: '4141',
      help: 'port to listen on; 0 picks a free one',
    },
    {
      name: 'root',
      kind: 'repeat',
      value: 'FOLDER',
      default: 'this folder',
      help: 'let sessions work in this folder and below; repeatable',
    },
    {
      name: 'token',
      kind: 'text',
      value: 'TOKEN',
      secret: true,
      default: 'the one in ~/.claude/server/token',
      help: 'token that clients need; KEDGE_SERVER_TOKEN sets it too',
    },
    { name: 'model', kind: 'text', value: 'NAME', help: 'model for sessions that name none; practice needs no key' },
    {
      name: 'trust',
      kind: 'switch',
      help: 'use settings, hooks, and MCP servers of all folders (default: only of folders you trust)',
    },
    {
      name: 'allow-host',
      kind: 'repeat',
      value: 'HOST',
      help: "accept another name for this server, such as a proxy's NAME:PORT; repeatable",
    },
    {
      name: 'allow-origin',
      kind: 'repeat',
      value: 'ORIGIN',
      help: 'accept requests from pages of this origin; repeatable',
    },
    {
      name: 'allow-remote',
      kind: 'switch',
      help: 'accept connections from other machines, unencrypted; needs a token that you set',
    },
    {
      name: 'webhook',
      kind: 'repeat',
      value: 'URL',
      secret: true,
      help: 'call this URL when a session needs you, ends or fails; repeatable',
    },
    {
      name: 'push-contact',
      kind: 'text',
      value: 'ADDRESS',
      help: 'contact for push services: mailto:… or https://…',
    },
    {
      name: 'ask-timeout',
      kind: 'text',
      value: 'SECONDS',
      range: [1, 31_536_000],
      default: 'wait',
      help: 'deny requests left unanswered this long',
    },
    {
      name: 'drain-seconds',
      kind: 'text',
      value: 'SECONDS',
      range: [0, 86_400],
      default: '30',
      help: 'how long running turns can take to end after SIGTERM',
    },
    {
      name: 'max-body',
      kind: 'text',
      value: 'BYTES',
      range: [1000, 1_000_000_000],
      default: '20000000',
      help: 'largest request body',
    },
    {
      name: 'database',
      kind: 'text',
      value: 'ADDRESS',
      secret: true,
      help: 'keep sessions in PostgreSQL and run them with `kedge worker`: postgres://USER:PASSWORD@HOST:PORT/NAME, embedded, or embedded:FOLDER; KEDGE_DATABASE sets it too, and hides the password from process lists',
    },
    {
      name: 'tenant',
      kind: 'text',
      value: 'NAME',
      default: 'default',
      help: 'with --database: tenant that owns the sessions',
    },
    { name: 'app', kind: 'text', value: 'NAME', help: 'with --database: app of new sessions, as workers define it' },
  ],
  examples: [
    ['kedge serve', 'use your sessions in a browser on this machine'],
    ['kedge serve --model practice', 'try it without an API key'],
    ['kedge serve --root ~/work --port 8080', 'let sessions work below ~/work'],
    ['kedge serve --allow-host agents.example.com', 'behind a reverse proxy'],
  ],
  page: 'server',
} as const satisfies Command

export const ATTACH_COMMAND = {
  name: 'attach',
  help: 'join a server session from this terminal',
  about:
    'Join a session of a running `kedge serve` from this terminal. Without an argument, start a new session on the server of this machine.',
  arguments: [{ name: 'URL|ID', isOptional: true, help: "the server's address, or the id of a session" }],
  flags: [
    {
      name: 'token',
      kind: 'text',
      value: 'TOKEN',
      secret: true,
      default: 'KEDGE_SERVER_TOKEN, or the one in ~/.claude/server/token',
      help: 'token of the server',
    },
    { name: 'plain', kind: 'switch', help: 'write plain lines, for screen readers and pipes' },
  ],
  examples: [
    ['kedge attach 3f0c1b9e-6d5a-4f1e-9d55-0c2f4a7b8e61', 'join a session of this machine'],
    ['kedge attach https://agents.example.com/', 'start a session on another server'],
  ],
  page: 'terminal',
} as const satisfies Command

export const ACP_COMMAND = {
  name: 'acp',
  help: 'run Kedge as the agent of an editor',
  about:
    'Run Kedge as an agent for editors that support the Agent Client Protocol, such as Zed. The editor starts this command and talks to it over stdin and stdout.',
  flags: [
    { name: 'model', kind: 'text', value: 'NAME', help: 'model of new sessions; practice needs no key' },
    // Modes that Kedge doesn't have get a text of their own.
    { name: 'permission-mode', kind: 'text', value: 'MODE', help: 'permission mode of new sessions' },
    {
      name: 'settings',
      kind: 'text',
      value: 'FILE',
      secret: true,
      help: 'settings file that overrides user and project settings',
    },
    {
      name: 'no-project-settings',
      kind: 'switch',
      help: 'ignore settings, hooks, and MCP servers of folders',
    },
  ],
  examples: [
    ['kedge acp', 'the command to configure in your editor'],
    ['kedge acp --model practice', 'try it without an API key'],
  ],
  page: 'acp',
} as const satisfies Command
