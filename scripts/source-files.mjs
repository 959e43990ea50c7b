// The sources as checks see them: every file parsed once, with its imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from './typescript.mjs'

export const isTest = (file) => /\.test\.ts$|\/test-[^/]*\.ts$|fixtures\//.test(file)
export const isGenerated = (file) => file.endsWith('.generated.ts')

export function sources(root, folders = ['src']) {
  const there = folders.filter((folder) => existsSync(join(root, folder)))
  return there.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
}

const parsed = new Map()

/** The syntax tree of a file; parsed once for all checks. */
export function treeOf(root, file) {
  const path = join(root, file)
  if (!parsed.has(path))
    parsed.set(path, ts.createSourceFile(file, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true))
  return parsed.get(path)
}

/** The page has files of both kinds. */
function sourceOf(root, path) {
  const plain = path.replace(/\.js$/, '.ts')
  return plain.startsWith('web/') && !existsSync(join(root, plain)) ? `${plain}x` : plain
}

/** Nothing of it is there when the program runs. */
function isOnlyTypes({ importClause, isTypeOnly }, elements) {
  if (isTypeOnly || importClause?.isTypeOnly) return true
  return !importClause?.name && elements.length > 0 && elements.every((element) => element.isTypeOnly)
}

const imports = new Map()

/** Everything a file imports: `{ target, dynamic, names, isType }`; `target` is a path of the project, or the name of a package. */
export function importsOf(root, file) {
  const path = join(root, file)
  if (!imports.has(path)) imports.set(path, findImports(root, file))
  return imports.get(path)
}

function findImports(root, file) {
  const found = []
  const add = (specifier, dynamic, names, isType = false) => {
    const target = specifier.startsWith('.')
      ? sourceOf(root, relative(root, resolve(root, dirname(file), specifier)))
      : specifier
    found.push({ target, dynamic, names, isType })
  }
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const elements = node.importClause?.namedBindings?.elements ?? node.exportClause?.elements ?? []
      add(
        node.moduleSpecifier.text,
        false,
        elements.map(({ propertyName, name }) => (propertyName ?? name).text),
        isOnlyTypes(node, elements),
      )
    }
    const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    if (isDynamic && ts.isStringLiteralLike(node.arguments[0])) add(node.arguments[0].text, true, [])
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal.text, false, [])
    if (node === tree || isDeep) ts.forEachChild(node, visit)
  }
  const tree = treeOf(root, file)
  // Those that are not declared at the top are all written so.
  const isDeep = /\bimport\s*\(/.test(tree.text)
  visit(tree)
  return found
}
