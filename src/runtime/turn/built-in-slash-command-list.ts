/** Slash commands of our own, as hosts and people are shown them. What each does is in `own-commands.ts`. */
import type { SlashCommand } from '../../protocol/options.js'

export const BUILT_IN_SLASH_COMMANDS = [
  {
    name: 'compact',
    description: 'Put a summary in place of the conversation; say what it should keep',
    argumentHint: '<what to keep>',
  },
  { name: 'clear', description: 'Forget the conversation and start anew', argumentHint: '' },
  { name: 'context', description: 'Show what fills the context window', argumentHint: '' },
  { name: 'cost', description: 'Show what this session has cost', argumentHint: '' },
  { name: 'model', description: 'Show or change the model', argumentHint: '[model]' },
  { name: 'help', description: 'List the commands there are', argumentHint: '' },
] as const satisfies readonly SlashCommand[]

export type BuiltInSlashCommandName = (typeof BUILT_IN_SLASH_COMMANDS)[number]['name']
