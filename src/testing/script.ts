/** The scripted model: turns handed out one by one, strict about requests nobody planned and turns nobody asked for. */
import { toError } from '../protocol/thrown.js'
import { assertMatches, findMismatch, type ModelRequest, type RequestMatcher } from './observed-request.js'
import { describeTurn, type ModelHandler, type Step, type Turn } from './turn.js'

/** Turns in order, or one function that answers every request of the lane, however many come. */
export type Turns = readonly Step[] | ModelHandler

/** A conversation of its own within a script: the requests `when` accepts get the lane's turns. */
export type Lane = {
  /** Which requests are for this lane. */
  when: RequestMatcher | ((request: ModelRequest) => boolean)
  /** What they are answered with. */
  turns: Turns
}

/** What `script()` takes beside the turns. */
export type ScriptOptions = {
  /** Tried in the order they are written; a request that none accepts gets the turns of the script itself. */
  lanes?: Record<string, Lane>
}

/** A scripted model. */
export type Script = AsyncDisposable & {
  /** Every request that was put to this model, in order of arrival. */
  readonly requests: readonly ModelRequest[]
  /** What went wrong so far, first things first. */
  readonly failures: readonly Error[]
  /** The turn for a request. The model server calls this; so can a server of your own. */
  answer(request: ModelRequest): Promise<Turn>
  /** Makes `assertDone()` throw this error, unless an earlier one is waiting. */
  fail(error: Error): void
  /** Throws the first failure, or names the turns that were never asked for. Leaving an `await using` scope does the same. */
  assertDone(): void
}

/**
 * A model that answers from a script.
 *
 * ```ts
 * const model = script([
 *   { tools: [{ name: 'Read', input: { file_path: '/etc/hosts' } }] },
 *   { text: 'Done.', expect: { toolResult: 'localhost' } },
 * ])
 * ```
 *
 * One turn answers one request. A request after the last turn fails, and so does a turn that is left over
 * when `assertDone()` is called. Conversations that run side by side (sub-agents, several sessions) each get a lane:
 *
 * ```ts
 * script(['Both are back.'], { lanes: { helper: { when: { opening: 'Count the files' }, turns: ['Twelve.'] } } })
 * ```
 */
export function script(turns: Turns, options: ScriptOptions = {}): Script {
  const lanes = Object.entries(options.lanes ?? {}).map(([name, lane]) => ({
    ...queue(name, lane.turns),
    when: lane.when,
  }))
  const main = queue('main', turns)
  const all = [...lanes, main]
  const requests: ModelRequest[] = []
  const failures: Error[] = []

  async function answer(request: ModelRequest): Promise<Turn> {
    requests.push(request)
    try {
      const lane = lanes.find((candidate) => accepts(candidate.when, request)) ?? main
      const step = lane.next(request)
      const turn = typeof step === 'function' ? await step(request) : step
      const expectation = typeof turn === 'string' ? undefined : turn.expect
      if (typeof expectation === 'function') await expectation(request)
      else if (expectation) assertMatches(request, expectation)
      return turn
    } catch (error) {
      fail(toError(error))
      throw error
    }
  }

  function fail(error: Error): void {
    failures.push(error)
  }

  function assertDone(): void {
    if (failures[0]) throw failures[0]
    const left = all.flatMap((lane) => lane.left())
    if (left.length > 0) throw new Error(`The script has turns that were never asked for:\n${left.join('\n')}`)
  }

  return {
    requests,
    failures,
    answer,
    fail,
    assertDone,
    async [Symbol.asyncDispose]() {
      assertDone()
    },
  }
}

function queue(name: string, turns: Turns) {
  if (typeof turns === 'function') return { next: (): Step => turns, left: (): string[] => [] }
  // A copy: the caller's array may be shared between scripts, or change.
  const steps = [...turns]
  let used = 0
  return {
    next(request: ModelRequest): Step {
      const step = steps[used]
      if (step === undefined) {
        throw new Error(
          `The script has no turn left for request ${request.index} (lane "${name}", ${steps.length} turns, all used); ` +
            `it asked: ${JSON.stringify(lastWords(request).slice(0, 200))}`,
        )
      }
      used += 1
      return step
    },
    left: () => steps.slice(used).map((step, i) => `  lane "${name}", turn ${used + i + 1}: ${describeTurn(step)}`),
  }
}

function accepts(when: Lane['when'], request: ModelRequest): boolean {
  return typeof when === 'function' ? when(request) : findMismatch(request, when) === undefined
}

function lastWords(request: ModelRequest): string {
  return request.prompt || request.toolResults.map((result) => result.text).join('\n')
}
