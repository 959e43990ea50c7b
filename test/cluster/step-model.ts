/**
 * A model without a memory: what it does next is in the conversation. A prompt `NAME: step risky slow sub` is answered with one call
 * after the other; every result counts as a step that was taken, whatever it says.
 */
import type { ModelHandler } from 'kedge/testing'

const TOOLS: Record<string, string> = { step: 'mcp__steps__step', risky: 'mcp__steps__risky', slow: 'mcp__steps__slow' }

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
      const found =
        type === 'text'
          ? /^(\S+): ((?:step|risky|slow|sub|touch|bg|rest)(?: (?:step|risky|slow|sub|touch|bg|rest))*)$/m.exec(text)
          : null
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
  const id = `toolu_${name}_${results}`.replace(/\W/g, '_')
  if (word === 'sub') {
    const input = { description: 'A helper', prompt: `${name}-${results}: step step`, subagent_type: 'general-purpose' }
    return { tools: [{ id, name: 'Task', input }] }
  }
  if (word === 'bg') {
    const input = { command: 'sleep 300', run_in_background: true, description: 'A long rest' }
    return { tools: [{ id, name: 'Bash', input }] }
  }
  if (word === 'rest') return { tools: [{ id, name: 'Bash', input: { command: 'sleep 31337' } }] }
  if (word === 'touch') return { tools: [{ id, name: 'Bash', input: { command: `touch ${name}.${results}` } }] }
  return { tools: [{ id, name: TOOLS[word] ?? '', input: { name: `${name}.${results}` } }] }
}
