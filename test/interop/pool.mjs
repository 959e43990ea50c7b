// Runs scenarios in processes of their own, a few at a time, each with a time limit, and ends whatever they leave behind.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('run-scenario.mjs', import.meta.url))

/** Calls `work` for each item, at most `limit` at a time, results in the order of the items. */
export async function inParallel(items, limit, work) {
  const results = []
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index])
    }
  }
  await Promise.all(Array.from({ length: limit }, lane))
  return results
}

/** Runs one scenario; resolves with what run-scenario.mjs observed, or with { failed: reason }. */
export async function runJob({ scenario, sdk, cli, inProcess = false, limitMs = 60_000 }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-interop-')))
  const home = join(folder, 'home')
  mkdirSync(home)
  const out = join(folder, 'observed.json')
  const job = JSON.stringify({ scenario, sdk, cli, inProcess, folder, out })
  // Nothing of the developer's environment gets in: no credentials, no settings, no extra CA file (slow to load).
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', NO_COLOR: '1', KEDGE_INTEROP_RUN: folder }
  const child = spawn(process.execPath, [runner, job], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  let late = false
  const timer = setTimeout(() => {
    late = true
    endAll(child.pid, home)
  }, limitMs)
  const code = await new Promise((resolve) => child.on('exit', resolve))
  clearTimeout(timer)
  endAll(child.pid, home)
  try {
    if (late) return { failed: `no end within ${limitMs / 1000} s`, output }
    if (code !== 0) return { failed: `the runner exited with code ${code}`, output }
    return { ...JSON.parse(readFileSync(out, 'utf8')), output }
  } catch (error) {
    return { failed: `nothing observed: ${error.message}`, output }
  } finally {
    for (const left of [folder, tasksFolder(folder)]) rmSync(left, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Where a CLI writes the output of background commands of this run: outside of its home (FACTS 7.4). */
function tasksFolder(folder) {
  const slug = join(folder, 'work').replace(/[^a-zA-Z0-9]/g, '-')
  return join(tmpdir(), `claude-${process.getuid?.() ?? 0}`, slug)
}

/** Kills the runner's process group and, where /proc shows environments, every process whose home is this run's. */
function endAll(pid, home) {
  kill(-pid)
  for (const other of processesWithHome(home)) kill(other)
}

function processesWithHome(home) {
  const found = []
  let entries = []
  try {
    entries = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return found
  }
  for (const entry of entries) {
    try {
      if (readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0').includes(`HOME=${home}`)) found.push(Number(entry))
    } catch {
      // Gone in the meantime, or not ours to read.
    }
  }
  return found
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
