// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of commands
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { nodeFiles } from '../platform/files/files.js'
import { expandCommand, expandCommandBody, joinExpansionParts, splitArguments } from './expand-command.js'
import { findCommandOrSkill } from './load-project.js'
import { createTestProject, type TestProject } from './test-project.js'

const runs = { numRuns: byTier({ quick: 125, all: 500, long: 20_000 }) }

describe('a command that is used', () => {
  let test: TestProject
  beforeEach(async () => {
    test = await createTestProject()
  })
  afterEach(() => test.dispose())

  /** What `/name args` becomes, as the two blocks of the message. */
  async function blocks(line: string, pluginDirs: string[] = []) {
    const [, name = '', args = ''] = /^\/(\S+) ?([\s\S]*)$/.exec(line) ?? []
    const project = await test.load({ pluginDirs })
    const command = findCommandOrSkill(project, name)
    assert.ok(command, `${name} is not there: ${project.problems}`)
    const expansion = await expandCommand(command, args, nodeFiles, { CLAUDE_SESSION_ID: 'session-1' })
    assert.ok('parts' in expansion, JSON.stringify(expansion))
    return test.tidy([expansion.marks, joinExpansionParts(expansion.parts, [])])
  }

  it('is the message the original sends', async () => {
    await test.write({
      '.claude/commands/hello.md': '---\ndescription: d\n---\nHello command body for $ARGUMENTS and $1.\n',
      '.claude/skills/myskill/SKILL.md': '---\nname: myskill\ndescription: d\n---\nSkill body marker.\n',
      'ourplug/commands/pcmd.md': '---\ndescription: d\n---\nPlugin command body.\n',
    })
    assert.deepEqual(await blocks('/hello World'), [
      '<command-message>hello</command-message>\n<command-name>/hello</command-name>\n<command-args>World</command-args>',
      'Hello command body for World and .\n',
    ])
    assert.deepEqual(await blocks('/ourplug:pcmd', ['ourplug']), [
      '<command-message>ourplug:pcmd</command-message>\n<command-name>/ourplug:pcmd</command-name>',
      'Plugin command body.\n',
    ])
    assert.deepEqual(await blocks('/myskill a1'), [
      '<command-message>myskill</command-message>\n<command-name>/myskill</command-name>\n<command-args>a1</command-args>',
      'Base directory for this skill: <project>/.claude/skills/myskill\n\nSkill body marker.\n\n\nARGUMENTS: a1',
    ])
    assert.deepEqual(await blocks('/myskill'), [
      '<command-message>myskill</command-message>\n<command-name>/myskill</command-name>',
      'Base directory for this skill: <project>/.claude/skills/myskill\n\nSkill body marker.\n',
    ])
  })

  it('knows its folders and the session', async () => {
    await test.write({
      'plug/skills/s/SKILL.md':
        '---\nname: other\ndescription: d\n---\n${CLAUDE_PLUGIN_ROOT} ${CLAUDE_SKILL_DIR} ${CLAUDE_SESSION_ID} ${HOME}',
    })
    assert.deepEqual(await blocks('/other', ['plug']), [
      '<command-message>plug:s</command-message>\n<command-name>/plug:s</command-name>',
      'Base directory for this skill: <project>/plug/skills/s\n\n<project>/plug <project>/plug/skills/s session-1 ${HOME}',
    ])
  })

  it('has commands to run and files to read', async () => {
    await test.write({
      '.claude/commands/c.md':
        '---\nallowed-tools: Bash(git:*), Read\nmodel: haiku\n---\nLog: !`git log $0`\nand !`git status` see @src/a.ts, `@no.ts`.\nWow!`no`\n',
    })
    const command = findCommandOrSkill(await test.load(), 'c')
    assert.ok(command)
    assert.deepEqual([command.allowedTools, command.model], [['Bash(git:*)', 'Read'], 'haiku'])
    const expansion = await expandCommand(command, '-1 @arg.ts', nodeFiles)
    assert.ok('parts' in expansion)
    const { parts } = expansion
    assert.deepEqual(expansion, {
      marks:
        '<command-message>c</command-message>\n<command-name>/c</command-name>\n<command-args>-1 @arg.ts</command-args>',
      parts: [
        { kind: 'text', text: 'Log: ' },
        { kind: 'command', command: 'git log -1' },
        { kind: 'text', text: '\nand ' },
        { kind: 'command', command: 'git status' },
        { kind: 'text', text: ' see @src/a.ts, `@no.ts`.\nWow!`no`\n' },
      ],
      mentions: ['src/a.ts,'],
    })
    assert.equal(joinExpansionParts(parts, ['one', '$0']), 'Log: one\nand $0 see @src/a.ts, `@no.ts`.\nWow!`no`\n')
  })

  it('is read when it is used, with what it may do as it was at the start', async () => {
    await test.write({ '.claude/commands/c.md': '---\nallowed-tools: Read\n---\nold', '.claude/commands/gone.md': 'x' })
    const project = await test.load()
    await test.write({ '.claude/commands/c.md': '---\nallowed-tools: Bash\n---\nnew' })
    const command = findCommandOrSkill(project, 'c')
    const gone = findCommandOrSkill(project, 'gone')
    assert.ok(command && gone)
    const expansion = await expandCommand(command, '', nodeFiles)
    assert.ok('parts' in expansion && !('allowedTools' in expansion))
    assert.equal(joinExpansionParts(expansion.parts, []), 'new')
    assert.deepEqual(command.allowedTools, ['Read'])
    await rm(gone.path)
    assert.deepEqual(test.tidy(await expandCommand(gone, '', nodeFiles)), {
      problem: '<project>/.claude/commands/gone.md is gone',
    })
    await test.write({ '~/secret': 'SECRET', '.claude/commands/gone.md': '-> ../../../secret' })
    assert.deepEqual(test.tidy(await expandCommand(gone, '', nodeFiles)), {
      problem: '<project>/.claude/commands/gone.md is a link that leads out of <project>',
    })
    await test.write({ '.claude/commands/c.md': '---\noops\n---\nnew' })
    assert.match(JSON.stringify(await expandCommand(command, '', nodeFiles)), /c\.md:2: is no 'key: value'/)
    assert.equal(join(test.root, '.claude/commands/c.md'), command.path)
  })
})

describe('placeholders', () => {
  const fill = (body: string, args: string) => joinExpansionParts(expandCommandBody(body, args, new Map()), [])

  it('stand for arguments, counted from 0', () => {
    const body = '$ARGUMENTS|$0|$1|$2|$ARGUMENTS[0]|$ARGUMENTS[1]|$10|$1x|$x|${X}|$ARGUMENTSX'
    assert.equal(fill(body, 'a "b c" d'), 'a "b c" d|a|b c|d|a|b c||$1x|$x|${X}|$ARGUMENTSX')
    assert.equal(fill(body, ''), '||||||||$1x|$x|${X}|$ARGUMENTSX'.slice(1))
  })

  it('put arguments in as text only', () => {
    assert.deepEqual(expandCommandBody('Do $ARGUMENTS now', '!`rm -rf x` $0 $ARGUMENTS $& @/etc/passwd', new Map()), [
      { kind: 'text', text: 'Do !`rm -rf x` $0 $ARGUMENTS $& @/etc/passwd now' },
    ])
    assert.deepEqual(expandCommandBody('!`echo $0`', '`x` y', new Map()), [{ kind: 'command', command: 'echo `x`' }])
  })

  it('are not needed', () => {
    assert.equal(fill('Body\n', 'x y'), 'Body\n\n\nARGUMENTS: x y')
    assert.equal(fill('Body\n', ' '), 'Body\n')
    assert.deepEqual(expandCommandBody('', '', new Map()), [])
  })

  it('split arguments as a shell does', () => {
    assert.deepEqual(splitArguments(`a 'b c'"d" "" e\tf`), ['a', 'b cd', '', 'e', 'f'])
    assert.deepEqual(splitArguments("don't do it"), ["don't", 'do', 'it'])
    assert.deepEqual(splitArguments('  '), [])
  })

  it('never let an argument become a command or a placeholder', () => {
    const body = fc
      .array(fc.constantFrom('text ', '$ARGUMENTS', '$0', '$1', ' !`git $0`', '\n', '$', '`', '!'))
      .map((all) => all.join(''))
    const args = fc
      .array(fc.constantFrom('$ARGUMENTS', '$0', '!`x`', ' ', '"', 'word', '`', '$&', "'"))
      .map((all) => all.join(''))
    fc.assert(
      fc.property(body, args, (text, given) => {
        const parts = expandCommandBody(text, given, new Map())
        const plain = expandCommandBody(text, 'word', new Map())
        const commands = (all: typeof parts) => all.filter(({ kind }) => kind === 'command').length
        assert.equal(commands(parts), commands(plain))
        // A marker instead of the arguments, put in afterwards, gives the same text where only all of them are used.
        const whole = text.replace(/\$[01]/g, '')
        const marked = joinExpansionParts(expandCommandBody(whole, 'MARK', new Map()), []).replaceAll(
          'MARK',
          () => given,
        )
        if (given.trim() !== '')
          assert.equal(joinExpansionParts(expandCommandBody(whole, given, new Map()), []), marked)
      }),
      runs,
    )
  })
})
