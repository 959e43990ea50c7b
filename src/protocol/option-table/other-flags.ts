/** Flags of Claude Code that programs pass: without an effect here, or rejected with an error that names them. */
import type { FlagTheme } from './flag-row.js'

const NO_CHROME = 'there is no browser extension for Kedge'

export const IGNORED_AND_REFUSED_FLAGS = {
  ide: { kind: 'switch', readBy: 'command', idle: '', help: 'no effect: there is no editor to connect to' },
  chrome: { kind: 'switch', readBy: 'command', idle: NO_CHROME, help: `no effect: ${NO_CHROME}` },
  'no-chrome': { kind: 'switch', readBy: 'command', idle: '', help: `no effect: ${NO_CHROME}` },
  'enable-auth-status': { kind: 'switch', readBy: 'command', idle: '', help: 'no effect: auth_status is always sent' },
  worktree: {
    kind: 'text',
    short: 'w',
    value: 'NAME',
    optional: true,
    readBy: 'command',
    since: '0.2.50',
    idle: 'as in the original with -p, the work is done in this folder',
    help: 'no effect with -p, as in Claude Code: the work is done in this folder',
  },
  tmux: {
    kind: 'text',
    value: 'KIND',
    optional: true,
    pattern: /^classic$/,
    readBy: 'command',
    since: '0.2.50',
    idle: 'sessions are not put into windows of tmux',
    help: "no effect: sessions don't get windows of tmux",
  },
  file: {
    kind: 'repeat',
    several: true,
    value: 'SPEC',
    readBy: 'command',
    refused: 'files are fetched with a login of the vendor',
    help: 'not supported: files are fetched with a login of the vendor',
  },
  'from-pr': {
    kind: 'text',
    value: 'PR',
    optional: true,
    readBy: 'command',
    since: '0.2.50',
    refused: 'sessions are not linked to pull requests; use --resume SESSION',
    help: "not supported: sessions aren't linked to pull requests",
  },
} as const satisfies FlagTheme
