/** Keys that mean one thing here and another there: Escape, Ctrl-C, Ctrl-B, Ctrl-O, pastes, and those a card leaves alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistant, toolResult } from './scripted-session.js'
import { openStage, type Stage } from './stage.js'

const ENTER = '\r'
const CTRL_B = '\u0002'
const CTRL_C = '\u0003'
const CTRL_O = '\u000f'
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`
const text = ({ conversation }: Stage) => conversation.editor.text

async function pressEscape(stage: Stage): Promise<void> {
  await stage.type('\u001b')
  await stage.wait(100)
}

test('Escape: once says what twice would do, twice clears the prompt; too slow is once again', async () => {
  const stage = await openStage()
  await stage.type('a draft')
  await pressEscape(stage)
  assert.match(await stage.text(), /esc again: clear the prompt/)
  await stage.wait(2000)
  await pressEscape(stage)
  assert.equal(text(stage), 'a draft')
  await pressEscape(stage)
  assert.equal(text(stage), '')
  await pressEscape(stage)
  assert.match(await stage.text(), /esc again: go back to an earlier prompt/)
  assert.deepEqual(stage.scripted.done, [])
})

test('Escape closes the list of completions first, and nothing else', async () => {
  const stage = await openStage()
  stage.scripted.add({ kind: 'state', data: { status: 'running' } })
  await stage.settle()
  await stage.type('/he')
  assert.match(await stage.text(), /\/help\s+show keys and commands/)
  await pressEscape(stage)
  assert.doesNotMatch(await stage.text(), /keys and commands/)
  assert.deepEqual([text(stage), stage.scripted.done], ['/he', []])
})

test('Ctrl-C twice leaves, unless something else was in between for too long', async () => {
  const stage = await openStage()
  let code: number | undefined
  void stage.conversation.left.then((left) => {
    code = left
  })
  await stage.type(CTRL_C)
  assert.match(await stage.text(), /ctrl-c again: leave/)
  await stage.wait(3000)
  await stage.type(CTRL_C)
  assert.equal(code, undefined)
  await stage.type(CTRL_C)
  assert.equal(code, 0)
})

test('Ctrl-C in the search of the history leaves the search, not the terminal', async () => {
  const stage = await openStage()
  await stage.type('\u0012first')
  assert.match(await stage.text(), /search: first/)
  await stage.type(CTRL_C)
  assert.doesNotMatch(await stage.text(), /search:/)
  assert.deepEqual([text(stage), stage.modes], ['', []])
})

test('Ctrl-B moves the cursor where no command runs', async () => {
  const stage = await openStage()
  await stage.type(`ac${CTRL_B}b`)
  assert.equal(text(stage), 'abc')
  assert.deepEqual(stage.scripted.done, [])
})

test('Ctrl-B says when a command can’t go to the background', async () => {
  const stage = await openStage()
  stage.scripted.client.background = async () => false
  stage.scripted.add({ kind: 'state', data: { status: 'running' } })
  stage.scripted.message(assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } }]))
  await stage.settle()
  await stage.type(CTRL_B)
  assert.match(await stage.text(), /Nothing here can go to the background/)
})

test('Ctrl-O unfolds the newest, then those before it, then says there are no more', async () => {
  const stage = await openStage({ rows: 80 })
  for (const id of ['one', 'two']) {
    stage.scripted.message(assistant([{ type: 'tool_use', id, name: 'Bash', input: { command: id } }]))
    stage.scripted.message(toolResult(id, Array.from({ length: 12 }, (_, n) => `${id}-${n}`).join('\n')))
  }
  await stage.settle()
  const shown = () => stage.emulator.all().join('\n')
  assert.doesNotMatch(shown(), /one-0|two-0/)
  await stage.type(CTRL_O)
  assert.match(shown(), /two-0/)
  assert.doesNotMatch(shown(), /one-0/)
  await stage.type(CTRL_O)
  assert.match(shown(), /one-0/)
  await stage.type(CTRL_O)
  assert.match(await stage.text(), /There is nothing folded/)
})

test('Ctrl-O at a question shows all of a long command, and answers nothing', async () => {
  const stage = await openStage({ rows: 20 })
  stage.scripted.add({ kind: 'state', data: { status: 'running' } })
  const command = Array.from({ length: 40 }, (_, n) => `echo ${n}`).join('\n')
  stage.scripted.ask({
    tool: { name: 'Bash', input: { command }, hash: 'h', useId: 't' },
    preview: { type: 'command', command, parts: [] },
  })
  await stage.settle()
  await stage.wait(1000)
  assert.match(await stage.text(), /more lines \(ctrl-o shows all\)/)
  await stage.type(CTRL_O)
  for (let n = 0; n < 40; n += 1) assert.match(stage.emulator.all().join('\n'), new RegExp(`echo ${n}\\b`))
  assert.deepEqual(stage.scripted.answers, [])
})

test('a path that was pasted is a picture if there is one, otherwise words', async () => {
  const stage = await openStage()
  await stage.type(paste("'/home/ada/my shot.PNG'"))
  // The machine of this test has pictures that end in .png.
  assert.equal(text(stage), "'/home/ada/my shot.PNG'")
  await stage.type(CTRL_C)
  await stage.type(paste('file:///home/ada/my\\ shot.png'))
  assert.equal(text(stage), '[Image #1: picture.png] ')
  await stage.type(CTRL_C)
  await stage.type(paste('see /home/ada/a.png'))
  assert.equal(text(stage), 'see /home/ada/a.png')
})

test('a line that ends in a backslash goes on, blanks are not sent, ? in a sentence is a letter', async () => {
  const stage = await openStage()
  await stage.type(`one \\${ENTER}two?`)
  assert.equal(text(stage), 'one \ntwo?')
  await stage.type(ENTER)
  assert.deepEqual(stage.scripted.done.at(-1)?.with, { content: 'one \ntwo?', when: undefined })
  await stage.type(`   ${ENTER}`)
  assert.equal(stage.scripted.done.length, 1)
  await stage.type(`${CTRL_C}?`)
  assert.match(await stage.text(), /\/rename/)
})

test('a prompt that could not be sent is there again, with the reason', async () => {
  const stage = await openStage()
  stage.scripted.client.send = async () => {
    throw new Error('The session is closed.')
  }
  await stage.type(`precious words${ENTER}`)
  assert.match(await stage.text(), /! It was not sent: The session is closed\./)
  assert.equal(text(stage), 'precious words')
})
