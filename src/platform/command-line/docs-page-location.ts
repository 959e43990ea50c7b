/**
 * Where `--help` sends the reader. The package contains its docs, so the address is that of a file, which fits the installed version
 * and needs no network. The docs have no public address yet: when they do, it belongs here.
 */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** `page`: such as `server`. `program`: the command that runs, `dist/kedge.cjs` or `cli.js` of the package. */
export function docsPageLocation(page: string, program = process.argv[1] ?? ''): string {
  const file = join('docs', `${page}.md`)
  const folder = programFolder(program)
  const found = [dirname(folder), folder].map((root) => join(root, file)).find((path) => existsSync(path))
  return found ?? `${file} of the package kedge`
}

function programFolder(program: string): string {
  try {
    return dirname(realpathSync(program))
  } catch {
    return dirname(program)
  }
}
