// Whether dist/ is what the sources say: `npm ci` builds, and `npm test` right behind it would build the same once more.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** All that a build reads: also what is installed. */
const READ = ['src', 'web', 'scripts', 'types', 'tsconfig.json', 'package.json', 'package-lock.json']
const INSTALLED = 'node_modules/.package-lock.json'
const STAMP = '.built'

/** Of what a build reads, and of the Node that does it: its code cache is of use to no other. */
export async function hashInputs(root) {
  const hash = createHash('sha256').update(process.version)
  for (const name of [...READ, INSTALLED]) {
    for (const path of await filesOf(join(root, name))) hash.update(`${path}\n`).update(await readFile(path))
  }
  return hash.digest('hex')
}

/** `inputs` as they were before: what changed during the build is not in it. */
export async function noteBuilt(dist, inputs) {
  await writeFile(join(dist, STAMP), JSON.stringify({ inputs, outputs: await outputsOf(dist) }))
}

/** Also false when somebody changed or removed what was built. What runs left beside it does not count. */
export async function isBuilt(root, dist) {
  const stamp = await readFile(join(dist, STAMP), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined)
  if (stamp === undefined || stamp.inputs !== (await hashInputs(root))) return false
  const now = await outputsOf(dist)
  return Object.entries(stamp.outputs).every(([path, seen]) => now[path] === seen)
}

async function outputsOf(dist) {
  const paths = (await filesOf(dist)).filter((path) => path !== join(dist, STAMP))
  const seen = paths.map(async (path) => {
    const { size, mtimeMs } = await stat(path)
    return [path.slice(dist.length), `${size} ${mtimeMs}`]
  })
  return Object.fromEntries(await Promise.all(seen))
}

/** A file, or all in a folder; none where nothing is. */
async function filesOf(path) {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return found ? [path] : []
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort()
}
