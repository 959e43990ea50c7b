// Loaded before the command (`node --require`): counts what it does, and tells at its end, to the file that COUNTS_FILE names. Counting is
// by wrapping, so it says nothing about time. Each request to the model closes a turn, and its counts are noted.
const fs = require('node:fs')
const Module = require('node:module')

const { COUNTS_FILE: file } = process.env
delete process.env.COUNTS_FILE
const builtins = new Set()
const files = new Set()
const counts = { files: 0, lines: 0, serialized: 0, encoded: 0 }
const turns = []

const load = Module._load
Module._load = function (request, ...rest) {
  if (Module.isBuiltin(request)) builtins.add(request.replace(/^node:/, ''))
  else files.add(request.split('/').at(-1))
  const loaded = load.call(this, request, ...rest)
  if (request === 'node:http') countRequests(loaded)
  return loaded
}

/** Descriptors open on the table of processes. */
const tableHandles = new Set()
/** How often processes are looked at depends on how soon a child ends, so on how busy the machine is: not counted. */
const isProcessTable = (target) => tableHandles.has(target) || /^\/proc\/|^\/proc$/.test(target)

for (const name of Object.keys(fs)) {
  if (typeof fs[name] !== 'function' || /^[A-Z_]/.test(name)) continue
  const original = fs[name]
  let isInside = false
  const counted = function (...given) {
    // What Node's own functions call in turn is part of the same call.
    if (isInside) return original.apply(this, given)
    isInside = true
    const isTable = isProcessTable(given[0])
    if (name === 'writeSync' && given[0] === 1) counts.lines += 1
    else if (!isTable) counts.files += 1
    try {
      const result = original.apply(this, given)
      if (name === 'openSync') tableHandles[isTable ? 'add' : 'delete'](result)
      return result
    } finally {
      isInside = false
    }
  }
  fs[name] = Object.assign(counted, original)
}

const { stringify } = JSON
JSON.stringify = (...given) => {
  const text = stringify(...given)
  counts.serialized += text?.length ?? 0
  return text
}
for (const name of ['encode', 'encodeInto']) {
  const original = TextEncoder.prototype[name]
  TextEncoder.prototype[name] = function (text, ...rest) {
    counts.encoded += text?.length ?? 0
    return original.call(this, text, ...rest)
  }
}
const from = Buffer.from
Buffer.from = (...given) => {
  if (typeof given[0] === 'string') counts.encoded += given[0].length
  return from(...given)
}
const { write } = process.stdout
process.stdout.write = function (text, ...rest) {
  if (text !== '') counts.lines += 1
  return write.call(this, text, ...rest)
}

let isCounting = false
function countRequests(http) {
  if (isCounting) return
  isCounting = true
  const { request } = http
  http.request = (...given) => {
    turns.push({ ...counts })
    return request(...given)
  }
}

process.on('exit', () => {
  const told = stringify({ builtins: [...builtins].sort(), files: [...files].sort(), turns, all: counts })
  fs.writeFileSync(file, told)
})
