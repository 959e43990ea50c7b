/**
 * A host that does one thing many times and says what is left of it: `{ heap, rss, handles, listeners, children }`, each the growth
 * since it was warm, and `all`, its memory at the end. Apart from the test, because the scripted model remembers every request.
 * Its one argument is JSON.
 */
import { type Options, query } from 'kedge'
import { childrenOf, heapInUse, prompts, say } from '../support/stage.js'

export type Errand = { what: 'queries' | 'sessions' | 'turns'; warm: number; times: number; options: Options }

const { what, warm, times, options }: Errand = JSON.parse(process.argv[2] ?? '')

function open() {
  const input = prompts()
  const running = query({ prompt: input.stream, options })
  const turn = async () => {
    input.send(say('Hello.'))
    for (;;) {
      const { value } = await running.next()
      if (value?.type === 'result') return
    }
  }
  return { turn, running }
}
const opened: ReturnType<typeof open>[] = []
const conversation = what === 'turns' ? open() : undefined

async function once(): Promise<void> {
  if (conversation) return conversation.turn()
  if (what === 'queries') {
    for await (const _ of query({ prompt: 'Hello.', options }));
    return
  }
  const session = open()
  opened.push(session)
  await session.turn()
}

async function state() {
  const heap = await heapInUse()
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  const handles = process.getActiveResourcesInfo().length
  return { heap, rss: process.memoryUsage().rss, handles, listeners, children: childrenOf(process.pid).length }
}

for (let n = 0; n < warm; n += 1) await once()
const before = await state()
for (let n = 0; n < times; n += 1) await once()
const after = await state()
const growth = {
  heap: after.heap - before.heap,
  rss: after.rss - before.rss,
  handles: after.handles - before.handles,
  listeners: after.listeners - before.listeners,
  children: after.children,
  all: after.rss,
}
for (const { running } of [...opened, ...(conversation ? [conversation] : [])]) running.close()
process.stdout.write(JSON.stringify(growth))
