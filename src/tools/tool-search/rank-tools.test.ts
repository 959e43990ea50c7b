import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import type { ToolDefinition } from '../../engine/ports.js'
import { searchTools } from './rank-tools.js'

const tool = (name: string, description = ''): ToolDefinition => ({ name, description, input_schema: {} })
const tools = [
  tool('mcp__slack__send_message', 'Send a message to a channel.'),
  tool('mcp__slack__list_channels', 'List the channels.'),
  tool('mcp__mail__send', 'Send mail; also announces it on slack.'),
  tool('NotebookEdit', 'Change a cell of a notebook.'),
]
const find = (query: string, limit = 10) => searchTools(tools, query, limit).found.map(({ name }) => name)

describe('searching tools', () => {
  it('finds by words of name and description, the best first', () => {
    assert.deepEqual(find('slack message'), [
      'mcp__slack__send_message',
      'mcp__slack__list_channels',
      'mcp__mail__send',
    ])
    assert.deepEqual(find('CHANNEL'), ['mcp__slack__list_channels', 'mcp__slack__send_message'])
    assert.deepEqual(find('notebook'), ['NotebookEdit'])
    assert.deepEqual(find('edit'), ['NotebookEdit'])
    assert.deepEqual(find('mcp__mail__send'), ['mcp__mail__send'])
    assert.deepEqual(find('send', 1), ['mcp__mail__send'])
    for (const nothing of ['zzz', '', '  ', '+', '+zzz send']) assert.deepEqual(find(nothing), [], nothing)
  })

  it('keeps to the words that must be there', () => {
    assert.deepEqual(find('+mail slack'), ['mcp__mail__send'])
    assert.deepEqual(find('+slack +send'), ['mcp__slack__send_message', 'mcp__mail__send'])
    assert.deepEqual(find('+slack +list'), ['mcp__slack__list_channels'])
  })

  it('selects by name, in the order asked for, and tells what is missing', () => {
    const select = (query: string) => {
      const { found, missing } = searchTools(tools, query, 1)
      return [found.map(({ name }) => name), missing]
    }
    assert.deepEqual(select('select:NotebookEdit, mcp__mail__send,NotebookEdit,,nope,nope'), [
      ['NotebookEdit', 'mcp__mail__send'],
      ['nope'],
    ])
    assert.deepEqual(select(' Select:notebookedit'), [['NotebookEdit'], []])
    assert.deepEqual(select('select:'), [[], []])
    assert.deepEqual(select('select:__proto__'), [[], ['__proto__']])
    const alike = searchTools([tool('Ab'), tool('aB')], 'select:ab,aB', 5)
    assert.deepEqual([alike.found.map(({ name }) => name), alike.missing], [['aB'], ['ab']])
  })

  it('gives the same for the same, whatever the order of the tools', () => {
    const word = fc.constantFrom('a', 'ab', 'send', 'Mail', 'list', 'x_y', '__proto__', '\ud800', '+', 'é')
    const definition = fc.record({
      name: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_')),
      description: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
      input_schema: fc.constant({}),
    })
    const some = fc.uniqueArray(definition, { maxLength: 8, selector: ({ name }) => name })
    const query = fc.array(
      fc.tuple(fc.constantFrom('', '+'), word).map((parts) => parts.join('')),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(
        some,
        query,
        fc.integer({ min: 1, max: 5 }),
        fc.infiniteStream(fc.nat()),
        (all, words, limit, keys) => {
          const { found } = searchTools(all, words.join(' '), limit)
          const shuffled = all.map((one) => ({ one, key: keys.next().value })).sort((a, b) => a.key - b.key)
          assert.deepEqual(
            searchTools(
              shuffled.map(({ one }) => one),
              words.join(' '),
              limit,
            ).found,
            found,
          )
          assert.ok(found.length <= limit && new Set(found).size === found.length)
          const wholeText = ({ name, description }: ToolDefinition) => `${name}\n${description}`.toLowerCase()
          for (const one of found) {
            assert.ok(all.includes(one))
            for (const must of words.filter((w) => w.startsWith('+'))) {
              assert.ok(wholeText(one).includes(must.slice(1).toLowerCase()))
            }
          }
          // More room shows more, and never something else first.
          assert.deepEqual(searchTools(all, words.join(' '), 100).found.slice(0, limit), found)
        },
      ),
      { numRuns: byTier({ quick: 75, all: 300, long: 10_000 }) },
    )
  })

  it('takes a megabyte of words or of one word', () => {
    for (const query of ['send '.repeat(200_000), 'x'.repeat(1024 * 1024), `+${' '.repeat(1024 * 1024)}send`]) {
      assert.ok(find(query).length <= 3)
    }
  })
})
