// `npm run notices`: THIRD-PARTY-NOTICES, the licenses of every package that has code in dist/, from the packages themselves.
// After a build, which notes what it bundled. `--check` says what is out of date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUNDLED } from './bundled-packages.mjs'

const RULE = '='.repeat(64)
const LICENSE = /^(?:licen[cs]e|copying)(?:[.-].*)?$/i
const NOTICE = /^notice(?:\.(?:md|txt))?$/i

/** For packages without a file of it: the text that their manifest names. */
const TEXTS = {
  MIT: (owner) => `Copyright (c) ${owner}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
}

/** A long text that many share stands once, with the first. */
export function noticesText(packages) {
  const known = new Map()
  const parts = packages.map(({ name, version, texts }) => {
    const title = `${RULE}\n${name} ${version}\n${RULE}\n`
    const body = texts.map((text) => {
      const first = known.get(keyOf(text))
      if (first === undefined) known.set(keyOf(text), `${name} ${version}`)
      if (first === undefined) return text
      const owners = text.match(/^ *Copyright (?!\[|\{|and |License|owner).*\d{4}.*$/gm) ?? []
      return [`The same text as that of ${first}.`, ...owners.map((owner) => owner.trim())].join('\n')
    })
    return `${title}\n${body.join('\n\n')}\n`
  })
  return `Kedge bundles the following packages. Their licenses follow.\nWritten by npm run notices.\n\n${parts.join('\n')}`
}

/** What follows the terms of the Apache License is how to use it, and differs in the name of the owner. */
function keyOf(text) {
  const terms = /Apache License\s+Version 2\.0/.test(text)
    ? text.replace(/END OF TERMS AND CONDITIONS[\s\S]*$/, '')
    : text
  return terms
    .replace(/https?/g, 'http')
    .replace(/\W+/g, ' ')
    .trim()
}

export function bundledPackages(root) {
  const packages = JSON.parse(readFileSync(join(root, 'dist', BUNDLED), 'utf8'))
  const unique = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]))
  return [...unique.values()]
    .map(({ name, version, folder }) => ({ name, version, texts: licenseTexts(join(root, folder)) }))
    .sort((a, b) => (a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1))
}

function licenseTexts(folder) {
  const names = readdirSync(folder)
  const read = (name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()
  const files = [...names.filter((name) => LICENSE.test(name)), ...names.filter((name) => NOTICE.test(name))].sort()
  if (files.length > 0) return files.map(read)
  const { license, author, name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const owner = (typeof author === 'string' ? author : author?.name) || `the authors of ${name}`
  const own = TEXTS[license]?.(owner) ?? 'The terms are those of the first package here that has them in a file.'
  return [`${license} (as its package.json says; the package has no license file)\n\n${own}`.trim()]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const target = join(root, 'THIRD-PARTY-NOTICES')
  const packages = bundledPackages(root)
  const text = noticesText(packages)
  const isCurrent = existsSync(target) && readFileSync(target, 'utf8') === text
  if (process.argv.includes('--check')) {
    if (!isCurrent) console.error('THIRD-PARTY-NOTICES is out of date: npm run build && npm run notices')
    process.exitCode = isCurrent ? 0 : 1
  } else {
    writeFileSync(target, text)
    console.log(`THIRD-PARTY-NOTICES: ${packages.length} packages`)
  }
}
