/** Flags about sessions: which one, whether it is kept, and how it begins and ends. */
import type { FlagTheme } from './flag-row.js'

export const SESSION_FLAGS = {
  continue: {
    kind: 'switch',
    short: 'c',
    setting: 'continueLatest',
    group: 'sessions',
    help: 'Go on with the latest session of this folder.',
  },
  resume: {
    kind: 'text',
    short: 'r',
    value: 'SESSION',
    optional: true,
    setting: 'resume',
    group: 'sessions',
    help: 'Go on with this session; without an id, choose one of the latest.',
  },
  'fork-session': { kind: 'switch', setting: 'fork', help: 'With --resume: continue in a new session.' },
  'resume-session-at': {
    kind: 'text',
    value: 'UUID',
    setting: 'resumeAt',
    help: 'With --resume: forget everything after this message.',
  },
  'resume-drops-turn': {
    kind: 'text',
    value: 'UUID',
    setting: 'dropsTurn',
    since: 'newer',
    help: 'With --resume-session-at: refuse if anything but the turn of this prompt would be forgotten.',
  },
  'session-id': { kind: 'text', value: 'UUID', setting: 'sessionId', since: '0.2.50', help: 'Id for the new session.' },
  'no-session-persistence': {
    kind: 'switch',
    setting: 'persist',
    decode: (isGiven) => !isGiven,
    help: 'Write nothing to disk.',
  },
  'session-mirror': { kind: 'switch', setting: 'mirrors', since: 'newer', help: 'Also write transcript_mirror lines.' },
  'resume-from-host': {
    kind: 'switch',
    setting: 'resumesFromHost',
    since: 'kedge',
    help: 'With --resume: the session comes as the first lines on stdin.',
  },
  init: { kind: 'switch', readBy: 'session', since: '0.2.50', help: 'Run the Setup hooks (trigger init) first.' },
  maintenance: {
    kind: 'switch',
    readBy: 'session',
    since: '0.2.50',
    help: 'Run the Setup hooks (trigger maintenance) first.',
  },
  'on-turn-end': {
    kind: 'text',
    choices: ['wait', 'detach', 'cancel'],
    value: 'WHAT',
    setting: 'onTurnEnd',
    absent: 'wait',
    since: 'kedge',
    help: 'What becomes of background work when a turn is over: wait (default), detach or cancel.',
  },
  'background-ceiling': {
    kind: 'number',
    value: 'SECONDS',
    setting: 'backgroundCeilingMs',
    decode: (seconds) => seconds * 1000,
    absent: null,
    since: 'kedge',
    help: 'Cancel background work this long after the last turn.',
  },
} as const satisfies FlagTheme
