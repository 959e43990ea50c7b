/** One log, one view: what an editor and a terminal show of generated sessions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import type { AcpClientAbilities } from '../../src/acp/acp-client.js'
import { FULL_CLIENT_ABILITIES, MINIMAL_CLIENT_ABILITIES } from '../../src/acp/test-client.js'
import { AcpUpdateTranslator } from '../../src/acp/updates/translator.js'
import type { LogItem } from '../../src/protocol/session-log/entries.js'
import { NOTICE_TEXTS } from '../../src/protocol/shown/vocabulary.js'
import { titleLine } from '../../src/terminal/blocks/tool-lines.js'
import { ViewLines } from '../../src/terminal/blocks/view-lines.js'
import { plainStyles } from '../../src/terminal/screen/styles.js'
import { toTerminalSafeLine } from '../../src/terminal/screen/terminal-safe-text.js'
import { displayOf } from '../../src/tools/displays.js'
import { applyToView } from '../../src/view/session-view.js'
import type { CallState, NoticeItem, ToolItem, ViewItem } from '../../src/view/view-items.js'
import { noticeText } from '../../src/view/view-notices.js'
import { createSessionView } from '../../src/view/view-state.js'
import { addedItems, forEachLog, isEntry, viewOf } from './each-log.js'

const isTodoList = ({ name }: ToolItem) => displayOf(name).shownAs === 'todo-list'

describe('an editor', () => {
  const updatesOf = (client: AcpClientAbilities, items: readonly LogItem[]): SessionUpdate[] => {
    const translator = new AcpUpdateTranslator({ client, session: 's1', cwd: '/w', now: () => 0 })
    return items.flatMap((item) => translator.takeItem(item).flatMap((out) => ('update' in out ? [out.update] : [])))
  }
  /** What was said, message by message, in the order in which each began. */
  const textsIn = (updates: readonly SessionUpdate[]): string[] => {
    const texts = new Map<string, string>()
    for (const update of updates) {
      if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') continue
      const { messageId = '' } = update
      texts.set(`${messageId}`, `${texts.get(`${messageId}`) ?? ''}${update.content.text}`)
    }
    return [...texts.values()].filter((text) => text !== '')
  }
  /** The last status of each call, in the order in which they were announced. */
  const callsIn = (updates: readonly SessionUpdate[]): Map<string, string> => {
    const calls = new Map<string, string>()
    for (const update of updates) {
      if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') continue
      const { toolCallId: id, status } = update
      // A client without compactions is shown one as a call.
      if (id.startsWith('compaction-')) continue
      if (update.sessionUpdate === 'tool_call') assert.ok(!calls.has(id), `${id} is announced once`)
      else assert.ok(calls.has(id), `${id} is announced first`)
      if (status) calls.set(id, status)
    }
    return calls
  }
  const STATUS: Record<CallState, readonly string[]> = {
    writing: ['pending'],
    called: ['pending', 'in_progress'],
    waiting: ['pending', 'in_progress'],
    running: ['in_progress'],
    background: ['in_progress'],
    done: ['completed'],
    failed: ['failed'],
    denied: ['failed'],
    unfinished: ['failed'],
  }

  for (const [name, client] of [
    ['with all abilities', FULL_CLIENT_ABILITIES],
    ['with none', MINIMAL_CLIENT_ABILITIES],
  ] as const) {
    test(`${name} has the calls of the view, in its order and states`, () => {
      forEachLog((items) => {
        const { changes } = viewOf(items)
        const shown = addedItems(changes).filter((item) => item.kind === 'tool')
        const gone = new Set(changes.flatMap(({ item, what }) => (what === 'removed' ? [item] : [])))
        const ends = new Map(shown.map((item) => [item.useId, item]))
        const calls = callsIn(updatesOf(client, items))
        // A request can be about a call that the log does not have.
        for (const id of calls.keys()) if (!ends.has(id)) calls.delete(id)
        const listed = shown.filter((item) => !isTodoList(item) || calls.has(item.useId))
        assert.deepEqual([...calls.keys()], [...new Set(listed.map(({ useId }) => useId))])
        for (const [id, status] of calls) {
          const item = ends.get(id)
          assert.ok(item)
          // A rewind takes away what an editor has been told.
          const { state } = item
          if (!gone.has(item)) assert.ok(STATUS[state].includes(status), `${id}: ${status} for ${state}`)
        }
      })
    })

    test(`${name} gets each text of the view once, streamed or not`, () => {
      forEachLog(
        (items) => {
          const byMessage = new Map<string, string>()
          for (const item of addedItems(viewOf(items.filter(isEntry)).changes))
            if (item.kind === 'text' && !item.isCommandOutput)
              byMessage.set(item.message, `${byMessage.get(item.message) ?? ''}${item.text}`)
          const texts = [...byMessage.values()].filter((text) => text !== '')
          // What a command printed, and an error that streamed before it was known to be one.
          const isSaid = (text: string) => !/^(?:Cost: \$1|API Error)/.test(text)
          const late = textsIn(updatesOf(client, items.filter(isEntry))).filter(isSaid)
          assert.deepEqual(late, texts)
          // What streamed and was never said has been shown, too.
          const live = textsIn(updatesOf(client, items))
          for (const text of texts) {
            const at = live.indexOf(text)
            assert.notEqual(at, -1, text)
            live.splice(at, 1)
          }
        },
        { isCut: false },
      )
    })

    test(`${name} gets notices in the words of the view`, () => {
      forEachLog((items) => {
        const text = JSON.stringify(updatesOf(client, items))
        for (const item of addedItems(viewOf(items).changes)) {
          if (item.kind !== 'notice' || ['compaction', 'sub-agent', 'denial'].includes(item.about ?? '')) continue
          if (item.isLive) continue
          assert.ok(text.includes(JSON.stringify(item.text).slice(1, -1)), item.text)
        }
      })
    })
  }
})

describe('the terminal', () => {
  const COLUMNS = 100_000
  const styles = plainStyles()
  const linesOf = (items: readonly LogItem[]): string[] => {
    const session = createSessionView('open')
    const lines = new ViewLines({
      styles,
      cwd: '/w',
      columns: () => COLUMNS,
      now: () => 0,
      view: () => session,
    })
    const shown = items.flatMap((item) => {
      const { tasks } = session
      const changes = applyToView(session, item)
      return [...lines.take(changes), ...lines.endedTasks(tasks)]
    })
    return [...shown, ...lines.end()]
  }
  const isOfMain = ({ parent }: ViewItem) => parent === ''

  test('shows the prompts, notices and ends of the view, in its order and words', () => {
    /** A line that an item is known by; undefined: the terminal shows it elsewhere, or not at all. */
    const known = (item: ViewItem): string | undefined => {
      switch (item.kind) {
        case 'notice':
          return isInScrollback(item) ? firstLine(noticeText(item)) : undefined
        case 'turn':
          return item.outcome === 'stopped' ? NOTICE_TEXTS.stopped : item.problem && firstLine(item.problem)
        default:
          return undefined
      }
    }
    const isInScrollback = ({ about, isLive }: NoticeItem) =>
      !isLive && !['retry', 'denial', 'compaction', 'servers'].includes(about ?? '')
    forEachLog((items) => {
      const late = items.filter(isEntry)
      const lines = linesOf(late)
      let at = 0
      for (const item of addedItems(viewOf(late).changes).filter(isOfMain)) {
        const words = known(item)
        if (words === undefined || words.trim() === '') continue
        const found = lines.findIndex((line, n) => n >= at && line.includes(words))
        assert.notEqual(found, -1, `${item.kind} ${words} after line ${at} of\n${lines.join('\n')}`)
        at = found + 1
      }
    })
  })

  test('has a block for each call that is over, and none for one that is not', () => {
    forEachLog((items) => {
      const lines = linesOf(items)
      const calls = addedItems(viewOf(items).changes).filter(
        (item): item is ToolItem => item.kind === 'tool' && isOfMain(item) && !isTodoList(item),
      )
      const count = (titles: readonly string[], title: string) => titles.filter((one) => one === title).length
      const titleOf = (item: ToolItem) => `${styles.sign.dot} ${titleLine(item, '/w', COLUMNS - 2, styles)}`
      const over = calls.filter(({ state }) => !['writing', 'called', 'waiting', 'running'].includes(state))
      for (const title of new Set(calls.map(titleOf)))
        assert.equal(count(lines, title), count(over.map(titleOf), title), `${title} in\n${lines.join('\n')}`)
    })
  })

  test('has the same lines for one who saw them stream', () => {
    forEachLog(
      (items) => {
        const words = (lines: readonly string[]) =>
          lines.filter((line) => line.trim() !== '' && !line.startsWith('API Error')).toSorted()
        assert.deepEqual(words(linesOf(items)), words(linesOf(items.filter(isEntry))))
      },
      { isCut: false },
    )
  })
})

function firstLine(text: string): string {
  return toTerminalSafeLine(text.trim().split('\n', 1)[0] ?? '')
}
