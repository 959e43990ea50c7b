/**
 * A model without a memory: what it does next is in the conversation. A prompt `NAME: step risky slow sub` is answered with one call
 * after the other; every result counts as a step that was taken, whatever it says.
 */
import type { ModelHandler } from 'kedge/testing'

const TOOLS: Record<string, string> = { step: 'mcp__steps__step', risky: 'mcp__steps__risky', slow: 'mcp__steps__slow' }
/** What a sub-agent is told to do: one of them has to ask somebody. */
export const OF_HELPERS: Record<string, string> = { sub: 'step step', subask: 'step risky' }
const COMMANDS: Record<string, (step: string) => Record<string, unknown>> = {
  bg: () => ({ command: 'sleep 300', run_in_background: true, description: 'A long rest' }),
  rest: () => ({ command: 'sleep 31337' }),
  touch: (step) => ({ command: `touch ${step}` }),
  shell: (step) => ({ command: `sh line.sh ${step}` }),
}
/** A sub-agent that is not waited for. */
const LEFT_ALONE = 'bgsub'
const WORD = `(?:${[...Object.keys(TOOLS), LEFT_ALONE, ...Object.keys(OF_HELPERS), ...Object.keys(COMMANDS)].join('|')})`
const PROMPT = new RegExp(`^(\\S+): (${WORD}(?: ${WORD})*)$`, 'm')

export const stepModel: ModelHandler = ({ body }) => {
  const texts = body.messages.map((message) =>
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : (message.content as { type: string; text?: string }[]),
  )
  let from = -1
  let words: string[] = []
  let name = ''
  for (const [index, blocks] of texts.entries()) {
    if (body.messages[index]?.role !== 'user') continue
    for (const { type, text = '' } of blocks) {
      const found = type === 'text' ? PROMPT.exec(text) : null
      if (!found) continue
      from = index
      name = found[1] ?? ''
      words = (found[2] ?? '').split(' ')
    }
  }
  if (from < 0) return 'Nothing to do.'
  const results = texts
    .slice(from + 1)
    .flat()
    .filter(({ type }) => type === 'tool_result').length
  const word = words[results]
  if (word === undefined) return `Done: ${name}`
  const id = callOf(name, results)
  const task = OF_HELPERS[word]
  if (task !== undefined) {
    const input = { description: 'A helper', prompt: `${name}-${results}: ${task}`, subagent_type: 'general-purpose' }
    return { tools: [{ id, name: 'Task', input }] }
  }
  if (word === LEFT_ALONE) {
    const alone = { run_in_background: true, subagent_type: 'general-purpose', description: 'A helper left alone' }
    return { tools: [{ id, name: 'Task', input: { ...alone, prompt: `${name}-${results}: slow` } }] }
  }
  const step = `${name}.${results}`
  const command = COMMANDS[word]?.(step)
  if (command) return { tools: [{ id, name: 'Bash', input: command }] }
  return { tools: [{ id, name: TOOLS[word] ?? '', input: { name: step } }] }
}

/** The id of a call: the same whenever it is asked for. */
export function callOf(name: string, step: number): string {
  return `toolu_${name}_${step}`.replace(/\W/g, '_')
}
