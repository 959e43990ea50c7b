// What counts as prose and is not compared: descriptions, system prompts and reminder blocks. Every implementation has its
// own words; what a scenario itself put into them (`own`) must still be there.

const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>/g
/** A text that is one reminder, perhaps with another inside (that of a file it shows). */
const wholeReminder = /^<system-reminder>[\s\S]*<\/system-reminder>\s*$/

/** @param own texts of the scenario to look for inside prose */
export function blankProse(data, own) {
  const blank = (text) => `<text>${found(text, own)}`
  return visit(data, [])

  function visit(value, path) {
    const key = path.at(-1)
    if (typeof value === 'string') {
      if (isProse(path)) return value === '' || value === '<any text>' ? value : blank(value)
      if (wholeReminder.test(value)) return `<system-reminder>${blank(value)}</system-reminder>`
      return value.replace(reminder, (text) => `<system-reminder>${blank(text)}</system-reminder>`)
    }
    if (Array.isArray(value)) return value.map((item) => visit(item, [...path, '*']))
    if (value === null || typeof value !== 'object') return value
    if (key === 'input' || key === 'tool_input') return value
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, visit(v, [...path, k])]))
  }
}

function found(text, own) {
  const contained = own.filter((part) => text.includes(part))
  return contained.length === 0 ? '' : ` contains-own: ${JSON.stringify(contained)}`
}

function isProse(path) {
  const key = path.at(-1)
  const within = (name) => path.includes(name)
  if (key === 'text' && path[0] === 'body' && path[1] === 'system') return true
  if (key === 'description')
    return (path[0] === 'body' && path[1] === 'tools') || within('commands') || within('models') || listed(path)
  if (key === 'argumentHint') return true
  return false
}

/** Descriptions in the results of supportedCommands() and supportedModels(). */
function listed(path) {
  return path[0] === 'call_ok' && path[1] === 'result'
}
