/** A file system of folders and links in memory, for tests of the permission engine. */
import { dirname, join } from '../platform/paths.js'
import type { LinkReader } from './paths.js'

/** `links` maps a path to its target; only `existing` paths, their parents and the links themselves are there. */
export function fakeLinks(existing: readonly string[], links: Readonly<Record<string, string>> = {}): LinkReader {
  const present = new Set<string>(['/'])
  for (const path of [...existing, ...Object.keys(links)]) {
    for (let at = path; at !== '/'; at = dirname(at)) present.add(at)
  }
  const follow = (path: string, hops = 0): string => {
    if (hops > 40) throw failure('ELOOP', path)
    let real = '/'
    for (const name of path.split('/').filter((segment) => segment !== '')) {
      const next = join(real, name)
      const target = links[next]
      if (target !== undefined) real = follow(target.startsWith('/') ? target : join(real, target), hops + 1)
      else if (present.has(next)) real = next
      else throw failure('ENOENT', path)
    }
    return real
  }
  return {
    realpath: async (path) => follow(path),
    lstat: async (path) => {
      let at: string
      try {
        at = path === '/' ? '/' : join(follow(dirname(path)), path.slice(path.lastIndexOf('/') + 1))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
      if (!present.has(at)) return undefined
      return {
        kind: links[at] === undefined ? 'directory' : 'symlink',
        size: 0,
        mtimeMs: 0,
        mode: 0o755,
        dev: 1,
        ino: 1,
      }
    },
  }
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}
