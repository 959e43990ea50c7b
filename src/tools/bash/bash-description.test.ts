/** What the model is told of the sandbox its commands run in: all that is true of this one, and nothing else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bashToolDescription } from './bash-description.js'

const closed = { hosts: undefined, writable: [], excluded: [], mayLeave: false }

describe('the description of Bash', () => {
  it('says nothing of a sandbox where there is none', () => {
    assert.doesNotMatch(bashToolDescription(undefined), /sandbox/i)
  })

  it('begins the same way with one', () => {
    assert.ok(
      bashToolDescription(closed).startsWith(`${bashToolDescription(undefined)}\nCommands run in a sandbox:\n- `),
    )
  })

  it('names the folders that can be written, the hosts that can be reached and the commands that stay outside', () => {
    const prompt = bashToolDescription({
      hosts: ['a.example', '*.b.example'],
      writable: ['/data', '/x y'],
      excluded: ['git *', 'docker'],
      mayLeave: true,
    })
    assert.match(prompt, /can write to the working directories, \/data, \/x y, \$TMPDIR and/)
    assert.match(prompt, /- Of the network they reach these hosts only: a\.example, \*\.b\.example\.\n/)
    assert.match(prompt, /run: git \*, docker\.\n/)
    assert.match(prompt, /\n- Set dangerouslyDisableSandbox only for/)
    assert.doesNotMatch(prompt, /no network|Nothing turns the sandbox off/)
  })

  it('says that there is no network, no exception and no way out, where it is so', () => {
    const prompt = bashToolDescription(closed)
    assert.match(prompt, /can write to the working directories, \$TMPDIR and/)
    assert.match(prompt, /- They have no network;/)
    assert.match(prompt, /- Nothing turns the sandbox off\. If/)
    assert.doesNotMatch(prompt, /Outside the sandbox|these hosts only|Set dangerouslyDisableSandbox/)
  })

  it('speaks of the background only where there is one', () => {
    assert.match(bashToolDescription(undefined), /run_in_background/)
    assert.doesNotMatch(bashToolDescription(undefined, false), /background/)
    assert.match(bashToolDescription(undefined, false), /at most ten minutes; then it is ended\./)
  })

  it('does not take an empty list of hosts for all of them', () => {
    assert.match(bashToolDescription({ ...closed, hosts: [] }), /they reach these hosts only: \./)
  })
})
