/** Examples of the main operations in the API document. Tests check each one against its schema. */

export type ApiExamples = Record<string, unknown>
type OperationExamples = { body?: ApiExamples; answer?: ApiExamples }

const ID = '3f0b8f6e-6a0b-4f0e-9d3a-0d8f1f7c2b11'
const PROMPT = 'prompt-1'
const REQUEST = '7b1c5d9a-52f1-4c1e-8f57-6f1f2f0c9d20'
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const AT = '2026-11-19T08:30:00.000Z'
const BY = { name: 'main', interface: 'server' }

const session = {
  id: ID,
  cwd: '/home/ada/shop',
  status: 'needs-you',
  title: 'Add a sale banner',
  mode: 'default',
  model: 'claude-sonnet-4-5',
  archived: false,
  costUsd: 0.0421,
  lastActivity: Date.parse(AT),
  isOpen: true,
  seq: 7,
  waiting: 0,
  asks: 1,
}

const request = {
  id: REQUEST,
  session: ID,
  kind: 'permission',
  agent: [],
  tool: {
    name: 'Write',
    input: { file_path: 'banner.html', content: '<p>Sale!</p>\n' },
    hash: HASH,
    useId: 'toolu_01',
  },
  preview: {
    type: 'diff',
    path: '/home/ada/shop/banner.html',
    oldText: null,
    newText: '<p>Sale!</p>\n',
    added: 1,
    removed: 0,
  },
  why: { layer: 'mode', text: 'No rule allows this, and the permission mode is Ask first.' },
  suggestions: [
    { update: { type: 'setMode', mode: 'acceptEdits', destination: 'session' }, rule: 'acceptEdits', scope: 'session' },
  ],
  since: AT,
}

const entries = [
  { session: ID, seq: 1, at: AT, kind: 'state', data: { cwd: '/home/ada/shop', status: 'idle' } },
  {
    session: ID,
    seq: 2,
    at: AT,
    kind: 'prompt',
    data: { change: 'queued', prompt: { id: PROMPT, content: 'Add a sale banner', when: 'queue', by: BY } },
  },
  { session: ID, seq: 3, at: AT, kind: 'ask', data: request },
]

const delta = {
  session: ID,
  seq: 3,
  at: AT,
  kind: 'delta',
  data: {
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'The banner' } },
    parent_tool_use_id: null,
    uuid: '0b9a4c1e-9c4f-4a57-8a36-0a4b1d3f6c55',
    session_id: ID,
  },
}

/** By the id of the operation. */
export const OPENAPI_EXAMPLES: Record<string, OperationExamples> = {
  createSession: {
    body: {
      folder: { cwd: '/home/ada/shop' },
      settings: { cwd: '/home/ada/shop', title: 'Add a sale banner', mode: 'acceptEdits', model: 'claude-sonnet-4-5' },
    },
    answer: { created: { ...session, status: 'idle', costUsd: 0, seq: 1, asks: 0 } },
  },
  listSessions: { answer: { page: { sessions: [session], last: 42 } } },
  getSession: { answer: { waiting: session } },
  changeSession: {
    body: { title: { title: 'Sale banner' }, mode: { mode: 'plan' }, archive: { archived: true } },
    answer: { changed: { ...session, title: 'Sale banner' } },
  },
  sendPrompt: {
    body: {
      text: { id: PROMPT, content: 'Add a sale banner' },
      steer: { id: 'prompt-2', content: 'Use the red style', when: 'steer' },
      attachment: {
        id: 'prompt-3',
        content: 'Follow these notes',
        attachments: [{ name: 'notes.txt', mediaType: 'text/plain', data: 'VXNlIHRoZSByZWQgc3R5bGU=' }],
      },
    },
    answer: {
      queued: { id: PROMPT, seq: 2, repeated: false },
      repeated: { id: PROMPT, seq: 2, repeated: true },
    },
  },
  interrupt: { body: { turn: { scope: 'turn' }, all: { scope: 'all' } } },
  listAsks: { answer: { waiting: { asks: [request] } } },
  answerAsk: {
    body: {
      allow: { kind: 'allow', hash: HASH },
      always: {
        kind: 'allow',
        hash: HASH,
        updates: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
      deny: { kind: 'deny', message: 'Use the existing banner component.' },
      answers: { kind: 'answers', answers: { 'Which color?': 'Red' } },
      approve: { kind: 'approve', mode: 'acceptEdits' },
    },
  },
  followSession: {
    answer: Object.fromEntries([...entries, delta].map((item) => [item.kind, item])),
  },
  readLog: { answer: { entries: { entries, last: 3 } } },
  listChanges: {
    answer: {
      changes: {
        changes: [
          {
            seq: 6,
            path: 'banner.html',
            isNew: true,
            hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+<p>Sale!</p>'] }],
          },
        ],
      },
    },
  },
  readFile: {
    answer: { text: { path: 'banner.html', content: '<p>Sale!</p>\n', encoding: 'utf-8', size: 13 } },
  },
}
