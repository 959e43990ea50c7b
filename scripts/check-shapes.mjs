// How the code is cut: no two files need each other, no room is a hall, no type or function knows everything. Each check
// returns its problems and a line that says what was counted.
import { dirname } from 'node:path'
import { importsOf, isGenerated, isTest, sources, treeOf } from './source-files.mjs'
import ts from './typescript.mjs'

const MOST_FILES = 25
const MOST_FIELDS = 15
const MOST_IMPORTERS = 10
const LONGEST_FUNCTION = 120

const ALL = ['src', 'web']
const written = (root) => sources(root, ALL).filter((file) => !isTest(file) && !isGenerated(file))

/** Imports that only types need count too, and so does `import()`: what can't be understood alone is one thing. */
export function checkCycles(root) {
  const graph = new Map()
  for (const file of sources(root, ALL).filter((one) => !isTest(one))) {
    graph.set(
      file,
      importsOf(root, file).map(({ target }) => target),
    )
  }
  const knots = findKnots(graph)
  return {
    problems: knots.map((knot) => `cycle: ${wayAround(knot, graph).join(' → ')}`),
    counted: `${graph.size} files, ${knots.length} cycles`,
  }
}

/** Tarjan's strongly connected components with more than one file, or one that imports itself. */
export function findKnots(graph) {
  const index = new Map()
  const low = new Map()
  const stack = []
  const knots = []
  const visit = (file) => {
    index.set(file, index.size)
    low.set(file, index.get(file))
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file), low.get(next), index.get(next)))
    }
    if (low.get(file) !== index.get(file)) return
    const knot = stack.splice(stack.indexOf(file))
    if (knot.length > 1 || graph.get(file)?.includes(file)) knots.push(knot)
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return knots
}

/** A shortest way from a file of a knot back to itself. */
function wayAround(knot, graph) {
  const [start] = knot
  const ways = [[start]]
  const seen = new Set()
  for (const way of ways) {
    for (const next of graph.get(way.at(-1)) ?? []) {
      if (next === start) return [...way, start]
      if (!knot.includes(next) || seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return knot
}

export function checkRooms(root) {
  const counts = new Map()
  for (const file of written(root)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const largest = [...counts].sort(([, a], [, b]) => b - a)[0]
  return {
    problems: [...counts]
      .filter(([, count]) => count > MOST_FILES)
      .map(([folder, count]) => `${folder}: ${count} files, at most ${MOST_FILES}: make rooms of it`),
    counted: `${counts.size} folders, the fullest ${largest[0]} with ${largest[1]} files (at most ${MOST_FILES})`,
  }
}

export function checkFunctions(root) {
  const long = []
  let longest = { lines: 0, place: '' }
  for (const file of written(root)) {
    const tree = treeOf(root, file)
    const lineOf = (position) => tree.getLineAndCharacterOfPosition(position).line
    const visit = (node) => {
      if (ts.isFunctionLike(node) && node.body) {
        const lines = lineOf(node.end) - lineOf(node.getStart()) + 1
        const place = `${file}:${lineOf(node.getStart()) + 1} ${node.name?.getText() ?? ''}`
        if (lines > longest.lines) longest = { lines, place }
        if (lines > LONGEST_FUNCTION) long.push(`${place}: ${lines} lines, at most ${LONGEST_FUNCTION}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(tree)
  }
  return {
    problems: long,
    counted: `the longest has ${longest.lines} lines (at most ${LONGEST_FUNCTION}), ${longest.place}`,
  }
}

/** The shapes of the protocol are not ours to cut. */
export function checkTypes(root) {
  const importers = new Map()
  for (const file of written(root)) {
    for (const { target, names } of importsOf(root, file))
      for (const name of names) importers.set(`${target}#${name}`, (importers.get(`${target}#${name}`) ?? 0) + 1)
  }
  const wide = []
  let widest = { fields: 0, place: '' }
  const named = namedTypes(root)
  for (const file of written(root).filter((one) => !isContract(one))) {
    treeOf(root, file).forEachChild((node) => {
      const fields = fieldsOf(node, named)
      const users = fields === undefined ? 0 : (importers.get(`${file}#${node.name.text}`) ?? 0)
      if (users <= MOST_IMPORTERS) return
      const place = `${file}: ${node.name.text}`
      if (fields > widest.fields) widest = { fields, place }
      if (fields > MOST_FIELDS)
        wide.push(
          `${place} has ${fields} fields and ${users} importers, at most ${MOST_FIELDS} where more than ${MOST_IMPORTERS} files import it`,
        )
    })
  }
  return {
    problems: wide,
    counted: `the widest type with more than ${MOST_IMPORTERS} importers has ${widest.fields} fields (at most ${MOST_FIELDS}), ${widest.place}`,
  }
}

/** The items of views, and sessions as the HTTP API has them: programs read their fields. */
const CONTRACTS = ['src/view/view-items.ts', 'src/hub/session-types.ts']

/** Shapes that programs of others read: the protocol, and the items of the view. Whoever draws them imports them. */
function isContract(file) {
  return file.startsWith('src/protocol/') || CONTRACTS.includes(file)
}

function namedTypes(root) {
  const named = new Map()
  for (const file of written(root)) {
    treeOf(root, file).forEachChild((node) => {
      if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) named.set(node.name.text, node)
    })
  }
  return named
}

/** Of a type that is put together from others, those of all of them. */
function fieldsOf(node, named) {
  if (ts.isInterfaceDeclaration(node)) return node.members.length
  return ts.isTypeAliasDeclaration(node) ? fieldsOfType(node.type, named, new Set()) : undefined
}

function fieldsOfType(type, named, seen) {
  if (ts.isTypeLiteralNode(type)) return type.members.length
  if (ts.isIntersectionTypeNode(type)) return type.types.reduce((sum, part) => sum + fieldsOfType(part, named, seen), 0)
  if (!ts.isTypeReferenceNode(type)) return 0
  const [first] = type.typeArguments ?? []
  // `Readonly<Name>`, and our own wrappers of that kind; a `Pick` says itself what it needs.
  if (first) return type.typeName.getText() === 'Pick' ? 0 : fieldsOfType(first, named, seen)
  const declared = named.get(type.typeName.getText())
  if (!declared || seen.has(declared)) return 0
  seen.add(declared)
  return ts.isInterfaceDeclaration(declared) ? declared.members.length : fieldsOfType(declared.type, named, seen)
}

/** In a newcomer's search two files of one name are one too many. */
export function checkSameNames(root) {
  const places = new Map()
  for (const file of written(root)) {
    const name = file.split('/').at(-1)
    // The page is a house of its own.
    const key = file.startsWith('web/') ? `web/…/${name}` : name
    if (name !== 'index.ts') places.set(key, [...(places.get(key) ?? []), file])
  }
  return {
    problems: [...places]
      .filter(([, files]) => files.length > 1)
      .map(([name, files]) => `${name}: ${files.join(', ')}`),
    counted: `${places.size} names`,
  }
}
