// `node scripts/single-file.mjs [file]`: the command as one executable file, without an installation of Node (a Node "single executable
// application"). It holds this Node, dist/ and the code cache that the build made. What it holds is unpacked once, into the user's caches:
// parts are loaded on first use, and some are programs of their own. Needs `postject` of npm, which is fetched.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import { gzipSync } from 'node:zlib'

const POSTJECT = 'postject@1.0.0-alpha.6'
/** Of Node: https://nodejs.org/api/single-executable-applications.html */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** The program inside: as Node would, it also runs files of its own that it is told to. */
function main(build) {
  const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs')
  const { createRequire } = require('node:module')
  const { homedir } = require('node:os')
  const { dirname, join } = require('node:path')
  const unpack = (base, folder) => {
    const { getRawAsset } = require('node:sea')
    // One level at a time: Node's recursive mkdir never returns on some file systems (/proc).
    for (const level of [dirname(base), base]) if (!existsSync(level)) mkdirSync(level, { mode: 0o700 })
    const made = mkdtempSync(`${folder}.`)
    const files = require('node:v8').deserialize(require('node:zlib').gunzipSync(getRawAsset('files')))
    for (const [name, bytes] of files) {
      mkdirSync(dirname(join(made, name)), { recursive: true })
      writeFileSync(join(made, name), bytes)
    }
    try {
      renameSync(made, folder)
    } catch {
      // Somebody else was faster.
      rmSync(made, { recursive: true })
    }
  }
  const base = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kedge')
  const folder = join(base, `single-${build}`)
  try {
    if (!existsSync(folder)) unpack(base, folder)
  } catch (error) {
    console.error(`kedge: ${error.message}\nFix: let XDG_CACHE_HOME name a folder that can be written.`)
    process.exit(1)
  }
  const dist = join(folder, 'dist')
  const [program, , word = '', ...rest] = process.argv
  const isOwn = word.startsWith(dist)
  const file = isOwn ? word : join(dist, 'kedge.cjs')
  process.argv = isOwn ? [program, file, ...rest] : [program, file, ...process.argv.slice(2)]
  createRequire(file)(file)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const target = resolve(process.argv[2] ?? 'kedge')
const names = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/^\.|\.d\.ts$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
const files = gzipSync(serialize([...names, 'package.json'].map((name) => [name, readFileSync(join(root, name))])))
const work = mkdtempSync(join(tmpdir(), 'kedge-single-'))
const at = (name) => join(work, name)
try {
  const build = createHash('sha256').update(files).update(process.version).digest('hex').slice(0, 16)
  writeFileSync(at('files'), files)
  writeFileSync(at('main.cjs'), `(${main})(${JSON.stringify(build)})\n`)
  const config = { main: at('main.cjs'), output: at('blob'), disableExperimentalSEAWarning: true }
  writeFileSync(at('sea.json'), JSON.stringify({ ...config, assets: { files: at('files') } }))
  execFileSync(process.execPath, ['--experimental-sea-config', at('sea.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  copyFileSync(process.execPath, target)
  chmodSync(target, 0o755)
  const inject = ['--yes', POSTJECT, target, 'NODE_SEA_BLOB', at('blob'), '--sentinel-fuse', FUSE]
  execFileSync('npx', process.platform === 'darwin' ? [...inject, '--macho-segment-name', 'NODE_SEA'] : inject)
  console.log(`made ${target} (${process.platform}, ${process.arch}, Node ${process.version})`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
