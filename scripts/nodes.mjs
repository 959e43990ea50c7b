// `npm run test:nodes`: the tests under other releases of Node, fetched from npm into a cache outside the tree.
//   npm run test:nodes                        20, 22 and 24, all tests
//   npm run test:nodes -- --only=22 src e2e   one of them, some tests, as npm test takes them
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const RELEASES = ['20', '22', '24']

/** What npm keeps the programs of this system in; nothing runs while it is installed. */
export function packageOf(release, platform = process.platform, arch = process.arch) {
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}@${release}`
}

export function readArguments(args) {
  const only = args.flatMap((arg) => /^--only=(.+)$/.exec(arg)?.[1].split(',') ?? [])
  const unknown = only.filter((release) => !RELEASES.includes(release))
  if (unknown.length > 0) throw new Error(`--only takes ${RELEASES.join(', ')}, not ${unknown.join(', ')}`)
  return { releases: only.length > 0 ? only : RELEASES, rest: args.filter((arg) => !arg.startsWith('--only=')) }
}

function fetchNode(release) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(cache, 'kedge-nodes', release)
  const name = packageOf(release).split('@')[0]
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', packageOf(release)]
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm could not fetch Node ${release}:\n${stderr}`)
  return program
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { releases, rest } = readArguments(process.argv.slice(2))
  const ended = releases.map((release) => {
    const program = fetchNode(release)
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    console.log(`\nNode ${stdout.trim()}`)
    // Programs that are started by their name get the same one.
    const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` }
    const { status } = spawnSync(program, ['scripts/test.mjs', ...rest], { cwd: root, env, stdio: 'inherit' })
    return { version: stdout.trim(), ok: status === 0 }
  })
  console.log(`\n${ended.map(({ version, ok }) => `${ok ? '✔' : '✖'} Node ${version}`).join('\n')}`)
  process.exitCode = ended.every(({ ok }) => ok) ? 0 : 1
}
