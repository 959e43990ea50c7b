// Loaded before a program (`node --require`): each call of the file system takes 20 ms more, as on a disk far away. Calls that are
// made side by side are late together. What is no disk is as fast as ever: stdin and stdout, /proc, /dev.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const LATE_MS = 20
const cell = new Int32Array(new SharedArrayBuffer(4))
const isDisk = (target) => (typeof target === 'number' ? target > 2 : !/^\/(?:proc|dev)\//.test(String(target)))
let isInside = false

for (const sync of Object.keys(fs).filter((name) => name.endsWith('Sync'))) {
  const original = fs[sync]
  const late = function (...given) {
    // What Node's own functions call in turn is part of the same call.
    if (isInside || !isDisk(given[0])) return original.apply(this, given)
    isInside = true
    Atomics.wait(cell, 0, 0, LATE_MS)
    try {
      return original.apply(this, given)
    } finally {
      isInside = false
    }
  }
  fs[sync] = Object.assign(late, original)
  const name = sync.slice(0, -'Sync'.length)
  for (const place of [fs, fs.promises]) {
    const call = place[name]
    if (typeof call !== 'function') continue
    const pause = () => new Promise((resolve) => setTimeout(resolve, LATE_MS))
    const later = function (...given) {
      if (!isDisk(given[0])) return call.apply(this, given)
      return pause().then(() => call.apply(this, given))
    }
    place[name] = Object.assign(later, call)
  }
}
syncBuiltinESMExports()
