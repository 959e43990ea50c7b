/** The small world commands are judged for and run in: a project with traps in it, a home, and a folder outside. */
import { dirname } from 'node:path'

export const REPO = '/repo'
export const HOME = '/home/u'
export const OUT = '/out'
export const ROOTS = [REPO, HOME, OUT] as const

/** A program of the project that is named like a real one, or just lies there: it tells that it ran. */
export const TRAPS = ['ls', 'git', 'cat', 'evil', 'evil.sh', 'src/ls'].map((name) => `${REPO}/${name}`)

export const FILES: Readonly<Record<string, string>> = {
  [`${REPO}/a.txt`]: 'alpha\nbeta\nalpha x\n',
  [`${REPO}/b.txt`]: 'beta\n1 2 3\n',
  [`${REPO}/README.md`]: '# read me\n',
  [`${REPO}/package.json`]: '{"name":"x"}\n',
  [`${REPO}/list`]: '/out/secret\n',
  [`${REPO}/src/a.ts`]: 'export const a = 1\n',
  [`${REPO}/src/b.ts`]: 'export const b = 2\n',
  [`${REPO}/build/x`]: 'x\n',
  [`${REPO}/with space/f`]: 'f\n',
  [`${REPO}/secrets/key`]: 'the key\n',
  [`${REPO}/prog.awk`]: 'BEGIN { system("evil") }\n',
  [`${REPO}/prog.sed`]: '1e evil\n',
  [`${REPO}/.claude/settings.json`]: '{}\n',
  // Names that turn into options when a glob finds them.
  [`${REPO}/-oPWNED`]: '',
  [`${REPO}/--output=PWNED`]: '',
  [`${REPO}/-delete`]: '',
  [`${REPO}/glob/-exec`]: '',
  [`${REPO}/glob/evil`]: '',
  [`${REPO}/glob/;`]: '',
  [`${HOME}/secret`]: 'secret of the home\n',
  [`${HOME}/.bashrc`]: '\n',
  [`${OUT}/secret`]: 'secret outside\n',
  [`${OUT}/sub/f`]: 'f\n',
}

export const LINKS: Readonly<Record<string, string>> = {
  [`${REPO}/link-out`]: OUT,
  [`${REPO}/link-file`]: `${OUT}/secret`,
  [`${REPO}/link-in`]: 'src',
  [`${REPO}/vendor/ext`]: OUT,
  [`${REPO}/dangling`]: `${OUT}/new`,
}

/** Every folder that holds something, outermost first. */
export function folders(): string[] {
  const found = new Set<string>()
  for (const path of [...Object.keys(FILES), ...TRAPS, ...Object.keys(LINKS)]) {
    const above: string[] = []
    for (let at = dirname(path); at !== '/'; at = dirname(at)) above.unshift(at)
    for (const folder of above) found.add(folder)
  }
  return [...found]
}
