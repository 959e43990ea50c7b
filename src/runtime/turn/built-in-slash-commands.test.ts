import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLedger } from '../../model/ledger.js'
import { readUsage } from '../../model/usage.js'
import type { MessageParam } from '../../protocol/content.js'
import { createTestConversation, neverAborted, nthTestId, transcriptChain } from '../test-conversation.js'
import { BUILT_IN_SLASH_COMMANDS } from './built-in-slash-command-list.js'
import { runBuiltInSlashCommand } from './built-in-slash-commands.js'

const HISTORY: MessageParam[] = [{ role: 'user', content: 'hello' }]

function start({ abortIn }: { abortIn?: AbortController } = {}) {
  const log: string[] = []
  let model: string | undefined = 'sonnet'
  const price = { input: 2000, output: 0, cacheRead: 0, cacheWrite5m: 0 }
  const ledger = createLedger({ prices: { 'my-model': price } })
  const test = createTestConversation(
    {
      model: {
        current: () => model ?? 'the default',
        set(name: string | undefined) {
          model = name
        },
      } as never,
      hooks: {
        async sessionEnd(reason: string) {
          log.push(`end ${reason}`)
          abortIn?.abort()
        },
        async sessionStart(source: string, name: string) {
          log.push(`start ${source} ${name}`)
          return { context: ['from a hook'], said: [] }
        },
      } as never,
      shared: {
        ledger,
        project: {
          forgetNested: () => log.push('forgot'),
          lists: { commands: BUILT_IN_SLASH_COMMANDS },
          instructions: [],
          instructionsText: () => 'Use tabs.',
          skillListing: 'The skills.',
        } as never,
      },
    },
    { messages: HISTORY },
  )
  const run = (name: (typeof BUILT_IN_SLASH_COMMANDS)[number]['name'], args = '', signal = neverAborted) =>
    runBuiltInSlashCommand(test.conversation, name, args, signal)
  return { ...test, run, log, ledger, model: () => model }
}

describe('/model', () => {
  test('says which it is, and changes it', async () => {
    const { run, model } = start()
    assert.deepEqual(await run('model'), { text: 'The model is sonnet.' })
    assert.deepEqual(await run('model', 'opus'), { text: 'The model is now opus.' })
    assert.deepEqual(await run('model', 'default'), { text: 'The model is now the default.' })
    assert.equal(model(), undefined)
  })

  test('is one word', async () => {
    const { run, model } = start()
    for (const args of ['two words', 'öpus', 'a\u0007']) assert.equal((await run('model', args)).failed, true, args)
    assert.equal(model(), 'sonnet')
  })
})

describe('/help', () => {
  test('has a line for each command', async () => {
    const lines = (await start().run('help')).text.split('\n')
    assert.equal(lines.length, BUILT_IN_SLASH_COMMANDS.length)
    assert.match(lines[0] ?? '', /^\/compact <what to keep> {2}Put a summary/)
    assert.match(lines[1] ?? '', /^\/clear {2}Forget/)
  })
})

describe('/cost', () => {
  test('in all, by model, and what has no price', async () => {
    const { run, ledger } = start()
    assert.equal((await run('cost')).text, 'Total: $0.0000, 0.0 s of the API')
    const usage = { input_tokens: 1000, output_tokens: 20, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 }
    ledger.open('my-model').close(readUsage(usage), 1500, true)
    ledger.open('strange').close(readUsage({ output_tokens: 1 }), 250, true)
    assert.deepEqual((await run('cost')).text.split('\n'), [
      'Total: $2.0000, 1.8 s of the API',
      'my-model: $2.0000 (1000 in, 20 out, 3 from the cache, 4 into it)',
      'strange: $0.0000 (0 in, 1 out, 0 from the cache, 0 into it)',
      'Cache: 0.3 % of what was read came from it',
      'The price of strange is not known.',
    ])
  })
})

describe('/clear', () => {
  test('forgets the conversation and what was read, and starts anew', async () => {
    const { run, conversation, log, lines } = start()
    conversation.tools.readFiles.set('/a', { mtimeMs: 0, size: 0, hash: '', partial: false })
    conversation.transcript.parent = nthTestId(99)
    Object.assign(conversation.context, { tokens: 500, failedAt: 3 })
    assert.deepEqual(await run('clear'), { text: 'The conversation was cleared.' })
    assert.deepEqual(log, ['end clear', 'forgot', 'start clear sonnet'])
    assert.equal(conversation.history.messages.length, 0)
    assert.equal(conversation.tools.readFiles.size, 0)
    assert.deepEqual([conversation.context.tokens, conversation.context.failedAt], [0, 0])
    assert.deepEqual(conversation.toTell, {
      ended: [],
      pending: ['from a hook'],
      listing: ['The skills.'],
      instructions: ['Use tabs.'],
    })
    // A chain of its own, also for whoever resumes it now.
    assert.deepEqual(transcriptChain(lines), [[null, 'user: <command-name>/clear</command-name>']])
  })

  test('interrupted while a hook was busy, nothing is forgotten', async () => {
    const abortIn = new AbortController()
    const { run, conversation, log } = start({ abortIn })
    assert.deepEqual(await run('clear', '', abortIn.signal), { text: 'Interrupted', failed: true })
    assert.equal(conversation.history.messages.length, 1)
    assert.deepEqual(log, ['end clear'])
  })
})
