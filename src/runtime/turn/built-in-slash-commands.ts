/** Slash commands of our own: they answer without the model, except for the summary that /compact needs. */

import type { Conversation } from '../conversation.js'
import { cacheHitRate } from '../messages/cache-rate.js'
import { measureContextUsage } from '../messages/context-usage.js'
import type { BuiltInSlashCommandName } from './built-in-slash-command-list.js'
import { openingTexts } from './opening-texts.js'

/** What is still to be done when the turn has been announced. */
export type BuiltInSlashCommandResult = { text: string; failed?: boolean; announce?: () => Promise<void> }

type RunCommand = (
  conversation: Conversation,
  args: string,
  signal: AbortSignal,
) => BuiltInSlashCommandResult | Promise<BuiltInSlashCommandResult>

const COMMANDS: Record<BuiltInSlashCommandName, RunCommand> = {
  async compact(conversation, args, signal) {
    const { replaceBySummary, summarizeConversation } = await import('./compact.js')
    const compacted = await summarizeConversation(conversation, 'manual', args, signal)
    if (!compacted.ok) return { text: compacted.problem, failed: true }
    const announce = () => replaceBySummary(conversation, compacted, 'manual', { next: [], signal })
    const hooks = compacted.hooks.map((name) => `PreCompact ${name} completed successfully`)
    return { text: `Compacted ${hooks.join('\n')}`, announce }
  },
  async clear(conversation, _, signal) {
    await conversation.hooks.sessionEnd('clear', signal)
    // Interrupted while a hook was busy: nothing is forgotten then.
    if (signal.aborted) return { text: 'Interrupted', failed: true }
    conversation.history.replace([])
    conversation.tools.readFiles.clear()
    conversation.shared.project.forgetNested()
    Object.assign(conversation.context, { tokens: 0, failedAt: 0, sent: undefined })
    Object.assign(conversation.toTell, openingTexts(conversation.shared.project))
    // What follows stands by itself, also when the session is resumed before anything does.
    conversation.transcript.parent = null
    conversation.transcript.user({
      type: 'user',
      message: { role: 'user', content: '<command-name>/clear</command-name>' },
      uuid: conversation.shared.platform.identity.uuid(),
      isMeta: true,
    })
    await conversation.emitter.cleared()
    conversation.toTell.pending = await conversation.hooks.sessionStart('clear', conversation.model.current(), signal)
    return { text: 'The conversation was cleared.' }
  },
  async context(conversation, _, signal) {
    const usage = await measureContextUsage(conversation, signal)
    const { categories, totalTokens, maxTokens, percentage, model, counted } = usage
    const rows = categories.map(({ name, tokens }) => `${name.padEnd(16)} ${tokens.toLocaleString('en')}`)
    const total = `${totalTokens.toLocaleString('en')} of ${maxTokens.toLocaleString('en')} tokens (${percentage} %)`
    return { text: [`${model}: ${total}${counted === 'estimate' ? ', estimated' : ''}`, ...rows].join('\n') }
  },
  cost: (conversation) => ({ text: describeCosts(conversation) }),
  async model({ model }, args) {
    if (args === '') return { text: `The model is ${model.current()}.` }
    if (!/^[\x21-\x7e]+$/.test(args)) return { text: 'A model is named by one word, such as sonnet.', failed: true }
    await model.set(args === 'default' ? undefined : args, 'command')
    return { text: `The model is now ${model.current()}.` }
  },
  help({ shared: { project } }) {
    const rows = project.lists.commands.map(
      ({ name, argumentHint, description }) => `/${`${name} ${argumentHint}`.trim()}  ${description}`,
    )
    return { text: rows.join('\n') }
  },
}

export async function runBuiltInSlashCommand(
  conversation: Conversation,
  name: BuiltInSlashCommandName,
  args: string,
  signal: AbortSignal,
): Promise<BuiltInSlashCommandResult> {
  return COMMANDS[name](conversation, args, signal)
}

/** What the session has cost, as people read it. */
export function describeCosts({ shared: { ledger } }: Conversation): string {
  const perModel = Object.entries(ledger.all().modelUsage).map(([model, usage]) => {
    const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens, costUSD } = usage
    const tokens = `${inputTokens} in, ${outputTokens} out, ${cacheReadInputTokens} from the cache, ${cacheCreationInputTokens} into it`
    return `${model}: ${usd(costUSD)} (${tokens})`
  })
  const seconds = (ledger.all().apiMs / 1000).toFixed(1)
  const unpriced = ledger.unpricedModels().map((model) => `The price of ${model} is not known.`)
  const rate = cacheHitRate(ledger.all().modelUsage)
  const cache = rate === undefined ? [] : [`Cache: ${(rate * 100).toFixed(1)} % of what was read came from it`]
  return [`Total: ${usd(ledger.all().costUsd)}, ${seconds} s of the API`, ...perModel, ...cache, ...unpriced].join('\n')
}

function usd(amount: number): string {
  return `$${amount.toFixed(4)}`
}
