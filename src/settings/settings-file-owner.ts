/**
 * Is a local settings file the user's own, or did it come with the folder? Nothing in the folder can tell: an archive
 * brings whatever it likes, git's index included. So it is the user's only as Kedge saved it, or as the user said on a
 * terminal, and that is remembered outside, with the file's place and a hash of its content.
 */
import { sha256 } from '../platform/files/content-hash.js'
import { basename, dirname, isInside, join } from '../platform/paths.js'
import { ownSettingsListPath } from './settings-paths.js'
import { readUserRecord, type UserRecordLocation, type UserRecordPorts, updateUserRecord } from './user-record.js'

/** The oldest are forgotten: then the user is asked again. */
const MAX_FILES = 500

/** What is remembered of a file with just this text: the user's or not. Undefined when nothing is, or anything is odd. */
export async function readRememberedSettingsOwnership(
  path: string,
  text: string,
  places: UserRecordLocation,
): Promise<boolean | undefined> {
  try {
    const real = await placeOf(path, places)
    const record = await readUserRecord(ownSettingsListPath(places.configDir), places)
    if (real === undefined || !record) return undefined
    // A file in the folder it speaks for proves nothing.
    if (isInside(record.real, dirname(dirname(real)))) return undefined
    const mark = marksIn(record.value)?.find(([name]) => name === real)?.[1]
    return mark && mark.sha256 === (await hashOf(text)) ? mark.own : undefined
  } catch {
    return undefined
  }
}

export async function isSettingsFileOfUser(path: string, text: string, places: UserRecordLocation): Promise<boolean> {
  return (await readRememberedSettingsOwnership(path, text, places)) === true
}

/** Remembers what a file with this text is. Returns why it could not, if it could not. */
export async function rememberSettingsOwnership(
  { path, text, own }: { path: string; text: string; own: boolean },
  ports: UserRecordPorts,
): Promise<string | undefined> {
  const real = await placeOf(path, ports).catch(() => undefined)
  if (real === undefined) return `${path} is a link`
  const mark = { sha256: await hashOf(text), own }
  return updateUserRecord(ownSettingsListPath(ports.configDir), ports, (value) => {
    const known = value === undefined ? [] : marksIn(value)
    const others = known?.filter(([name]) => name !== real).slice(1 - MAX_FILES)
    return others && { files: Object.fromEntries([...others, [real, mark]]) }
  })
}

/** Through a link, here or at its folder, one project could lend its file to another. */
async function placeOf(path: string, { files }: UserRecordLocation): Promise<string | undefined> {
  const folder = dirname(path)
  const place = join(await files.realpath(dirname(folder)), basename(folder), basename(path))
  return (await files.realpath(path)) === place ? place : undefined
}

type Mark = { sha256: string; own: boolean }

/** Undefined when it is not what `rememberSettingsOwnership` writes. */
function marksIn(value: unknown): [string, Mark][] | undefined {
  const files: unknown = typeof value === 'object' && value && 'files' in value ? value.files : undefined
  if (typeof files !== 'object' || !files) return undefined
  const marks: [string, unknown][] = Object.entries(files)
  return marks.every((mark): mark is [string, Mark] => isMark(mark[1])) ? marks : undefined
}

function isMark(value: unknown): value is Mark {
  if (typeof value !== 'object' || !value || !('sha256' in value) || !('own' in value)) return false
  return typeof value.sha256 === 'string' && typeof value.own === 'boolean'
}

function hashOf(text: string): Promise<string> {
  return sha256(new TextEncoder().encode(text))
}
