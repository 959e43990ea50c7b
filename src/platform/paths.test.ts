import assert from 'node:assert/strict'
import { test } from 'node:test'
import { homeFolder } from './home.js'
import { isInside } from './paths.js'

test('inside is the folder and what is below it, not what only begins alike', () => {
  for (const path of ['/a', '/a/b', '/a/b/c', '/a/..b', '/a/b/../c']) assert.equal(isInside(path, '/a'), true, path)
  for (const path of ['/', '/ab', '/b', '/a/../b', '/a/b/../../c']) assert.equal(isInside(path, '/a'), false, path)
  assert.equal(isInside('/anything', '/'), true)
})

test('the home folder is that of the session, before that of the process', () => {
  assert.equal(homeFolder({ HOME: '/h', USERPROFILE: '/u' }), '/h')
  assert.equal(homeFolder({ HOME: '', USERPROFILE: '/u' }), '/u')
  assert.match(homeFolder({}), /^\//)
})
