/** `kedge sessions`: what is stored on this machine, for scripts and for people who look for an old session. */
import { nodeClock } from '../platform/clock.js'
import { type ChosenCommand, chooseCommand, readCommandLine } from '../platform/command-line/read-command-line.js'
import { nodeFiles } from '../platform/files/files.js'
import { homeFolder } from '../platform/home.js'
import { createPlatformIdentity } from '../platform/identity.js'
import { resolve } from '../platform/paths.js'
import { oneLine, printableText, terminalSafeText } from '../platform/visible-text.js'
import {
  SESSIONS_COMMAND,
  SESSIONS_DELETE_COMMAND,
  SESSIONS_EXPORT_COMMAND,
  SESSIONS_LIST_COMMAND,
  SESSIONS_SHOW_COMMAND,
} from '../protocol/command-table/sessions-command-rows.js'
import type { SDKSessionInfo } from '../protocol/stored-sessions.js'
import { messageOf } from '../protocol/thrown.js'
import { conversationToMarkdown } from '../sessions/conversation-markdown.js'
import { createSessionFunctions } from '../sessions/create-session-functions.js'
import { configFolder } from '../sessions/transcript-paths.js'
import { print, printCommandText, printJson, printToStderr } from './terminal-output.js'

type SessionFunctions = ReturnType<typeof createSessionFunctions>

const LONGEST_TITLE = 100

export async function sessionsCommand(args: readonly string[]): Promise<number> {
  const chosen = chooseCommand(SESSIONS_COMMAND, args)
  if ('text' in chosen) return printCommandText(chosen)
  const { env } = process
  const library = createSessionFunctions({
    files: nodeFiles,
    clock: nodeClock,
    newId: createPlatformIdentity().uuid,
    configDir: configFolder(env, homeFolder(env)),
    cwd: process.cwd(),
  })
  try {
    return await run(library, chosen)
  } catch (error) {
    return fail(messageOf(error))
  }
}

function run(library: SessionFunctions, { command, args }: ChosenCommand): Promise<number> {
  switch (command) {
    case SESSIONS_SHOW_COMMAND:
      return showSession(library, args)
    case SESSIONS_EXPORT_COMMAND:
      return exportSession(library, args)
    case SESSIONS_DELETE_COMMAND:
      return deleteSessions(library, args)
    default:
      return listSessions(library, args)
  }
}

async function listSessions(library: SessionFunctions, args: readonly string[]): Promise<number> {
  const read = readCommandLine(SESSIONS_LIST_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  const { all, limit, json } = read.values
  const sessions = await library.listSessions({
    ...(all ? {} : { dir: process.cwd() }),
    ...(limit === undefined ? {} : { limit }),
  })
  if (json) printJson(sessions)
  else if (sessions.length === 0) print(all ? 'No sessions yet.\n' : 'This folder has no sessions. --all lists all.\n')
  else print(sessions.map((session) => `${rowOf(session, all)}\n`).join(''))
  return 0
}

function rowOf({ sessionId, lastModified, summary, cwd }: SDKSessionInfo, isAll: boolean): string {
  const time = new Date(lastModified).toISOString().slice(0, 16).replace('T', ' ')
  const folder = isAll && cwd !== undefined ? `  ${printableText(cwd)}` : ''
  return `${sessionId}  ${time}${folder}  ${oneLine(printableText(summary), LONGEST_TITLE)}`
}

async function showSession(library: SessionFunctions, args: readonly string[]): Promise<number> {
  const read = readCommandLine(SESSIONS_SHOW_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  const { sessionId } = await find(library, read.words[0])
  const messages = await library.getSessionMessages(sessionId)
  if (read.values.json) printJson(messages)
  else print(terminalSafeText(conversationToMarkdown(messages, sessionId)))
  return 0
}

async function exportSession(library: SessionFunctions, args: readonly string[]): Promise<number> {
  const read = readCommandLine(SESSIONS_EXPORT_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  const { json } = read.values
  const { sessionId } = await find(library, read.words[0])
  const file = resolve(process.cwd(), read.words[1] ?? `kedge-${sessionId.slice(0, 8)}.${json ? 'json' : 'md'}`)
  if (await nodeFiles.stat(file)) return fail(`${printableText(file)} exists. Choose another name.`)
  const messages = await library.getSessionMessages(sessionId)
  const text = json ? `${JSON.stringify(messages, undefined, 2)}\n` : conversationToMarkdown(messages, sessionId)
  await nodeFiles.create(file, Buffer.from(text), 0o600)
  print(`Wrote ${printableText(file)}\n`)
  return 0
}

async function deleteSessions(library: SessionFunctions, args: readonly string[]): Promise<number> {
  const read = readCommandLine(SESSIONS_DELETE_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  // All are looked for before the first one is deleted: a wrong ID deletes nothing.
  const sessions = await Promise.all(read.words.map((word) => find(library, word)))
  const rows = sessions.map((session) => `${rowOf(session, true)}\n`).join('')
  if (!read.values.yes) {
    printToStderr(`${rows}Nothing was deleted. To delete ${sessions.length === 1 ? 'it' : 'them'}, add --yes.\n`)
    return 1
  }
  for (const { sessionId } of sessions) {
    await library.deleteSession(sessionId)
    print(`Deleted ${sessionId}\n`)
  }
  return 0
}

async function find(library: SessionFunctions, start = ''): Promise<SDKSessionInfo> {
  const whole = await library.getSessionInfo(start)
  if (whole) return whole
  const fitting = (await library.listSessions()).filter(({ sessionId }) => sessionId.startsWith(start.toLowerCase()))
  const [session, ...others] = fitting
  if (session && others.length === 0) return session
  if (session) throw new Error(`${fitting.length} session IDs begin with ${printableText(start)}. Add more characters.`)
  throw new Error(`No session ID begins with ${printableText(start, 100)}. \`kedge sessions list --all\` lists them.`)
}

function fail(problem: string): number {
  printToStderr(`error: ${problem}\n`)
  return 1
}
