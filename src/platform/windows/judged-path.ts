/**
 * Paths of Windows in the one spelling that permissions are judged in: `C:\x` is `/c/x`, as Git Bash writes it, and
 * `\\server\share\x` is `/unc:/server/share/x` (no name has a colon, so nothing else is called that). Windows has many names
 * for a file. Those that are not plain come with a doubt, and what is in doubt is asked about, never allowed by proof.
 */
import { trimTrailingCharacters } from '../trim-end.js'

export type JudgedPath = {
  path: string
  /** Why this may be another file than it looks like. */
  doubt?: string
}

export const UNC_PREFIX = '/unc:'

const LONGEST = 32_767
/** Devices, in every folder and with any ending. */
const DEVICE =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$|clock\$)(?:[.:].*)?$/i
/** `PROGRA~1`: made up by the disk for a name that is longer. */
const SHORT = /^[^.\s]{1,8}~\d{1,6}(?:\.[^.\s]{0,3})?$/
const FORBIDDEN = /[<>"|?*\u0000-\u001f]/

type Root = { root: string; rest: string; doubt?: string }

/** Is it an absolute path of Windows? Otherwise it belongs to a workspace of another kind. */
export function isWindowsPath(path: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(path) || /^[\\/]{2}[^\\/]/.test(path)
}

/** `path` is absolute, or begins at `folder`, which is judged already. Names with stars are those of patterns. */
export function toWindowsJudgedPath(path: string, folder: string): JudgedPath {
  const { root, rest, doubt: ofRoot } = rootOf(path, folder)
  const doubts = new Set(ofRoot === undefined ? [] : [ofRoot])
  if (path.length > LONGEST) doubts.add('it is longer than any path')
  const names = root.split('/').filter((name) => name !== '')
  const floor = isShare(names) ? 3 : 1
  // What has a root of its own begins there; anything else may climb, but not above its drive or share.
  for (const name of rest.split(/[\\/]/)) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (names.length > floor) names.pop()
      continue
    }
    const { plain, doubt } = plainName(name)
    if (doubt !== undefined) doubts.add(doubt)
    names.push(plain)
  }
  const [doubt] = doubts
  return { path: `/${names.join('/')}`, ...(doubt !== undefined && { doubt }) }
}

/** What Windows calls a judged path; undefined: it is above every drive and share. */
export function judgedToWindowsPath(judged: string): string | undefined {
  const [first = '', ...rest] = judged.split('/').filter((name) => name !== '')
  if (/^[a-z]$/i.test(first)) return `${first.toUpperCase()}:\\${rest.join('\\')}`
  if (`/${first}` === UNC_PREFIX && rest.length >= 2) return `\\\\${rest.join('\\')}`
  return undefined
}

function rootOf(path: string, folder: string): Root {
  const text = path.replaceAll('/', '\\')
  const [, verbatim] = /^\\(?:\\[?.]|\?\?)\\(.*)$/s.exec(text) ?? []
  if (verbatim !== undefined) return ofDevice(verbatim, path)
  const [, drive, slash, rest = ''] = /^([A-Za-z]):(\\?)(.*)$/s.exec(text) ?? []
  if (drive !== undefined) {
    const doubt = 'it begins in a folder that only the drive knows'
    return { root: `/${drive.toLowerCase()}`, rest, ...(slash === '' && { doubt }) }
  }
  if (text.startsWith('\\\\')) return ofShare(text.slice(2))
  if (text.startsWith('\\')) return { root: driveOf(folder), rest: text }
  return { root: folder, rest: text }
}

/** Behind `\\?\` and the like names are taken as they stand. */
function ofDevice(rest: string, path: string): Root {
  const odd = path.includes('/') || /(?:^|\\)\.{1,2}(?:\\|$)/.test(rest) ? { doubt: 'nothing in it is worked out' } : {}
  const [, drive, names] = /^([A-Za-z]):\\(.*)$/s.exec(rest) ?? []
  if (drive !== undefined && names !== undefined) return { root: `/${drive.toLowerCase()}`, rest: names, ...odd }
  if (/^unc\\/i.test(rest)) return { ...ofShare(rest.slice(4)), ...odd }
  return { root: '/device:', rest, doubt: 'it names a device' }
}

function ofShare(text: string): Root {
  const [server = '', share = '', ...names] = text.split('\\')
  const root = `${UNC_PREFIX}/${server.toLowerCase()}/${share.toLowerCase()}`
  if (server === '' || share === '') return { root, rest: '', doubt: 'it names no share' }
  // `\\localhost\c$` is the drive of this machine, and so is that of any of its names and addresses.
  const doubt = share.endsWith('$') ? 'it may be a drive of this machine by another name' : undefined
  return { root, rest: names.join('\\'), ...(doubt !== undefined && { doubt }) }
}

function driveOf(folder: string): string {
  const names = folder.split('/').filter((name) => name !== '')
  return `/${names.slice(0, isShare(names) ? 3 : 1).join('/')}`
}

function isShare([first]: readonly string[]): boolean {
  return `/${first}` === UNC_PREFIX
}

/** As the disk would take the name, and whether that is sure. */
function plainName(name: string): { plain: string; doubt?: string } {
  if (DEVICE.test(trimTrailingCharacters(name, '. '))) return { plain: name, doubt: 'it names a device' }
  const [before = '', ...streams] = name.split(':')
  if (streams.length > 0) return { plain: trimTrailingCharacters(before, '. '), doubt: 'it names a stream of a file' }
  const trimmed = trimTrailingCharacters(name, '. ')
  if (trimmed !== name) return { plain: trimmed || name, doubt: 'it ends with a dot or a blank, which disks leave out' }
  if (FORBIDDEN.test(name)) return { plain: name, doubt: 'no file can be called that' }
  return SHORT.test(name) ? { plain: name, doubt: 'it may be the short name of another file' } : { plain: name }
}
