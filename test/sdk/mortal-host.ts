/**
 * A program with a query in it that a test ends in every way there is. Its one argument is JSON; it says `begun`, `there` and
 * `killed` on stdout, and does what it reads on stdin. Nothing in it cleans up by itself.
 */
import { createInterface } from 'node:readline'
import { type Options, query } from 'kedge'

export type Errand = {
  options: Options
  point: 'start' | 'stream' | 'tool' | 'permission' | 'hook' | 'background' | 'close'
}

const { options, point }: Errand = JSON.parse(process.argv[2] ?? '')
const say = (word: string) => process.stdout.write(`${word}\n`)
const never = new Promise<never>(() => {})
const abortController = new AbortController()

const stuck = async () => {
  say('there')
  return never
}
say('begun')
const running = query({
  prompt: 'Go.',
  options: {
    ...options,
    abortController,
    ...(point === 'permission' ? { canUseTool: stuck } : {}),
    ...(point === 'hook' ? { hooks: { PreToolUse: [{ hooks: [stuck] }] } } : {}),
  },
})

let stop = false
let wake = () => {}
const told = new Promise<void>((resolve) => {
  wake = resolve
})
createInterface({ input: process.stdin })
  .on('line', (word) => {
    if (word === 'close') running.close()
    if (word === 'abort') abortController.abort()
    if (word === 'break') stop = true
    if (word === 'exit') process.exit(3)
    if (word === 'crash') throw new Error('crash')
    if (word === 'agent') killAgent()
    wake()
  })
  .on('close', () => process.exit(0))

try {
  for await (const message of {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.race([running.next(), tired()]) }),
  }) {
    if (point === 'stream' && message.type === 'stream_event') say('there')
    if ((point === 'tool' || point === 'close') && message.type === 'assistant') say('there')
    if (point === 'background' && message.type === 'result') say('there')
  }
  if (stop) await running.return(undefined)
} catch {
  // Aborted, or its agent killed.
}

/** As soon as there is one. */
function killAgent(): void {
  if (running.pid === undefined) return void setTimeout(killAgent, 1)
  process.kill(running.pid, 'SIGKILL')
  say('killed')
}

/** What `break` in the body of a loop does, at any time. */
async function tired(): Promise<IteratorResult<never, undefined>> {
  await told
  return stop ? { value: undefined, done: true } : never
}
