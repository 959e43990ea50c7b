/** Flags of the original that programs pass and that mean nothing here, and those that are refused by name. */
import type { FlagTheme } from './flag-row.js'

const NO_CHROME = 'there is no browser extension for Kedge'

export const IGNORED_AND_REFUSED_FLAGS = {
  ide: { kind: 'switch', readBy: 'command', idle: '', help: 'Nothing: there is no editor to connect to.' },
  chrome: { kind: 'switch', readBy: 'command', idle: NO_CHROME, help: `Nothing: ${NO_CHROME}.` },
  'no-chrome': { kind: 'switch', readBy: 'command', idle: '', help: `Nothing: ${NO_CHROME}.` },
  'enable-auth-status': { kind: 'switch', readBy: 'command', idle: '', help: 'Nothing: auth_status is always told.' },
  worktree: {
    kind: 'text',
    short: 'w',
    value: 'NAME',
    optional: true,
    readBy: 'command',
    since: '0.2.50',
    idle: 'as in the original with -p, the work is done in this folder',
    help: 'Nothing with -p, as in the original: the work is done in this folder.',
  },
  tmux: {
    kind: 'text',
    value: 'KIND',
    optional: true,
    pattern: /^classic$/,
    readBy: 'command',
    since: '0.2.50',
    idle: 'sessions are not put into windows of tmux',
    help: 'Nothing: sessions are not put into windows of tmux.',
  },
  file: {
    kind: 'repeat',
    several: true,
    value: 'SPEC',
    readBy: 'command',
    refused: 'files are fetched with a login of the vendor',
    help: 'Refused: files are fetched with a login of the vendor.',
  },
  'from-pr': {
    kind: 'text',
    value: 'PR',
    optional: true,
    readBy: 'command',
    since: '0.2.50',
    refused: 'sessions are not linked to pull requests; use --resume SESSION',
    help: 'Refused: sessions are not linked to pull requests.',
  },
} as const satisfies FlagTheme
