import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, parse } from './duration.js'

test('hours', () => assert.equal(parse('2h'), 7200000))
test('minutes', () => assert.equal(parse('3m'), 180000))
test('format', () => assert.equal(format(3600000), '1h'))
