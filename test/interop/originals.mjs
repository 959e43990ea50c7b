// Gets the original SDK and CLI with npm into a cache folder outside the tree. They are only ever run, never read.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const version = '0.2.50'

/** Installs the originals once; returns where they and the recorded references are. */
export function ensureOriginals() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(cache, 'kedge-interop', version)
  const installed = join(folder, 'node_modules', '@anthropic-ai', 'claude-agent-sdk')
  const references = join(folder, 'references')
  mkdirSync(references, { recursive: true })
  if (!existsSync(join(installed, 'cli.js'))) {
    console.log(`installing the originals (${version}) into ${folder}`)
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
    const packages = [`@anthropic-ai/claude-agent-sdk@${version}`, 'zod@4']
    const flags = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', ...flags, ...packages], { cwd: folder, stdio: 'inherit' })
  }
  return { sdk: join(installed, 'sdk.mjs'), cli: join(installed, 'cli.js'), references }
}
