import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  capitalized,
  FIX_WORDS,
  type FixInterface,
  fixForInterface,
  MISSING_KEY_HELP,
  userFailureText,
} from './fix-words.js'

const PLACES: FixInterface[] = ['library', 'shell', 'terminal', 'app']

describe('a fix', () => {
  it('has the words of the place where it is read, and none of the library', () => {
    for (const words of Object.values(FIX_WORDS))
      for (const place of PLACES) {
        const fix = `${capitalized(words.library)}. Or ${words.library}.`
        assert.equal(fixForInterface(fix, place), `${capitalized(words[place])}. Or ${words[place]}.`)
      }
  })

  it('of the library contains no flag, and of the shell no option', () => {
    for (const { library, shell, terminal, app } of Object.values(FIX_WORDS)) {
      assert.doesNotMatch(library, / --\w/)
      assert.doesNotMatch(shell, /the option|model: '/)
      assert.match(terminal, /\/\w|--fallback-model/)
      assert.doesNotMatch(app, / --|the option/)
    }
  })
})

describe('the text of a failed result', () => {
  it('has no login and no advice in the words of the library', () => {
    const text = `Not logged in · No API key was found\nANTHROPIC_API_KEY is empty.\n${MISSING_KEY_HELP}`
    assert.equal(userFailureText(text), 'No API key was found\nANTHROPIC_API_KEY is empty.')
  })

  it('is the same for all other failures', () => {
    for (const text of ['Invalid API key · Fix external API key', 'API Error: 500 {}', ''])
      assert.equal(userFailureText(text), text)
  })
})
