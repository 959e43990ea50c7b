import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideNextTurnStep, type NextTurnStep, type TurnSituation } from './next-step.js'

type AnswerSituation = Extract<TurnSituation, { after: 'answer' }>
type ToolsSituation = Extract<TurnSituation, { after: 'tools' }>
type StopSituation = Extract<TurnSituation, { after: 'stop-hooks' }>

const said = (
  fields: Partial<{ stopReason: string | null; toolUses: number; empty: boolean; thoughtOnly: boolean }> = {},
) => ({
  ok: true as const,
  stopReason: 'end_turn',
  toolUses: 0,
  empty: false,
  ...fields,
})
const answer = (fields: Partial<AnswerSituation>): TurnSituation => ({
  after: 'answer',
  aborted: false,
  overBudget: false,
  answer: said(),
  fallbackAvailable: false,
  recoveries: 0,
  requests: 1,
  maxTurns: null,
  ...fields,
})
const tools = (fields: Partial<ToolsSituation>): TurnSituation => ({
  after: 'tools',
  parked: false,
  aborted: false,
  interrupted: false,
  nobodyToAsk: false,
  hookStopped: false,
  gaveUp: false,
  overBudget: false,
  requests: 1,
  maxTurns: null,
  ...fields,
})
const stopped = (fields: Partial<StopSituation>): TurnSituation => ({
  after: 'stop-hooks',
  aborted: false,
  prevented: false,
  blocked: false,
  gaveUp: false,
  overBudget: false,
  requests: 1,
  maxTurns: null,
  ...fields,
})
const end = (reason: Extract<NextTurnStep, { go: 'end' }>['reason']): NextTurnStep => ({ go: 'end', reason })

const table: [string, TurnSituation, NextTurnStep][] = [
  // The nine rows of the decision table.
  [
    'tool_use blocks → run them',
    answer({ answer: said({ stopReason: 'tool_use', toolUses: 2 }) }),
    { go: 'run-tools' },
  ],
  ['… and go on', tools({}), { go: 'request' }],
  ['no tool_use → stop hooks', answer({}), { go: 'stop-hooks' }],
  ['… then success', stopped({}), end('completed')],
  ['no answer in the wanted shape: the end', tools({ gaveUp: true }), end('structured_output_retries_exhausted')],
  ['… also after a text', stopped({ gaveUp: true }), end('structured_output_retries_exhausted')],
  ['… but who stops a turn is told so', tools({ gaveUp: true, aborted: true }), end('aborted_tools')],
  ['turns over', tools({ requests: 3, maxTurns: 3 }), end('max_turns')],
  [
    'cost over: the pending tools do not run',
    answer({ overBudget: true, answer: said({ toolUses: 1 }) }),
    end('budget_exhausted'),
  ],
  ['… nor is anything asked when tools or hooks spent it', tools({ overBudget: true }), end('budget_exhausted')],
  ['… also after a stop hook', stopped({ blocked: true, overBudget: true }), end('budget_exhausted')],
  ['… but what is done is done', stopped({ overBudget: true }), end('completed')],
  ['… and turns run out first', tools({ overBudget: true, requests: 1, maxTurns: 1 }), end('max_turns')],
  [
    'a request that was not sent for want of money',
    answer({ overBudget: true, answer: { ok: false, budgetSpent: true } }),
    end('budget_exhausted'),
  ],
  ['aborted while streaming', answer({ aborted: true }), end('aborted_streaming')],
  ['aborted while tools ran', tools({ aborted: true }), end('aborted_tools')],
  ['max_tokens → recovery prompt', answer({ answer: said({ stopReason: 'max_tokens' }) }), { go: 'recover' }],
  ['max_tokens, third time', answer({ answer: said({ stopReason: 'max_tokens' }), recoveries: 2 }), { go: 'recover' }],
  [
    'max_tokens, fourth time',
    answer({ answer: said({ stopReason: 'max_tokens' }), recoveries: 3 }),
    end('max_output_tokens'),
  ],
  ['stop hook prevents → success', stopped({ prevented: true }), end('stop_hook_prevented')],
  ['stop hook blocks → go on', stopped({ blocked: true }), { go: 'request' }],
  [
    'overloaded → fallback model',
    answer({ answer: { ok: false, budgetSpent: false }, fallbackAvailable: true }),
    { go: 'fall-back' },
  ],
  ['… once', answer({ answer: { ok: false, budgetSpent: false } }), end('api_error')],
  // What they leave open.
  ['turns left', tools({ requests: 2, maxTurns: 3 }), { go: 'request' }],
  [
    'a refusal that another model is there for',
    answer({ answer: said({ stopReason: 'refusal' }), fallbackAvailable: true }),
    { go: 'fall-back' },
  ],
  [
    'a failure after an abort is an abort',
    answer({ aborted: true, answer: { ok: false, budgetSpent: false } }),
    end('aborted_streaming'),
  ],
  ['refusal', answer({ answer: said({ stopReason: 'refusal' }) }), end('refusal')],
  ['only thought → ask for the answer', answer({ answer: said({ thoughtOnly: true }) }), { go: 'urge' }],
  ['only thought, twice', answer({ answer: said({ thoughtOnly: true }), urged: true }), end('empty_response')],
  ['nothing said', answer({ answer: said({ empty: true }) }), end('empty_response')],
  [
    'unknown stop reason with text ends the turn',
    answer({ answer: said({ stopReason: 'brand_new' }) }),
    { go: 'stop-hooks' },
  ],
  ['no stop reason', answer({ answer: said({ stopReason: null }) }), { go: 'stop-hooks' }],
  ['pause_turn → ask again', answer({ answer: said({ stopReason: 'pause_turn' }) }), { go: 'request' }],
  [
    '… while turns are left',
    answer({ answer: said({ stopReason: 'pause_turn' }), requests: 2, maxTurns: 2 }),
    end('max_turns'),
  ],
  [
    'cut off within a call',
    answer({ answer: said({ stopReason: 'max_tokens', toolUses: 1 }) }),
    { go: 'refuse-cut-tools' },
  ],
  [
    '… too often',
    answer({ answer: said({ stopReason: 'max_tokens', toolUses: 1 }), recoveries: 3 }),
    end('max_output_tokens'),
  ],
  ...['model_context_window_exceeded', 'pause_turn', 'stop_sequence', 'brand_new', null].map(
    (stopReason): [string, TurnSituation, NextTurnStep] => [
      `a call in an answer that ended for ${stopReason}`,
      answer({ answer: said({ stopReason, toolUses: 1 }) }),
      { go: 'refuse-cut-tools' },
    ],
  ),
  [
    'a call in an answer that says it is over',
    answer({ answer: said({ stopReason: 'end_turn', toolUses: 1 }) }),
    { go: 'run-tools' },
  ],
  [
    'a text that filled the context window',
    answer({ answer: said({ stopReason: 'model_context_window_exceeded' }) }),
    { go: 'recover' },
  ],
  ['denied with interrupt', tools({ interrupted: true }), end('interrupted_by_permission')],
  ['nobody to ask', tools({ nobodyToAsk: true }), end('permission_required')],
  ['what happened can not be kept', tools({ notSaved: 'session_taken_over', parked: true }), end('session_taken_over')],
  ['a question is left open', tools({ parked: true }), { go: 'park' }],
  ['… whatever else came to an end', tools({ parked: true, gaveUp: true, overBudget: true }), { go: 'park' }],
  ['a turn that goes on elsewhere asks for nothing more', tools({ yielding: true }), { go: 'park' }],
  [
    '… not even for the rest of a long answer',
    answer({ answer: said({ stopReason: 'pause_turn' }), yielding: true }),
    { go: 'park' },
  ],
  ['… but one that is over is over', stopped({ yielding: true }), end('completed')],
  ['… and its limits still hold', tools({ yielding: true, overBudget: true }), end('budget_exhausted')],
  ['hook stops after a tool', tools({ hookStopped: true }), end('hook_stopped')],
  ['an abort outdoes a hook', tools({ aborted: true, hookStopped: true }), end('aborted_tools')],
  ['stop hook blocks without turns left', stopped({ blocked: true, requests: 2, maxTurns: 2 }), end('max_turns')],
  ['stop hook both blocks and prevents', stopped({ blocked: true, prevented: true }), end('stop_hook_prevented')],
  ['aborted during stop hooks', stopped({ aborted: true, blocked: true }), end('aborted_streaming')],
]

for (const [name, situation, expected] of table)
  test(`next step: ${name}`, () => assert.deepEqual(decideNextTurnStep(situation), expected))
