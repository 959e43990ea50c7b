/** What of a trusted folder runs by itself, and whether it is still what the user saw when it was trusted: trust follows content. */

import { sha256 } from '../../platform/files/content-hash.js'
import { join } from '../../platform/paths.js'
import { printableText } from '../../platform/visible-text.js'
import { isObject } from '../../protocol/json.js'
import { readSettingsText } from '../read-file-text.js'
import { trustRecordPath } from '../settings-paths.js'
import { readUserRecord, type UserRecordLocation, type UserRecordPorts, updateUserRecord } from '../user-record.js'

/**
 * The files of a folder that can run commands. By name: what it holds, line by line, so that a change can be shown;
 * of long ones a hash.
 */
export type RunnableContent = Record<string, string>

/** `lines`: those that are gone, with `- ` before each, and those that are new, with `+ `. */
export type ContentChange = { name: string; lines: string[] }

/** Files that start programs, with the part of each that does; undefined: all of it. */
const RUNNING: readonly [file: string, part: string | undefined][] = [
  ['.mcp.json', undefined],
  ['.claude/settings.json', 'hooks'],
  ['.claude/settings.local.json', 'hooks'],
]
const MAX_KEPT = 16_384
const MAX_LINES = 12

/** Reads the files of a folder that can run commands. */
export async function readRunnableContent(
  folder: string,
  { files }: Pick<UserRecordLocation, 'files'>,
): Promise<RunnableContent> {
  const runs: RunnableContent = {}
  const scripts = new Set<string>()
  for (const [file, part] of RUNNING) {
    const found = await readSettingsText(join(folder, file), files)
    if (found.kind === 'absent') continue
    const text = found.kind === 'text' ? partOf(found.text, part) : found.reason
    if (text === undefined) continue
    runs[part === undefined ? file : `${file} (${part})`] = await kept(text)
    // Scripts that come with the settings are what these run; those of the project are its work, and change with it.
    for (const [name] of text.matchAll(/\.claude\/[\w./-]+/g)) if (!name.includes('..')) scripts.add(name)
  }
  for (const name of [...scripts].slice(0, 50)) {
    const found = await readSettingsText(join(folder, name), files)
    if (found.kind === 'text') runs[name] ??= await kept(found.text)
  }
  return runs
}

async function kept(text: string): Promise<string> {
  return text.length <= MAX_KEPT ? text : `sha256 ${await sha256(new TextEncoder().encode(text))}`
}

/** What runs now and is not what was seen; empty where nothing was noted. What is gone can't do anything. */
export async function findContentChanges(folder: string, places: UserRecordLocation): Promise<ContentChange[]> {
  const noted = runsIn((await readUserRecord(trustRecordPath(places.configDir), places))?.value)[folder]
  if (!noted) return []
  const now = await readRunnableContent(folder, places)
  const changed = Object.keys(now).filter((name) => now[name] !== noted[name])
  return changed.map((name) => ({ name, lines: difference(noted[name] ?? '', now[name] ?? '') }))
}

/** Lines that only one of them has; what was only moved is not shown. */
function difference(before: string, after: string): string[] {
  const [old, current] = [before, after].map((text) => text.split('\n').filter((line) => line.trim() !== ''))
  const gone = (old ?? []).filter((line) => !current?.includes(line)).map((line) => `- ${line}`)
  const added = (current ?? []).filter((line) => !old?.includes(line)).map((line) => `+ ${line}`)
  const all = [...gone, ...added].map((line) => printableText(line, 200))
  return all.length > MAX_LINES ? [...all.slice(0, MAX_LINES), `… ${all.length - MAX_LINES} more lines`] : all
}

/**
 * Stores what a folder can run now, to notice changes. Notes what runs now; where the folder is noted already, only
 * when the user has seen it again.
 */
export async function recordRunnableContent(
  folder: string,
  seen: boolean,
  ports: UserRecordPorts,
): Promise<string | undefined> {
  const known = runsIn((await readUserRecord(trustRecordPath(ports.configDir), ports))?.value)[folder]
  if (known && !seen) return undefined
  const runs = await readRunnableContent(folder, ports)
  return updateUserRecord(trustRecordPath(ports.configDir), ports, (value) =>
    // There is no file yet where the trust is from Claude Code.
    value === undefined || isObject(value)
      ? { folders: [], ...value, runs: { ...runsIn(value), [folder]: runs } }
      : undefined,
  )
}

function runsIn(value: unknown): Record<string, RunnableContent | undefined> {
  const runs = isObject(value) && isObject(value['runs']) ? value['runs'] : {}
  const entries = Object.entries(runs).flatMap(([folder, names]) =>
    isObject(names)
      ? [[folder, Object.fromEntries(Object.entries(names).map(([name, hash]) => [name, String(hash)]))] as const]
      : [],
  )
  return Object.fromEntries(entries)
}

/** One key to a line, however it was written; as it is when it isn't JSON: then it is not used either. */
function partOf(text: string, part: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const shown = part === undefined ? value : isObject(value) ? value[part] : undefined
    return shown === undefined ? undefined : JSON.stringify(shown, null, 1)
  } catch {
    return text
  }
}
