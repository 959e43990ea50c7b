import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageParam } from '../../protocol/content.js'
import { reminderText } from '../../protocol/shown/own-tags.js'
import type { SessionProject } from '../session-project.js'
import { openingTexts } from './opening-texts.js'

const project = (skillListing: string, instructions: string) =>
  ({ skillListing, instructions: [], instructionsText: () => instructions }) as unknown as SessionProject
const said = (role: 'user' | 'assistant', text: string): MessageParam => ({ role, content: [{ type: 'text', text }] })

test('a new session reads both; where there is nothing, nothing', () => {
  assert.deepEqual(openingTexts(project('skills', 'rules')), { listing: ['skills'], instructions: ['rules'] })
  assert.deepEqual(openingTexts(project('', '')), { listing: [], instructions: [] })
})

test('a session that goes on reads what it has not read, as it is now', () => {
  const before = [
    said('user', reminderText('skills')),
    said('assistant', 'Yes.'),
    said('user', reminderText('old rules')),
  ]
  assert.deepEqual(openingTexts(project('skills', 'rules'), before), { listing: [], instructions: ['rules'] })
  assert.deepEqual(openingTexts(project('skills', 'old rules'), before), { listing: [], instructions: [] })
})

test('only a reminder counts as read: not a text of the user, nor the words of the model', () => {
  const before: MessageParam[] = [
    said('user', 'rules'),
    said('assistant', reminderText('rules')),
    { role: 'user', content: reminderText('rules') },
    said('user', `${reminderText('rules')} and more`),
  ]
  assert.deepEqual(openingTexts(project('', 'rules'), before).instructions, ['rules'])
})
