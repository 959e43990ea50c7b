// The architecture as checks: who may import whom, how long a file may be, what it may be called, where a cast may stand.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** Folders by level: a folder imports only lower levels. `testing` stands alone. */
const LEVELS = {
  errors: -1,
  protocol: 0,
  engine: 1,
  transport: 1,
  platform: 1,
  model: 2,
  tools: 2,
  permissions: 2,
  hooks: 2,
  sandbox: 2,
  sessions: 2,
  tasks: 2,
  prompts: 2,
  settings: 2,
  project: 2,
  checkpoints: 2,
  mcp: 2,
  teams: 2,
  runtime: 3,
  agent: 3.5,
  cli: 4,
  sdk: 4,
  testing: 5,
  index: 5,
  'sdk-tools': 5,
}
/** Only these may use `node:` modules. */
const NODE_FOLDERS = ['platform', 'transport', 'sandbox', 'cli', 'testing']
/** Starting a child needs to look for its file. */
const NODE_EXCEPTIONS = ['src/sdk/start-process.ts']
/** The engine is pure; the SDK must not load the agent, except through its dynamic imports. */
const FORBIDDEN = {
  engine: ['platform', 'transport'],
  sdk: [
    'runtime',
    'agent',
    'model',
    'tools',
    'permissions',
    'hooks',
    'sandbox',
    'sessions',
    'tasks',
    'prompts',
    'settings',
    'project',
    'checkpoints',
    'mcp',
    'teams',
  ],
}
const DYNAMIC_EXCEPTIONS = {
  'src/sdk/agent-connection.ts': ['agent'],
  'src/sdk/explain-permission.ts': ['runtime'],
  'src/sdk/mcp/tool-schema.ts': ['tools'],
  'src/sdk/session-store.ts': ['sessions'],
  'src/sdk/session-functions.ts': ['sessions'],
}

export function sources(root, folders = ['src']) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
}

function folderOf(file) {
  const [, first = ''] = file.split('/')
  return first.replace(/\.ts$/, '')
}

const isTest = (file) => /\.test\.ts$|\/test-[^/]*\.ts$|fixtures\//.test(file)

export function checkLayers(root) {
  const problems = []
  const graph = new Map()
  for (const file of sources(root)) {
    if (isTest(file)) continue
    const text = readFileSync(join(root, file), 'utf8')
    const folder = folderOf(file)
    if (!(folder in LEVELS)) problems.push(`${file}: folder ${folder} has no level`)
    for (const [, target, dynamic] of imports(text)) {
      if (target.startsWith('node:')) {
        if (!NODE_FOLDERS.includes(folder) && !NODE_EXCEPTIONS.includes(file))
          problems.push(`${file}: imports ${target}`)
        continue
      }
      if (!target.startsWith('.')) continue
      const imported = relative(root, resolve(root, dirname(file), target)).replace(/\.js$/, '.ts')
      if (!dynamic) graph.set(file, [...(graph.get(file) ?? []), imported])
      const other = folderOf(imported)
      if (other === folder) continue
      const allowed = dynamic && DYNAMIC_EXCEPTIONS[file]?.includes(other)
      if (!allowed && (LEVELS[other] >= LEVELS[folder] || FORBIDDEN[folder]?.includes(other))) {
        // Types of a port may come from the level it belongs to; L2 folders know engine/ports only.
        problems.push(`${file}: ${folder} may not import ${other}`)
      }
    }
    if (/(^|\/)index\.ts$/.test(file) && !['src/index.ts', 'src/testing/index.ts'].includes(file))
      problems.push(`${file}: no index.ts`)
  }
  return [...problems, ...cycles(graph)]
}

function* imports(text) {
  for (const [, target] of text.matchAll(/^\s*(?:import|export)\s(?!type\b)[^'"]*?from\s+'([^']+)'/gm))
    yield [null, target, false]
  for (const [, target] of text.matchAll(/^\s*(?:import|export)\stype\s[^'"]*?from\s+'([^']+)'/gm))
    yield [null, target, false]
  for (const [, target] of text.matchAll(/\bimport\('([^']+)'\)/g)) yield [null, target, true]
}

function cycles(graph) {
  const problems = []
  const done = new Set()
  const visit = (file, path) => {
    if (path.includes(file)) {
      const loop = [...path.slice(path.indexOf(file)), file]
      // Type-only loops within one folder are how TypeScript files refer to each other's shapes.
      if (new Set(loop.map(folderOf)).size > 1) problems.push(`cycle: ${loop.join(' → ')}`)
      return
    }
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return problems
}

export function checkSizes(root) {
  return sources(root, ['src', 'test']).flatMap((file) => {
    if (/\.generated\.ts$|fixtures\//.test(file)) return []
    const lines = readFileSync(join(root, file), 'utf8').split('\n').length
    const limit = isTest(file) || file.startsWith('test/') ? 800 : 500
    const own = { 'src/runtime/session.ts': 300, 'src/engine/tool-calls.ts': 300 }[file] ?? limit
    return lines > own ? [`${file}: ${lines} lines, at most ${own}`] : []
  })
}

export function checkNames(root) {
  return sources(root).flatMap((file) => {
    const name = file.split('/').at(-1)
    const problems = []
    if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|generated))?\.ts$/.test(name)) problems.push(`${file}: not kebab-case`)
    if (/^(utils?|helpers?|common|misc|shared|types|manager)\.ts$/.test(name))
      problems.push(`${file}: says nothing about its content`)
    if (!isTest(file) && !/^(\/\*\*|\/\/|\/\*)/.test(readFileSync(join(root, file), 'utf8')))
      problems.push(`${file}: no sentence on top saying what it is for`)
    return problems
  })
}

const CAST = /^[^`]* as (?:unknown|string|number|boolean|object|never|readonly|typeof|keyof|\{|\(|[A-Z])/

/** A cast needs a comment on its line, or above it, that says why it is right. */
export function checkCasts(root) {
  return sources(root).flatMap((file) => {
    if (isTest(file) || file.endsWith('.generated.ts')) return []
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.flatMap((line, index) => {
      const code = line.replace(/\/\/.*$/, '').replace(/'[^']*'|`[^`]*`/g, "''")
      if (/^\s*(\*|\/\*)|^(import|export)\s/.test(line) || !CAST.test(code)) return []
      const explained =
        /\/\/|\*\//.test(line) ||
        /^\s*(\/\/|\*|\/\*)/.test(lines[index - 1] ?? '') ||
        /^\s*(\/\/|\*|\/\*)/.test(lines[index - 2] ?? '')
      return explained ? [] : [`${file}:${index + 1}: cast without a reason: ${line.trim()}`]
    })
  })
}
