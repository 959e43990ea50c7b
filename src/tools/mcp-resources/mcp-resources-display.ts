/** How people see the use of what MCP servers offer to read. */
import { defineDisplay, inputText } from '../tool-display.js'

export const listMcpResourcesDisplay = defineDisplay({
  name: 'ListMcpResourcesTool',
  kind: 'read',
  label: () => 'List resources',
  subject: (call) => inputText(call, 'server'),
  question: (call) => `List the resources of ${inputText(call, 'server') || 'all MCP servers'}?`,
})

export const readMcpResourceDisplay = defineDisplay({
  name: 'ReadMcpResourceTool',
  kind: 'read',
  label: () => 'Read resource',
  subject: (call) => inputText(call, 'uri'),
  question: (call) =>
    `Read ${inputText(call, 'uri') || 'a resource'} from ${inputText(call, 'server') || 'an MCP server'}?`,
})
