/** One line on the terminal that says what the agent is doing, gone when the answer comes. */

export function createProgress(wanted: boolean) {
  const on = wanted && process.stderr.isTTY === true
  const show = (text: string) => {
    if (on)
      process.stderr.write(
        `\r\u001b[K${text.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, (process.stderr.columns ?? 80) - 1)}`,
      )
  }
  return {
    see(message: object) {
      if (!on || !('type' in message)) return
      if (message.type === 'system' && 'subtype' in message) {
        if (message.subtype === 'init') show('thinking…')
        if (message.subtype === 'api_retry' && 'attempt' in message)
          show(`the API did not answer; try ${String(message.attempt)}…`)
      }
      if (message.type === 'assistant') show(describe(message))
      if (message.type === 'user') show('thinking…')
    },
    clear: () => show(''),
  }
}

function describe(message: object): string {
  const inner = 'message' in message ? message.message : undefined
  const content = typeof inner === 'object' && inner !== null && 'content' in inner ? inner.content : undefined
  if (!Array.isArray(content)) return 'thinking…'
  const use: unknown = content.find((block) => block?.type === 'tool_use')
  if (typeof use !== 'object' || use === null || !('name' in use)) return 'thinking…'
  const input = 'input' in use ? JSON.stringify(use.input) : ''
  return `${String(use.name)} ${input}`
}
