// What a test must not be: a body that asserts nothing, and a wait for time instead of for an event.
import { importsOf, sources, treeOf } from './source-files.mjs'
import ts from './typescript.mjs'

const DEFINES = /^(?:test|it|alwaysTest|sampledTest|bothWays)$/
/** Functions that assert, and are not found by their own code. */
const ASSERTS = new Set(['assert', 'rejects', 'throws', 'assertDone', 'waitFor'])

const RIG = 'the rig asserts when it is disposed'
const GIVEN = 'the body is an argument, and asserts'
/** `file › title`, and why its body has no assertion. */
export const WITHOUT_ASSERTION = {
  'test/acp/checklist.test.ts › the end: it exits by itself when stdin ends; only JSON on s': RIG,
  'test/acp/methods.test.ts › all of the above: every message was as the schema says, and': RIG,
  'test/acp/rows.test.ts › row ${number} (${kind}): ${title}`': GIVEN,
  'test/acp/rows.test.ts › all rows (${kind}): every message was as the schema says, a': RIG,
  'test/e2e/sub-agents.test.ts › ${name} (${isolation})`': GIVEN,
  'test/sessions/library.test.ts › ${name} (on disk)`': GIVEN,
  'test/sessions/library.test.ts › ${name} (in a store)`': GIVEN,
}

/** How many fixed sleeps a file may have. None has any. */
export const FIXED_SLEEPS = {}

const isTestFile = (file) => file.endsWith('.test.ts')
const isHelper = (file) => file.startsWith('test/') || /\/test-[^/]*\.ts$/.test(file)

export function checkTests(root, { exempt = WITHOUT_ASSERTION, sleeps = FIXED_SLEEPS } = {}) {
  const tests = sources(root, ['src', 'test']).filter(isTestFile)
  const weak = tests.flatMap((file) => {
    const asserting = findAsserting(root, file)
    return bodiesOf(root, file).filter(({ names }) => !names.some((name) => asserting.has(name)))
  })
  const places = weak.map(({ file, title }) => `${file} › ${title}`)
  const slept = tests.map((file) => [file, sleepsIn(treeOf(root, file))])
  return {
    problems: [
      ...places.filter((place) => !Object.hasOwn(exempt, place)).map((place) => `${place}: asserts nothing`),
      ...Object.keys(exempt)
        .filter((place) => !places.includes(place))
        .map((place) => `${place}: is exempt in scripts/check-tests.mjs, but asserts or is gone`),
      ...slept.flatMap(([file, count]) => {
        const most = sleeps[file] ?? 0
        if (count > most) return [`${file}: ${count} fixed sleeps, at most ${most}: wait with eventually() instead`]
        return count < most ? [`${file}: ${count} fixed sleeps, lower its ${most} in scripts/check-tests.mjs`] : []
      }),
    ],
    counted: `${tests.length} files, ${slept.reduce((sum, [, count]) => sum + count, 0)} fixed sleeps`,
  }
}

/** Names that are called in a node: `f()`, `a.f()`, and functions that are handed on. */
function namesIn(node) {
  const names = []
  const visit = (one) => {
    if (ts.isIdentifier(one)) names.push(one.text)
    ts.forEachChild(one, visit)
  }
  visit(node)
  return names
}

/** Names of functions that assert, or that call one that does: of the file, and of the helpers that it imports. */
function findAsserting(root, file) {
  const seen = new Set([file])
  for (const one of seen) {
    const targets = importsOf(root, one).map(({ target }) => target)
    for (const target of targets) if (isHelper(target) && !target.endsWith('.d.ts')) seen.add(target)
  }
  const bodies = [...seen].flatMap((one) => functionsIn(root, one))
  const asserting = new Set(ASSERTS)
  for (let size = 0; size !== asserting.size; ) {
    size = asserting.size
    for (const { name, names } of bodies) if (names.some((one) => asserting.has(one))) asserting.add(name)
  }
  return asserting
}

const functions = new Map()
function functionsIn(root, file) {
  if (!functions.has(`${root} ${file}`)) functions.set(`${root} ${file}`, functionsOf(treeOf(root, file)))
  return functions.get(`${root} ${file}`)
}

function functionsOf(tree) {
  const found = []
  const visit = (node) => {
    const named = (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name ? node.name : undefined
    const isFunction = (one) => one && (ts.isArrowFunction(one) || ts.isFunctionExpression(one))
    if (named && node.body) found.push({ name: named.getText(), names: namesIn(node.body) })
    if ((ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && isFunction(node.initializer))
      found.push({ name: node.name.getText(), names: namesIn(node.initializer.body) })
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** The bodies of the tests in a file, with the names in them. */
function bodiesOf(root, file) {
  const found = []
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && DEFINES.test(node.expression.text)) {
      const [title, ...rest] = node.arguments
      const body = rest.at(-1)
      if (title && body) found.push({ file, title: title.getText().slice(1, 60), names: namesIn(body) })
    }
    ts.forEachChild(node, visit)
  }
  visit(treeOf(root, file))
  return found
}

/** Waits of a fixed time outside of loops, which look again and again. */
function sleepsIn(tree) {
  let count = 0
  const visit = (node, inLoop) => {
    const isLoop = ts.isIterationStatement(node, false)
    if (!inLoop && ts.isAwaitExpression(node) && isSleep(node.expression)) count += 1
    ts.forEachChild(node, (child) => visit(child, inLoop || isLoop))
  }
  visit(tree, false)
  return count
}

function isSleep(node) {
  const text = node.getText()
  return (
    /^(?:sleep|pause|delay|wait|setTimeout)\([\d_]+\)$/.test(text) ||
    /^new Promise\(.*setTimeout\(\w+, [\d_]+\)\)$/.test(text)
  )
}
