import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { chooseMemberName, memberColor, teamFolderName } from './team-names.js'

describe('the folder of a team', () => {
  const cases: [string, string | undefined][] = [
    ['Alpha team', 'alpha-team'],
    ['../../etc', '------etc'],
    ['a.b/c', 'a-b-c'],
    ['...', undefined],
    ['', undefined],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), undefined],
  ]
  for (const [team, folder] of cases)
    it(JSON.stringify(team).slice(0, 20), () => assert.equal(teamFolderName(team), folder))

  it('is one name, whatever the team is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (team) => {
        const name = teamFolderName(team)
        assert.ok(name === undefined || /^[a-z0-9-]*[a-z0-9][a-z0-9-]*$/.test(name))
      }),
    )
  })
})

describe('the name of a member', () => {
  const cases: [string, string[], string | undefined][] = [
    ['bob', [], 'bob'],
    [' Bob the 2nd ', [], 'Bob-the-2nd'],
    ['bob', ['bob'], 'bob-2'],
    ['bob', ['bob', 'bob-2'], 'bob-3'],
    ['Bob', ['bob'], 'Bob-2'],
    ['team-lead', ['team-lead'], 'team-lead-2'],
    ['../x', [], '---x'],
    ['---', [], undefined],
    ['', [], undefined],
  ]
  for (const [wanted, taken, name] of cases)
    it(`${JSON.stringify(wanted)} beside ${taken.join(', ') || 'nobody'}`, () =>
      assert.equal(chooseMemberName(wanted, taken), name))

  it('is nobody else’s, also where files know no upper case', () => {
    const word = fc.stringMatching(/^[a-cA-C]{1,2}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (wanted) => {
        const taken: string[] = []
        for (const one of wanted) taken.push(chooseMemberName(one, taken) ?? assert.fail(one))
        assert.equal(new Set(taken.map((name) => name.toLowerCase())).size, wanted.length)
      }),
    )
  })
})

describe('the color of a member', () => {
  it('is not that of the lead before all others are taken', () => {
    const colors = Array.from({ length: 8 }, (_, count) => memberColor(count))
    assert.equal(new Set(colors).size, 8)
    assert.equal(memberColor(8), memberColor(0))
  })
})
