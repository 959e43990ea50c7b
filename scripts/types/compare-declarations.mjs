// Compares two declaration files by the TypeScript compiler: which exported names, which members of what both export, and
// which types of one don't fit where the other is wanted.
import ts from 'typescript'

/** `theirs` and `ours` are paths of .d.ts files. A type that is exported itself is compared once, under its own name. */
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
  const named = new Set([...original.values(), ...own.values()])
  const missing = [...original.keys()].filter((name) => !own.has(name)).sort()
  const members = {}
  const unfit = { oursIntoTheirs: [], theirsIntoOurs: [] }
  for (const [name, symbol] of [...original].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const counterpart = own.get(name)
    if (counterpart === undefined) continue
    const [one, other] = [typeOf(checker, symbol), typeOf(checker, counterpart)]
    const context = { checker, named }
    const lost = missingMembers(context, one, other)
    if (lost.length > 0) members[name] = lost
    if (!checker.isTypeAssignableTo(other, one)) unfit.oursIntoTheirs.push(name)
    if (!checker.isTypeAssignableTo(one, other)) unfit.theirsIntoOurs.push(name)
  }
  return { exports: { theirs: original.size, ours: own.size, missing }, members, unfit }
}

const resolved = (checker, symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)

function typeOf(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Type ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol)
}

const LITERAL = ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral | ts.TypeFlags.BooleanLiteral
const MAX_DEPTH = 6

/**
 * What a type consists of: literals as `=value`, and the paths of members, those of own objects below included. It goes into a
 * type with an exported name only where `everywhere` is said: there that of the other side may be written out.
 */
function partsOf(context, type, { everywhere, depth = 0, seen = new Set() }) {
  const { checker } = context
  const found = new Set()
  if (seen.has(type) || depth > MAX_DEPTH) return found
  if (depth > 0 && isExported(context, type) && !everywhere) return found
  const inside = { everywhere, depth: depth + 1, seen: new Set([...seen, type]) }
  if (type.isUnion()) {
    // The parts of a union that is exported count under their own names, if they have some.
    for (const part of type.types) for (const each of partsOf(context, part, inside)) found.add(each)
    return found
  }
  if (type.flags & LITERAL) {
    found.add(`=${'value' in type ? type.value : checker.typeToString(type)}`)
    return found
  }
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const usual = checker.getDefaultFromTypeParameter(type) ?? checker.getBaseConstraintOfType(type)
    return usual ? partsOf(context, usual, { ...inside, depth }) : found
  }
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return found
  // What an exported type adds counts with that type.
  const based = type.isIntersection() && !everywhere ? type.types.filter((part) => isExported(context, part)) : []
  const inherited = new Set(based.flatMap((part) => checker.getPropertiesOfType(part).map(({ name }) => name)))
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    for (const element of checker.getTypeArguments(type))
      for (const each of partsOf(context, element, inside)) found.add(each.startsWith('=') ? each : `[].${each}`)
    return found
  }
  for (const member of checker.getPropertiesOfType(type)) {
    const declaration = member.valueDeclaration ?? member.declarations?.[0]
    if (member.name.startsWith('__@') || inherited.has(member.name)) continue
    if (isOfLibrary(declaration) || isPrivate(declaration)) continue
    found.add(member.name)
    if (declaration === undefined) continue
    const whole = checker.getTypeOfSymbolAtLocation(member, declaration)
    const of = whole.flags & ts.TypeFlags.TypeParameter ? whole : checker.getNonNullableType(whole)
    if (of.getCallSignatures().length > 0) continue
    for (const each of partsOf(context, of, inside))
      found.add(each.startsWith('=') ? `${member.name}${each}` : `${member.name}.${each}`)
  }
  return found
}

const isExported = ({ named }, type) => named.has(type.aliasSymbol) || named.has(type.symbol)

/** Of another package, or of the compiler: neither side decides it. */
function isOfLibrary(declaration) {
  const file = declaration?.getSourceFile().fileName ?? ''
  return /node_modules\/(?!@anthropic-ai\/claude-agent-sdk\/)|typescript\/lib\/lib\./.test(file)
}

function isPrivate(declaration) {
  return declaration !== undefined && (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) !== 0
}

function missingMembers(context, theirs, ours) {
  const own = partsOf(context, ours, { everywhere: true })
  const lost = [...partsOf(context, theirs, { everywhere: false })].filter((name) => !own.has(name))
  // A member of something that is missing itself says nothing new.
  return lost.filter(
    (name) => !lost.some((other) => other !== name && (name.startsWith(`${other}.`) || name.startsWith(`${other}=`))),
  )
}
