// What the judge of command lines knows about a program stands in one file: no two files know the same program, and no other
// code names it.
import { sources, treeOf } from './source-files.mjs'
import ts from './typescript.mjs'

const JUDGE = 'src/permissions/bash/'
const PROGRAMS = `${JUDGE}programs/`
/** Builtins belong to the language of the shell, and plain programs have no file of their own: the judge may name these. */
const NAMED_ELSEWHERE = ['shells/shell-builtins.ts', 'plain-programs.ts'].map((file) => PROGRAMS + file)
/** It names the interpreters that the first line of a script looks for. */
const EXCEPTIONS = [`${JUDGE}planted-programs.ts`]
/** Names that mean something else as well: a kind of file, a field of the parser's tree, the folder `/dev/fd`, a keyword. */
const ORDINARY_WORDS = new Set(['file', 'script', 'fd', 'time'])

export function checkPrograms(root) {
  const files = sources(root)
    .filter((file) => file.startsWith(JUDGE) && !/\.test\.ts$/.test(file))
    .sort()
  const owners = new Map()
  const problems = []
  for (const file of files.filter((one) => one.startsWith(PROGRAMS))) {
    for (const name of namesIn(treeOf(root, file))) {
      if (owners.has(name)) problems.push(`${name}: known by ${owners.get(name)} and ${file}`)
      owners.set(name, file)
    }
  }
  const isOwned = (text) => owners.has(text) && !NAMED_ELSEWHERE.includes(owners.get(text)) && !ORDINARY_WORDS.has(text)
  for (const file of files.filter((one) => !one.startsWith(PROGRAMS) && !EXCEPTIONS.includes(one))) {
    const tree = treeOf(root, file)
    const visit = (node) => {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart())
      for (const name of wordsOf(node).filter(isOwned))
        problems.push(`${file}:${line + 1}: names ${name}, which ${owners.get(name)} knows: ask the table of programs`)
      ts.forEachChild(node, visit)
    }
    visit(tree)
  }
  return { problems, counted: `${owners.size} programs` }
}

/** The names in each `const X: KnownPrograms = { name: …, ...named('name name', …) }`. */
function namesIn(tree) {
  return tree.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter(({ type, initializer }) => type?.getText() === 'KnownPrograms' && initializer?.properties)
    .flatMap(({ initializer }) => [...initializer.properties])
    .flatMap((property) => {
      if (property.name) return [property.name.text]
      const [names] = property.expression.arguments
      return names.text.trim().split(/\s+/)
    })
}

/** A text, and the words in a regular expression. Types and imports name no program. */
function wordsOf(node) {
  if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) return node.text.match(/[\w.+-]+/g) ?? []
  const isText = ts.isStringLiteralLike(node) && !ts.isLiteralTypeNode(node.parent)
  return isText && !ts.isImportDeclaration(node.parent) ? [node.text] : []
}
