/** `/export`: the conversation as a markdown file. */
import { conversationToMarkdown } from '../../sessions/conversation-markdown.js'
import type { TerminalUi } from '../session/terminal-ui.js'

export async function exportFromTerminal(ui: TerminalUi, args: string): Promise<void> {
  const { client, machine } = ui
  if (!client) return
  const { messages, isWhole } = await client.stored()
  if (!isWhole)
    return ui.screen.notice('error', 'A session of a server is exported by the server: GET /v1/sessions/…/export')
  const name = args || `kedge-${client.id.slice(0, 8)}.md`
  const path = name.startsWith('/') ? name : `${client.cwd}/${name}`
  if (machine.readText(path) !== undefined) return ui.screen.notice('error', `${path} exists. Choose another name.`)
  const problem = machine.writeText(path, conversationToMarkdown(messages, client.id))
  if (problem === undefined) ui.screen.notice('notice', `Written to ${path}`)
  else ui.screen.notice('error', problem)
}
