/** Commands that look at a setup or change it: doctor, models, migrate, update, completion. */
import type { Command } from './command-row.js'

const JSON_FLAG = { name: 'json', kind: 'switch', help: 'print one JSON object' } as const

export const DOCTOR_COMMAND = {
  name: 'doctor',
  help: 'check your setup and suggest fixes',
  about:
    'Check what a session in this folder needs: Node, API key, model endpoint, tools, sandbox, settings, permission rules, folders, and disk space. Changes nothing and never shows a key.',
  flags: [{ name: 'offline', kind: 'switch', help: 'send no requests over the network' }, JSON_FLAG],
  examples: [
    ['kedge doctor', 'check everything; the request to the endpoint costs nothing'],
    ['kedge doctor --offline', 'check without the network'],
  ],
  sections: [
    {
      title: 'Exit codes',
      rows: [
        ['0', 'no check failed; there might be warnings, or no key yet'],
        ['1', 'a check failed'],
      ],
    },
  ],
  page: 'cli',
} as const satisfies Command

export const MODELS_COMMAND = {
  name: 'models',
  help: 'list the models you can use',
  about:
    'List the models you can pass to --model. Kedge asks the model API, and falls back to its built-in list. The short names sonnet, opus, haiku, best and opusplan work everywhere, and practice needs no key.',
  arguments: [{ name: 'ID', isOptional: true, help: 'a model, or a provider such as ollama (default: all models)' }],
  flags: [JSON_FLAG],
  examples: [
    ['kedge models', 'list all models'],
    ['kedge models claude-sonnet-4-6', 'check that a model exists'],
    ['kedge models ollama', 'list the models of another provider'],
  ],
  page: 'models',
} as const satisfies Command

export const MIGRATE_COMMAND = {
  name: 'migrate',
  help: 'move a project from the Claude Agent SDK to Kedge',
  about:
    'Find what a project uses of @anthropic-ai/claude-agent-sdk, and report for each use whether it works the same, works differently, or is missing. The needed changes of imports are printed as a diff. Files that git ignores are skipped.',
  arguments: [{ name: 'FOLDER', isOptional: true, help: 'the project (default: this folder)' }],
  flags: [
    { name: 'write', kind: 'switch', help: 'change the imports in the files' },
    { ...JSON_FLAG, help: 'print the report as one JSON object' },
  ],
  examples: [
    ['kedge migrate', 'report what would change'],
    ['kedge migrate --write', 'change the imports'],
  ],
  sections: [
    {
      title: 'Exit codes',
      rows: [
        ['0', 'nothing is left to do'],
        ['1', 'something is left to change or to look at'],
        ['2', 'the project could not be read or written'],
      ],
    },
  ],
  page: 'migration',
} as const satisfies Command

export const UPDATE_COMMAND = {
  name: 'update',
  help: 'print the command that updates Kedge',
  about: 'Print the command that updates this installation of Kedge. Runs nothing.',
  examples: [['kedge update', 'print the installed version and the command']],
  page: 'releases',
} as const satisfies Command

export const COMPLETION_COMMAND = {
  name: 'completion',
  help: 'print a completion script for your shell',
  about: 'Print a script that completes commands, flags, and values in your shell.',
  arguments: [{ name: 'SHELL', choices: ['bash', 'zsh', 'fish'], help: 'bash, zsh or fish' }],
  examples: [
    ['source <(kedge completion bash)', 'in ~/.bashrc'],
    ['kedge completion zsh > ~/.zfunc/_kedge', 'with fpath+=~/.zfunc before compinit in ~/.zshrc'],
    ['kedge completion fish > ~/.config/fish/completions/kedge.fish', ''],
  ],
  page: 'cli',
} as const satisfies Command

export const HELP_COMMAND = {
  name: 'help',
  help: 'show the help of a command',
  about: 'Show the help of Kedge, or of one command. `kedge COMMAND --help` shows the same.',
  arguments: [{ name: 'COMMAND', isOptional: true, isRepeated: true, help: 'such as serve, or mcp add' }],
  examples: [['kedge help mcp add', 'show how to add an MCP server']],
  page: 'cli',
} as const satisfies Command
