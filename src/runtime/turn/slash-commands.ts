/** `/name arguments` from the user: what the file of that name says becomes the prompt. Its shell commands are judged like any other. */
import type { CommandFile, ExpandedCommand, SkillFile } from '../../project/project.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import { messageOf } from '../../protocol/thrown.js'
import type { SkillPort } from '../../tools/skill/skill.js'
import type { Conversation } from '../conversation.js'
import { readCommandHooks } from '../hooks/hooks-of-files.js'
import { isFromUser, parseSlashCommand, type UserTurnMessage } from '../messages/user-message.js'
import { runCallWithoutAsking } from '../permission/call-without-asking.js'
import { BUILT_IN_SLASH_COMMANDS } from './built-in-slash-command-list.js'
import { type BuiltInSlashCommandResult, runBuiltInSlashCommand } from './built-in-slash-commands.js'

export type TypedCommandOutcome =
  /** Not a command. */
  | { kind: 'none' }
  /** Over without the model; `text` is the result. */
  | { kind: 'answered'; text: string }
  | { kind: 'own'; answer: BuiltInSlashCommandResult }
  /** Over because it could not be expanded. */
  | { kind: 'failed'; problem: string }
  | { kind: 'prompt'; marks: string; body: string; mentions: string[]; attached: ContentBlockParam[] }

export async function runSlashCommand(
  conversation: Conversation,
  message: UserTurnMessage,
  signal: AbortSignal,
): Promise<TypedCommandOutcome> {
  const called = isFromUser(message) ? parseSlashCommand(message.text) : undefined
  if (!called) return { kind: 'none' }
  const { name, args } = called
  if (!conversation.shared.settings.slashCommands) return { kind: 'answered', text: `Unknown skill: ${name}` }
  const own = BUILT_IN_SLASH_COMMANDS.find((one) => one.name === name)
  if (own) return { kind: 'own', answer: await runBuiltInSlashCommand(conversation, own.name, args, signal) }
  const ofServer = name.startsWith('mcp__') ? await readMcpPrompt(conversation, name, args, message, signal) : undefined
  if (ofServer) return ofServer
  const command = conversation.shared.project.find(name)
  if (!command) return { kind: 'answered', text: `Unknown skill: ${name}` }
  if ('userInvocable' in command && !command.userInvocable) {
    return { kind: 'answered', text: `The skill ${name} is for the model: ask for what you want, and it will use it.` }
  }
  const unusable = await useCommand(conversation, command)
  if (unusable !== undefined) return { kind: 'failed', problem: unusable }
  const expansion = await conversation.shared.project.expand(command, args, conversation.shared.sessionId)
  if ('problem' in expansion) return { kind: 'failed', problem: expansion.problem }
  const outputs = await runCommands(conversation, expansion, signal)
  if ('problem' in outputs) return { kind: 'failed', problem: outputs.problem }
  const { marks, mentions } = expansion
  const attached = message.blocks.filter(({ type }) => type !== 'text')
  return {
    kind: 'prompt',
    marks,
    body: conversation.shared.project.join(expansion.parts, outputs.texts),
    mentions,
    attached,
  }
}

/** A prompt of an MCP server; undefined when there is none of that name. */
async function readMcpPrompt(
  conversation: Conversation,
  name: string,
  args: string,
  message: UserTurnMessage,
  signal: AbortSignal,
): Promise<TypedCommandOutcome | undefined> {
  try {
    const blocks = await conversation.shared.mcp.expandPrompt(name, args, signal)
    if (!blocks) return undefined
    const called = `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>`
    const marks = args === '' ? called : `${called}\n<command-args>${args}</command-args>`
    const texts = blocks.flatMap((block) => (block.type === 'text' ? block.text : []))
    const attached = [...blocks, ...message.blocks].filter(({ type }) => type !== 'text')
    return { kind: 'prompt', marks, body: texts.join('\n'), mentions: [], attached }
  } catch (error) {
    return { kind: 'failed', problem: messageOf(error) }
  }
}

/** For the Skill tool: what it may load, and the instructions when it does. */
export function createSkillPort(conversation: () => Conversation): SkillPort {
  return {
    find(name) {
      const { project } = conversation().shared
      const command = project.find(name)
      const { allowedTools, model, disableModelInvocation: userOnly } = command ?? {}
      return (
        command && { name: command.name, allowedTools, model, userOnly, notChosen: !project.isChosen(command.name) }
      )
    },
    names: () =>
      conversation()
        .shared.project.forModel()
        .map(({ name }) => name),
    async load(name, args, signal) {
      const command = conversation().shared.project.find(name)
      return command ? loadSkill(conversation(), command, args, signal) : { problem: `Unknown skill: ${name}` }
    },
  }
}

async function loadSkill(
  conversation: Conversation,
  command: CommandFile | SkillFile,
  args: string,
  signal: AbortSignal,
): Promise<{ text: string } | { problem: string }> {
  const expansion = await conversation.shared.project.expand(command, args, conversation.shared.sessionId)
  if ('problem' in expansion) return expansion
  const unusable = await useCommand(conversation, command)
  if (unusable !== undefined) return { problem: unusable }
  const outputs = await runCommands(conversation, expansion, signal)
  return 'problem' in outputs ? outputs : { text: conversation.shared.project.join(expansion.parts, outputs.texts) }
}

/** For this turn: the rules, the model, and the hooks that the file names. Returns why it can't be used. */
async function useCommand(conversation: Conversation, command: CommandFile): Promise<string | undefined> {
  const { permissions, turn, hooks, shared } = conversation
  const { allowedTools, model } = command
  if (command.hooks && shared.live.hooks.limits) {
    const warn = (text: string) => void conversation.emitter.inform(text.trim(), 'warning')
    const read = await readCommandHooks(command, warn)
    if ('refused' in read) return `Its hooks can't be used: ${read.refused}`
    turn.takeBack.push(hooks.lend(read.hooks))
  }
  if (allowedTools) turn.takeBack.push(permissions.lend(allowedTools))
  if (model !== undefined && model !== 'inherit') turn.model = model
  return undefined
}

async function runCommands(
  session: Conversation,
  { parts }: ExpandedCommand,
  signal: AbortSignal,
): Promise<{ texts: string[] } | { problem: string }> {
  const texts: string[] = []
  for (const part of parts) {
    if (part.kind !== 'command') continue
    const { result, denied } = await runCallWithoutAsking(session, 'Bash', { command: part.command }, signal)
    if (!result || result.block.is_error) {
      const what = denied ? 'permission check failed' : 'failed'
      const { content = '' } = result?.block ?? {}
      return { problem: `Bash command ${what} for pattern "!\`${part.command}\`": ${content}` }
    }
    texts.push(printedBy(result.output).trim())
  }
  return { texts }
}

function printedBy(output: unknown): string {
  return typeof output === 'object' && output !== null && 'stdout' in output ? String(output.stdout) : ''
}
