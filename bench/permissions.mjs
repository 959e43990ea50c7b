// What a permission decision costs: `node bench/permissions.mjs [real | part of a shape's name]`. Real commands (p50, p99) and hostile
// inputs of up to 1 MB (the worst). It measures and judges nothing; the aims stand beside the figures. Each figure is the best of
// several rounds, as time of the processor (all threads) and of the clock. Between the calls a fixed piece of work is timed, which
// tells how far the clock can be trusted: on a machine that is busy with other things it takes longer than its best.
import { transpile } from '../scripts/transpile.mjs'
import { bash, cwd, OTHERS, REAL_COMMANDS, SHAPES } from './permission-calls.mjs'

await transpile()
const { createPermissions } = await import('../.build/src/permissions/permission-engine.js')
const { nodeFiles } = await import('../.build/src/platform/files/files.js')

const RULES = {
  allow: [
    'Bash(npm run *)',
    'Bash(git log:*)',
    'Bash(git commit:*)',
    'Bash(cargo test *)',
    'Bash(a*b*c*d*e*f*g)',
    'Edit(src/**)',
    'WebFetch(domain:*.example.com)',
    'mcp__a__*',
  ],
  ask: ['Bash(git push *)', 'Edit(*.lock)', 'WebFetch(domain:ask.example.com)'],
  deny: [
    'Bash(rm -rf *)',
    'Bash(curl * | sh)',
    'Read(./.env)',
    'Read(secrets/**)',
    'Edit(**/*.pem)',
    'WebFetch(domain:evil.example.com)',
  ],
}
const RULESETS = {
  'no rules': {},
  'many rules': RULES,
  'all but some': { ...RULES, allow: ['Bash'] },
}
const ROUNDS = 7
const TRIES = 3
/** Around the number of words that are looked at, the sizes that can be approved and parsed, and far beyond. */
const SIZES = [1_000, 3_000, 5_000, 9_900, 40_000, 130_000, 1_000_000]

function engine(rules, mode = 'default') {
  return createPermissions({ files: nodeFiles, cwd, home: '/home/u', mode, allowBypass: true, ...rules })
}

async function timed(run) {
  const before = process.cpuUsage()
  const start = performance.now()
  const result = await run()
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { result, wall, cpu: (user + system) / 1000 }
}

const floors = []
/** About a millisecond of nothing but counting. */
async function takeFloor() {
  const { wall } = await timed(() => {
    let sum = 0
    for (let i = 0; i < 1_000_000; i++) sum = (sum + i * 7) | 0
    return sum
  })
  floors.push(wall)
}

async function bestOf(tries, run) {
  let best = { cpu: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY }
  for (let i = 0; i < tries; i++) {
    const { result, cpu, wall } = await timed(run)
    best = { result, cpu: Math.min(best.cpu, cpu), wall: Math.min(best.wall, wall) }
  }
  return best
}

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(2)
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)} ms`
}

async function measureReal() {
  for (const [label, rules] of Object.entries(RULESETS)) {
    const permissions = engine(rules)
    const best = new Map(REAL_COMMANDS.map((command) => [command, { cpu: Infinity, wall: Infinity }]))
    // In rounds, so that a bad moment of the machine does not meet the same command every time.
    const second = []
    for (let round = 0; round < ROUNDS; round++) {
      for (const [command, known] of best) {
        const { cpu, wall } = await timed(() => permissions.decide(...bash(command)))
        if (round === 1) second.push(cpu)
        best.set(command, { cpu: Math.min(known.cpu, cpu), wall: Math.min(known.wall, wall) })
      }
      await takeFloor()
    }
    const times = [...best.values()]
    console.log(`${times.length} real commands, ${label} (aim: p99 < 5 ms)`)
    console.log(`  processor ${spread(times.map(({ cpu }) => cpu))}`)
    console.log(`  clock     ${spread(times.map(({ wall }) => wall))}`)
    console.log(`  processor, the second time each: ${spread(second)}`)
  }
}

async function measureHostile(filter) {
  const rows = [
    ...Object.entries(SHAPES).map(([name, shape]) => [name, SIZES.map((size) => () => bash(shape(size)))]),
    ...Object.entries(OTHERS).map(([name, make]) => [name, [make]]),
  ].filter(([name]) => name.includes(filter))
  if (rows.length === 0) throw new Error(`no shape is called ${filter}`)
  const table = []
  for (const [name, makes] of rows) {
    let worst = { cpu: 0 }
    for (const make of makes) {
      const [call, facts] = make()
      const size = JSON.stringify(call.input).length
      for (const [label, rules] of Object.entries(RULESETS)) {
        for (const mode of ['default', 'bypassPermissions']) {
          const permissions = engine(rules, mode)
          const { result, cpu, wall } = await bestOf(TRIES, () => permissions.decide(call, facts))
          if (cpu > worst.cpu) worst = { name, cpu, wall, size, how: `${label}, ${mode}: ${result.behavior}` }
        }
      }
    }
    await takeFloor()
    table.push(worst)
  }
  table.sort((a, b) => b.cpu - a.cpu)
  for (const { name, cpu, wall, size, how } of table.slice(0, 20)) {
    console.log(
      `${cpu.toFixed(1).padStart(7)} ms processor ${wall.toFixed(1).padStart(7)} ms clock  ${name}, ${size} characters (${how})`,
    )
  }
  const worst = (key) => Math.max(...table.map((row) => row[key])).toFixed(1)
  console.log(
    `${table.length} hostile shapes of up to 1 MB: worst ${worst('cpu')} ms processor, ${worst('wall')} ms clock (aim: < 50 ms)`,
  )
}

const wanted = process.argv[2]
if (wanted === undefined || wanted === 'real') await measureReal()
if (wanted !== 'real') await measureHostile(wanted ?? '')
floors.sort((a, b) => a - b)
const slower = (share) => (floors[Math.floor((floors.length - 1) * share)] / floors[0]).toFixed(2)
if (floors.length > 0)
  console.log(`the fixed work took ${slower(0.5)} times its best in the middle, ${slower(0.9)} in one of ten cases`)
