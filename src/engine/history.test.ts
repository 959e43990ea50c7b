import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHistory } from './history.js'
import { textBlock } from './test-ports.js'

const said = (content: string) => ({ type: 'text' as const, text: content })

test('messages of one side are joined: the API wants alternating roles', () => {
  const history = createHistory()
  history.addUser('One.')
  history.addUser([said('Two.')])
  history.addAssistant({ content: [textBlock('Three.')] })
  history.addUser('Four.')
  assert.deepEqual(history.messages, [
    { role: 'user', content: [said('One.'), said('Two.')] },
    { role: 'assistant', content: [textBlock('Three.')] },
    { role: 'user', content: [said('Four.')] },
  ])
})

test('nothing is added for nothing', () => {
  const history = createHistory()
  history.addUser('')
  history.addUser([])
  history.addAssistant({ content: [] })
  assert.deepEqual(history.messages, [])
})

test('a message that was handed out never changes', () => {
  const history = createHistory()
  const given = [said('One.')]
  history.addUser(given)
  const [before] = history.messages
  history.addUser('Two.')
  given.push(said('Three.'))
  assert.deepEqual(before, { role: 'user', content: [said('One.')] })
  assert.deepEqual(history.messages, [{ role: 'user', content: [said('One.'), said('Two.')] }])
})

test('what it begins with, or is replaced by, is joined and made blocks too', () => {
  const messages = [
    { role: 'user' as const, content: 'One.' },
    { role: 'user' as const, content: [said('Two.')] },
    { role: 'assistant' as const, content: '' },
  ]
  const joined = [{ role: 'user', content: [said('One.'), said('Two.')] }]
  const history = createHistory(messages)
  assert.deepEqual(history.messages, joined)
  history.addAssistant({ content: [textBlock('Three.')] })
  history.replace(messages)
  assert.deepEqual(history.messages, joined)
})
