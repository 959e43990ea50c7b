/** What a call took and gave, in the way that fits the tool. */
import { useSignal } from '@preact/signals'
import { displayOf } from '../../src/tools/displays.js'
import type { ToolItem } from '../../src/view/view-items.js'
import { Icon } from '../parts/icons.js'
import { lazyComponent } from '../parts/lazy.js'
import { MarkdownText } from '../parts/markdown-text.js'
import { safeAddress, toDisplaySafeLine, toDisplaySafeText, toStringOrEmpty } from '../safe/clean-text.js'
import { T } from '../texts.js'
import { DiffView, PatchView } from './diff-view.js'
import { Images } from './images.js'
import { StructuredDataView } from './structured.js'
import { CommandOutputView } from './terminal.js'
import { resultText } from './tool-heads.js'
import type { ToolProps } from './tool-props.js'

const McpApp = lazyComponent(() => import('./mcp-app.js').then((part) => part.McpApp))

type Props = ToolProps & { rev: number }

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

export function ToolBody(props: Props) {
  const { item } = props
  const { name, input, result, state } = item
  if (state === 'writing') return <Writing item={item} />
  switch (displayOf(name).body) {
    case 'command':
      return <Command item={item} />
    case 'change':
      return <FileChange item={item} />
    case 'lines':
      return <FileLines item={item} />
    case 'matches':
      return <Found item={item} />
    case 'page':
      return <FromWeb item={item} />
    case 'todos':
      return <Todos todos={list(input['todos'])} />
    case 'agent':
      return <SubAgent {...props} />
    case 'answers':
      return <Answers item={item} />
    case 'plan':
      return <MarkdownText text={toStringOrEmpty(input['plan'])} />
    case 'input':
      return <StructuredDataView value={input} />
    case 'data':
      return (
        <>
          <StructuredDataView value={input} />
          {result && <Result item={item} />}
          {state === 'done' && name.startsWith('mcp__') && <McpApp item={item} session={props.session} />}
        </>
      )
  }
}

/** The model is still writing what it wants. */
function Writing({ item }: { item: ToolItem }) {
  return (
    <pre class="plain-text" tabIndex={0}>
      {toDisplaySafeText(item.partialInput.slice(-4000))}
    </pre>
  )
}

function Result({ item: { result } }: { item: ToolItem }) {
  if (!result) return null
  const said = resultText(result.content)
  const parsed = parse(said)
  return (
    <>
      {parsed === undefined ? <LongText text={said} isError={result.isError} /> : <StructuredDataView value={parsed} />}
      {typeof result.content !== 'string' && <Images content={result.content} />}
    </>
  )
}

function parse(said: string): unknown {
  if (!/^\s*[[{]/.test(said)) return undefined
  try {
    return JSON.parse(said)
  } catch {
    return undefined
  }
}

const FIRST_LINES = 40

function LongText({ text: whole, isError = false }: { text: string; isError?: boolean }) {
  const isAll = useSignal(false)
  const lines = toDisplaySafeText(whole).split('\n')
  const isLong = lines.length > FIRST_LINES
  const shown = isAll.value ? lines : lines.slice(0, FIRST_LINES)
  if (whole === '') return <p class="quiet">{T.nothingPrinted}</p>
  return (
    <>
      <pre class={isError ? 'plain-text bad' : 'plain-text'} tabIndex={0}>
        {shown.join('\n').slice(0, 400_000)}
      </pre>
      {isLong && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            isAll.value = !isAll.value
          }}
        >
          {isAll.value ? T.showLess : T.showAllLines(lines.length)}
        </button>
      )}
    </>
  )
}

function Command({ item }: { item: ToolItem }) {
  const { input, result, output, state } = item
  const said = result ? resultText(result.content) : output
  return (
    <CommandOutputView
      command={toStringOrEmpty(input['command'])}
      output={said}
      isRunning={!result && state !== 'waiting'}
      isError={result?.isError ?? false}
    />
  )
}

function FileChange({ item }: { item: ToolItem }) {
  const { input, result } = item
  const path = toStringOrEmpty(input['file_path'])
  if (result?.isError) return <Result item={item} />
  const detail = isFields(result?.detail) ? result.detail : {}
  const hunks = list(detail['structuredPatch'])
  if (hunks.length > 0) return <PatchView path={path} hunks={hunks} />
  if (item.name === 'Write')
    return (
      <DiffView
        path={path}
        before={toStringOrEmpty(detail['originalFile'])}
        after={toStringOrEmpty(input['content'])}
      />
    )
  const edits = item.name === 'MultiEdit' ? list(input['edits']) : [input]
  return (
    <>
      {edits.map((edit, at) => (
        <DiffView
          key={at}
          path={path}
          before={toStringOrEmpty(edit['old_string'])}
          after={toStringOrEmpty(edit['new_string'])}
        />
      ))}
    </>
  )
}

const NUMBERED = /^\s*(\d+)[→\t](.*)$/

function FileLines({ item }: { item: ToolItem }) {
  const isAll = useSignal(false)
  if (!item.result) return null
  if (item.result.isError || typeof item.result.content !== 'string') return <Result item={item} />
  const lines = toDisplaySafeText(resultText(item.result.content))
    .split('\n')
    .flatMap((line) => {
      const [, number, rest] = NUMBERED.exec(line) ?? []
      return number === undefined ? [] : [{ number, rest }]
    })
  if (lines.length === 0) return <Result item={item} />
  const shown = isAll.value ? lines : lines.slice(0, FIRST_LINES)
  return (
    <>
      <pre class="plain-text numbered" tabIndex={0}>
        {shown.map(({ number, rest }) => (
          <div key={number}>
            <span class="number" aria-hidden="true">
              {number}
            </span>
            {rest}
          </div>
        ))}
      </pre>
      {lines.length > FIRST_LINES && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            isAll.value = !isAll.value
          }}
        >
          {isAll.value ? T.showLess : T.showAllLines(lines.length)}
        </button>
      )}
    </>
  )
}

function Found({ item }: { item: ToolItem }) {
  if (!item.result) return null
  if (item.result.isError) return <Result item={item} />
  return <LongText text={resultText(item.result.content)} />
}

function FromWeb({ item }: { item: ToolItem }) {
  const { input, result } = item
  const url = safeAddress(toStringOrEmpty(input['url']))
  return (
    <>
      {url && (
        <p>
          <a href={url.href} target="_blank" rel="noopener noreferrer nofollow" title={url.href}>
            {toDisplaySafeLine(url.href)}
          </a>
        </p>
      )}
      {result && (result.isError ? <Result item={item} /> : <MarkdownText text={resultText(result.content)} />)}
    </>
  )
}

const MARKS: Record<string, string> = { completed: '☑', in_progress: '◐', pending: '☐' }

export function Todos({ todos }: { todos: readonly Fields[] }) {
  return (
    <ul class="todos">
      {todos.map((todo, at) => {
        const status = toStringOrEmpty(todo['status'])
        return (
          <li key={at} class={status}>
            <span aria-hidden="true">{MARKS[status] ?? '☐'}</span>{' '}
            <span class="unseen">{T.todoStates[status] ?? ''}</span>
            {toDisplaySafeText(
              toStringOrEmpty(
                status === 'in_progress'
                  ? (todo['activeForm'] ?? todo['content'])
                  : (todo['content'] ?? todo['subject']),
              ),
            )}
          </li>
        )
      })}
    </ul>
  )
}

const LAST = 30

function SubAgent({ item, session, conversation, isReplay, ItemRow }: Props) {
  const isAll = useSignal(false)
  const { children, result, input } = item
  const shown = isAll.value ? children : children.slice(-LAST)
  return (
    <div class="sub-agent">
      <details>
        <summary>{T.task}</summary>
        <MarkdownText text={toStringOrEmpty(input['prompt'])} />
      </details>
      {children.length > LAST && !isAll.value && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            isAll.value = true
          }}
        >
          {T.showEarlier(children.length - LAST)}
        </button>
      )}
      {shown.map((child) => (
        <ItemRow key={child.key} item={child} session={session} conversation={conversation} isReplay={isReplay} />
      ))}
      {result && (
        <div class="report">
          <Icon name="check" />
          <MarkdownText text={reportOf(result)} />
        </div>
      )}
    </div>
  )
}

/** Returns the agent's report, without the notes to the model beside it. */
function reportOf({ content, detail }: NonNullable<ToolItem['result']>): string {
  const said =
    isFields(detail) && Array.isArray(detail['content'])
      ? list(detail['content']).map((block) => toStringOrEmpty(block['text']))
      : []
  return said.length > 0 ? said.join('\n') : resultText(content)
}

function Answers({ item }: { item: ToolItem }) {
  const { input, result } = item
  const detail = isFields(result?.detail) ? result.detail : {}
  const answers = isFields(detail['answers']) ? detail['answers'] : {}
  return (
    <dl class="answers">
      {list(input['questions']).map((question, at) => {
        const asked = toStringOrEmpty(question['question'])
        return (
          <div key={at}>
            <dt>{toDisplaySafeText(asked)}</dt>
            <dd>{toDisplaySafeText(toStringOrEmpty(answers[asked])) || T.noAnswerYet}</dd>
          </div>
        )
      })}
    </dl>
  )
}
