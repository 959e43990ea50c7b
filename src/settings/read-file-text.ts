/** Reads the text of a settings file: bounded, never blocking, through links, and saying what kept it from being read. */
import { systemErrorCode } from '../platform/files/file-stat.js'
import type { BasicFiles, FileStat } from '../platform/files/files.js'
import { messageOf } from '../protocol/thrown.js'
import { printableValue } from './setting-problems.js'

export type SettingsFileAccess = Pick<BasicFiles, 'lstat' | 'realpath' | 'snapshot'>

export type SettingsFileText =
  | { kind: 'absent' }
  | { kind: 'text'; text: string; real: string; stat: FileStat }
  | { kind: 'unreadable'; reason: string }

/** Far more than anybody writes by hand. */
export const MAX_SETTINGS_BYTES = 1024 * 1024

export async function readSettingsText(
  path: string,
  files: SettingsFileAccess,
  maxBytes = MAX_SETTINGS_BYTES,
): Promise<SettingsFileText> {
  try {
    const real = await files.realpath(path)
    const { stat, content } = await files.snapshot(real, maxBytes)
    if (stat.kind !== 'file') return unreadable('is not a file')
    if (!content) return unreadable(`is larger than ${maxBytes} bytes`)
    const text = decode(content)
    return text === undefined ? unreadable('is not UTF-8 text') : { kind: 'text', text, real, stat }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') return absent(path, files)
    return unreadable(`can't be read (${describeReadFailure(error)})`)
  }
}

/** A link that leads nowhere is not the same as no file: somebody put settings there. */
async function absent(path: string, files: SettingsFileAccess): Promise<SettingsFileText> {
  try {
    return (await files.lstat(path)) ? unreadable('is a link that leads nowhere') : { kind: 'absent' }
  } catch (error) {
    return unreadable(`can't be read (${describeReadFailure(error)})`)
  }
}

/** A byte order mark stays. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The code of a system call that failed, else what was said. */
export function describeReadFailure(error: unknown): string {
  return systemErrorCode(error) ?? printableValue(messageOf(error), 200)
}

function unreadable(reason: string): SettingsFileText {
  return { kind: 'unreadable', reason }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk can only be read',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'a link or folder on its path leads nowhere',
}

/** Why a file could not be written, in words where there are some. */
export function describeWriteFailure(error: unknown): string {
  const code = systemErrorCode(error)
  const reason = code === undefined ? undefined : REASONS[code]
  return reason ? `${reason} (${code})` : describeReadFailure(error)
}
