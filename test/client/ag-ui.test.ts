/** `kedge/ag-ui` against the schemas, the verifier and the client of AG-UI. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbstractAgent, type BaseEvent, type Message, verifyEvents } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import { from, lastValueFrom, Observable, toArray } from 'rxjs'
import type { AgUiEvent } from '../../src/client/bridges/ag-ui/public-ag-ui.js'
import { toAgUiEvents } from '../../src/client/bridges/ag-ui/public-ag-ui.js'
import { collectStream } from '../../src/client/bridges/test-session.js'
import { sessionWith, TURNS } from './bridge-turns.js'

test('each', async () => {
  for (const [name, { write, waits }] of Object.entries(TURNS)) {
    const made = sessionWith(write)
    const events = await collectStream(toAgUiEvents(made.session, { prompt: 'p' }))
    for (const e of events) {
      const parsed = EventSchemas.parse(JSON.parse(JSON.stringify(e)))
      void parsed
    }
    const verified = await lastValueFrom(from(events as unknown as BaseEvent[]).pipe(verifyEvents(), toArray()))
    console.log(name, waits, events.map(({ type }) => type).join(' '), JSON.stringify(events.at(-1)).slice(0, 300))
    assert.equal(verified.length, events.length)
  }
})
