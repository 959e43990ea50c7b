/** What of a trusted folder runs by itself, and whether it is still what the user saw when it was trusted: trust follows content. */
import { sha256 } from '../../platform/files/content-hash.js'
import { join } from '../../platform/paths.js'
import { isObject } from '../../protocol/json.js'
import { trustPath } from '../places.js'
import { readTextFile } from '../read-file-text.js'
import { changeRecord, type RecordPlaces, type RecordPorts, readRecord } from '../user-record.js'

/** By name: a hash of what it holds. */
export type Runs = Record<string, string>

/** Files that start programs, with the part of each that does; undefined: all of it. */
const RUNNING: readonly [file: string, part: string | undefined][] = [
  ['.mcp.json', undefined],
  ['.claude/settings.json', 'hooks'],
  ['.claude/settings.local.json', 'hooks'],
]

export async function whatRuns(folder: string, { files }: Pick<RecordPlaces, 'files'>): Promise<Runs> {
  const runs: Runs = {}
  for (const [file, part] of RUNNING) {
    const found = await readTextFile(join(folder, file), files)
    if (found.kind === 'absent') continue
    const text = found.kind === 'text' ? partOf(found.text, part) : found.reason
    if (text === undefined) continue
    runs[part === undefined ? file : `${file} (${part})`] = await sha256(new TextEncoder().encode(text))
  }
  return runs
}

/** What runs now and is not what was seen; empty where nothing was noted. What is gone can't do anything. */
export async function changedSince(folder: string, places: RecordPlaces): Promise<string[]> {
  const noted = runsIn((await readRecord(trustPath(places.configDir), places))?.value)[folder]
  if (!noted) return []
  const now = await whatRuns(folder, places)
  return Object.keys(now).filter((name) => now[name] !== noted[name])
}

/** Notes what runs now; where the folder is noted already, only when the user has seen it again. */
export async function noteRuns(folder: string, seen: boolean, ports: RecordPorts): Promise<string | undefined> {
  const known = runsIn((await readRecord(trustPath(ports.configDir), ports))?.value)[folder]
  if (known && !seen) return undefined
  const runs = await whatRuns(folder, ports)
  return changeRecord(trustPath(ports.configDir), ports, (value) =>
    isObject(value) ? { ...value, runs: { ...runsIn(value), [folder]: runs } } : undefined,
  )
}

function runsIn(value: unknown): Record<string, Runs | undefined> {
  const runs = isObject(value) && isObject(value['runs']) ? value['runs'] : {}
  const entries = Object.entries(runs).flatMap(([folder, names]) =>
    isObject(names)
      ? [[folder, Object.fromEntries(Object.entries(names).map(([name, hash]) => [name, String(hash)]))] as const]
      : [],
  )
  return Object.fromEntries(entries)
}

/** As it is written when it is no JSON: then it is not used either. */
function partOf(text: string, part: string | undefined): string | undefined {
  if (part === undefined) return text
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && part in value ? JSON.stringify(value[part]) : undefined
  } catch {
    return text
  }
}
