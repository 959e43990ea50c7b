/** A little color for code: comments, strings, numbers and words most languages have. One pass, no grammar. */
import type { Styles } from '../screen/styles.js'

const WORDS =
  'abstract|and|as|async|await|break|case|catch|class|const|continue|def|default|del|do|done|elif|else|end|enum|except|export|extends|false|fi|final|finally|fn|for|from|func|function|go|if|impl|implements|import|in|interface|is|lambda|let|loop|match|mod|module|mut|new|nil|none|not|null|or|package|pass|private|protected|pub|public|raise|return|self|static|struct|super|switch|then|this|throw|trait|true|try|type|undefined|use|var|void|where|while|with|yield|None|True|False|SELECT|FROM|WHERE|INSERT|UPDATE|DELETE|JOIN|ON|AND|OR|NOT|NULL|CREATE|TABLE'

const HASH =
  /^(?:sh|bash|zsh|fish|console|shell|py|python|rb|ruby|yaml|yml|toml|ini|make|makefile|dockerfile|perl|r|elixir|nix|conf)$/i
const PLAIN = /^(?:text|txt|plain|output|log|console|md|markdown|)$/i
const DASHES = /^(?:sql|lua|haskell|hs|elm)$/i

export function colorCodeLine(line: string, language: string, styles: Styles): string {
  if (/^(?:diff|patch)$/i.test(language)) return colorDiff(line, styles)
  if (PLAIN.test(language)) return line
  const comment = HASH.test(language) ? '#.*' : DASHES.test(language) ? '--.*' : '\\/\\/.*|\\/\\*.*?(?:\\*\\/|$)'
  const pattern = new RegExp(
    `(?<comment>(?<=^|\\s)(?:${comment}))|(?<text>"(?:[^"\\\\]|\\\\.)*"?|'(?:[^'\\\\]|\\\\.)*'?|\`(?:[^\`\\\\]|\\\\.)*\`?)|(?<number>\\b\\d[\\d._]*(?:e[+-]?\\d+)?\\b)|(?<word>\\b(?:${WORDS})\\b)`,
    'g',
  )
  return (
    line.slice(0, 2000).replace(pattern, (found, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined> // what replace gives last
      if (groups['comment'] !== undefined) return styles.dim(found)
      if (groups['text'] !== undefined) return styles.green(found)
      return groups['number'] === undefined ? styles.magenta(found) : styles.yellow(found)
    }) + line.slice(2000)
  )
}

export function colorDiff(line: string, styles: Styles): string {
  if (line.startsWith('+')) return styles.green(line)
  if (line.startsWith('-')) return styles.red(line)
  return line.startsWith('@@') ? styles.cyan(line) : line
}
