// Many agents at once: 200 sessions of 5 turns each in one process, the same as processes at 20, one session with 50 sub-agents
// side by side; the originals beside it at 20 where they are present. Machines are noisy: read the columns against each other.
//   node bench/agents.mjs [sessions] [agents] [--count=200]
// CPU is of the host and everything it started, since its start; memory is PSS of the whole tree.
import { measureMany } from './parts.mjs'
import { answer, startModel } from './support/model.mjs'
import { hasProc } from './support/processes.mjs'
import { createHome, findOriginals } from './support/subjects.mjs'

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const count = Number(process.argv.find((word) => word.startsWith('--count='))?.slice(8) ?? 200)
const TEXT = answer('An answer of a few words.')
const task = (i) => ({ description: `Job ${i}`, prompt: `Job ${i}`, subagent_type: 'general-purpose' })

const model = await startModel()
const home = createHome()
const world = { ...home, model }
try {
  const others = findOriginals().map(({ name, sdk }) => [name, { library: sdk }])
  const spawned = { options: { isolation: 'process' } }
  if (isWanted('sessions')) {
    const five = { turns: 5, prompt: 'Say something.' }
    title('sessions of 5 turns at the same time')
    await row(`Kedge in-process, ${count}`, { ...five, count })
    await row('Kedge in-process, 20', { ...five, count: 20 })
    await row('Kedge spawned, 20', { ...spawned, ...five, count: 20 })
    for (const [name, other] of others) await row(`${name}, 20`, { ...other, ...five, count: 20 })
  }
  if (isWanted('agents')) {
    title('one session, sub-agents side by side')
    const fan = { turns: 1, count: 1, prompt: 'Start them.' }
    await row('Kedge in-process, 50', fan, 50)
    await row('Kedge in-process, 20', fan, 20)
    await row('Kedge spawned, 20', { ...spawned, ...fan }, 20)
    for (const [name, other] of others) await row(`${name}, 20`, { ...other, ...fan }, 20)
  }
} finally {
  await model.close()
  home.dispose()
}

function isWanted(name) {
  return wanted.length === 0 || wanted.includes(name)
}

function title(text) {
  if (!hasProc) console.log('No /proc here: processor time and memory are left out.')
  console.log(`\n| ${text} | wall ms | CPU s | peak MB | idle MB | p95 loop delay ms |`)
  console.log('|---|---:|---:|---:|---:|---:|')
}

/** With `agents`, the first request is answered with so many calls for one. */
async function row(name, job, agents = 0) {
  const calls = Array.from({ length: agents }, (_, i) => ({ name: 'Task', input: task(i) }))
  const answerFor = (n) => (n === 1 && agents > 0 ? answer(...calls) : TEXT)
  const { wallMs, cpu, peak, idle, p95Ms } = await measureMany(world, job, answerFor)
  const cell = (value, digits) => value?.toFixed(digits) ?? '–'
  console.log(`| ${[name, cell(wallMs, 0), cell(cpu, 2), cell(peak, 0), cell(idle, 0), cell(p95Ms, 1)].join(' | ')} |`)
}
