/** Beside the conversation: a question that leaves no trace in it, and files that are read anew. */
import type { TerminalUi } from '../session/terminal-ui.js'

/** The answer is printed here and kept nowhere else. */
export async function askAside(ui: TerminalUi, question: string): Promise<void> {
  if (question === '') return ui.screen.notice('notice', 'Write your question behind it: /btw QUESTION')
  if (!ui.client) return
  ui.screen.flash('asking on the side …')
  const { answer } = await ui.client.ask(question)
  const quoted = question.split('\n').map((line) => `> ${line}`)
  ui.screen.say([...quoted, '', answer].join('\n'))
}

export async function reloadFromTerminal(ui: TerminalUi): Promise<void> {
  const { changes = [], problems = [] } = (await ui.client?.reload()) ?? {}
  for (const problem of problems) ui.screen.notice('warning', problem)
  ui.screen.notice('notice', changes.length === 0 ? 'Nothing has changed.' : changes.join(' '))
}
