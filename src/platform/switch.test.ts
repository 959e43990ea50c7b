import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVariableOn, readSwitch } from './switch.js'

test('how a variable says yes or no', () => {
  for (const value of [undefined, '', ' ', '0', 'false', 'FALSE', 'no', 'Off'])
    assert.equal(readSwitch(value), false, value)
  for (const value of ['1', 'true', 'TRUE', ' yes ', 'on']) assert.equal(readSwitch(value), true, value)
  for (const value of ['2', 'y', 'enabled', 'null', '-1']) assert.equal(readSwitch(value), undefined, value)
})

test('what says neither is as good as not set', () => {
  for (const preset of [true, false]) {
    for (const value of [undefined, '', ' ', '2', 'maybe']) assert.equal(isVariableOn(value, preset), preset, value)
    for (const value of ['0', 'False', 'off']) assert.equal(isVariableOn(value, preset), false, value)
    for (const value of ['1', 'True', 'on']) assert.equal(isVariableOn(value, preset), true, value)
  }
  assert.equal(isVariableOn(undefined), false)
})
