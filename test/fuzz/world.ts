/** The small world commands are judged for and run in: a project with traps in it, a home, and a folder outside. */

export const REPO = '/repo'
export const HOME = '/home/u'
export const OUT = '/out'
/** Of the environment; nobody may print it who was not told to. */
export const SECRET = 'the-token-of-the-user'
export const ROOTS = [REPO, HOME, OUT] as const

/** A program of the project that is named like a real one, or just lies there: it tells that it ran. */
export const TRAPS = [
  ...['ls', 'git', 'cat', 'evil', 'evil.sh', 'src/ls'],
  // Folders that are named like a number, for whoever gets PATH to be one.
  ...['0/ls', '0/cat', '0/head', '0/wc', '3/ls', '3/cat', '5/ls'],
  // What git takes for a command of its own.
  ...['git-x/evil', 'git-evil'],
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
  // Trees that have something in them that others act on.
  [`${REPO}/build/tree/f`]: 'f\n',
  [`${REPO}/build/tree/.git/hooks/post-merge`]: 'evil\n',
  [`${REPO}/build/tree/.claude/settings.json`]: '{"evil":1}\n',
  [`${REPO}/build/pack/lib/.git/hooks/post-merge`]: 'evil\n',
  [`${REPO}/build/pack/lib/f`]: 'f\n',
  [`${REPO}/build/pack/app/.mcp.json`]: '{"evil":1}\n',
  [`${REPO}/evil.patch`]: '--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+evil\n',
  [`${REPO}/mcp.patch`]: '--- /dev/null\n+++ b/.mcp.json\n@@ -0,0 +1 @@\n+evil\n',
  [`${REPO}/mail`]: 'From: a <a@example.com>\nSubject: x\n\nevil\n',
  // Lines that are commands, for whoever runs what he reads.
  [`${REPO}/lines`]: 'evil /\nevil ,\nevil |\n',
  [`${REPO}/.env`]: 'KEY=1\n',
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

/** Nobody may read them who was not told to. */
export const WATCHED = Object.keys(FILES).filter((path) => /^\/(?:out|home|repo\/secrets)\/|\/\.env$/.test(path))

export const LINKS: Readonly<Record<string, string>> = {
  [`${REPO}/link-out`]: OUT,
  [`${REPO}/link-file`]: `${OUT}/secret`,
  [`${REPO}/link-in`]: 'src',
  [`${REPO}/src/deep/up`]: REPO,
  [`${REPO}/vendor/ext`]: OUT,
  [`${REPO}/dangling`]: `${OUT}/new`,
}
