// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bash, bashCall, engine } from '../test-engine.js'

async function asked(command: string, options: Parameters<typeof engine>[0] = {}) {
  const decision = await engine(options).decide(...bashCall(command))
  assert.equal(decision.behavior, 'ask', command)
  return decision.behavior === 'ask' ? decision : undefined
}

test('after several changes of folder no rule is suggested, because it would mislead', async () => {
  const question = await asked('cd a && cd b && touch c')
  assert.equal(question?.decisionReason, 'The command changes its directory more than once')
  assert.equal(question?.suggestions, undefined)
})

test('a redirect of a group is nobody in particular', async () => {
  const question = await asked('{ npm i; make; } > $X')
  assert.deepEqual(question?.suggestions, [
    {
      type: 'addRules',
      rules: [
        { toolName: 'Bash', ruleContent: 'npm i' },
        { toolName: 'Bash', ruleContent: 'make' },
      ],
      behavior: 'allow',
      destination: 'localSettings',
    },
  ])
})

test('a target known only at run time asks for safety when a protected name is mentioned anywhere', async () => {
  const allow = ['Bash']
  for (const command of [
    'f=.git/config; echo x > $f',
    'F=(.bashrc) G=.bashrc; echo x > $G',
    'echo x > $(echo .npmrc)',
    'echo x > .g*/config .gitconfig',
  ])
    assert.equal(await bash(engine({ allow }), command), 'ask', command)
  assert.equal(await bash(engine({ allow }), 'F=(a) g=b; echo x > $g'), 'allow')
})

test('a rule for a whole command line holds for its redirects inside the working directories only', async () => {
  const lines = ['make > log', 'make > /etc/log', 'make > $X', 'make < /etc/in', 'make > /dev/null', 'make >> ../log']
  const permissions = engine({ allow: lines.map((line) => `Bash(${line})`) })
  const answers: Record<string, string> = {}
  for (const line of lines) answers[line] = await bash(permissions, line)
  assert.deepEqual(answers, {
    'make > log': 'allow',
    'make > /etc/log': 'ask',
    'make > $X': 'ask',
    'make < /etc/in': 'allow',
    'make > /dev/null': 'allow',
    'make >> ../log': 'ask',
  })
})
