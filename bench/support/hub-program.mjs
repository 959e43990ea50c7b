// A hub in a process of its own, with one session and so many readers of its log: how fast text comes to the last of them. Given the hub
// (bundled by bench/scale.mjs), the words to expect and the number of readers; reports one line of JSON.
const [hubModule, words, readers] = process.argv.slice(2)
const { createHub } = await import(hubModule)
const hub = createHub({ options: { model: process.env.BENCH_MODEL, systemPrompt: 'Be brief.' } })
const { id } = await hub.create({ cwd: process.cwd() })

async function follow() {
  let first
  let seen = 0
  for await (const items of hub.readSome(id, {})) {
    for (const item of items) {
      if (item.kind === 'delta') {
        first ??= performance.now()
        if (item.data.event?.delta?.type === 'text_delta') seen += item.data.event.delta.text.length
      }
      if (item.kind === 'message' && item.data.type === 'result') return { ms: performance.now() - first, seen }
    }
  }
}

const all = Array.from({ length: Number(readers) }, follow)
const before = process.cpuUsage()
await hub.send(id, { id: 'p1', content: 'Go.' })
const ends = await Promise.all(all)
const { user, system } = process.cpuUsage(before)
const slowest = Math.max(...ends.map(({ ms }) => ms))
const report = {
  perSecond: (Number(words) * 1000) / slowest,
  cpu: (user + system) / 1e6,
  seen: ends.map(({ seen }) => seen),
}
process.stdout.write(JSON.stringify(report))
process.exit(0)
