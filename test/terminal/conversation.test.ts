/** What a person sees and does at the terminal: prompts, answers, questions, queue, commands; a log goes in, a screen comes out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistant, result, toolResult } from './scripted-session.js'
import { openStage, type Stage } from './stage.js'

const ENTER = '\r'
const ESC = '\u001b'
const UP = '\u001b[A'
const DOWN = '\u001b[B'

/** A turn is under way. */
async function busy(stage: Stage): Promise<void> {
  stage.scripted.add({ kind: 'state', data: { status: 'running' } })
  await stage.settle()
}

async function askToRun(stage: Stage, command = 'npm test'): Promise<void> {
  const update = {
    type: 'addRules' as const,
    behavior: 'allow' as const,
    destination: 'localSettings' as const,
    rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }],
  }
  stage.scripted.ask({
    tool: { name: 'Bash', input: { command }, hash: 'h1', useId: 't1' },
    preview: { type: 'command', command, parts: [] },
    suggestions: [{ update, rule: 'Bash(npm test:*)', scope: 'local' }],
  })
  await stage.settle()
}

test('a prompt is sent, what is said is shown once, and the editor is empty again', async () => {
  const stage = await openStage()
  await stage.type('Say hello')
  await stage.type(ENTER)
  assert.deepEqual(stage.scripted.done, [{ what: 'send', with: { content: 'Say hello', when: undefined } }])
  stage.scripted.add({ kind: 'prompt', data: { change: 'started', id: 'id-1', message: 'm' } })
  stage.scripted.says('# Hello\n\nThis is **bold** and `code`.\n')
  stage.scripted.message(result())
  const text = await stage.text()
  assert.match(text, /❯ Say hello\n\nHello\n\nThis is bold and code\.\n/)
  assert.equal(text.split('This is bold').length, 2)
})

test('keys that were typed ahead never answer: not the same moment, not while somebody types, not with a draft', async () => {
  const stage = await openStage()
  await busy(stage)
  await askToRun(stage)
  // The answer to something else, on its way when the card came up.
  await stage.type('1')
  await stage.type('y')
  await stage.type(ENTER)
  assert.deepEqual(stage.scripted.answers, [])
  assert.equal(stage.conversation.editor.text, '1y')
  // However long it takes: who was writing goes on writing.
  await stage.wait(5000)
  await stage.type('1')
  await stage.type(ENTER)
  assert.deepEqual(stage.scripted.answers, [])
  assert.equal(stage.conversation.editor.text, '1y1')
  // Tab turns to the question, and only then is it answered.
  await stage.wait(1000)
  await stage.type('\t')
  assert.deepEqual(stage.scripted.answers, [])
  await stage.type('1')
  assert.deepEqual(stage.scripted.answers, [{ ask: 'ask-2', answer: { hash: 'h1', kind: 'allow' } }])
  assert.equal(stage.conversation.editor.text, '1y1')
})

test('words that are no answer go to the prompt, and the Enter after them approves nothing', async () => {
  const stage = await openStage()
  await busy(stage)
  await askToRun(stage)
  await stage.wait(5000)
  await stage.type('wait a moment')
  await stage.type(ENTER)
  await stage.wait(5000)
  await stage.type(ENTER)
  assert.deepEqual(stage.scripted.answers, [])
  assert.equal(stage.conversation.editor.text, 'wait a moment')
  assert.match(await stage.text(), /tab: answer/)
})

test('a permission says what, why and the exact rule; always allows by that rule', async () => {
  const stage = await openStage()
  await busy(stage)
  await askToRun(stage)
  const text = await stage.text()
  for (const part of [
    'Run this command?',
    'npm test',
    'No rule allows it.',
    'Always allow Bash(npm test:*)',
    'settings.local.json',
  ])
    assert.ok(text.includes(part), `${part}\n${text}`)
  await stage.wait(1000)
  await stage.type('2')
  const [{ answer } = { answer: undefined }] = stage.scripted.answers
  assert.equal(answer?.kind === 'allow' && answer.updates?.[0]?.type, 'addRules')
  assert.doesNotMatch(await stage.text(), /Run this command\?/)
})

test('a command is changed before it is allowed, and a no can say what to do instead', async () => {
  const stage = await openStage()
  await busy(stage)
  await askToRun(stage)
  await stage.wait(1000)
  await stage.type('e')
  await stage.type(' --watch=false')
  await stage.type(ENTER)
  assert.deepEqual(stage.scripted.answers.at(-1)?.answer, {
    hash: 'h1',
    kind: 'allow',
    input: { command: 'npm test --watch=false' },
  })
  await askToRun(stage, 'rm -r build')
  await stage.wait(1000)
  await stage.type('n')
  await stage.type('use the clean script')
  await stage.type(ENTER)
  assert.deepEqual(stage.scripted.answers.at(-1)?.answer, { kind: 'deny', message: 'use the clean script' })
})

test('an edit is shown as a diff with colors before anybody says yes', async () => {
  const stage = await openStage()
  await busy(stage)
  stage.scripted.ask({
    tool: { name: 'Edit', input: { file_path: '/home/ada/project/a.ts' }, hash: 'h', useId: 't' },
    preview: {
      type: 'diff',
      path: '/home/ada/project/a.ts',
      oldText: 'one\ntwo\n',
      newText: 'one\n2\n',
      added: 1,
      removed: 1,
    },
  })
  // The diff is computed beside.
  for (let n = 0; n < 50 && !(await stage.text()).includes('Edit a.ts?'); n += 1) await stage.wait(1)
  const text = await stage.text()
  assert.match(text, /2 - two\n\s+2 \+ 2/)
  const run = stage.emulator
    .runs()
    .flat()
    .find((one) => one.text.includes('- two'))
  assert.equal(run?.color, 1)
})

test('questions: a choice, several, words of one’s own, a last look', async () => {
  const stage = await openStage()
  await busy(stage)
  const option = (label: string) => ({ label, description: `${label} it is` })
  const questions = [
    { question: 'Which color?', header: 'Color', multiSelect: false, options: [option('Red'), option('Blue')] },
    { question: 'Which sizes?', header: 'Size', multiSelect: true, options: [option('S'), option('L')] },
    { question: 'For whom?', header: 'Who', multiSelect: false, options: [option('Me')] },
  ]
  stage.scripted.ask({
    kind: 'question',
    tool: { name: 'AskUserQuestion', input: { questions }, hash: 'h', useId: 't' },
  })
  await stage.settle()
  await stage.wait(1000)
  await stage.type('2')
  assert.match(await stage.text(), /Which sizes\?/)
  await stage.type('1')
  await stage.type('2')
  await stage.type(ENTER)
  await stage.type('2')
  await stage.type('for Grace')
  await stage.type(ENTER)
  assert.match(
    await stage.text(),
    /Your answers[\s\S]*Which color\? Blue\n\s+Which sizes\? S, L\n\s+For whom\? for Grace/,
  )
  await stage.type('1')
  const answers = { 'Which color?': 'Blue', 'Which sizes?': ['S', 'L'], 'For whom?': 'for Grace' }
  assert.deepEqual(stage.scripted.answers.at(-1)?.answer, { kind: 'answers', answers })
})

test('a plan is in the scrollback; it is approved with a mode, or goes back with comments', async () => {
  const stage = await openStage()
  await busy(stage)
  const tool = { name: 'ExitPlanMode', input: { plan: '# The plan\n\n1. Mend it\n' }, hash: 'h', useId: 't' }
  stage.scripted.ask({ kind: 'plan', tool })
  await stage.settle()
  assert.match(await stage.text(), /The plan\n\n1\. Mend it[\s\S]*Approve this plan\?/)
  await stage.wait(1000)
  await stage.type('2')
  assert.deepEqual(stage.scripted.answers.at(-1)?.answer, { hash: 'h', kind: 'approve', mode: 'acceptEdits' })
  stage.scripted.ask({ kind: 'plan', tool })
  await stage.settle()
  await stage.wait(1000)
  await stage.type('n')
  await stage.type('smaller steps')
  await stage.type(ENTER)
  assert.deepEqual(stage.scripted.answers.at(-1)?.answer, { kind: 'revise', comments: 'smaller steps' })
})

test('a form of an MCP server is filled in field by field', async () => {
  const stage = await openStage()
  await busy(stage)
  const requestedSchema = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' }, isFine: { type: 'boolean' } },
    required: ['name', 'age'],
  }
  stage.scripted.ask({
    kind: 'elicitation',
    elicitation: { serverName: 'forms', message: 'Who are you?', mode: 'form', requestedSchema },
  })
  await stage.settle()
  await stage.wait(1000)
  await stage.type('Ada')
  await stage.type(ENTER)
  await stage.type('old')
  await stage.type(ENTER)
  assert.match(await stage.text(), /This has to be a number/)
  await stage.type('36')
  await stage.type(ENTER)
  await stage.type('1')
  await stage.type('1')
  const content = { name: 'Ada', age: 36, isFine: true }
  assert.deepEqual(stage.scripted.answers.at(-1)?.answer, { kind: 'elicitation', action: 'accept', content })
})

test('an ask that is answered elsewhere disappears, and the next one comes', async () => {
  const stage = await openStage()
  await busy(stage)
  await askToRun(stage, 'first command')
  await askToRun(stage, 'second command')
  assert.match(await stage.text(), /first command/)
  stage.scripted.add({ kind: 'answered', data: { ask: 'ask-2', answer: { kind: 'allow' }, by: { name: 'page' } } })
  const text = await stage.text()
  assert.match(text, /second command/)
  assert.doesNotMatch(text, /first command/)
})

test('while it works: enter queues, the queue is shown and taken back, ctrl-s steers, esc stops, ctrl-b goes to the background', async () => {
  const stage = await openStage()
  await busy(stage)
  await stage.type(`next thing${ENTER}`)
  assert.match(await stage.text(), /next \(up takes the last one back\):\n\s+❯ next thing/)
  await stage.type(UP)
  assert.equal(stage.conversation.editor.text, 'next thing')
  assert.deepEqual(stage.scripted.done.at(-1), { what: 'remove', with: 'id-1' })
  await stage.type('\u0013')
  assert.deepEqual(stage.scripted.done.at(-1), { what: 'send', with: { content: 'next thing', when: 'steer' } })
  stage.scripted.message(assistant([{ type: 'tool_use', id: 't9', name: 'Bash', input: { command: 'sleep 99' } }]))
  await stage.settle()
  await stage.type('\u0002')
  assert.deepEqual(stage.scripted.done.at(-1), { what: 'background', with: 't9' })
  await stage.type(ESC)
  await stage.wait(100)
  assert.deepEqual(stage.scripted.done.at(-1), { what: 'interrupt', with: 'turn' })
})

test('live output of a command, then its block; ctrl-o shows what was folded', async () => {
  const stage = await openStage()
  await busy(stage)
  stage.scripted.message(assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } }]))
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n + 1}`).join('\n')
  stage.scripted.delta({
    type: 'tool_progress',
    tool_use_id: 't1',
    tool_name: 'Bash',
    parent_tool_use_id: null,
    output: lines,
  })
  assert.match(await stage.text(), /○ Bash make\n\s+⎿ line 36\n(?:.*\n){3}\s+line 40/)
  stage.scripted.message(toolResult('t1', lines))
  assert.match(await stage.text(), /● Bash make\n\s+⎿ … 36 more lines \(ctrl-o shows them\)\n\s+line 37/)
  await stage.type('\u000f')
  assert.match(stage.emulator.all().join('\n'), /line 1\n\s+line 2\n/)
})

test('sub-agents are a tree with progress, and one line when they are done', async () => {
  const stage = await openStage()
  await busy(stage)
  const input = { description: 'Look for bugs', subagent_type: 'reviewer', prompt: 'x' }
  stage.scripted.message(assistant([{ type: 'tool_use', id: 'a1', name: 'Task', input }]))
  const inner = {
    ...assistant([{ type: 'tool_use', id: 'b1', name: 'Read', input: { file_path: '/home/ada/project/x.ts' } }]),
  }
  stage.scripted.message({ ...inner, parent_tool_use_id: 'a1' })
  const usage = { total_tokens: 4200, tool_uses: 1, duration_ms: 1 }
  stage.scripted.message({
    type: 'system',
    subtype: 'task_progress',
    task_id: 'k',
    tool_use_id: 'a1',
    description: '',
    usage,
  })
  assert.match(await stage.text(), /○ Agent reviewer Look for bugs\n\s+⎿ Read x\.ts\n\s+1 tool uses · 4\.2k tokens/)
  stage.scripted.message(toolResult('a1', 'all fine'))
  assert.match(await stage.text(), /● Agent reviewer Look for bugs\n\s+⎿ 1 tool uses · 4\.2k tokens/)
})

test('thinking is folded and unfolds; todos stay in sight until they are done', async () => {
  const stage = await openStage()
  await busy(stage)
  stage.scripted.message(assistant([{ type: 'thinking', thinking: 'Hm, what if', signature: '' }]))
  const todos = [
    { content: 'Mend it', status: 'in_progress', activeForm: 'Mending it' },
    { content: 'Test it', status: 'pending', activeForm: 'Testing it' },
  ]
  stage.scripted.message(assistant([{ type: 'tool_use', id: 'd1', name: 'TodoWrite', input: { todos } }]))
  stage.scripted.message(toolResult('d1', 'ok'))
  const text = await stage.text()
  assert.match(text, /○ thought \(ctrl-o shows it\)/)
  assert.match(text, /☐ Mending it\n\s+☐ Test it/)
  await stage.type('\u000f')
  assert.match(await stage.text(), /Hm, what if/)
})

test('esc twice goes back: a prompt is chosen, what would change is seen, then it is done', async () => {
  const stage = await openStage()
  const said = (uuid: string, text: string) => ({
    type: 'user' as const,
    uuid: uuid as `${string}-${string}-${string}-${string}-${string}`,
    session_id: 's',
    message: { role: 'user', content: text },
    parent_tool_use_id: null,
    parent_agent_id: null,
  })
  stage.scripted.stored = [said('u-1-1-1-1', 'first thing'), said('u-2-2-2-2', 'second thing')]
  await stage.type(ESC)
  await stage.wait(100)
  await stage.type(ESC)
  await stage.wait(100)
  assert.match(await stage.text(), /Go back to before which prompt\?[\s\S]*second thing/)
  await stage.type(ENTER)
  await stage.settle()
  assert.match(await stage.text(), /files put back: \+3 −1\n\s+src\/a\.ts/)
  await stage.type('3')
  assert.deepEqual(stage.scripted.done.at(-1), { what: 'rewind', with: { message: 'u-2-2-2-2', what: 'both' } })
  assert.equal(stage.conversation.editor.text, 'second thing')
})

test('the editor: lines, words, history, search, pastes, completion, an editor outside', async () => {
  const stage = await openStage()
  const { editor } = stage.conversation
  await stage.type('one two\nthree')
  assert.equal(editor.text, 'one two\nthree')
  await stage.type('\u0017\u0017')
  assert.equal(editor.text, 'one ')
  await stage.type('\u0019')
  assert.equal(editor.text, 'one two\n')
  await stage.type('\u0003')
  assert.equal(editor.text, '')
  await stage.type(UP)
  assert.equal(editor.text, 'second prompt of before')
  await stage.type('\u0003\u0012first')
  assert.match(await stage.text(), /search: first\n\s+first prompt of before/)
  await stage.type(ENTER)
  assert.equal(editor.text, 'first prompt of before')
  await stage.type('\u0003\u001b[200~a\nb\nc\nd\ne\nf\ng\u001b[201~')
  assert.equal(editor.text, '[Pasted text #1: 7 lines]')
  await stage.type(ENTER)
  assert.deepEqual(stage.scripted.done.at(-1)?.with, { content: 'a\nb\nc\nd\ne\nf\ng', when: undefined })
  await stage.type('look at @ind')
  await stage.settle()
  await stage.type('\t')
  assert.equal(editor.text, 'look at @src/index.ts ')
  await stage.type('\u0007')
  assert.equal(editor.text, 'look at @src/index.ts , edited')
  assert.deepEqual(stage.modes, ['leave', 'enter'])
  await stage.type('\u0003/rev')
  await stage.settle()
  await stage.type('i\t')
  assert.equal(editor.text, '/review ')
})

test('images go with the prompt: from the clipboard, or as a file that was dropped', async () => {
  const stage = await openStage()
  await stage.type('\u0016')
  await stage.type(`\u001b[200~/home/ada/shot.png\u001b[201~what is this?${ENTER}`)
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
  const text = { type: 'text', text: '[Image #1: clipboard] [Image #2: picture.png] what is this?' }
  assert.deepEqual(stage.scripted.done.at(-1)?.with, { content: [image, image, text], when: undefined })
})

test('! runs a command and tells the model; # remembers after asking where', async () => {
  const stage = await openStage()
  await stage.type(`!ls -l${ENTER}`)
  assert.match(await stage.text(), /! ls -l\n\s+ran ls -l/)
  await stage.type(`and now?${ENTER}`)
  const sent = JSON.stringify(stage.scripted.done.at(-1)?.with)
  assert.match(sent, /<shell-command>.*ls -l.*ran ls -l.*<\/shell-command>.*and now\?/)
  await stage.type(`# tabs are fine${ENTER}`)
  assert.match(await stage.text(), /Remember this where\?/)
  assert.equal(stage.files.size, 0)
  await stage.type('1')
  assert.equal(stage.files.get('/home/ada/project/CLAUDE.md'), '- tabs are fine\n')
})

const COMMANDS: [string, RegExp][] = [
  ['/help', /Shift-Tab[\s\S]*\/resume/],
  ['/context', /20k of 200k tokens \(10%\)/],
  ['/cost', /has cost/],
  ['/status', /claude-sonnet-4-6/],
  ['/agents', /reviewer/],
  ['/mcp', /files: connected/],
  ['/hooks', /There are no hooks/],
  ['/permissions', /Mode: default/],
  ['/doctor', /printed by doctor/],
  ['/memory', /Edit which memory\?/],
  ['/model', /Sonnet 4\.6/],
  ['/mode', /acceptEdits/],
  ['/resume', /Another one/],
  ['/fork', /This is a copy now/],
  ['/clear', /A new conversation/],
  ['/rename a better name', /a better name/],
  ['/export', /Written to/],
  ['/tasks', /Nothing runs in the background/],
  ['/rewind', /nothing to go back to/],
  ['/serve', /on a server already/],
]
for (const [command, shown] of COMMANDS) {
  test(`${command} shows ${shown}`, async () => {
    const stage = await openStage({ rows: 70 })
    await stage.type(`${command}${ENTER}`)
    await stage.settle()
    assert.match(await stage.text(), shown)
  })
}

test('/cost says how much came from the cache, once an answer did', async () => {
  const stage = await openStage({ rows: 70 })
  stage.scripted.message(result({ cache_hit_rate: 0.625 }))
  await stage.settle()
  await stage.type(`/cost${ENTER}`)
  await stage.settle()
  assert.match(await stage.text(), /has cost \$0\.250\. 62\.5 % of what was read came from the cache\./)
})

test('a command the terminal does not have goes to the agent', async () => {
  const stage = await openStage()
  await stage.type(`/compact keep the names${ENTER}`)
  assert.deepEqual(stage.scripted.done.at(-1), {
    what: 'send',
    with: { content: '/compact keep the names', when: undefined },
  })
})

test('work in the background is counted, looked at and stopped', async () => {
  const stage = await openStage()
  stage.scripted.message({
    type: 'system',
    subtype: 'task_started',
    task_id: 'k1',
    description: 'npm run watch',
    task_type: 'shell',
  })
  assert.match(await stage.text(), /1 task \(ctrl-t\)/)
  await stage.type('\u0014')
  await stage.settle()
  assert.match(await stage.text(), /In the background[\s\S]*line 2[\s\S]*npm run watch/)
  await stage.type('x')
  assert.deepEqual(stage.scripted.done.at(-1), { what: 'interrupt', with: { task: 'k1' } })
})

test('shift-tab changes the mode, alt-m the model; the last row says so', async () => {
  const stage = await openStage()
  await stage.type('\u001b[Z')
  await stage.settle()
  assert.match(await stage.text(), /Accept edits · claude-sonnet-4-6 · main/)
  await stage.type('\u001bm')
  await stage.settle()
  await stage.type(`${DOWN}${ENTER}`)
  await stage.settle()
  assert.deepEqual(stage.scripted.done.at(-1), { what: 'change', with: { model: 'claude-opus-4-6' } })
})

test('the user’s own status line is run after a turn, and what it prints can’t do anything', async () => {
  const given: string[] = []
  const machine = {
    statusCommand: async () => 'my-status',
    runStatus: async (_command: string, _cwd: string, json: string) => {
      given.push(json)
      return '\u001b[31mmine\u001b[0m\u001b]0;title\u0007 ok\n'
    },
  }
  const stage = await openStage({ machine })
  stage.scripted.message(result())
  await stage.settle()
  await stage.wait(400)
  assert.match(await stage.text(), /Ask first · mine ok/)
  assert.equal(JSON.parse(given[0] ?? '{}').model.id, 'claude-sonnet-4-6')
})

test('who looks elsewhere is told, in the way the terminal knows or KEDGE_NOTIFY says, and by KEDGE_NOTIFY_COMMAND; who looks is not', async () => {
  const bySetting: [Record<string, string>, string][] = [
    [{ TERM_PROGRAM: 'ghostty' }, '\u001b]9;Kedge needs you: Run this command?\u0007'],
    [{ TERM: 'foot' }, '\u001b]777;notify;Kedge needs you;Kedge needs you: Run this command?\u0007'],
    [{ TERM_PROGRAM: 'ghostty', KEDGE_NOTIFY: 'bell' }, '\u0007'],
    [{ TERM_PROGRAM: 'ghostty', KEDGE_NOTIFY: 'off' }, ''],
  ]
  for (const [env, expected] of bySetting) {
    const run: string[] = []
    const stage = await openStage({
      env,
      machine: { notifyCommand: (title, text) => void run.push(`${title}|${text}`) },
    })
    await stage.type('\u001b[O')
    await busy(stage)
    await askToRun(stage)
    const told = () => stage.written.filter((text) => text.endsWith('\u0007')).join('')
    assert.equal(told(), expected)
    assert.deepEqual(run, expected === '' ? [] : ['Kedge needs you|Run this command?'])
    stage.scripted.add({ kind: 'withdrawn', data: { ask: 'ask-2', reason: '' } })
    await stage.type('\u001b[I')
    await askToRun(stage)
    assert.equal(told(), expected, 'nothing more')
  }
})

test('ctrl-c clears, then stops, then leaves; ctrl-d leaves', async () => {
  const stage = await openStage()
  await stage.type('something\u0003')
  assert.equal(stage.conversation.editor.text, '')
  await busy(stage)
  await stage.type('\u0003')
  assert.deepEqual(stage.scripted.done.at(-1), { what: 'interrupt', with: 'turn' })
  let isLeft = false
  void stage.conversation.left.then(() => (isLeft = true))
  await stage.type('\u0003')
  assert.equal(isLeft, true)
  const other = await openStage()
  void other.conversation.left.then(() => (isLeft = false))
  await other.type('\u0004')
  assert.equal(isLeft, false)
})
