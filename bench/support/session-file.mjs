// Session files as the agents write them, of any size: prompts, answers, calls and results with the outputs that make real ones long.
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the sessions of a project folder lie. */
export function sessionFolder(home, cwd) {
  const folder = join(home, '.claude', 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'))
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Writes one of about `bytes` and tells its path. */
export function writeSession(folder, cwd, id, bytes) {
  const path = join(folder, `${id}.jsonl`)
  let parent = null
  let size = 0
  let waiting = ''
  const add = (type, message, more = {}) => {
    const uuid = randomUUID()
    const base = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: id,
      version: '2.1.50',
      gitBranch: 'main',
    }
    waiting += `${JSON.stringify({ ...base, type, message, uuid, timestamp: new Date().toISOString(), ...more })}\n`
    parent = uuid
  }
  writeFileSync(path, '')
  for (let turn = 1; size < bytes; turn += 1) {
    const text = `Turn ${turn}: ${'some words of a prompt '.repeat(8)}`
    const output = `line of output ${turn} with a few words in it\n`.repeat(60)
    const usage = { input_tokens: 10, output_tokens: 20 }
    const base = { type: 'message', role: 'assistant', model: 'm', usage }
    const answer = (content) => ({ id: `msg_${turn}_${Math.random()}`, ...base, content })
    add('user', { role: 'user', content: text })
    add('assistant', answer([{ type: 'tool_use', id: `toolu_${turn}`, name: 'Bash', input: { command: 'make' } }]))
    add(
      'user',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${turn}`, content: output }] },
      { toolUseResult: { stdout: output } },
    )
    add('assistant', answer([{ type: 'text', text: 'An answer of a few words. '.repeat(10) }]))
    if (waiting.length < 256 * 1024 && size + waiting.length < bytes) continue
    appendFileSync(path, waiting)
    size += waiting.length
    waiting = ''
  }
  return path
}
