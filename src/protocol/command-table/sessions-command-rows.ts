/** `kedge sessions` and its commands, for scripts and for people who look for an old session. */
import type { Command } from './command-row.js'

const ID = { name: 'ID', help: 'the session ID, or its first characters if no other session has them' } as const
const JSON_FLAG = { name: 'json', kind: 'switch', help: 'print JSON' } as const

export const SESSIONS_LIST_COMMAND = {
  name: 'sessions list',
  help: 'list the sessions of this folder',
  about: 'List the sessions of this folder, newest first: ID, time of the last message, and title.',
  flags: [
    { name: 'all', kind: 'switch', help: 'list the sessions of all folders' },
    { name: 'limit', kind: 'text', value: 'NUMBER', range: [1, 100_000], help: 'list at most this many' },
    JSON_FLAG,
  ],
  examples: [
    ['kedge sessions list', 'sessions of this folder'],
    ['kedge sessions list --all --json', 'all sessions, for a script'],
  ],
  page: 'sessions',
} as const satisfies Command

export const SESSIONS_SHOW_COMMAND = {
  name: 'sessions show',
  help: 'print a session as Markdown',
  about: 'Print the conversation of a session as Markdown: prompts, responses, tool calls, and their results.',
  arguments: [ID],
  flags: [{ ...JSON_FLAG, help: 'print the messages as a JSON array' }],
  examples: [['kedge sessions show 3f2a', 'print the session whose ID begins with 3f2a']],
  page: 'sessions',
} as const satisfies Command

export const SESSIONS_EXPORT_COMMAND = {
  name: 'sessions export',
  help: 'write a session to a Markdown file',
  about: 'Write what `kedge sessions show` prints to a file. Never replaces a file.',
  arguments: [ID, { name: 'FILE', isOptional: true, help: 'where to write (default: kedge-ID.md in this folder)' }],
  flags: [{ ...JSON_FLAG, help: 'write the messages as a JSON array' }],
  examples: [['kedge sessions export 3f2a talk.md', 'write the session to talk.md']],
  page: 'sessions',
} as const satisfies Command

export const SESSIONS_DELETE_COMMAND = {
  name: 'sessions delete',
  help: 'delete sessions with all that belongs to them',
  about:
    'Delete sessions with their messages, sub-agents, and checkpoints. This can not be undone. A session that another process uses is not deleted.',
  arguments: [{ ...ID, isRepeated: true }],
  flags: [{ name: 'yes', kind: 'switch', help: 'confirm; without it, nothing is deleted' }],
  examples: [['kedge sessions delete 3f2a --yes', 'delete one session']],
  page: 'sessions',
} as const satisfies Command

export const SESSIONS_COMMAND = {
  name: 'sessions',
  help: 'list, print, export, and delete sessions',
  about: 'List, print, export, and delete the sessions stored on this machine. `kedge --resume` continues one.',
  commands: [SESSIONS_LIST_COMMAND, SESSIONS_SHOW_COMMAND, SESSIONS_EXPORT_COMMAND, SESSIONS_DELETE_COMMAND],
  examples: [
    ['kedge sessions list', 'list the sessions of this folder'],
    ['kedge sessions show 3f2a', 'print one of them'],
  ],
  page: 'sessions',
} as const satisfies Command
