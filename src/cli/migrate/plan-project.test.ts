import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VERSION } from '../../platform/version.js'
import { kedgeDependencyVersion } from './plan-project.js'

test('an installed package is named by its version, a clone by its folder', () => {
  assert.equal(kedgeDependencyVersion('/app/node_modules/kedge', '/app'), `^${VERSION}`)
  assert.equal(kedgeDependencyVersion('/usr/lib/node_modules/kedge', '/app'), `^${VERSION}`)
  assert.equal(kedgeDependencyVersion('/home/me/kedge', '/home/me/app/web'), 'file:../../kedge')
})
