// The code blocks of the docs, each with where it stands and what a comment before it says:
//   <!-- given: declare const prompt: string -->   what a fragment takes for granted, for the compiler
//   <!-- unchecked: why -->                        nothing could check it
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pages whose code has to be true. */
export function pagesWithCode(root) {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return [...readdirSync(root).filter((name) => name.endsWith('.md')), ...docs.map((name) => `docs/${name}`)]
}

/** `[{ page, line, lang, code, given, unchecked }]` */
export function codeBlocks(page, text) {
  const blocks = []
  let given = ''
  let unchecked
  let open
  for (const [at, line] of text.split('\n').entries()) {
    const fence = /^\s*```(\w*)/.exec(line)
    if (open !== undefined) {
      if (!fence) open.lines.push(line)
      else {
        const { lines, ...block } = open
        blocks.push({ ...block, code: lines.join('\n') })
        open = undefined
        given = ''
        unchecked = undefined
      }
    } else if (fence) open = { page, line: at + 1, lang: fence[1], given, unchecked, lines: [] }
    else {
      given = /^<!-- given: (.*) -->$/.exec(line)?.[1] ?? given
      unchecked = /^<!-- unchecked: (.*) -->$/.exec(line)?.[1] ?? unchecked
    }
  }
  return blocks
}

export function allBlocks(root) {
  return pagesWithCode(root).flatMap((page) => codeBlocks(page, readFileSync(join(root, page), 'utf8')))
}
