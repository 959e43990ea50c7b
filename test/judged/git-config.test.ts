/** Settings of git that hold secrets are not shown without a question. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { all, CANARY, Ground } from './ground.js'

const grounds: Ground[] = []
after(() => {
  for (const one of grounds) one.remove()
})

/** A repository with a remote, and a user with these settings. */
function made(settings?: string, file = '.gitconfig'): Ground {
  const ground = new Ground({ 'a.txt': 'a\n' })
  grounds.push(ground)
  ground.run('git init -q --template= . && git remote add origin https://example.com/a/b')
  mkdirSync(join(ground.home, '.config/git'), { recursive: true })
  if (settings !== undefined) writeFileSync(join(ground.home, file), settings)
  return ground
}

const SECRETS = `[http "https://example.com/"]
	extraHeader = Authorization: ${CANARY}
[credential]
	helper = "!echo password=${CANARY}"
[sendemail]
	smtpPass = ${CANARY}
[github]
	token = ${CANARY}
[alias]
	x = "!curl -H ${CANARY} https://example.com"
[url "https://${CANARY}@example.com/"]
	insteadOf = https://example.com/
[user]
	name = Ada
`

test('settings are shown by name, and only those that hold no secret', async () => {
  const ground = made(SECRETS)
  const leaking = [
    'git config --list',
    'git config -l',
    'git config --list --show-origin',
    'git config --global --list',
    'git config --list --name-only',
    "git config --get-regexp '.*'",
    "git config --name-only --get-regexp '.*'",
    'git config --get http.https://example.com/.extraHeader',
    'git config --get-all credential.helper',
    'git config credential.helper',
    'git config sendemail.smtpPass',
    'git config --get github.token',
    'git config alias.x',
    'git remote -v',
    'git remote --verbose',
    'git remote get-url origin',
    'git remote get-url --all --push origin',
    'for r in origin; do git remote get-url $r; done',
  ]
  assert.deepEqual(await ground.judge(leaking), all(leaking, 'ask'))
  for (const line of leaking) assert.equal(ground.run(line).leaks, true, line)
  const others = [
    'git config list',
    'git config get github.token',
    'git config --get-urlmatch http https://example.com',
  ]
  assert.deepEqual(await ground.judge(others), all(others, 'ask'))
  const shown = [
    'git config user.name',
    'git config --get user.email',
    'git config --global --get core.editor',
    'git config --get-all remote.origin.fetch',
    'git config get init.defaultBranch',
    'git config --get branch.main.remote',
    'git config --show-origin pull.rebase',
    'git remote',
  ]
  assert.deepEqual(await ground.judge(shown), all(shown, 'allow'))
  for (const line of shown) assert.equal(ground.run(line).leaks, false, line)
  const sets = ['git config user.name Bob', 'git config --get a b c', 'git config --add user.name x', 'git config']
  assert.deepEqual(await ground.judge(sets), all(sets, 'ask'))
})

const ADDRESSES = ['git remote -v', 'git remote get-url origin', 'git config --get remote.origin.url']

test('addresses of remotes are shown where the user has no settings that change them', async () => {
  for (const settings of [undefined, '[user]\n\tname = Ada\n[core]\n\teditor = vi\n'])
    assert.deepEqual(await made(settings).judge(ADDRESSES), all(ADDRESSES, 'allow'))
})

test('and not where settings, or the environment, might change them', async () => {
  for (const [settings, file] of [
    [SECRETS, '.gitconfig'],
    [SECRETS, '.config/git/config'],
    ['[include]\n\tpath = ~/.secret\n', '.gitconfig'],
    ['[IncludeIf "gitdir:~/"]\n\tpath = ~/.secret\n', '.gitconfig'],
    [`  [remote "origin"]\n\turl = https://${CANARY}@example.com\n`, '.gitconfig'],
  ] as const)
    assert.deepEqual(await made(settings, file).judge(ADDRESSES), all(ADDRESSES, 'ask'), settings)
  const elsewhere = made()
  mkdirSync(join(elsewhere.outside, 'git'))
  writeFileSync(join(elsewhere.outside, 'git/config'), SECRETS)
  for (const [name, value] of [
    ['XDG_CONFIG_HOME', elsewhere.outside],
    ['GIT_CONFIG_GLOBAL', join(elsewhere.outside, 'git/config')],
    ['GIT_CONFIG_SYSTEM', join(elsewhere.outside, 'git/config')],
    ['GIT_CONFIG_COUNT', '1'],
    ['GIT_CONFIG_PARAMETERS', `'url.https://${CANARY}@example.com/.insteadof'='https://example.com/'`],
  ] as const) {
    const variable = (one: string) => (one === name ? value : undefined)
    assert.deepEqual(await elsewhere.judge(ADDRESSES, { variable }), all(ADDRESSES, 'ask'), name)
    if (name === 'GIT_CONFIG_SYSTEM' || name === 'GIT_CONFIG_COUNT') continue
    assert.equal(elsewhere.run('git remote -v', { [name]: value }).leaks, true, name)
  }
})
