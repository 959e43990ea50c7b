/** Builds the small world in a folder, with real repositories in it. The judge reads it there; a cage starts with a copy. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { HOSTILE, type HostileRepository } from './hostile-world.js'
import { trapScript } from './stubs.js'
import { FILES, HOME, LINKS, REPO, ROOTS, TRAPS } from './world.js'

/** The first of them keeps the objects. */
const OBJECTS = `${REPO}/repos/plain`

let built: string | undefined

/** Built once for all who ask; gone when this process ends. */
export function worldFolder(): string {
  if (built !== undefined) return built
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-world-')))
  process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  build(root)
  built = root
  return root
}

function build(root: string): void {
  const at = (path: string) => {
    mkdirSync(dirname(`${root}${path}`), { recursive: true })
    return `${root}${path}`
  }
  for (const folder of [...ROOTS, '/tmp', '/usr/bin', '/etc']) mkdirSync(`${root}${folder}`, { recursive: true })
  buildProject(root)
  for (const [path, content] of Object.entries(FILES)) writeFileSync(at(path), content)
  for (const path of TRAPS) writeFileSync(at(path), trapScript(), { mode: 0o755 })
  for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, at(path))
  packEvil(root)
  const pattern = buildPattern(root)
  for (const [folder, one] of Object.entries(HOSTILE)) buildHostile(root, folder, one, pattern)
  rmSync(pattern, { recursive: true })
}

function git(root: string, cwd: string, ...args: string[]): string {
  const env = {
    PATH: process.env.PATH,
    HOME: `${root}${HOME}`,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_DATE: '@1700000000 +0000',
    GIT_COMMITTER_DATE: '@1700000000 +0000',
  }
  const all = ['-c', 'user.name=u', '-c', 'user.email=u@example.com', '-c', 'init.defaultBranch=main', ...args]
  const done = spawnSync('git', all, { cwd, env, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`)
  return done.stdout.trim()
}

function buildProject(root: string): void {
  const project = `${root}${REPO}`
  git(root, project, 'init', '-q', '--template=')
  mkdirSync(`${project}/.git/hooks`)
  writeFileSync(`${project}/a.txt`, 'alpha\n')
  git(root, project, 'add', 'a.txt')
  git(root, project, 'commit', '-q', '-m', 'first')
  mkdirSync(`${project}/src`)
  for (const path of [`${REPO}/a.txt`, `${REPO}/src/a.ts`]) writeFileSync(`${root}${path}`, FILES[path] ?? '')
  git(root, project, 'add', 'a.txt', 'src')
  git(root, project, 'commit', '-q', '-m', 'second')
}

/** What all hostile repositories begin with: a few files, in few files of its own. */
function buildPattern(root: string): string {
  const folder = `${root}/pattern`
  mkdirSync(folder)
  git(root, folder, 'init', '-q', '--template=')
  for (const name of ['c.txt', 'd.txt']) writeFileSync(`${folder}/${name}`, 'three\n')
  git(root, folder, 'add', '.')
  git(root, folder, 'commit', '-q', '-m', 'one')
  git(root, folder, 'commit', '-q', '--allow-empty', '-m', 'two')
  for (const name of ['logs', 'info', 'COMMIT_EDITMSG', 'description'])
    rmSync(`${folder}/.git/${name}`, { recursive: true, force: true })
  // As long as it was: git has to look at what it is.
  writeFileSync(`${folder}/c.txt`, 'tHREE\n')
  return folder
}

function buildHostile(root: string, folder: string, one: HostileRepository, pattern: string): void {
  const host = `${root}${folder}`
  const at = (name: string) => {
    mkdirSync(dirname(join(host, name)), { recursive: true })
    return join(host, name)
  }
  cpSync(pattern, host, { recursive: true })
  for (const name of [...Object.keys(one.links ?? {}), ...Object.keys(one.files ?? {})])
    rmSync(join(host, name), { recursive: true, force: true })
  if (one.config !== undefined) appendFileSync(at('.git/config'), `${one.config}\n`)
  if (one.signed) git(root, host, 'update-ref', 'HEAD', signedCommit(root, host))
  if (one.inner !== undefined) {
    buildHostile(root, `${folder}/inner`, HOSTILE[`${REPO}/repos/${one.inner}`] ?? {}, pattern)
    const head = git(root, pattern, 'rev-parse', 'HEAD')
    git(root, host, 'update-index', '--add', '--cacheinfo', `160000,${head},inner`)
  }
  if (one.bare) {
    for (const name of ['HEAD', 'objects', 'refs', 'config', 'index'])
      renameSync(join(host, '.git', name), join(host, name))
    rmSync(join(host, '.git'), { recursive: true })
  }
  // All have the same objects, and fewer files are looked at sooner. Last: to git on this machine the link leads nowhere.
  const objects = join(host, one.bare ? 'objects' : '.git/objects')
  if (folder !== OBJECTS && !one.signed && existsSync(objects)) {
    rmSync(objects, { recursive: true })
    symlinkSync(`${OBJECTS}/.git/objects`, objects)
  }
  for (const [name, content] of Object.entries(one.files ?? {})) writeFileSync(at(name), content)
  for (const name of one.traps ?? []) writeFileSync(at(name), trapScript(), { mode: 0o755 })
  for (const [name, target] of Object.entries(one.links ?? {})) symlinkSync(target, at(name))
}

function signedCommit(root: string, host: string): string {
  const tree = git(root, host, 'rev-parse', 'HEAD^{tree}')
  const person = 'u <u@example.com> 1 +0000'
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----'
  writeFileSync(`${host}/commit`, `tree ${tree}\nauthor ${person}\ncommitter ${person}\n${signature}\n\nx\n`)
  return git(root, host, 'hash-object', '-t', 'commit', '-w', 'commit')
}

/** Archives with a name in them that is protected. Where there is no tar or zip, nobody unpacks them either. */
function packEvil(root: string): void {
  const pack = `${root}/pack`
  mkdirSync(`${pack}/.git/hooks`, { recursive: true })
  writeFileSync(`${pack}/.git/hooks/post-checkout`, 'evil\n', { mode: 0o755 })
  spawnSync('tar', ['-C', pack, '-cf', `${root}${REPO}/evil.tar`, '.git/hooks/post-checkout'])
  spawnSync('zip', ['-q', `${root}${REPO}/evil.zip`, '.git/hooks/post-checkout'], { cwd: pack })
  rmSync(pack, { recursive: true })
}
