/** The small world commands are judged for and run in: a project with traps in it, a home, and a folder outside. */
import { dirname } from 'node:path'

export const REPO = '/repo'
export const HOME = '/home/u'
export const OUT = '/out'
/** Where a command may start. */
export const STARTS = [REPO, REPO, REPO, `${REPO}/src/deep/er`] as const
/** Of the environment; nobody may print it who was not told to. */
export const SECRET = 'the-token-of-the-user'
export const ROOTS = [REPO, HOME, OUT] as const

/** A program of the project that is named like a real one, or just lies there: it tells that it ran. */
export const TRAPS = [
  ...['ls', 'git', 'cat', 'evil', 'evil.sh', 'src/ls'],
  // Folders that are named like a number, for whoever gets PATH to be one.
  ...['0/ls', '0/cat', '0/head', '0/wc', '3/ls', '3/cat', '5/ls'],
].map((name) => `${REPO}/${name}`)

export const FILES: Readonly<Record<string, string>> = {
  [`${REPO}/a.txt`]: 'alpha\nbeta\nalpha x\n',
  [`${REPO}/b.txt`]: 'beta\n1 2 3\n',
  [`${REPO}/README.md`]: '# read me\n',
  [`${REPO}/package.json`]: '{"name":"x"}\n',
  [`${REPO}/list`]: '/out/secret\n',
  [`${REPO}/src/a.ts`]: 'export const a = 1\n',
  [`${REPO}/src/b.ts`]: 'export const b = 2\n',
  [`${REPO}/src/deep/er/f`]: 'f\n',
  [`${REPO}/src/deep/er/a.txt`]: 'alpha\n',
  [`${REPO}/build/x`]: 'x\n',
  [`${REPO}/build/tree/f`]: 'f\n',
  [`${REPO}/evil.patch`]: '--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+evil\n',
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
  [`${REPO}/src/deep/up`]: REPO,
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
