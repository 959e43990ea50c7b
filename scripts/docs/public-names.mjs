// Every exported name of the package and every field of it, with the sentence that editors show: read by the compiler from the
// declarations we ship. The check for missing sentences and the API reference both come from here.
import { join } from 'node:path'
import ts from 'typescript'

/** What people import, and the declarations of it. */
export const ENTRIES = {
  kedge: 'dist/index.d.ts',
  'kedge/testing': 'dist/testing.d.ts',
  'kedge/server': 'dist/server.d.ts',
  'kedge/cluster': 'dist/cluster.d.ts',
  'kedge/eval': 'dist/eval.d.ts',
  'kedge/client': 'dist/client.d.ts',
  'kedge/react': 'dist/react.d.ts',
  'kedge/sdk-tools': 'dist/sdk-tools.d.ts',
}

/** For each: `{ entry, name, kind, sentence, signature, members: [{ name, sentence, type, optional, members }] }`. */
export function publicNames(root, entries = ENTRIES) {
  const files = Object.values(entries).map((file) => join(root, file))
  // Each file stands by itself: neither a library nor another file is needed to know what it says.
  const options = { target: 99, module: 99, noResolve: true, noLib: true, types: [], noEmit: true }
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  const named = Object.entries(entries).flatMap(([entry, file]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, file)))
    return checker.getExportsOfModule(module).map((alias) => {
      const isAlias = alias.flags & ts.SymbolFlags.Alias
      return { entry, name: alias.name, symbol: isAlias ? checker.getAliasedSymbol(alias) : alias }
    })
  })
  const exported = new Set(named.map(({ symbol }) => symbol))
  return named.flatMap(({ entry, name, symbol }) => {
    const declarations = symbol.declarations ?? []
    const [first] = declarations
    if (first === undefined) return []
    const reader = { checker, exported, seen: new Set(), members: new Map() }
    for (const declaration of declarations) readDeclaration(declaration, reader)
    const [kind, signature] = [kindOf(first), signatureOf(first, symbol)]
    const since = symbol.getJsDocTags().find((tag) => tag.name === 'since')?.text?.[0]?.text
    const members = [...reader.members.values()]
    return [{ entry, name, kind, sentence: sentenceOf(symbol, checker), signature, since, members }]
  })
}

/** `Options.model` for every name or field that nothing is said about. */
export function unexplained(names) {
  return names.flatMap(({ name, sentence, isPartly, members }) => [
    ...(sentence === '' || isPartly ? [name] : []),
    ...unexplained(members).map((each) => `${name}.${each}`),
  ])
}

/** How many names and fields there are. */
export function countNames(names) {
  return names.reduce((sum, { members }) => sum + 1 + countNames(members), 0)
}

function sentenceOf(symbol, checker) {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
  // Overloads begin with the same words, so that an editor shows them at each: here they stand once.
  return symbol.declarations?.length > 1 ? [...new Set(text.split(/(?<=\.)\s+/))].join(' ') : text
}

function kindOf(node) {
  if (ts.isClassDeclaration(node)) return 'class'
  if (ts.isFunctionDeclaration(node)) return 'function'
  return ts.isVariableDeclaration(node) ? 'constant' : 'type'
}

function signatureOf(node, symbol) {
  if (ts.isFunctionDeclaration(node)) return symbol.declarations.map((each) => bare(each.getText())).join('\n')
  if (ts.isVariableDeclaration(node)) return `const ${bare(node.getText())}`
  if (ts.isClassDeclaration(node)) return `class ${node.name.getText()}${clauses(node)}`
  return bare(node.getText())
}

function clauses(node) {
  return (node.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join('')
}

/** Without comments and what only a declaration file needs. */
function bare(text) {
  return text
    .replace(/\/\*\*[\s\S]*?\*\/\s*/g, '')
    .replace(/^(export )?(declare )?/, '')
    .replace(/;$/, '')
}

function readDeclaration(node, reader) {
  if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) readMembers(node.members, reader)
  else if (ts.isTypeAliasDeclaration(node)) readType(node.type, reader)
  else if (ts.isFunctionDeclaration(node)) for (const each of node.parameters) readType(each.type, reader)
}

/** Fields behind a type: of literals, of each side of `|` and `&`, and of types that have no exported name of their own. */
function readType(node, reader) {
  if (node === undefined || reader.seen.has(node)) return
  reader.seen.add(node)
  if (ts.isTypeLiteralNode(node)) readMembers(node.members, reader)
  else if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node))
    for (const each of node.types) readType(each, reader)
  else if (ts.isParenthesizedTypeNode(node)) readType(node.type, reader)
  else if (ts.isTypeReferenceNode(node)) readReference(node, reader)
  else if (ts.isFunctionTypeNode(node)) for (const each of node.parameters) readType(each.type, reader)
}

const TRANSPARENT = new Set(['Partial', 'Required', 'Readonly', 'Omit', 'Pick'])

function readReference(node, reader) {
  const name = node.typeName.getText()
  if (TRANSPARENT.has(name)) return readType(node.typeArguments?.[0], reader)
  let symbol = reader.checker.getSymbolAtLocation(node.typeName)
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = reader.checker.getAliasedSymbol(symbol)
  if (symbol === undefined || reader.exported.has(symbol)) return
  for (const each of symbol.declarations ?? []) readDeclaration(each, reader)
}

function readMembers(members, reader) {
  for (const node of members) {
    if (node.name === undefined || ts.isPrivateIdentifier(node.name) || isHidden(node)) continue
    const symbol = reader.checker.getSymbolAtLocation(node.name)
    if (symbol === undefined) continue
    const name = node.name.getText()
    const sentence = sentenceOf(symbol, reader.checker)
    const before = reader.members.get(name)
    // Several kinds of one union have it: once they are told apart, an editor shows the sentence of that one alone.
    if (before !== undefined) {
      if (sentence === '') before.isPartly = true
      continue
    }
    const inner = { ...reader, members: new Map() }
    readInner(node.type, inner)
    for (const each of node.parameters ?? []) readInner(each.type, inner)
    const members = [...inner.members.values()]
    reader.members.set(name, { name, sentence, type: memberType(node), optional: Boolean(node.questionToken), members })
  }
}

/** Fields of what a field holds, where that has no name of its own. */
function readInner(node, reader) {
  if (node === undefined) return
  if (ts.isArrayTypeNode(node)) readInner(node.elementType, reader)
  else if (ts.isTypeOperatorNode(node) || ts.isParenthesizedTypeNode(node)) readInner(node.type, reader)
  else if (ts.isUnionTypeNode(node)) for (const each of node.types) readInner(each, reader)
  else if (ts.isTypeLiteralNode(node)) readMembers(node.members, reader)
  else if (ts.isFunctionTypeNode(node)) for (const each of node.parameters) readInner(each.type, reader)
}

function isHidden(node) {
  return node.modifiers?.some((each) => each.kind === ts.SyntaxKind.PrivateKeyword) ?? false
}

function memberType(node) {
  return bare(node.getText()).replace(/^(readonly )?[\w'"~[\].]+\??:\s*/, '')
}
