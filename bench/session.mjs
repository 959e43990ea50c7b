// What listing many sessions costs, next to a floor in the same run: bare Node reading 64 KB at both ends of each file. Machines are
// noisy: read the ratios. (Resuming a session and long conversations are rows F and E of `npm run bench`.)
//   node bench/session.mjs [--full]      --full lists 1,000 sessions of 1 MB (1 GB, in a temporary folder)
// An original that is in the cache of the interop runs lists them too, where it can.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { sessionFolder, writeSession } from './support/session-file.mjs'
import { interleaved } from './support/statistics.mjs'
import { createHome, findOriginals, library } from './support/subjects.mjs'

const ROUNDS = 5
const count = process.argv.includes('--full') ? 1000 : 100
const { home, cwd, env, dispose } = createHome()
const folder = sessionFolder(home, cwd)

/** Around the work of every program. */
const measured = (imports, work) => `
  ${imports}
  const wall = performance.now()
  const cpu = process.cpuUsage()
  ${work}
  const { user, system } = process.cpuUsage(cpu)
  const mb = process.resourceUsage().maxRSS / 1024
  console.log(JSON.stringify({ ms: performance.now() - wall, cpu: (user + system) / 1000, mb }))`

const FLOOR = measured(
  "import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'",
  `const buffer = Buffer.alloc(65536)
  for (const name of readdirSync(${JSON.stringify(folder)})) {
    const fd = openSync(${JSON.stringify(folder)} + '/' + name)
    const { size } = fstatSync(fd)
    readSync(fd, buffer, 0, buffer.length, 0)
    readSync(fd, buffer, 0, buffer.length, Math.max(0, size - buffer.length))
    closeSync(fd)
  }`,
)
const list = (from) =>
  measured(
    `import { listSessions } from ${JSON.stringify(from)}`,
    `const sessions = await listSessions()
    if (sessions.length < ${count}) throw new Error('only ' + sessions.length)`,
  )

try {
  for (let i = 0; i < count; i += 1) writeSession(folder, cwd, randomUUID(), 1024 * 1024)
  const subjects = [
    { name: 'bare Node: 64 KB at both ends of each', program: FLOOR },
    { name: 'kedge: listSessions()', program: list(library) },
  ]
  for (const { name, sdk } of findOriginals()) {
    if ('listSessions' in (await import(sdk))) subjects.push({ name: `${name}: listSessions()`, program: list(sdk) })
    else console.log(`${name} has no listSessions().`)
  }
  const figures = await interleaved(
    subjects,
    () => ROUNDS,
    ({ program }) => run(program),
  )
  console.log(`\nList of ${count} sessions, ${count} MB`)
  const floor = figures[subjects[0].name].cpu.median
  for (const { name } of subjects) {
    const { ms, cpu, mb } = figures[name]
    const ratio = (cpu.median / floor).toFixed(2).padStart(5)
    const took = `${ms.median.toFixed(0).padStart(6)} ms, CPU ${cpu.median.toFixed(0).padStart(5)} ms × ${ratio}`
    console.log(`  ${name.padEnd(42)} ${took}   peak ${mb.median.toFixed(0)} MB`)
  }
} finally {
  dispose()
}

/** In a process of its own, which prints JSON. */
function run(program) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd,
      env: { ...env, CLAUDE_CONFIG_DIR: `${home}/.claude` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`exit ${code}: ${output}`)),
    )
  })
}
