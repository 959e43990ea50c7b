/** The commands beside `kedge -p`: what `--help` says of each, and what completion offers after it. */
export type Command = {
  name: string
  help: string
  /** What may follow. */
  words?: readonly string[]
  flags?: readonly string[]
}

export const COMMANDS = [
  {
    name: 'doctor',
    help: 'what is wrong with this set-up, and how to mend it',
    flags: ['--offline', '--json', '--help'],
  },
  { name: 'models', help: 'models you can use', flags: ['--json'] },
  {
    name: 'mcp',
    help: 'add, list, test and remove MCP servers',
    words: ['add', 'add-json', 'list', 'get', 'remove', 'test'],
    flags: ['--scope', '--transport', '--env', '--header', '--timeout', '--help'],
  },
  {
    name: 'permissions',
    help: 'what would happen to a tool call here, and why (permissions explain --help)',
    words: ['explain'],
    flags: [
      ...['--tool', '--input', '--mode', '--allow', '--ask', '--deny', '--cwd', '--add-dir', '--setting-sources'],
      ...['--trust', '--json', '--help'],
    ],
  },
  {
    name: 'completion',
    help: 'completion for your shell: completion bash, zsh or fish',
    words: ['bash', 'zsh', 'fish'],
  },
] as const satisfies readonly Command[]
