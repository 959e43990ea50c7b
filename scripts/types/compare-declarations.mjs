// Compares two declaration files: which exported names and which members one has and the other hasn't.
import ts from 'typescript'

/** `theirs` and `ours` are paths of .d.ts files. Members are looked up in every part of a union. */
export function compareDeclarations({ theirs, ours }) {
  const program = ts.createProgram([theirs, ours], {
    skipLibCheck: true,
    noEmit: true,
    strict: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  })
  const checker = program.getTypeChecker()
  const exportsOf = (path) => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(path))
    return new Map(checker.getExportsOfModule(symbol).map((each) => [each.name, resolved(checker, each)]))
  }
  const [original, own] = [exportsOf(theirs), exportsOf(ours)]
  const missing = [...original.keys()].filter((name) => !own.has(name)).sort()
  const members = {}
  for (const [name, symbol] of [...original].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const counterpart = own.get(name)
    if (counterpart === undefined) continue
    const lost = missingMembers(checker, typeOf(checker, symbol), typeOf(checker, counterpart))
    if (lost.length > 0) members[name] = lost
  }
  return { exports: { theirs: original.size, ours: own.size, missing }, members }
}

const resolved = (checker, symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)

function typeOf(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Type ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol)
}

const LITERAL = ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral | ts.TypeFlags.BooleanLiteral
/** What a type consists of: literals, and members, one level of own objects below included. */
function partsOf(checker, type, depth = 0, seen = new Set()) {
  const found = new Set()
  if (seen.has(type) || depth > 3) return found
  seen.add(type)
  if (type.isUnion()) {
    for (const part of type.types) for (const each of partsOf(checker, part, depth, seen)) found.add(each)
    return found
  }
  if (type.flags & LITERAL) {
    found.add(`=${'value' in type ? type.value : checker.typeToString(type)}`)
    return found
  }
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return found
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    for (const element of checker.getTypeArguments(type))
      for (const each of partsOf(checker, element, depth, seen)) found.add(each.startsWith('=') ? each : `[].${each}`)
    return found
  }
  for (const member of checker.getPropertiesOfType(type)) {
    if (member.name.startsWith('__@')) continue
    found.add(member.name)
    const declaration = member.valueDeclaration ?? member.declarations?.[0]
    if (
      declaration === undefined ||
      /node_modules\/(?!@anthropic-ai\/claude-agent-sdk)/.test(declaration.getSourceFile().fileName)
    )
      continue
    const of = checker.getTypeOfSymbolAtLocation(member, declaration)
    if (of.getCallSignatures().length > 0) continue
    for (const each of partsOf(checker, of, depth + 1, new Set(seen)))
      found.add(each.startsWith('=') ? `${member.name}${each}` : `${member.name}.${each}`)
  }
  return found
}

function missingMembers(checker, theirs, ours) {
  const own = partsOf(checker, ours)
  const lost = [...partsOf(checker, theirs)].filter((name) => !own.has(name))
  // A member of something that is missing itself says nothing new.
  return lost.filter(
    (name) => !lost.some((other) => other !== name && (name.startsWith(`${other}.`) || name.startsWith(`${other}=`))),
  )
}
