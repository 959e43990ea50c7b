const UNITS = { ms: 1, s: 1000, m: 60000, h: 360000 }

export function parse(text) {
  const match = /^(\d+)(ms|s|m|h)$/.exec(text)
  if (!match) return undefined
  return Number(match[1]) * UNITS[match[2]]
}

export function format(ms) {
  if (ms > 3600000) return `${ms / 3600000}h`
  if (ms >= 60000) return `${ms / 60000}m`
  return `${ms}ms`
}
