// `npm run sbom`: the bill of materials (CycloneDX 1.6, JSON) from package-lock.json, and which packages run a script when
// they are installed. The same lock file gives the same bytes. `npm run sbom -- path` writes it elsewhere.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `required`: it is in what we publish. `optional`: npm may install it beside. `excluded`: only to build and test. */
export function billOfMaterials(lock, notices) {
  const bundled = new Set(
    [...notices.matchAll(/^={20,}\n(\S+) (\S+)\n={20,}$/gm)].map(([, name, version]) => `${name}@${version}`),
  )
  const own = lock.packages['']
  const ownRef = purl(own.name, own.version)
  const components = new Map()
  const dependencies = new Map([[ownRef, new Set()]])
  for (const [path, entry] of Object.entries(lock.packages)) {
    const ref = path === '' ? ownRef : purl(nameOf(path, entry), entry.version)
    if (path !== '') {
      const component = componentOf(ref, path, entry, bundled)
      const known = components.get(ref)
      components.set(ref, known && rank(known.scope) <= rank(component.scope) ? known : component)
    }
    const needs = dependencies.get(ref) ?? new Set()
    dependencies.set(ref, needs)
    const named = {
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...(path === '' ? entry.devDependencies : {}),
    }
    for (const name of Object.keys(named)) {
      const found = find(lock.packages, path, name)
      if (found) needs.add(purl(nameOf(found, lock.packages[found]), lock.packages[found].version))
    }
  }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': ownRef, name: own.name, version: own.version, purl: ownRef },
    },
    components: [...components.values()].sort((a, b) => compare(a['bom-ref'], b['bom-ref'])),
    dependencies: [...dependencies]
      .map(([ref, needs]) => ({ ref, dependsOn: [...needs].sort(compare) }))
      .sort((a, b) => compare(a.ref, b.ref)),
  }
  const missing = [...bundled].filter((name) => !components.has(purlOf(name)))
  if (missing.length > 0)
    throw new Error(`THIRD-PARTY-NOTICES names what the lock file does not: ${missing.join(', ')}`)
  return { ...bill, serialNumber: uuidOf(JSON.stringify(bill)) }
}

/** Names with versions, and whether they come to who installs Kedge. */
export function installScripts(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
    .map(([path, entry]) => ({ name: nameOf(path, entry), version: entry.version, published: entry.dev !== true }))
    .sort((a, b) => compare(a.name, b.name))
}

/** Packages whose manifest names no license, by the file that does. */
const BY_FILE = { '@mcpc-tech/acp-ai-provider': 'MIT' }

function componentOf(ref, path, entry, bundled) {
  const name = nameOf(path, entry)
  const license = entry.license ?? BY_FILE[name]
  const scope = bundled.has(`${name}@${entry.version}`) ? 'required' : entry.dev ? 'excluded' : 'optional'
  return {
    type: 'library',
    'bom-ref': ref,
    name,
    version: entry.version,
    scope,
    ...(entry.integrity && { hashes: entry.integrity.split(' ').map(hashOf) }),
    ...(license && { licenses: [licenseOf(license)] }),
    purl: ref,
    ...(entry.hasInstallScript && { properties: [{ name: 'kedge:installScript', value: 'true' }] }),
  }
}

/** As Node looks for it: beside, then further up. */
function find(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return undefined
  }
}

function nameOf(path, { name }) {
  return name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function purlOf(nameAndVersion) {
  const at = nameAndVersion.lastIndexOf('@')
  return purl(nameAndVersion.slice(0, at), nameAndVersion.slice(at + 1))
}

function hashOf(integrity) {
  const [algorithm, value] = integrity.split(/-(.*)/s)
  const alg = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }[algorithm]
  return { alg, content: Buffer.from(value, 'base64').toString('hex') }
}

function licenseOf(text) {
  if (/[ ()]/.test(text)) return { expression: text.replace(/^\((.*)\)$/, '$1') }
  return { license: /^SEE |^UNLICENSED$/.test(text) ? { name: text } : { id: text } }
}

/** Of the content, so that the same content has the same. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16)
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const rank = (scope) => ['required', 'optional', 'excluded'].indexOf(scope)
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const bill = billOfMaterials(lock, readFileSync(join(root, 'THIRD-PARTY-NOTICES'), 'utf8'))
  const target = resolve(process.argv[2] ?? join(root, 'sbom.json'))
  writeFileSync(target, `${JSON.stringify(bill, null, 2)}\n`)
  const count = (scope) => bill.components.filter((component) => component.scope === scope).length
  console.log(
    `${target}: ${bill.components.length} packages, ${count('required')} bundled, ${count('optional')} optional, ${count('excluded')} to build and test`,
  )
  const scripts = installScripts(lock)
  console.log(
    `install scripts: ${scripts.filter(({ published }) => published).length} in what you install, ${scripts.length} in all`,
  )
  for (const { name, version, published } of scripts)
    console.log(`  ${name} ${version}${published ? '' : ' (to build and test)'}`)
}
