// Reads a recorded trace ({t, ch, data} lines, prose replaced by <text>) as if it were an observed run, so that references
// recorded here can be checked against recordings made elsewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Calls that are not made here: older releases have no such method. */
const notMade = ['supportedAgents']
const compared = ['consumer_done', 'call_ok', 'canUseTool', 'exit_raw']

/** The trace of this scenario in the folder, or undefined. */
export function readTrace(folder, scenario, { own = [], elsewhere = {} }) {
  const file = (existsSync(folder) ? readdirSync(folder) : []).find(
    (name) => name.startsWith(`${scenario}_`) && name.endsWith('.jsonl'),
  )
  if (file === undefined) return undefined
  let text = readFileSync(join(folder, file), 'utf8').trim()
  for (const [there, here] of Object.entries(elsewhere)) text = text.replaceAll(there, here)
  const lines = text.split('\n').map((line) => openProse(JSON.parse(line), own))
  const processes = []
  const notes = []
  const requests = []
  const written = new Map()
  for (const { ch, data, same_as_stdout: same } of lines) {
    if (ch === 'spawn') processes.push([])
    if (['spawn', 'stdin', 'stdout', 'stderr', 'signal', 'stdin_end', 'stdout_end', 'exit'].includes(ch)) {
      processes.at(-1)?.push({ ch, data })
      if (ch === 'stdout' && data?.uuid) written.set(data.uuid, data)
    } else if (ch === 'api') {
      if (data.event !== undefined) requests.find((r) => r.lane === data.lane && r.i === data.i).aborted = true
      else requests.push(data.answer === 'count_tokens' ? { lane: 'count', i: 0, ...data } : data)
    } else if (ch === 'consumer_error' || ch === 'call_err') {
      const { name, message, label } = data
      notes.push({
        ch,
        data: { ...(label === undefined ? {} : { label }), name, message, isAbortError: data.isAbortError ?? '<any>' },
      })
    } else if (ch === 'hook') notes.push({ ch, data: hookNote(data) })
    else if (ch === 'consumer') notes.push({ ch, data: same === undefined ? data : { waitsFor: same.uuid } })
    else if (compared.includes(ch) && !notMade.includes(data?.label)) notes.push({ ch, data })
  }
  // The consumer's line can be noted before the one it repeats.
  for (const note of notes) if (note.data?.waitsFor !== undefined) note.data = written.get(note.data.waitsFor)
  return { folders: { cwd: '<cwd>', home: '<home>' }, api: '<api>', processes, notes, requests }
}

/** Requests of sub-agents and teammates had lanes of their own there, and have here in some scenarios. */
export function inOneLane(observed) {
  const requests = observed.requests.map((request) =>
    ['sub', 'mate'].includes(request.lane) ? { ...request, lane: 'main' } : request,
  )
  return { ...observed, requests }
}

/** What a callback of the host was given: some recordings have only the input. */
function hookNote(data) {
  const { input = data, toolUseID = '<any>', optKeys } = data
  return { label: input.hook_event_name, input, toolUseID, hasSignal: optKeys?.includes('signal') ?? '<any>' }
}

function openProse(value, own) {
  if (typeof value === 'string') {
    // What the model there said when its script had no more.
    if (value === 'END-OF-SCRIPT:main') return '<any text>'
    if (!value.startsWith('<text>')) return value
    return own.some((part) => value.includes(part)) ? value : '<any text>'
  }
  if (Array.isArray(value)) return value.map((item) => openProse(item, own))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, openProse(v, own)]))
}
