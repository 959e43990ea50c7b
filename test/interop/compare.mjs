// Compares two normalized runs channel by channel and lists the differences, each with a path such as
// `stdout/result:success/num_turns`.

/**
 * `line` is where it is in the expected lines (in the others if it is only there), `at` where in the others.
 * @returns {{path: string, kind: 'missing' | 'extra' | 'value' | 'order', expected: unknown, got: unknown, line: number, at?: number}[]}
 */
export function compareRuns(expected, got, { channels = () => true } = {}) {
  const found = []
  const names = new Set([...Object.keys(expected), ...Object.keys(got)])
  for (const name of names) {
    if (channels(name)) compareLines(name, expected[name] ?? [], got[name] ?? [], found)
  }
  return found
}

function compareLines(channel, expected, got, found) {
  for (const [left, right] of align(expected, got, lineKind)) {
    const line = left ?? right
    const value = left === undefined ? got[right] : expected[left]
    const path = `${channel}/${signature(value)}`
    const place = { line, at: right }
    if (right === undefined) found.push({ path, kind: 'missing', expected: value, got: undefined, ...place })
    else if (left === undefined) found.push({ path, kind: 'extra', expected: undefined, got: value, ...place })
    else compareValues(path, ...withoutHistory(expected, left, got, right), (d) => found.push({ ...d, ...place }))
  }
}

/**
 * The two lines; of a request, without the messages that both sides repeat from their request before: a difference in them
 * was reported there.
 */
function withoutHistory(expected, left, got, right) {
  const sides = [repeats(expected, left), repeats(got, right)]
  const both = (index) => sides.every((repeated) => repeated[index] !== undefined)
  return [expected[left], got[right]].map((line, side) => {
    if (line?.body?.messages === undefined) return line
    const messages = line.body.messages.map((message, index) => (both(index) ? sides[side][index] : message))
    return { ...line, body: { ...line.body, messages } }
  })
}

/** For each message of the request: undefined, or in its place how many cache marks it has now if it is the same as before. */
function repeats(lines, index) {
  const before = lines[index - 1]?.body?.messages ?? []
  const messages = lines[index]?.body?.messages ?? []
  return messages.map((message, at) => {
    let marks = 0
    const unmarked = (key, value) => {
      if (key !== 'cache_control') return value
      marks += 1
      return undefined
    }
    const then = JSON.stringify(before[at], unmarked)
    marks = 0
    return JSON.stringify(message, unmarked) === then ? { repeated: true, marks } : undefined
  })
}

/** Lines of one kind are compared with each other, those about a call only with those about the same one. */
function lineKind(line) {
  const about =
    line?.call_ok?.label ??
    line?.request?.tool_use_id ??
    line?.response?.request_id?.match?.(/toolu_\w+/)?.[0] ??
    line?.message?.content?.[0]?.tool_use_id ??
    line?.message?.content?.[0]?.id
  return about === undefined ? signature(line) : `${signature(line)} ${about}`
}

/** What kind of line this is, as paths name it. */
export function signature(line) {
  if (line === null || typeof line !== 'object') return 'text'
  if (line.method !== undefined) return 'request'
  if (line.signals !== undefined) return 'process'
  if (line.isAbortError !== undefined) return 'thrown'
  if (line.input?.hook_event_name !== undefined) return line.input.hook_event_name
  if (line.options?.toolUseID !== undefined) return line.options.toolUseID
  if (line.type === 'stream_event') return `stream_event:${line.event?.type}`
  if (line.type === 'control_request') return `control_request:${line.request?.subtype}`
  if (line.type === 'control_response') return `control_response:${line.response?.subtype}`
  if (line.type === 'assistant' || line.type === 'user')
    return `${line.type}:${line.message?.content?.[0]?.type ?? 'text'}`
  if (line.type === 'system' || line.type === 'result') return `${line.type}:${line.subtype}`
  if (line.type !== undefined) return String(line.type)
  return Object.keys(line).slice(0, 1).join('') || 'empty'
}

/** What kind of content block this is: a reminder is prose that may be there or not. */
function blockKind(block) {
  return /^<system-reminder><text><\/system-reminder>\s*$/.test(block.text ?? '') ? 'reminder' : block.type
}

/** Pairs of indexes that belong together, in order; one side is undefined for what is missing or extra. */
function align(expected, got, kind) {
  const rows = expected.length
  const columns = got.length
  const score = Array.from({ length: rows + 1 }, () => new Array(columns + 1).fill(0))
  const worth = (i, j) => {
    if (kind(expected[i]) !== kind(got[j])) return 0
    return JSON.stringify(expected[i]) === JSON.stringify(got[j]) ? 5 : 3
  }
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const matched = worth(i, j)
      const best = Math.max(score[i + 1][j], score[i][j + 1])
      score[i][j] = matched === 0 ? best : Math.max(best, matched + score[i + 1][j + 1])
    }
  }
  const pairs = []
  let i = 0
  let j = 0
  while (i < rows && j < columns) {
    const matched = worth(i, j)
    if (matched > 0 && score[i][j] === matched + score[i + 1][j + 1]) pairs.push([i++, j++])
    else if (score[i][j] === score[i + 1][j]) pairs.push([i++, undefined])
    else pairs.push([undefined, j++])
  }
  while (i < rows) pairs.push([i++, undefined])
  while (j < columns) pairs.push([undefined, j++])
  return pairs
}

function compareValues(path, expected, got, report) {
  if (matches(expected, got)) return
  if (isRecord(expected) && isRecord(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const inside = `${path}/${key}`
      if (!(key in got)) report({ path: inside, kind: 'missing', expected: expected[key], got: undefined })
      else if (!(key in expected)) report({ path: inside, kind: 'extra', expected: undefined, got: got[key] })
      else compareValues(inside, expected[key], got[key], report)
    }
    return
  }
  if (!Array.isArray(expected) || !Array.isArray(got)) return report({ path, kind: 'value', expected, got })
  const key = listKey([...expected, ...got])
  if (key !== undefined) return compareNamed(path, key, expected, got, report)
  const blocks = [...expected, ...got].every((item) => typeof item?.type === 'string')
  const kind = blocks ? blockKind : () => 'item'
  for (const [left, right] of align(expected, got, kind)) {
    const inside = `${path}/${left ?? `+${right}`}`
    const named = blocks ? `${inside}:${kind(left === undefined ? got[right] : expected[left])}` : inside
    if (right === undefined) report({ path: named, kind: 'missing', expected: expected[left], got: undefined })
    else if (left === undefined) report({ path: named, kind: 'extra', expected: undefined, got: got[right] })
    else compareValues(inside, expected[left], got[right], report)
  }
}

/** Lists of distinct names, or of objects with a name: one more or fewer is one difference, and so is another order. */
function compareNamed(path, key, expected, got, report) {
  const left = new Map(expected.map((item) => [key(item), item]))
  const right = new Map(got.map((item) => [key(item), item]))
  if (left.size !== expected.length || right.size !== got.length) return report({ path, kind: 'value', expected, got })
  for (const [name, item] of left) {
    if (!right.has(name)) report({ path: `${path}/${name}`, kind: 'missing', expected: item, got: undefined })
    else compareValues(`${path}/${name}`, item, right.get(name), report)
  }
  for (const [name, item] of right) {
    if (!left.has(name)) report({ path: `${path}/${name}`, kind: 'extra', expected: undefined, got: item })
  }
  const order = [...left.keys()].filter((name) => right.has(name))
  const other = [...right.keys()].filter((name) => left.has(name))
  if (order.join('\n') !== other.join('\n')) report({ path, kind: 'order', expected: order, got: other })
}

function listKey(items) {
  if (items.length === 0) return undefined
  if (items.every((item) => typeof item === 'string')) return (item) => item
  for (const key of ['name', 'value'])
    if (items.every((item) => typeof item?.[key] === 'string')) return (item) => item[key]
  return undefined
}

/** Equal, or equal to a recording in which prose (`<any text>`) and repeated tool schemas (`<any>`) were left out. */
function matches(expected, got) {
  if (expected === '<any>') return true
  if (expected === '<any text>') return typeof got === 'string'
  const cut = typeof expected === 'string' && typeof got === 'string' ? /^(.* \(?)<text>\)?$/s.exec(expected) : null
  if (cut !== null) return got.startsWith(cut[1])
  return JSON.stringify(expected) === JSON.stringify(got)
}

function isRecord(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
