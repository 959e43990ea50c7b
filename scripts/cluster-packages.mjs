// Copies the optional packages that a cluster needs, and what they need, in the versions of package-lock.json:
//   node scripts/cluster-packages.mjs FOLDER        makes FOLDER/node_modules. For images; `npm ci` must have run.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const CLUSTER = ['pg', '@dbos-inc/dbos-sdk']

/** Folders of packages, as Node finds them: beside the one that needs it, or further up. */
export function neededPackages(packages, names = CLUSTER) {
  const found = new Set()
  const visit = (name, from) => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
      if (packages[path] !== undefined) {
        if (found.has(path)) return
        found.add(path)
        for (const needed of Object.keys(packages[path].dependencies ?? {})) visit(needed, path)
        return
      }
      if (at === '') throw new Error(`package-lock.json doesn't have ${name}, which ${from || 'a cluster'} needs.`)
    }
  }
  for (const name of names) visit(name, '')
  return [...found]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv
  if (folder === undefined) throw new Error('Which folder? node scripts/cluster-packages.mjs FOLDER')
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const isOwn = (path) => (source) => source === path || !source.slice(path.length).includes('/node_modules')
  for (const path of neededPackages(packages)) {
    const from = join(root, path)
    cpSync(from, join(folder, path), { recursive: true, filter: isOwn(from) })
  }
}
