// What a project or a home brings along, for scenarios about settings: files, and hooks that are commands.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Writes files below a folder: path → text, or an object that becomes JSON. All may be executed. */
export function put(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2), { mode: 0o755 })
  }
}

/** A Markdown file with frontmatter: `{ name: 'x' }` → `---\nname: x\n---\n`, then the body. */
export function page(frontmatter, body) {
  const lines = Object.entries(frontmatter).map(([key, value]) => `${key}: ${value}\n`)
  return `---\n${lines.join('')}---\n${body}`
}

/** One group of command hooks of a settings file. */
export function commands(...list) {
  return { hooks: list.map((command) => ({ type: 'command', command })) }
}

/**
 * A hook program that looks at its input: the first entry whose key occurs in it says what to do, as a line of shell. With no
 * match it does nothing.
 */
export function program(cases) {
  const lines = Object.entries(cases).map(([part, action]) => `  *'${part}'*) ${action};;\n`)
  return `#!/bin/bash\ninput=$(cat)\ncase "$input" in\n${lines.join('')}esac\n`
}

/** A line of shell that prints this object. */
export const say = (output) => `echo '${JSON.stringify(output)}'`

/** Sends these prompts one after another, each after the result of the one before; `between` may do something there. */
export async function converse({ sdk, consume, user, queue }, { prompts, options, between = () => {} }) {
  const input = queue()
  const waiting = [...prompts]
  const next = () => (waiting.length > 0 ? input.push(user(waiting.shift())) : input.end())
  next()
  const query = sdk.query({ prompt: input, options })
  await consume(query, async (message) => {
    if (message.type !== 'result') return
    await between(query, waiting.length)
    next()
  })
}
