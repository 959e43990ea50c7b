// Turns what a run observed into channels of comparable lines: ids, times, costs, paths and prose become placeholders,
// so that two runs of the same scenario are equal exactly when they behaved the same.
import { blankProse } from './prose.mjs'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Ids chosen by a scenario or by the fake CLI begin with one digit eight times and stay as they are. */
const fixedUuid = /^(\d)\1{7}-/
/** Keys of times and of process ids. */
const measured = /(_ms|Ms|^durationSeconds|^(start|end)_time|^pid)$/
const runIds = new Set(['run_id', 'runId'])
const money = new Set(['total_cost_usd', 'costUSD'])
const trailingReminder = /\n*<system-reminder><text><\/system-reminder>\s*$/
/** Headers that say where a request comes from, not what it asks. */
const transportHeaders = [
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
]

export function normalize(observed, scenario) {
  const { folders, api } = observed
  const slug = folders.cwd.replace(/[^a-zA-Z0-9]/g, '-')
  const places = [
    [folders.cwd, '<cwd>'],
    [slug, '<cwd-slug>'],
    [folders.home, '<home>'],
    [api, '<api>'],
  ]
  // In-process there are no lines to read the ids from, only what the consumer saw.
  const received = observed.notes.filter(({ ch }) => ch === 'consumer' || ch === 'call_ok')
  const seen = received.map(({ data }) => ({ ch: 'stdout', data: data.result ?? data }))
  const names = nameIds(observed.processes.length > 0 ? observed.processes.flat() : seen)
  const clean = (data) => {
    const placed = replaceDeep(data, (text) => placeholders(text, places, names))
    return blankProse(scenario.linesInAnyOrder ? sortLines(placed) : placed, scenario.own ?? [])
  }

  const channels = {}
  const add = (name, ...lines) => {
    channels[name] ??= []
    channels[name].push(...lines)
  }
  observed.processes.forEach((lines, index) => {
    const suffix = index === 0 ? '' : `#${index + 1}`
    const of = (ch) => lines.filter((line) => line.ch === ch).map((line) => line.data)
    const [spawn] = of('spawn')
    add(
      `spawn${suffix}`,
      clean({ argv: spawn.argv, execArgv: spawn.execArgv, env: shownEnv(spawn.env), cwd: spawn.cwd }),
    )
    add(`stdin${suffix}`, ...of('stdin').map(clean))
    add(`stdout${suffix}`, ...of('stdout').map(clean))
    add(`stderr${suffix}`, ...of('stderr').join('').split('\n').filter(isNoLog).map(clean))
    add(`end${suffix}`, endOf(of, scenario))
  })
  for (const request of observed.requests) {
    const { lane, method, path, headers, body, aborted } = request
    const shown = { method, path, headers: shownHeaders(headers), body: shownBody(body), aborted: aborted ?? false }
    add(`api:${lane}`, withoutReminders(clean(shown)))
  }
  for (const { ch, data } of observed.notes) {
    const group =
      { call_ok: 'calls', call_err: 'calls', consumer_done: 'consumer', consumer_break: 'consumer' }[ch] ?? ch
    add(group === 'consumer_error' ? 'consumer' : group, clean(ch === group ? data : { [ch]: data }))
  }
  // Helper requests go out beside the conversation, in any order.
  channels['api:aux']?.sort((a, b) => JSON.stringify(a.body).localeCompare(JSON.stringify(b.body)))
  // Answers to calls made side by side come in any order; the label tells them apart.
  channels['calls']?.sort((a, b) => labelOf(a).localeCompare(labelOf(b)))
  if (observed.processes.length > 0) add('verbatim', { consumerSeesStdoutLinesUnchanged: verbatim(observed) })
  return channels
}

/** Lines of a debug log, asked for by a flag, are not compared, and neither is where in a program an error came up. */
function isNoLog(line) {
  return line !== '' && !/^(\S+Z \[[A-Z]+\]|\[kedge [\d.]+\]| {4}at) /.test(line)
}

function labelOf(line) {
  return (line.call_ok ?? line.call_err).label
}

function endOf(of, scenario) {
  const [exit] = of('exit')
  const signals = of('signal')
  const stdinEnded = of('stdin_end').length > 0
  if (scenario.racyExit && signals.length > 0) return { signals }
  if (of('killed').length > 0) return { killed: true, signals }
  if (exit === undefined) return { stillRunning: true, signals, stdinEnded }
  // With a signal, or when the CLI gives up by itself, it is chance whether the end of stdin comes in time to be noted.
  if (signals.length > 0 || exit.code !== 0) return { code: exit.code, signal: exit.signal, signals }
  return { code: exit.code, signal: exit.signal, signals, stdinEnded }
}

/** True when every message the consumer saw is a line the CLI wrote, key for key and value for value. */
function verbatim(observed) {
  const written = new Set()
  for (const { ch, data } of observed.processes.flat()) if (ch === 'stdout') written.add(JSON.stringify(data))
  return observed.notes.every(({ ch, data }) => ch !== 'consumer' || written.has(JSON.stringify(data)))
}

/** Names for the ids of sessions, messages, requests, tasks and new notebook cells: stable from run to run, so that who refers to whom is still compared. */
function nameIds(lines) {
  const names = new Map()
  const counts = new Map()
  const name = (id, kind) => {
    if (typeof id !== 'string' || names.has(id) || fixedUuid.test(id)) return
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    names.set(id, `<${kind} ${count}>`)
  }
  for (const { ch, data } of lines) {
    if (data === null || typeof data !== 'object') continue
    if (ch === 'stdout' && typeof data.session_id === 'string') name(data.session_id, 'session')
    const message = data.message ?? data.event?.message
    if (ch === 'stdout' && /^msg_fake_/.test(message?.id ?? '')) name(message.id, 'message')
    const { backgroundTaskId, agentId, edit_mode, cell_id } = data.tool_use_result ?? {}
    if (ch === 'stdout') for (const id of [data.task_id, backgroundTaskId, agentId]) name(id, 'task')
    // `cell-0` is no id but a place.
    if (edit_mode === 'insert' && !/^cell-\d+$/.test(cell_id ?? '')) name(cell_id, 'cell')
    if (data.type === 'control_request') {
      const { subtype, tool_use_id, callback_id, message: rpc } = data.request ?? {}
      const about = { can_use_tool: tool_use_id, hook_callback: callback_id, mcp_message: rpc?.method }[subtype]
      name(data.request_id, `request ${[subtype, about].filter(Boolean).join(' ')}`)
    }
  }
  return names
}

function placeholders(text, places, names) {
  let result = names.get(text) ?? text
  for (const [place, name] of places) result = result.replaceAll(place, name)
  for (const [id, name] of names) if (result.includes(id)) result = result.replaceAll(id, name)
  return (
    result
      .replace(uuid, (id) => (fixedUuid.test(id) ? id : '<uuid>'))
      // Whether bash still gets to say so when its command is killed is chance.
      .replace(/(\n+\/bin\/bash: line \d+:\s+\d+ Killed[^\n]*)+/g, '')
      // Of a command that is killed the original sometimes has another code.
      .replace(/\bExit code 145(?=\n\[Request interrupted)/g, 'Exit code 137')
      .replace(/\/[\w./-]*\/claude-\d+\/(?=<cwd-slug>)/g, '<tmp>/claude-<uid>/')
      // Recordings come from other checkouts too.
      .replace(/\/[\w./-]*\/test\/interop\/(?=mcp-stdio\.mjs)/g, '<interop>/')
      .replace(/\/tasks\/[a-z0-9]+\.output/g, '/tasks/<name>.output')
      .replace(/\/plans\/[a-z0-9]+(-[a-z0-9]+)+\.md/g, '/plans/<words>.md')
      .replace(/\/tool-results\/(?!toolu_)[\w-]+\.(txt|png)/g, '/tool-results/<name>.$1')
      .replace(/\b127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
      .replace(/\bduration_ms(: |>)\d+/g, 'duration_ms$1<number>')
      .replace(/(Total duration \(\w+\): +)[\dhms ]+/g, '$1<time>')
      .replace(/\breq_fake_\w+/g, '<request id>')
      .replace(/\buser_[0-9a-f]{64}_/g, 'user_<hex>_')
      .replace(/("device_id":")[0-9a-f]{64}/g, '$1<hex>')
      .replace(/(<tmp>|\/[\w./-]*)\/cc-socks\/\d+\.sock/g, '<tmp>/cc-socks/<pid>.sock')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '<time>')
  )
}

function replaceDeep(data, replace, key = '') {
  if (typeof data === 'string') return runIds.has(key) ? '<run>' : replace(data)
  if (typeof data === 'number' && measured.test(key)) return '<number>'
  if (typeof data === 'number' && money.has(key)) return data === 0 ? '<no cost>' : '<cost>'
  if (Array.isArray(data)) return data.map((item) => replaceDeep(item, replace))
  if (data === null || typeof data !== 'object') return data
  return Object.fromEntries(Object.entries(data).map(([k, v]) => [replace(k), replaceDeep(v, replace, k)]))
}

/** The lines of results, sorted: for tools that search in parallel and report what they find as it comes. */
function sortLines(data, key = '') {
  if (typeof data === 'string') return key === 'content' ? data.split('\n').sort().join('\n') : data
  if (Array.isArray(data)) return data.map((item) => sortLines(item))
  if (data === null || typeof data !== 'object') return data
  return Object.fromEntries(Object.entries(data).map(([k, v]) => [k, sortLines(v, k)]))
}

function shownEnv(env) {
  const { KEDGE_INTEROP_RUN: _, ...rest } = env
  return { ...rest, PATH: '<path>' }
}

function shownHeaders(headers) {
  const entries = Object.entries(headers).filter(([name]) => !transportHeaders.includes(name))
  const fixed = {
    'x-stainless-runtime-version': '<version>',
    'x-stainless-arch': '<arch>',
    'x-stainless-os': '<os>',
    'x-api-key': '<key>',
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, fixed[name] ?? value]))
}

/** Tools by name, so that one more or one fewer is one difference. */
function shownBody(body) {
  if (!Array.isArray(body?.tools)) return body
  const named = body.tools.map((tool) => (typeof tool === 'string' ? [tool, '<any>'] : [tool.name, tool]))
  return { ...body, tools: Object.fromEntries(named) }
}

/** Reminders after a tool result are prose, like those in blocks of their own. */
function withoutReminders(request) {
  for (const { content } of request.body?.messages ?? []) {
    for (const block of Array.isArray(content) ? content : []) {
      if (typeof block.content === 'string') block.content = block.content.replace(trailingReminder, '')
    }
  }
  return request
}
