// The architecture as checks: who may import whom, how long a file may be, what it may be called, where a cast may stand.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, isTest, sources, treeOf } from './source-files.mjs'
import ts from './typescript.mjs'

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
  background: 2,
  prompts: 2,
  settings: 2,
  project: 2,
  checkpoints: 2,
  compaction: 2,
  mcp: 2,
  teams: 2,
  // A session's log as what every interface shows of it; the timeline of the agent does, too.
  view: 2.5,
  runtime: 3,
  agent: 3.5,
  cli: 4,
  sdk: 4,
  hub: 5,
  // Stores for the hub and the library in a database, and who runs what; interfaces get it as a store.
  cluster: 5.5,
  acp: 6,
  // It speaks to editors over HTTP, by the same code.
  server: 7,
  // It runs in browsers too: see `checkClient`.
  client: 7.5,
  // Its session can be put on the page, in the same process.
  terminal: 8,
  testing: 5,
  // Agents as their users have them, with the scripted model behind them.
  eval: 6,
  index: 5,
  'sdk-tools': 5,
}
/** Only these may use `node:` modules. */
const NODE_FOLDERS = [
  'platform',
  'transport',
  'sandbox',
  'cli',
  'acp',
  'cluster',
  'server',
  'terminal',
  'testing',
  'eval',
]
/** Starting a child needs to look for its file; the hub reads its process's environment once, as `query()` does. */
const NODE_EXCEPTIONS = ['src/sdk/start-agent-process.ts', 'src/hub/create-hub.ts']
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
    'background',
    'prompts',
    'settings',
    'project',
    'checkpoints',
    'compaction',
    'mcp',
    'teams',
  ],
}
const DYNAMIC_EXCEPTIONS = {
  'src/sdk/agent-connection.ts': ['agent'],
  'src/sdk/explain-permission.ts': ['runtime'],
  'src/sdk/folder-trust.ts': ['runtime', 'sessions', 'settings'],
  'src/sdk/mcp/tool-schema.ts': ['tools'],
  'src/sdk/resolve-settings.ts': ['runtime'],
  'src/sdk/session-store.ts': ['sessions'],
  'src/sdk/session-functions.ts': ['sessions'],
}

function folderOf(file) {
  const [, first = ''] = file.split('/')
  return first.replace(/\.ts$/, '')
}

export function checkLayers(root) {
  const problems = []
  for (const file of sources(root)) {
    if (isTest(file)) continue
    const folder = folderOf(file)
    if (!(folder in LEVELS)) problems.push(`${file}: folder ${folder} has no level`)
    const mayUseNode = NODE_FOLDERS.includes(folder) || NODE_EXCEPTIONS.includes(file)
    for (const { target, dynamic } of importsOf(root, file)) {
      if (target.startsWith('node:') && !mayUseNode) problems.push(`${file}: imports ${target}`)
      if (!target.startsWith('src/')) continue
      const other = folderOf(target)
      if (other === folder) continue
      const allowed = dynamic && DYNAMIC_EXCEPTIONS[file]?.includes(other)
      // Types of a port may come from the level it belongs to; L2 folders know engine/ports only.
      if (!allowed && (LEVELS[other] >= LEVELS[folder] || FORBIDDEN[folder]?.includes(other)))
        problems.push(`${file}: ${folder} may not import ${other}`)
    }
    if (!mayUseNode && folder !== 'sdk' && folder !== 'client') problems.push(...nodeGlobals(root, file))
    if (/(^|\/)index\.ts$/.test(file) && !['src/index.ts', 'src/testing/index.ts'].includes(file))
      problems.push(`${file}: no index.ts`)
  }
  return problems
}

/** What the web app runs of the other folders: what every interface shows in the same way, and how text of strangers is marked. */
const SHARED_WITH_WEB =
  /^src\/(?:protocol\/(?:thrown|shown\/(?:vocabulary|unseen-text|fix-words))|tools\/(?:displays|tool-display)|(?:client|view)\/[a-z-]+)\.ts$/
/** What the client runs of the other folders: pure modules. Types may come from anywhere. */
const SHARED_WITH_CLIENT =
  /^src\/(?:client|view)\/|^src\/(?:protocol\/(?:thrown|json|session-log\/turn-outcome)|platform\/first-abort)\.ts$|^react$/

/** It uses what browsers and every other runtime have: `fetch`, timers, and abort signals, and nothing of Node. */
export function checkClient(root) {
  return sources(root, ['src/client']).flatMap((file) => {
    if (isTest(file)) return []
    const foreign = importsOf(root, file).flatMap(({ target, isType }) =>
      isType || SHARED_WITH_CLIENT.test(target) ? [] : [`${file}: the client may not import ${target}`],
    )
    return [...foreign, ...nodeGlobals(root, file, GLOBALS_OF_NODE_ALONE)]
  })
}

const WEB_LIBRARIES = /^(preact|@preact\/signals|marked|diff|@tanstack\/virtual-core|shiki)(\/|$)/

export function checkWeb(root) {
  return sources(root, ['web']).flatMap((file) =>
    importsOf(root, file).flatMap(({ target }) => {
      const isTypes = file === 'web/state/server-types.ts' && target.startsWith('src/')
      if (isTypes || SHARED_WITH_WEB.test(target) || target.startsWith('web/') || WEB_LIBRARIES.test(target)) return []
      return [`${file}: the page may not import ${target}`]
    }),
  )
}

/**
 * What Node gives without an import: a file that may not import it may not take it so either. The SDK is an edge, as the command
 * is: there the caller's process is read, and timers are its own.
 */
const GLOBALS_OF_NODE_ALONE = ['Buffer', 'process', 'setImmediate', '__dirname', '__filename']
const GLOBALS = [...GLOBALS_OF_NODE_ALONE, 'setTimeout', 'setInterval']

function nodeGlobals(root, file, globals = GLOBALS) {
  const problems = new Set()
  const tree = treeOf(root, file)
  const imported = new Set(importsOf(root, file).flatMap(({ names }) => names))
  const visit = (node) => {
    if (ts.isIdentifier(node) && globals.includes(node.text) && !imported.has(node.text) && isUse(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart())
      problems.add(`${file}:${line + 1}: uses ${node.text} of Node`)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return [...problems]
}

/** Neither the name of a field nor that of something declared. */
function isUse({ parent, ...node }) {
  if (ts.isPropertyAccessExpression(parent)) return parent.expression.pos === node.pos
  if (ts.isTypeNode(parent) || ts.isQualifiedName(parent)) return false
  return !('name' in parent && parent.name?.pos === node.pos && !ts.isShorthandPropertyAssignment(parent))
}

export function checkSizes(root) {
  return sources(root, ['src', 'web', 'test']).flatMap((file) => {
    if (/\.generated\.ts$|fixtures\//.test(file)) return []
    // A sentence of its own line explains one name to whoever uses it: more of them do not make a file harder to read.
    const text = readFileSync(join(root, file), 'utf8')
    const lines = text.split('\n').filter((line) => !/^\s*\/\*\* .* \*\/$/.test(line)).length
    const limit = isTest(file) || file.startsWith('test/') ? 800 : 500
    return lines > limit ? [`${file}: ${lines} lines, at most ${limit}`] : []
  })
}

export function checkNames(root) {
  return sources(root, ['src', 'web']).flatMap((file) => {
    const name = file.split('/').at(-1)
    const problems = []
    if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|generated))?\.tsx?$/.test(name)) problems.push(`${file}: not kebab-case`)
    if (/^(utils?|helpers?|common|misc|shared|types|manager)\.ts$/.test(name))
      problems.push(`${file}: says nothing about its content`)
    if (!isTest(file) && !/^(\/\*\*|\/\/|\/\*)/.test(readFileSync(join(root, file), 'utf8')))
      problems.push(`${file}: no sentence on top saying what it is for`)
    return problems
  })
}

const CAST = /^[^`]* as (?:unknown|string|number|boolean|object|never|readonly|typeof|keyof|\{|\(|[A-Z])/

const IMPORT_LIST = /^(?:import|export) (?:type )?\{[^}]*\}/gm

/** A cast needs a comment on its line, or above it, that says why it is right. */
export function checkCasts(root) {
  return sources(root, ['src', 'web']).flatMap((file) => {
    if (isTest(file) || file.endsWith('.generated.ts')) return []
    // A list of imports renames with the same word.
    const text = readFileSync(join(root, file), 'utf8').replace(IMPORT_LIST, (list) => list.replace(/[^\n]/g, ''))
    const lines = text.split('\n')
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

/** Node 20 can garbage-collect such a signal before it fires. Use `src/platform/first-abort.ts` instead. */
export function checkSignals(root) {
  return sources(root, ['src']).flatMap((file) => {
    if (isTest(file)) return []
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.flatMap((line, index) =>
      /^\s*(\*|\/\/|\/\*)/.test(line) || !/\bAbortSignal\s*\.\s*(any|timeout)\b/.test(line)
        ? []
        : [
            `${file}:${index + 1}: may never abort on Node 20; use firstAbort or withFirstAbort of platform/first-abort.ts`,
          ],
    )
  })
}
