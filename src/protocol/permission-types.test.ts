import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPermissionResultProblem } from './permission-types.js'

test('an answer is a yes or a no, also where it is incomplete; anything else is named', () => {
  const cases: [Record<string, unknown>, string | undefined][] = [
    [{ behavior: 'allow' }, undefined],
    [{ behavior: 'allow', updatedInput: {}, updatedPermissions: [] }, undefined],
    [{ behavior: 'deny', message: '' }, undefined],
    [{ behavior: 'deny' }, undefined],
    [{ behavior: 'deny', message: null }, undefined],
    [{ behavior: 'ask' }, "`behavior` must be 'allow' or 'deny'"],
    [{}, "`behavior` must be 'allow' or 'deny'"],
    [{ behavior: 'allow', updatedInput: [] }, '`updatedInput` must be an object'],
    [{ behavior: 'allow', updatedInput: null, updatedPermissions: null }, undefined],
    [{ behavior: 'allow', updatedPermissions: {} }, '`updatedPermissions` must be an array'],
    // A denial runs nothing: what else it carries does not matter.
    [{ behavior: 'deny', message: 'no', updatedInput: 1 }, undefined],
  ]
  for (const [answer, problem] of cases)
    assert.equal(findPermissionResultProblem(answer), problem, JSON.stringify(answer))
})
