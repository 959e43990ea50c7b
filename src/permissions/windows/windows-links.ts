/** The files of Windows, asked for by the spelling that permissions are judged in. */
import { isWindowsPath, judgedToWindowsPath, toWindowsJudgedPath } from '../../platform/windows/judged-path.js'
import type { PathFinderFiles } from '../path-finder.js'

type Stat = Awaited<ReturnType<PathFinderFiles['lstat']>>

/** What is above drives and shares: there, and no file. */
const ABOVE: NonNullable<Stat> = {
  kind: 'directory',
  size: 0,
  mtimeMs: 0,
  mode: 0o755,
  dev: 0,
  ino: 0,
  uid: 0,
  links: 1,
}

export function createWindowsPathFinderFiles(files: PathFinderFiles): PathFinderFiles {
  const { entries, realpath, snapshot, open } = files
  const named = (path: string) => {
    const own = judgedToWindowsPath(path)
    if (own === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
    return own
  }
  return {
    lstat: async (path) => {
      const own = judgedToWindowsPath(path)
      if (own !== undefined) return files.lstat(own)
      return path === '/' || path.startsWith('/unc:') ? ABOVE : undefined
    },
    readLink: async (path) => {
      const target = (await files.readLink(named(path))).replace(/^\\\?\?\\/, '')
      if (!isWindowsPath(target)) return target.replaceAll('\\', '/')
      const { path: judged, doubt } = toWindowsJudgedPath(target, '/')
      if (doubt !== undefined) throw new Error(`a link leads to ${target}: ${doubt}`)
      return judged
    },
    ...(realpath && {
      realpath: async (path: string) => {
        const own = judgedToWindowsPath(path)
        return own === undefined ? path : toWindowsJudgedPath(await realpath(own), '/').path
      },
    }),
    ...(entries && { entries: async (path: string, limit?: number) => entries(named(path), limit) }),
    ...(snapshot && { snapshot: async (path: string, most: number) => snapshot(named(path), most) }),
    ...(open && { open: async (path: string) => open(named(path)) }),
  }
}
