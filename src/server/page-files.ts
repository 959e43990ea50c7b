/** The files of the page: what was built into `dist/web`, by the paths a browser asks for. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** By path: the name of the file, and its type. */
type Listed = Record<string, { file: string; type: string }>
type PageFile = { type: string; whole: Uint8Array<ArrayBuffer>; short: Uint8Array<ArrayBuffer> }

/** Undefined: the page has no such file. */
export function createWebAppFileResponder(): (path: string, encodings: string) => Response | undefined {
  let found: { folder: string; files: Listed } | undefined
  const read = new Map<string, PageFile>()
  return (path, encodings) => {
    found ??= findPage()
    const listed = found && Object.hasOwn(found.files, path) ? found.files[path] : undefined
    if (!found || !listed) return path === '/' ? new Response(NOT_BUILT, { status: 404 }) : undefined
    const { type, whole, short } = read.get(path) ?? load(join(found.folder, listed.file), listed.type)
    read.set(path, { type, whole, short })
    const isShort = /\bgzip\b/.test(encodings)
    return new Response(isShort ? short : whole, {
      headers: {
        'content-type': type,
        vary: 'accept-encoding',
        // Their names say what is in them; the others may be other ones after the next start.
        'cache-control': path.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-cache',
        ...(isShort ? { 'content-encoding': 'gzip' } : {}),
      },
    })
  }
}

const NOT_BUILT = 'The page is not here: run `npm run build`.\n'

function load(path: string, type: string): PageFile {
  const whole = new Uint8Array(readFileSync(path))
  return { type, whole, short: new Uint8Array(gzipSync(whole)) }
}

/** Beside the program, or in the `dist` of the folder it was started from. */
function findPage(): { folder: string; files: Listed } | undefined {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let up = 0; up < 5; up += 1) {
    for (const place of [join(folder, 'web'), join(folder, 'dist', 'web')]) {
      const list = join(place, 'files.json')
      if (existsSync(list)) return { folder: place, files: JSON.parse(readFileSync(list, 'utf8')) }
    }
    folder = dirname(folder)
  }
  return undefined
}
