// `npm run test:watch`: runs the tests of a concern again whenever one of its files changes. With parts of paths it runs
// those instead: `npm run test:watch -- src/hooks test/hooks`.
import { spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Editors write a file more than once. */
const QUIET_MS = 200

/** Returns which tests a change concerns: a test file itself, or both homes of the concern. */
export function partsFor(changed, wanted = []) {
  if (wanted.length > 0) return wanted
  if (changed.endsWith('.test.ts')) return [changed]
  const [, concern] = changed.split('/')
  return [`src/${concern}/`, `test/${concern}/`].filter((folder) => existsSync(join(root, folder)))
}

function start(wanted) {
  const pending = new Set()
  let timer
  let running
  const run = () => {
    if (running !== undefined || pending.size === 0) return
    const parts = [...pending]
    pending.clear()
    console.log(`\n${parts.join(' ')}`)
    running = spawn(process.execPath, ['scripts/test.mjs', ...parts], { cwd: root, stdio: 'inherit' })
    running.once('close', () => {
      running = undefined
      run()
    })
  }
  for (const folder of ['src', 'test']) {
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (!name?.endsWith('.ts')) return
      for (const part of partsFor(`${folder}/${name.replaceAll('\\', '/')}`, wanted)) pending.add(part)
      clearTimeout(timer)
      timer = setTimeout(run, QUIET_MS)
    })
  }
  console.log(`Watching src and test${wanted.length > 0 ? ` for ${wanted.join(' ')}` : ''}. Press Ctrl-C to stop.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) start(process.argv.slice(2))
