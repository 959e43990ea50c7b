import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestPorts } from '../../engine/test-ports.js'
import type { CommandFile, ExpansionPart, SkillFile } from '../../project/project.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import type { UserTurnMessage } from '../messages/user-message.js'
import { createTestConversation, neverAborted } from '../test-conversation.js'
import { createSkillPort, runSlashCommand } from './slash-commands.js'
import { promptBlocks, recordPrompt } from './turn-prompt.js'

function said(text: string, more: Partial<UserTurnMessage> = {}): UserTurnMessage {
  return { uuid: undefined, content: text, blocks: [{ type: 'text', text }], text, ...more }
}

type Options = {
  command?: Partial<CommandFile & SkillFile>
  parts?: ExpansionPart[] | { problem: string }
  prompt?: ContentBlockParam[] | Error
  /** What Bash prints; an error where it begins with `!`. */
  bash?: string
  decision?: 'allow' | 'deny'
  slashCommands?: boolean
}

function start({
  command,
  parts = [],
  prompt,
  bash = 'out\n',
  decision = 'allow',
  slashCommands = true,
}: Options = {}) {
  const lent: (readonly string[])[] = []
  const expanded: string[] = []
  const { ports, log } = createTestPorts({
    tools: [
      {
        name: 'Bash',
        execute: async () =>
          bash.startsWith('!')
            ? { ok: false, error: bash.slice(1) }
            : { ok: true, content: bash, output: { stdout: bash } },
      },
    ],
    permissions: {
      decide: async () =>
        decision === 'allow'
          ? { behavior: 'allow' }
          : { behavior: 'deny', message: 'Denied by a rule.', reasonType: 'rule' },
    },
  })
  const file = command && ({ name: 'ship', description: '', ...command } as CommandFile)
  const { conversation, lines } = createTestConversation({
    ports: ports as never,
    hooks: { promptExpansion: async () => ({ context: [] }) } as never,
    permissions: {
      mode: () => 'default',
      lend(rules: readonly string[]) {
        lent.push(rules)
        return () => {}
      },
    } as never,
    shared: {
      settings: { slashCommands } as never,
      mcp: {
        async expandPrompt(name: string) {
          if (prompt instanceof Error) throw prompt
          return name === 'mcp__a__ask' ? prompt : undefined
        },
      } as never,
      project: {
        find: (name: string) => (file && name === file.name ? file : undefined),
        forModel: () => (file ? [file] : []),
        isChosen: (name: string) => name !== 'hidden',
        async expand(_: unknown, args: string) {
          expanded.push(args)
          return 'problem' in parts ? parts : { marks: '<marks>', parts, mentions: ['a.md'] }
        },
        join: (all: ExpansionPart[], outputs: string[]) =>
          all.map((part) => (part.kind === 'text' ? part.text : outputs.shift())).join(''),
      } as never,
    },
  })
  const read = (text: string, more: Partial<UserTurnMessage> = {}) =>
    runSlashCommand(conversation, said(text, more), neverAborted)
  return { conversation, read, lent, expanded, lines, log, skills: createSkillPort(() => conversation) }
}

describe('what the user says with a slash', () => {
  test('is no command where it is none, or not the user’s', async () => {
    const { read } = start({ command: {} })
    for (const text of ['hello', '/ x', '/usr/bin/env', ' /ship', '//ship']) {
      assert.deepEqual(await read(text), { kind: 'none' }, text)
    }
    assert.deepEqual(await read('/ship', { own: true }), { kind: 'none' })
    assert.deepEqual(await read('/ship', { isMail: true }), { kind: 'none' })
  })

  test('is answered where there is no such command, or none for people', async () => {
    assert.deepEqual(await start().read('/gone now'), { kind: 'answered', text: 'Unknown skill: gone' })
    const answer = await start({ command: { userInvocable: false } }).read('/ship')
    assert.match(answer.kind === 'answered' ? answer.text : '', /is for the model/)
  })

  test('is unknown, whatever it is, where commands are turned off', async () => {
    const { read } = start({ command: {}, prompt: [{ type: 'text', text: 'x' }], slashCommands: false })
    for (const name of ['ship', 'cost', 'mcp__a__ask'])
      assert.deepEqual(await read(`/${name} now`), { kind: 'answered', text: `Unknown skill: ${name}` })
  })

  test('becomes a prompt, with what commands in it printed and what was attached', async () => {
    const parts: ExpansionPart[] = [
      { kind: 'text', text: 'Tag: ' },
      { kind: 'command', command: 'git describe' },
      { kind: 'text', text: '.' },
    ]
    const { read, expanded, log } = start({ command: {}, parts, bash: ' v1.2\n' })
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A' } } as ContentBlockParam
    const result = await read('/ship  now please ', { blocks: [{ type: 'text', text: 'x' }, image] })
    assert.deepEqual(result, {
      kind: 'prompt',
      marks: '<marks>',
      body: 'Tag: v1.2.',
      mentions: ['a.md'],
      attached: [image],
    })
    assert.deepEqual(expanded, ['now please'])
    assert.ok(log.includes('run Bash'))
  })

  test('lends its rules and its model to this turn alone', async () => {
    const { read, lent, conversation } = start({ command: { allowedTools: ['Bash(git:*)'], model: 'haiku' } })
    await read('/ship')
    assert.deepEqual(lent, [['Bash(git:*)']])
    assert.equal(conversation.turn.takeBack.length, 1)
    assert.equal(conversation.turn.model, 'haiku')
    const plain = start({ command: { model: 'inherit' } })
    await plain.read('/ship')
    assert.deepEqual([plain.lent, plain.conversation.turn.model], [[], undefined])
  })

  test('fails with its file, or with a command in it', async () => {
    assert.deepEqual(await start({ command: {}, parts: { problem: '/x.md is gone' } }).read('/ship'), {
      kind: 'failed',
      problem: '/x.md is gone',
    })
    const parts: ExpansionPart[] = [{ kind: 'command', command: 'make' }]
    const broken = await start({ command: {}, parts, bash: '!Exit code 2' }).read('/ship')
    assert.match(
      broken.kind === 'failed' ? broken.problem : '',
      /^Bash command failed for pattern "!`make`": Exit code 2/,
    )
    const denied = start({ command: {}, parts, decision: 'deny' })
    const refused = await denied.read('/ship')
    assert.match(
      refused.kind === 'failed' ? refused.problem : '',
      /permission check failed for pattern "!`make`": .*Denied/,
    )
    assert.ok(!denied.log.includes('run Bash'))
  })

  test('may be a prompt of a server', async () => {
    const prompt: ContentBlockParam[] = [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ]
    const result = await start({ prompt }).read('/mcp__a__ask x y')
    assert.ok(result.kind === 'prompt')
    assert.equal(result.body, 'one\ntwo')
    assert.match(result.marks, /<command-name>\/mcp__a__ask<\/command-name>\n<command-args>x y<\/command-args>$/)
    assert.doesNotMatch(JSON.stringify(await start({ prompt }).read('/mcp__a__ask')), /command-args/)
    assert.deepEqual(await start({ prompt: new Error('no answer') }).read('/mcp__a__ask'), {
      kind: 'failed',
      problem: 'no answer',
    })
    assert.deepEqual(await start().read('/mcp__b__gone'), { kind: 'answered', text: 'Unknown skill: mcp__b__gone' })
  })
})

describe('skills for the model', () => {
  test('what it may know of one', () => {
    const { skills } = start({ command: { allowedTools: ['Read'], model: 'haiku', disableModelInvocation: true } })
    assert.deepEqual(skills.find('ship'), {
      name: 'ship',
      allowedTools: ['Read'],
      model: 'haiku',
      userOnly: true,
      notChosen: false,
    })
    assert.equal(skills.find('gone'), undefined)
    assert.deepEqual(skills.names(), ['ship'])
  })

  test('loading one lends its rules, unless it can not be read', async () => {
    const { skills, lent } = start({ command: { allowedTools: ['Read'] }, parts: [{ kind: 'text', text: 'Do it.' }] })
    assert.deepEqual(await skills.load('ship', '', neverAborted), { text: 'Do it.' })
    assert.equal(lent.length, 1)
    assert.deepEqual(await skills.load('gone', '', neverAborted), { problem: 'Unknown skill: gone' })
    const broken = start({ command: { allowedTools: ['Read'] }, parts: { problem: 'torn' } })
    assert.deepEqual(await broken.skills.load('ship', '', neverAborted), { problem: 'torn' })
    assert.deepEqual(broken.lent, [])
  })
})

describe('the prompt', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A' } } as ContentBlockParam
  const prompt = { kind: 'prompt', marks: '<marks>', body: 'Do it.', mentions: [], attached: [image] } as const

  test('for the model', () => {
    const message = said('hello')
    assert.equal(promptBlocks({ kind: 'none' }, message), message.blocks)
    assert.equal(promptBlocks({ kind: 'answered', text: 'x' }, message), undefined)
    assert.equal(promptBlocks({ kind: 'failed', problem: 'x' }, message), undefined)
    const mine = { ...prompt, attached: [...prompt.attached] }
    assert.deepEqual(promptBlocks({ ...mine, mentions: [] }, message), [
      { type: 'text', text: '<marks>' },
      { type: 'text', text: 'Do it.' },
      image,
    ])
    assert.deepEqual(promptBlocks({ ...mine, mentions: [], body: '' }, message), [
      { type: 'text', text: '<marks>' },
      image,
    ])
  })

  test('in the transcript: the words of the user, or the marks and then the body', () => {
    const plain = start()
    recordPrompt(plain.conversation, { kind: 'none' }, said('hello'), '00000000-0000-4000-8000-000000000009')
    assert.equal(plain.lines.length, 1)
    assert.match(JSON.stringify(plain.lines[0]), /"hello".*"permissionMode":"default"/)
    const command = start()
    const mine = { ...prompt, attached: [...prompt.attached], mentions: [] }
    recordPrompt(command.conversation, mine, said('/ship'), '00000000-0000-4000-8000-000000000009')
    assert.equal(command.lines.length, 2)
    assert.match(JSON.stringify(command.lines[0]), /<marks>/)
    assert.match(JSON.stringify(command.lines[1]), /Do it\..*image/)
  })
})
