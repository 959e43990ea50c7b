// A folder like a large repository, the same every time: packages of modules with small source files, some of them rare.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const EXTENSIONS = ['ts', 'js', 'md', 'json']
const WORDS = 'alpha beta gamma delta import export const return function value index server client request'.split(' ')
const FILES_PER_MODULE = 100
/** One file in so many has the words that are searched for. */
const RARE = 500

/** @returns {{root: string, dispose(): void}} */
export function growTree(files = 50_000) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-bench-tree-')))
  const random = createRandom(1)
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(root, '.gitignore'), 'dist/\nnode_modules/\n*.log\n')
  for (let i = 0; i < files; i += 1) {
    const module = Math.floor(i / FILES_PER_MODULE)
    const outer = join(root, `package-${module % 25}`, `module-${module}`)
    if (i % FILES_PER_MODULE === 0) mkdirSync(join(outer, 'inner'), { recursive: true })
    const folder = i % 3 === 0 ? join(outer, 'inner') : outer
    const name = i % RARE === 0 ? `rare-${i}` : `file-${i}`
    writeFileSync(join(folder, `${name}.${EXTENSIONS[i % EXTENSIONS.length]}`), text(random, i % RARE === 0))
  }
  return { root, dispose: () => rmSync(root, { recursive: true, force: true }) }
}

/** About 1,300 bytes. */
function text(random, isRare) {
  const lines = Array.from({ length: 30 }, () => {
    return Array.from({ length: 7 }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')
  })
  if (isRare) lines[15] = 'the needle_in_the_haystack is here'
  return `${lines.join('\n')}\n`
}

/** Numbers between 0 and 1, the same for the same seed. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
