/**
 * C23: one orphaned call or one bad picture, and every further request of the session fails.
 * https://github.com/anthropics/claude-code/issues/473 · https://github.com/anthropics/claude-code/issues/1894
 * https://github.com/anthropics/claude-code/issues/3003 · https://github.com/anthropics/claude-code/issues/9346
 * https://github.com/anthropics/claude-code/issues/11042 · https://github.com/anthropics/claude-code/issues/39316
 * https://github.com/anthropics/claude-code/issues/39602 · https://github.com/anthropics/claude-code/issues/1747
 * https://github.com/openai/codex/issues/620
 *
 * T: killed at every write, a session resumes with a valid request (`test/sessions/kill.test.ts`: every write, every moment); broken pairs
 * are mended and reported; what the API refuses by name is left out (DECISIONS A3: a 400 is final, so the turn is not tried again);
 * pictures that can't be read do not get into the history. The scripted model refuses what the API refuses, so a success here is a valid request.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query, type SDKMessage, type SDKUserMessage } from 'kedge'
import { collect, type Run, type TestOptions } from 'kedge/testing'
import { bash, call, prompts, say, until, withModel } from '../support/stage.js'

function transcript(options: TestOptions): string {
  const projects = join(options.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects')
  const [folder = ''] = readdirSync(projects)
  const [file = ''] = readdirSync(join(projects, folder)).filter((name) => name.endsWith('.jsonl'))
  return join(projects, folder, file)
}

test('C23 cut after any line, a session goes on with a valid request, and every repair is reported', async () => {
  const script = [bash('echo one'), bash('echo two', 'toolu_2'), 'Done.']
  await withModel(
    ({ body }) => {
      if (body.messages.some(({ content }) => JSON.stringify(content).includes('GO ON'))) return 'Here I am.'
      return script[body.messages.filter(({ role }) => role === 'assistant').length] ?? 'Done.'
    },
    { allowedTools: ['Bash'] },
    async ({ options, server }) => {
      const first = await collect(query({ prompt: 'Go.', options }))
      const resume = first.result?.session_id
      assert.ok(resume)
      const file = transcript(options)
      const whole = readFileSync(file, 'utf8')
      const lines = whole.split('\n').filter(Boolean)
      let mended = 0
      for (let keep = 2; keep <= lines.length; keep += 1) {
        for (const torn of [false, true]) {
          const text = `${lines.slice(0, keep).join('\n')}\n`
          writeFileSync(file, torn ? text.slice(0, -20) : text)
          let heard = ''
          const stderr = (words: string) => {
            heard += words
          }
          const run: Run<SDKMessage> = await collect(
            query({ prompt: 'GO ON.', options: { ...options, resume, stderr } }),
          )
          assert.equal(run.result?.subtype, 'success', `${keep} lines${torn ? ', torn' : ''}`)
          if (torn) assert.match(heard, /Note:/)
          const sent = JSON.stringify(server.requests.at(-1)?.body.messages)
          if (/interrupted/i.test(sent)) mended += 1
        }
      }
      assert.ok(mended > 0, 'an orphaned call was among them')
    },
  )
})

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = (data: string): SDKUserMessage =>
  say([
    { type: 'text', text: 'Look.' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
  ])

test('C23 a picture that the API refuses is taken out: it costs its own turn, and no other', async () => {
  const message = 'messages.0.content.1.image.source.base64.data: Could not process image'
  const refusal = { status: 400, error: { type: 'invalid_request_error', message } }
  await withModel([refusal, 'Still here.'], {}, async ({ options, server }) => {
    const input = prompts()
    await using running = query({ prompt: input.stream, options })
    const results: (boolean | undefined)[] = []
    const turn = () =>
      until(async () => {
        const { value } = await running.next()
        if (value?.type === 'result') results.push(value.is_error)
        return value?.type === 'result'
      })
    input.send(picture(PIXEL))
    await turn()
    input.send(say('And now?'))
    input.end()
    await turn()
    await collect(running)
    assert.deepEqual(results, [true, false])
    assert.doesNotMatch(JSON.stringify(server.requests[1]?.body.messages), /"type":"image"/)
  })
})

test('C23 a file that is no picture, or too large, does not get into the history', async () => {
  await withModel(
    [call('Read', { file_path: 'bad.png' }), 'Then not.', 'Still here.'],
    {},
    async ({ options, server }) => {
      writeFileSync(join(options.cwd, 'bad.png'), 'this is no picture')
      const run = await collect(query({ prompt: 'Look.', options }))
      assert.equal(run.result?.subtype, 'success')
      const resume = run.result.session_id
      await collect(query({ prompt: 'And now?', options: { ...options, resume } }))
      for (const { body } of server.requests) assert.doesNotMatch(JSON.stringify(body.messages), /"image"/)
    },
  )
})

test('C23 an interrupt in the middle of a call leaves a session that goes on', async () => {
  await withModel([bash('sleep 300'), 'Here I am.'], { allowedTools: ['Bash'] }, async ({ options, server }) => {
    const running = query({ prompt: 'Go.', options })
    let id = ''
    for await (const message of running) {
      id = message.session_id ?? id
      if (message.type === 'assistant') await running.interrupt()
    }
    const run = await collect(query({ prompt: 'GO ON.', options: { ...options, resume: id } }))
    assert.equal(run.result?.subtype, 'success')
    assert.equal(server.requests.length, 2)
  })
})
