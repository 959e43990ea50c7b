import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Options } from '../options.js'
import {
  encodeBackgroundCeiling,
  encodeOutputSchema,
  encodePermissionMode,
  encodePermissionPrompt,
  encodeThinking,
  encodeThinkingBudget,
  encodeThinkingDisplay,
  encodeTools,
} from './encode-values.js'

describe('thinking', () => {
  const cases: [Options, [unknown, unknown, unknown]][] = [
    [{}, [undefined, undefined, undefined]],
    [{ maxThinkingTokens: 4000 }, [undefined, 4000, undefined]],
    [{ maxThinkingTokens: 0 }, ['disabled', undefined, undefined]],
    [{ thinking: { type: 'disabled' } }, ['disabled', undefined, undefined]],
    [{ thinking: { type: 'adaptive' } }, ['adaptive', undefined, undefined]],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, ['adaptive', undefined, 'omitted']],
    [{ thinking: { type: 'enabled', budgetTokens: 2000 } }, [undefined, 2000, undefined]],
    [{ thinking: { type: 'enabled', budgetTokens: 2000, display: 'summarized' } }, [undefined, 2000, 'summarized']],
    // What is left to the model is adaptive, whatever it is called.
    [{ thinking: { type: 'enabled' } }, ['adaptive', undefined, undefined]],
    // The newer option goes before the older.
    [{ thinking: { type: 'disabled' }, maxThinkingTokens: 4000 }, ['disabled', undefined, undefined]],
    [{ thinking: { type: 'adaptive' }, maxThinkingTokens: 0 }, ['adaptive', undefined, undefined]],
    [{ thinking: { type: 'enabled', budgetTokens: 2000 }, maxThinkingTokens: 0 }, [undefined, 2000, undefined]],
  ]
  for (const [options, expected] of cases) {
    it(JSON.stringify(options), () =>
      assert.deepEqual(
        [encodeThinking(options), encodeThinkingBudget(options), encodeThinkingDisplay(options)],
        expected,
      ),
    )
  }
})

describe('what a flag holds', () => {
  it('of times is seconds', () => {
    assert.equal(encodeBackgroundCeiling({ backgroundCeilingMs: 1500 }), 1.5)
    assert.equal(encodeBackgroundCeiling({ backgroundCeilingMs: 0 }), 0)
    assert.equal(encodeBackgroundCeiling({}), undefined)
  })

  it('of a schema is its JSON', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    assert.equal(encodeOutputSchema({ outputFormat: { type: 'json_schema', schema } }), JSON.stringify(schema))
    assert.equal(encodeOutputSchema({}), undefined)
  })

  it('of who is asked is the host, where it can answer', () => {
    const canUseTool = async () => ({ behavior: 'deny' as const, message: '' })
    assert.equal(encodePermissionPrompt({ canUseTool, permissionPromptToolName: 'mcp__x__y' }), 'stdio')
    assert.equal(encodePermissionPrompt({ permissionPromptToolName: 'mcp__x__y' }), 'mcp__x__y')
    assert.equal(encodePermissionPrompt({}), undefined)
    assert.equal(encodePermissionPrompt({ canUseTool, permissionPrompts: 'none' }), undefined)
    assert.equal(encodePermissionPrompt({ canUseTool, permissionPrompts: 'host' }), 'stdio')
  })

  it('of tools tells none from all', () => {
    assert.equal(encodeTools({ tools: ['Read', 'Edit'] }), 'Read,Edit')
    assert.equal(encodeTools({ tools: [] }), '')
    assert.equal(encodeTools({ tools: { type: 'preset', preset: 'claude_code' } }), 'default')
    assert.equal(encodeTools({}), undefined)
  })

  it('of the mode is always there', () => {
    assert.equal(encodePermissionMode({}), 'default')
    assert.equal(encodePermissionMode({ permissionMode: 'plan' }), 'plan')
  })
})
