// The code blocks of the docs, each with where it stands and what a comment before it says:
//   <!-- given: declare const prompt: string -->   what a fragment takes for granted, for the compiler
//   <!-- unchecked: why -->                        nothing could check it
//   <!-- from: examples/01-hello.mjs -->           a part of that file, which has its own test; any indentation
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pages whose code has to be true. */
export function pagesWithCode(root) {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return [...readdirSync(root).filter((name) => name.endsWith('.md')), ...docs.map((name) => `docs/${name}`)]
}

/** `[{ page, line, lang, code, given, unchecked, from }]` */
export function codeBlocks(page, text) {
  const blocks = []
  let given = ''
  let unchecked
  let from
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
        from = undefined
      }
    } else if (fence) open = { page, line: at + 1, lang: fence[1], given, unchecked, from, lines: [] }
    else {
      given = /^<!-- given: (.*) -->$/.exec(line)?.[1] ?? given
      unchecked = /^<!-- unchecked: (.*) -->$/.exec(line)?.[1] ?? unchecked
      from = /^<!-- from: (.*) -->$/.exec(line)?.[1] ?? from
    }
  }
  return blocks
}

/** Whether these lines stand in the file one below the other. A page leaves out the indentation that all of them have. */
export function isQuoted(code, file) {
  const lines = file.split('\n')
  const quoted = code.split('\n')
  return lines.some((_, start) => {
    const there = lines.slice(start, start + quoted.length)
    const indents = there.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
    return there.map((line) => line.slice(Math.min(...indents))).join('\n') === code
  })
}

export function allBlocks(root) {
  return pagesWithCode(root).flatMap((page) => codeBlocks(page, readFileSync(join(root, page), 'utf8')))
}
