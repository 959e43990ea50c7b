// What an installation takes: of ours what `npm pack` would put into it, of an original its node_modules.
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './subjects.mjs'

const MB = 1024 * 1024

export function installMegabytes(subject) {
  if (subject.isOriginal) return folderBytes(subject.modules) / MB
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))[0].unpackedSize / MB
}

function folderBytes(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath ?? entry.path, entry.name)).size : 0),
    0,
  )
}
