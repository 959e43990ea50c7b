/** `--resume` without an id: shows the latest sessions of this folder and asks which one to continue with. */
import { nodeClock } from '../platform/clock.js'
import { nodeFiles } from '../platform/files/files.js'
import { homeFolder } from '../platform/home.js'
import { createPlatformIdentity } from '../platform/identity.js'
import { readSwitch } from '../platform/switch.js'
import type { SDKSessionInfo } from '../protocol/stored-sessions.js'
import { createSessionFunctions } from '../sessions/create-session-functions.js'
import { configFolder } from '../sessions/transcript-paths.js'
import { readTypedLine } from './ask-trust.js'
import { printToStderr } from './terminal-output.js'

const SHOWN = 10
const MAX_SUMMARY = 70

/** The arguments with the chosen id in place; undefined when none was chosen, and why was said. */
export async function insertChosenSessionId(argv: readonly string[]): Promise<string[] | undefined> {
  const { env } = process
  const { uuid } = createPlatformIdentity()
  const library = createSessionFunctions({
    files: nodeFiles,
    clock: nodeClock,
    newId: uuid,
    configDir: configFolder(env, homeFolder(env)),
    cwd: process.cwd(),
  })
  const sessions = await library.listSessions({ dir: process.cwd(), includeWorktrees: false, limit: SHOWN })
  const id = await choose(sessions)
  return id === undefined ? undefined : withId(argv, id)
}

async function choose(sessions: readonly SDKSessionInfo[]): Promise<string | undefined> {
  if (sessions.length === 0) {
    printToStderr('Error: This folder has no sessions to continue.\n')
    return undefined
  }
  if (!process.stdin.isTTY || !process.stderr.isTTY || readSwitch(process.env.CI) !== false) {
    const ids = sessions.map(({ sessionId, summary }) => `  ${sessionId}  ${shown(summary)}\n`).join('')
    printToStderr(
      `Error: --resume without a session ID asks on a terminal, and there is none. Use --continue for the latest, or --resume with one of:\n${ids}`,
    )
    return undefined
  }
  const lines = sessions.map(
    ({ summary, lastModified }, i) => `${`${i + 1}`.padStart(4)}  ${age(lastModified).padEnd(12)}${shown(summary)}\n`,
  )
  printToStderr(`${lines.join('')}Go on with which session? [1-${sessions.length}] `)
  const answer = (await readTypedLine()).trim()
  const chosen = /^\d+$/.test(answer) ? sessions[Number(answer) - 1] : undefined
  if (!chosen) printToStderr('Error: No session was chosen.\n')
  return chosen?.sessionId
}

/** What was said in a session is not for the terminal to obey. */
function shown(summary: string): string {
  const plain = summary.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
  return plain.length > MAX_SUMMARY ? `${plain.slice(0, MAX_SUMMARY)}…` : plain
}

function age(since: number): string {
  const minutes = Math.max(0, Math.round((Date.now() - since) / 60_000))
  if (minutes < 60) return `${minutes} min ago`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} days ago`
}

/** In place of the flag that stands alone; behind `--` everything is part of the prompt. */
function withId(argv: readonly string[], id: string): string[] {
  const end = argv.indexOf('--')
  return argv.map((argument, i) => {
    const isFlag = (argument === '--resume' || argument === '-r') && (end < 0 || i < end)
    const isBare = isFlag && (argv[i + 1]?.startsWith('-') ?? true)
    return isBare ? `--resume=${id}` : argument
  })
}
