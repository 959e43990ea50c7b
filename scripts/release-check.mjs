// `node scripts/release-check.mjs v1.2.3`: is the tree ready to be published under this tag? After a build.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compatFiles } from './compat.mjs'
import { bundledPackages, noticesText } from './notices.mjs'

/** Everything that is not ready; nothing: it is. */
export function releaseProblems(root, tag) {
  const read = (name) => (existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : '')
  const { version } = JSON.parse(read('package.json'))
  const problems = []
  if (!/^v\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(tag)) problems.push(`${tag} is no tag of a version: v1.2.3`)
  else if (tag !== `v${version}`) problems.push(`the tag is ${tag}, package.json says ${version}`)
  if (JSON.parse(read('package-lock.json')).version !== version) problems.push('package-lock.json has another version')
  const heading = read('CHANGELOG.md').match(/^## (\S+) \(([^)]+)\)$/m) ?? []
  if (heading[1] !== version) problems.push(`CHANGELOG.md begins with ${heading[1]}`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(heading[2] ?? '')) problems.push(`CHANGELOG.md has no date for ${version}`)
  for (const [name, text] of Object.entries(compatFiles(root))) {
    if (read(name) !== text) problems.push(`${name} is out of date: npm run compat`)
  }
  if (read('THIRD-PARTY-NOTICES') !== noticesText(bundledPackages(root)))
    problems.push('THIRD-PARTY-NOTICES is out of date: npm run notices')
  return problems
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = releaseProblems(fileURLToPath(new URL('..', import.meta.url)), process.argv[2] ?? '')
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
}
