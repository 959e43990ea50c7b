/** Plays a script of intentions: says them by its habit, reads the results, repairs what failed, and goes to the next step. */
import { isObject } from '../../protocol/json.js'
import type { ModelRequest } from '../../testing/observed-request.js'
import type { Answer } from '../../testing/turn.js'
import { createAttempt, createExtraAttempt, type Mind, type MindBehavior, type PlannedCallAttempt } from './mind.js'
import type { MindScript, MindStep } from './mind-script.js'
import { nextCallsAfterError } from './repairs.js'

const MOST_TRIES = 4
const MOST_POLLS = 40

type Line = {
  steps: readonly MindStep[]
  at: number
  queue: PlannedCallAttempt[]
  open: Map<string, PlannedCallAttempt>
  seen: string[]
  last?: { asked: string; answer: Answer }
  isResting: boolean
}

/** Creates a mind that plays a task's intentions. `values`: what placeholders of the script stand for. */
export function createScriptedMind(habit: MindBehavior, script: MindScript, values: Record<string, string>): Mind {
  const known = { ...values }
  const lines = new Map<string, Line>()
  let calls = 0

  function lineOf(request: ModelRequest): Line {
    const agent = Object.entries(script.agents ?? {}).find(([text]) => request.opening.includes(text))
    const key = agent ? request.opening : ''
    const found = lines.get(key)
    if (found) return found
    const steps = agent?.[1] ?? script.steps
    const line: Line = { steps, at: 0, queue: [], open: new Map(), seen: [], isResting: false }
    lines.set(key, line)
    return line
  }

  function answer(request: ModelRequest): Answer {
    if (isAside(request)) {
      for (const line of lines.values()) {
        // After a summary these results are gone; and what follows is a new request, even if it reads like the one before.
        takeResults(line, request)
        delete line.last
      }
      return { text: recalled(script, request) || 'Nothing of note.' }
    }
    const line = lineOf(request)
    const asked = JSON.stringify(request.body.messages)
    // A request that is sent again, because its answer was lost, gets the same one.
    if (line.last?.asked === asked) return line.last.answer
    const next = nextAnswer(line, request)
    line.last = { asked, answer: next }
    return next
  }

  function nextAnswer(line: Line, request: ModelRequest): Answer {
    takeResults(line, request)
    line.open.clear()
    const isNotice = line.isResting && request.prompt.includes('<task-notification>')
    if (isNotice && !line.steps[line.at]?.notice) return { text: script.noted ?? 'Noted.' }
    line.isResting = false
    return line.queue.length > 0 ? call(line, request) : nextStep(line, request)
  }

  function takeResults(line: Line, request: ModelRequest): void {
    const follow: PlannedCallAttempt[] = []
    for (const { id, text, isError } of request.toolResults) {
      const attempt = line.open.get(id)
      if (!attempt) continue
      line.open.delete(id)
      line.seen.push(text)
      follow.push(...afterResult(attempt, text, isError))
    }
    line.queue.unshift(...follow)
  }

  function nextStep(line: Line, request: ModelRequest): Answer {
    const step = line.steps[line.at]
    line.at += 1
    if (!step?.calls) return rest(line, words(step, request))
    const before = habit.before?.(line.at - 1) ?? []
    line.queue.push(...before.map(createExtraAttempt), ...step.calls.map(createAttempt))
    return { ...call(line, request), ...(step.say === undefined ? {} : { text: fillPlaceholders(step.say, known) }) }
  }

  function rest(line: Line, text: string): Answer {
    line.isResting = true
    return { text }
  }

  function words(step: MindStep | undefined, request: ModelRequest): string {
    if (!step) return 'Done.'
    const said = step.say === undefined ? '' : fillPlaceholders(step.say, known)
    return step.recall ? `${said}\n${recalled(script, request)}`.trim() : said || 'Done.'
  }

  function call(line: Line, request: ModelRequest): Answer {
    const now = line.queue.splice(0, habit.callsAtOnce)
    const tools = now.map((attempt) => {
      const meant: PlannedCallAttempt = {
        ...attempt,
        call: { ...attempt.call, input: fillPlaceholders(attempt.call.input, known) },
      }
      calls += 1
      const sent = { id: `toolu_eval_${calls}`, ...habit.write(meant, request, line.seen) }
      line.open.set(sent.id, { ...meant, sent, tries: attempt.tries + 1 })
      return sent
    })
    return { tools }
  }

  function afterResult(attempt: PlannedCallAttempt, text: string, isError: boolean): PlannedCallAttempt[] {
    const { call: planned, tries, isExtra } = attempt
    for (const [name, pattern] of Object.entries(planned.take ?? {})) {
      const found = new RegExp(pattern).exec(text)?.[1]
      if (found !== undefined) known[name] = found
    }
    if (isExtra) return []
    const isWanted = planned.until === undefined || new RegExp(planned.until, 'i').test(text)
    if (!isError) return isWanted || tries >= MOST_POLLS ? [] : [attempt]
    const repaired =
      tries < MOST_TRIES ? (habit.repair?.(attempt, text) ?? nextCallsAfterError(attempt, text)) : undefined
    return repaired ?? planned.instead?.map(createAttempt) ?? []
  }

  return { name: habit.name, answer }
}

/** Asked for a summary, or by a tool that has a model look at something: not a step of the script. */
function isAside({ body, prompt, tools }: ModelRequest): boolean {
  const choice = body['tool_choice']
  if (isObject(choice) && choice['type'] === 'none') return true
  return tools.length === 0 || /\b(?:sum up|summari[sz]e|summary of) (?:the|this) conversation\b/i.test(prompt)
}

/** The facts that stand in the request: a mind can't say what it doesn't see. */
function recalled({ facts = [] }: MindScript, request: ModelRequest): string {
  const text = JSON.stringify(request.body.messages)
  return facts.filter((fact) => text.includes(JSON.stringify(fact).slice(1, -1))).join('\n')
}

/** Puts values in place of `{{name}}`, in every text of a value. */
export function fillPlaceholders<T>(value: T, values: Readonly<Record<string, string>>): T {
  const filled = (one: unknown): unknown => {
    if (typeof one === 'string') return one.replace(/\{\{(\w+)\}\}/g, (whole, name) => values[name] ?? whole)
    if (Array.isArray(one)) return one.map(filled)
    if (!isObject(one)) return one
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, filled(inner)]))
  }
  // The same shape, with other texts.
  return filled(value) as T
}
