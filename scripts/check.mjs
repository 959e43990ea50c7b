// `npm run check`: format, lint, types, layers, cycles, sizes, names, casts, schema drift, export map. One line per check.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkDocs } from './check-docs.mjs'
import { checkExports } from './check-exports.mjs'
import { checkClientSize, checkFirstLoad } from './check-first-load.mjs'
import { checkPrograms } from './check-programs.mjs'
import { checkCycles, checkFunctions, checkRooms, checkSameNames, checkTypes } from './check-shapes.mjs'
import {
  checkCasts,
  checkClient,
  checkLayers,
  checkNames,
  checkSignals,
  checkSizes,
  checkWeb,
} from './check-structure.mjs'
import { checkTests } from './check-tests.mjs'
import { checkWording } from './check-wording.mjs'
import {
  checkBannedNames,
  checkCommentOpenings,
  checkCommentPlaces,
  checkGlossary,
  checkLiteralSpreads,
  checkNouns,
  checkProtocolComments,
  checkSpelling,
  checkUniqueNames,
} from './check-words.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

function command(name, ...argv) {
  return () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' })
    return status === 0 ? [] : [`${name} failed:\n${stdout}${stderr}`]
  }
}

const checks = {
  'format and lint': command('biome', join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '.'),
  types: command('tsc', join('node_modules', 'typescript-native', 'bin', 'tsc'), '-p', '.'),
  'types of the page': command('tsc', join('node_modules', 'typescript-native', 'bin', 'tsc'), '-p', 'web'),
  'types of its tests': command('tsc', join('node_modules', 'typescript-native', 'bin', 'tsc'), '-p', 'test/web'),
  layers: () => [...checkLayers(root), ...checkClient(root), ...checkWeb(root)],
  'first load of the page': () => checkFirstLoad(root),
  'size of the client': () => checkClientSize(root),
  cycles: () => checkCycles(root),
  rooms: () => checkRooms(root),
  'length of functions': () => checkFunctions(root),
  'width of types': () => checkTypes(root),
  'file sizes': () => checkSizes(root),
  'names of their own': () => checkSameNames(root),
  'file names': () => checkNames(root),
  casts: () => checkCasts(root),
  'unique exported names': () => checkUniqueNames(root),
  programs: () => checkPrograms(root),
  'banned names': () => checkBannedNames(root),
  glossary: () => checkGlossary(root),
  'nouns of types': () => checkNouns(root),
  'American spelling': () => checkSpelling(root),
  'literal spreads': () => checkLiteralSpreads(root),
  'places of comments': () => checkCommentPlaces(root),
  'openings of comments': () => checkCommentOpenings(root),
  'words of the protocol': () => checkProtocolComments(root),
  'words people read': () => checkWording(root),
  signals: () => checkSignals(root),
  tests: () => checkTests(root),
  docs: () => checkDocs(root),
  'schema drift': command('emit-schema', join('scripts', 'emit-schema.mjs'), '--check'),
  'API document': command('emit-openapi', join('scripts', 'emit-openapi.mjs'), '--check'),
  'Python client': command('emit-python', join('scripts', 'emit-python.mjs'), '--check'),
  'commands of docs/cli.md': command('emit-commands', join('scripts', 'emit-commands.mjs'), '--check'),
  'tool displays': command('emit-displays', join('scripts', 'emit-displays.mjs'), '--check'),
  'export map': () => checkExports(root),
}

let failed = 0
for (const [name, check] of Object.entries(checks)) {
  const found = await check()
  const { problems, counted } = Array.isArray(found) ? { problems: found } : found
  console.log(`${problems.length === 0 ? '✔' : '✖'} ${name}${counted === undefined ? '' : `: ${counted}`}`)
  for (const problem of problems) console.log(`    ${problem.replaceAll('\n', '\n    ')}`)
  if (problems.length > 0) failed += 1
}
console.log(failed === 0 ? 'all checks passed' : `${failed} of ${Object.keys(checks).length} checks failed`)
process.exitCode = failed === 0 ? 0 : 1
