/** Slash commands of our own: they answer without the model, except for the summary that /compact needs. */
import type { SlashCommand as CommandInfo } from '../../protocol/options.js'
import { contextUsage } from '../messages/context-usage.js'
import type { SessionParts } from '../session-parts.js'
import { replaceBySummary, summarise } from './compact.js'
import { openingTexts } from './turn-prompt.js'

/** What is still to be done when the turn has been announced. */
export type OwnAnswer = { text: string; failed?: boolean; announce?: () => Promise<void> }

type OwnCommand = CommandInfo & {
  run(parts: SessionParts, args: string, signal: AbortSignal): OwnAnswer | Promise<OwnAnswer>
}

const COMMANDS: readonly OwnCommand[] = [
  {
    name: 'compact',
    description: 'Put a summary in place of the conversation; say what it should keep',
    argumentHint: '<what to keep>',
    async run(parts, args, signal) {
      const compacted = await summarise(parts, 'manual', args, signal)
      if (!compacted.ok) return { text: compacted.problem, failed: true }
      const announce = () => replaceBySummary(parts, compacted, 'manual', { next: [], signal })
      const hooks = compacted.hooks.map((name) => `PreCompact ${name} completed successfully`)
      return { text: `Compacted ${hooks.join('\n')}`, announce }
    },
  },
  {
    name: 'clear',
    description: 'Forget the conversation and start anew',
    argumentHint: '',
    async run(parts, _, signal) {
      await parts.hooks.sessionEnd('clear', signal)
      // Interrupted while a hook was busy: nothing is forgotten then.
      if (signal.aborted) return { text: 'Interrupted', failed: true }
      parts.history.replace([])
      parts.readFiles.clear()
      parts.project.forgetNested()
      parts.context = { tokens: 0, failedAt: 0 }
      parts.opening = openingTexts(parts.project)
      // What follows stands by itself, also when the session is resumed before anything does.
      parts.transcript.parent = null
      parts.transcript.user({
        type: 'user',
        message: { role: 'user', content: '<command-name>/clear</command-name>' },
        uuid: parts.platform.identity.uuid(),
        isMeta: true,
      })
      parts.pendingContext = await parts.hooks.sessionStart('clear', parts.model.current(), signal)
      return { text: 'The conversation was cleared.' }
    },
  },
  {
    name: 'context',
    description: 'Show what fills the context window',
    argumentHint: '',
    run(parts) {
      const { categories, totalTokens, maxTokens, percentage, model } = contextUsage(parts)
      const rows = categories.map(({ name, tokens }) => `${name.padEnd(16)} ${tokens.toLocaleString('en')}`)
      const total = `${totalTokens.toLocaleString('en')} of ${maxTokens.toLocaleString('en')} tokens (${percentage} %)`
      return { text: [`${model}: ${total}`, ...rows].join('\n') }
    },
  },
  {
    name: 'cost',
    description: 'Show what this session has cost',
    argumentHint: '',
    run: (parts) => ({ text: costs(parts) }),
  },
  {
    name: 'model',
    description: 'Show or change the model',
    argumentHint: '[model]',
    run({ model }, args) {
      if (args === '') return { text: `The model is ${model.current()}.` }
      if (!/^[\x21-\x7e]+$/.test(args)) return { text: 'A model is named by one word, such as sonnet.', failed: true }
      model.set(args === 'default' ? undefined : args)
      return { text: `The model is now ${model.current()}.` }
    },
  },
  {
    name: 'help',
    description: 'List the commands there are',
    argumentHint: '',
    run({ project }) {
      const rows = project.lists.commands.map(
        ({ name, argumentHint, description }) => `/${`${name} ${argumentHint}`.trim()}  ${description}`,
      )
      return { text: rows.join('\n') }
    },
  },
]

export const OWN_COMMANDS: readonly CommandInfo[] = COMMANDS.map(({ name, description, argumentHint }) => ({
  name,
  description,
  argumentHint,
}))

/** Undefined: there is no such command. */
export function runOwnCommand(
  parts: SessionParts,
  name: string,
  args: string,
  signal: AbortSignal,
): Promise<OwnAnswer> | undefined {
  const command = COMMANDS.find((one) => one.name === name)
  return command && Promise.resolve(command.run(parts, args, signal))
}

function costs({ ledger }: SessionParts): string {
  const perModel = Object.entries(ledger.modelUsage()).map(([model, usage]) => {
    const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens, costUSD } = usage
    const tokens = `${inputTokens} in, ${outputTokens} out, ${cacheReadInputTokens} from the cache, ${cacheCreationInputTokens} into it`
    return `${model}: ${usd(costUSD)} (${tokens})`
  })
  const seconds = (ledger.apiMs() / 1000).toFixed(1)
  const unpriced = ledger.unpricedModels().map((model) => `The price of ${model} is not known.`)
  return [`Total: ${usd(ledger.costUsd())}, ${seconds} s of the API`, ...perModel, ...unpriced].join('\n')
}

function usd(amount: number): string {
  return `$${amount.toFixed(4)}`
}
