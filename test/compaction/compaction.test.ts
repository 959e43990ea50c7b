/**
 * C40: compaction comes as a surprise.
 * https://github.com/anthropics/claude-code/issues/42817 · https://github.com/anthropics/claude-code/issues/18264
 * https://github.com/anthropics/claude-code/issues/45977 · https://github.com/anthropics/claude-agent-sdk-python/issues/23
 * https://github.com/anthropics/claude-code/issues/24606 · https://github.com/anthropics/claude-code/issues/28559
 * https://github.com/anthropics/claude-code/issues/89007 · https://github.com/anthropics/claude-code/issues/19686
 *
 * T: it can be turned off (then a full context is an error with a code, never silence), made earlier, and done by your own function; it can
 * be asked for; system prompt and the open question survive word for word; the boundary has the tokens before; what was before it stays
 * readable and can be forked; the context breakdown is what the provider counted. (Issue 5 sets the switches: DISABLE_AUTO_COMPACT,
 * CLAUDE_AUTOCOMPACT_PCT_OVERRIDE, `summarize`, `keepToolResults`, `/compact`.)
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forkSession, getSessionMessages, type Options, query } from 'kedge'
import { collect } from 'kedge/testing'
import { bash, notices, play, prompts, say, system, until, withModel } from '../support/stage.js'

/** A context that is nearly full, by the provider's own count. */
const full = { input_tokens: 170_000, output_tokens: 10 }

test('C40 off: nothing is summed up, and a full context is an error with a code', async () => {
  const tooLong = {
    status: 400,
    error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  }
  const run = await play([{ ...bash('true'), usage: full }, tooLong], {
    allowedTools: ['Bash'],
    env: { DISABLE_AUTO_COMPACT: '1' },
  })
  assert.deepEqual(system(run.messages, 'compact_boundary'), [])
  assert.deepEqual([run.result?.is_error, run.result?.error_code], [true, 'prompt_too_long'])
  assert.equal(run.server.requests.length, 2)
})

test('C40 automatic: system prompt, open question and to-do list survive; the boundary says what was; getContextUsage() is the provider’s count', async () => {
  const options: Options = { systemPrompt: 'Be exact. SYSTEM-WORDS.', allowedTools: ['Bash'] }
  await withModel([{ ...bash('echo one'), usage: full }, 'A summary.', 'Done.'], options, async (world) => {
    const input = prompts()
    await using running = query({ prompt: input.stream, options: world.options })
    const messages = []
    input.send(say('THE TASK, word for word.'))
    for (;;) {
      const { value } = await running.next()
      if (!value) break
      messages.push(value)
      if (value.type === 'result') break
    }
    const [boundary] = system(messages, 'compact_boundary')
    assert.equal(boundary?.compact_metadata.trigger, 'auto')
    assert.ok((boundary?.compact_metadata.pre_tokens ?? 0) >= 170_000)
    const last = world.server.requests.at(-1)
    assert.match(last?.system ?? '', /SYSTEM-WORDS/)
    assert.match(JSON.stringify(last?.body.messages), /THE TASK, word for word\./)
    assert.match(JSON.stringify(last?.body.messages), /A summary\./)
    const usage = await running.getContextUsage()
    // The last answer was counted with 10 + 5 tokens.
    assert.ok(Math.abs(usage.totalTokens - 15) <= 0.3, String(usage.totalTokens))
    input.end()
    await collect(running)
  })
})

test('C40 on request, with instructions, and by a function of your own', async () => {
  const asked: unknown[] = []
  await withModel(['One.', 'Two.'], {}, async ({ options, server }) => {
    const summarize: Options['summarize'] = async ({ instructions, messages }) => {
      asked.push(instructions, messages.length > 0)
      return 'OUR OWN SUMMARY'
    }
    const input = prompts()
    await using running = query({ prompt: input.stream, options: { ...options, summarize } })
    const turn = (text: string) => {
      input.send(say(text))
      return until(async () => (await running.next()).value?.type === 'result')
    }
    await turn('First.')
    await turn('/compact keep the names')
    await turn('Second.')
    input.end()
    await collect(running)
    assert.deepEqual(asked, [['keep the names'], true])
    assert.match(JSON.stringify(server.requests[1]?.body.messages), /OUR OWN SUMMARY/)
    assert.equal(server.requests.length, 2)
  })
})

test('C40 query.compact() asks for it while a session runs', async () => {
  await withModel(['One.', 'A summary.', 'Two.'], {}, async ({ options, server }) => {
    const input = prompts()
    await using running = query({ prompt: input.stream, options })
    const turn = () => until(async () => (await running.next()).value?.type === 'result')
    input.send(say('First.'))
    await turn()
    await running.compact('keep the names')
    await turn()
    input.send(say('Second.'))
    await turn()
    input.end()
    await collect(running)
    assert.match(JSON.stringify(server.requests[1]?.body.messages), /keep the names/)
    assert.match(JSON.stringify(server.requests[2]?.body.messages), /A summary\./)
  })
})

test('C40 what was before it stays readable and can be forked; the break of the cache is told', async () => {
  await withModel(['One.', 'A summary.', 'Two.'], {}, async ({ options }) => {
    process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR']
    const first = await collect(query({ prompt: 'First words.', options }))
    const resume = first.result?.session_id ?? ''
    const before = await getSessionMessages(resume, { dir: options.cwd })
    const compacted = await collect(query({ prompt: '/compact', options: { ...options, resume } }))
    assert.equal(system(compacted.messages, 'compact_boundary').length, 1)
    const { sessionId } = await forkSession(resume, { upToMessageId: before.at(-1)?.uuid ?? '', dir: options.cwd })
    const forked = await getSessionMessages(sessionId, { dir: options.cwd })
    assert.match(JSON.stringify(forked), /First words\..*One\./)
    const next = await collect(query({ prompt: 'Next.', options: { ...options, resume } }))
    assert.equal(next.result?.subtype, 'success')
    assert.equal(notices(next.messages, 'cache_break').length <= 1, true)
  })
})
