/**
 * A scripted model for many conversations at once. `plan(steps)` gives a word to put into the prompt; whoever says that word last in
 * a conversation gets these steps, one by one. What is asked beside a conversation (titles, summaries) gets a fixed answer.
 */
import {
  type ModelHandler,
  type ModelRequest,
  type ModelServer,
  type Step,
  startModelServer,
  type Turn,
} from 'kedge/testing'

export type PlannedModel = AsyncDisposable & {
  readonly server: ModelServer
  /** The word, like `[[p1]]`. One function answers as often as it is asked. */
  plan(steps: readonly Step[] | ModelHandler): string
  /** The requests of one plan, in order. */
  requestsOf(word: string): readonly ModelRequest[]
  /** Every step was asked for, and nothing else was. */
  assertDone(): void
}

type Plan = { steps: Step[]; handler?: ModelHandler; requests: ModelRequest[] }

export async function startPlannedModel({ validate = true } = {}): Promise<PlannedModel> {
  const plans = new Map<string, Plan>()
  const server = await startModelServer(answer, { validate })

  async function answer(request: ModelRequest): Promise<Turn> {
    const word = lastWord(request)
    const plan = word === undefined ? undefined : plans.get(word)
    const isAside =
      request.tools.length === 0 || /^\[SUGGESTION MODE|Write a summary of this conversation/.test(request.prompt)
    if (!plan || isAside) return '<summary>What was said so far.</summary>'
    plan.requests.push(request)
    const step = plan.handler ?? plan.steps.shift()
    if (step === undefined)
      throw new Error(`${word} has no step left for: ${JSON.stringify(request.prompt).slice(0, 300)}`)
    return typeof step === 'function' ? step(request) : step
  }

  return {
    server,
    plan(steps) {
      const word = `[[p${plans.size + 1}]]`
      plans.set(word, {
        requests: [],
        ...(typeof steps === 'function' ? { steps: [], handler: steps } : { steps: [...steps] }),
      })
      return word
    },
    requestsOf: (word) => plans.get(word)?.requests ?? [],
    assertDone() {
      server.assertDone()
      const left = [...plans].filter(([, { steps }]) => steps.length > 0).map(([word]) => word)
      if (left.length > 0) throw new Error(`steps were never asked for: ${left.join(', ')}`)
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

function lastWord({ body }: ModelRequest): string | undefined {
  const texts = body.messages.flatMap(({ role, content }) => {
    if (role !== 'user') return []
    if (typeof content === 'string') return [content]
    return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  })
  return texts
    .join('\n')
    .match(/\[\[p\d+\]\]/g)
    ?.at(-1)
}
