// Gets releases of the original SDK and CLI with npm into a cache folder outside the tree. They are only ever run, never read.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The release whose behavior Kedge has, message by message. */
export const base = '0.2.50'
export const releases = ['0.2.25', base, '0.3.325']

/**
 * One release, installed on first use: where its SDK and its CLI are and where what it did is kept.
 * `cli` is undefined when the release has none that runs here; the whole is undefined when it can not be installed.
 */
export function ensureOriginal(version) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(cache, 'kedge-interop', version)
  const packages = join(folder, 'node_modules', '@anthropic-ai')
  const sdk = join(packages, 'claude-agent-sdk', 'sdk.mjs')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(sdk)) {
    console.log(`installing the original ${version} into ${folder}`)
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
    const wanted = [`@anthropic-ai/claude-agent-sdk@${version}`, 'zod@4']
    const flags = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    try {
      execFileSync('npm', ['install', ...flags, ...wanted], { cwd: folder, stdio: 'inherit' })
    } catch (error) {
      console.log(`the original ${version} can not be installed: ${error.message}`)
      return undefined
    }
  }
  return { version, folder, sdk, cli: cliIn(packages) }
}

/** A script in older releases, since 0.3 a program in a package for each platform. */
function cliIn(packages) {
  const script = join(packages, 'claude-agent-sdk', 'cli.js')
  if (existsSync(script)) return script
  const platform = `claude-agent-sdk-${process.platform}-${process.arch}`
  const names = [join(platform, 'claude'), join(`${platform}-musl`, 'claude'), join(platform, 'claude.exe')]
  const programs = names.map((name) => join(packages, name)).filter((path) => existsSync(path))
  return programs.find((path) => spawnSync(path, ['--version'], { timeout: 60_000 }).status === 0)
}

/** Which of these programs the original would look for in vain on this machine. */
export function missingPrograms(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))))
}
