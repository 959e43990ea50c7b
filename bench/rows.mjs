// The rows of the table of `npm run bench`: which figure of which part, and what we aim at. An aim is a number, or a number of times
// the floor of the same run.

const times = (factor) => ({ factor })
const atMost = (limit) => ({ limit })
const atLeast = (factor) => ({ factor, isLeast: true })

export const ROWS = [
  {
    part: 'A',
    label: 'cold start → first API request, ms',
    figure: 'startMs',
    digits: 0,
    spawned: times(1.1),
    inProcess: atMost(25),
  },
  { part: 'A', label: 'the same in a fresh home, ms', figure: 'freshMs', digits: 0, spawned: times(1.4) },
  { part: 'A', label: 'the same for a further query in the process, ms', figure: 'furtherMs', digits: 1 },
  { part: 'A', label: 'import of the library, ms', figure: 'importMs', digits: 0, inProcess: atMost(15) },
  {
    part: 'A',
    label: 'CPU s, one-turn hello (in-process: a further query)',
    figure: 'cpu',
    digits: 3,
    spawned: atMost(0.16),
    inProcess: atMost(0.02),
  },
  {
    part: 'A',
    label: 'peak PSS MB (in-process: a further session)',
    figure: 'pss',
    digits: 1,
    spawned: atMost(40),
    inProcess: atMost(1),
  },
  {
    part: 'B',
    label: 'overhead per Bash turn, ms',
    figure: 'bash',
    digits: 1,
    spawned: times(1.2),
    inProcess: times(1.2),
  },
  {
    part: 'B',
    label: 'overhead per Read turn, ms',
    figure: 'read',
    digits: 2,
    spawned: times(1.5),
    inProcess: times(1.5),
  },
  {
    part: 'C',
    label: '20,000 text deltas, events/s',
    figure: 'perSecond',
    digits: 0,
    spawned: atLeast(0.7),
    inProcess: atLeast(1),
  },
  {
    part: 'D',
    label: '20 one-turn sessions at once: CPU s each',
    figure: 'cpuEach',
    digits: 3,
    spawned: atMost(0.1),
    inProcess: atMost(0.03),
  },
  {
    part: 'D',
    label: '20 one-turn sessions at once: PSS MB of all',
    figure: 'pssAll',
    digits: 0,
    spawned: atMost(500),
    inProcess: atMost(90),
  },
  {
    part: 'E',
    label: '400 turns: CPU ms per turn',
    figure: 'turnCpu',
    digits: 1,
    spawned: atMost(13),
    inProcess: atMost(12),
  },
  {
    part: 'E',
    label: 'turns 351–400 against 1–50, ×',
    figure: 'growth',
    digits: 2,
    spawned: atMost(1.2),
    inProcess: atMost(1.2),
  },
  {
    part: 'F',
    label: 'resume of 20 MB → first request, ms',
    figure: 'resumeMs',
    digits: 0,
    spawned: times(1.15),
    inProcess: times(1.15),
  },
  {
    part: 'G',
    label: 'Grep in 50,000 files, whole turn, ms',
    figure: 'grepMs',
    digits: 0,
    spawned: times(1.1),
    inProcess: times(1.1),
  },
  { part: 'apis', label: 'CPU µs per event, Messages API', figure: 'messagesMicros', digits: 1 },
  { part: 'apis', label: 'the same through Responses, ×', figure: 'responsesTimes', digits: 2, inProcess: atMost(1.4) },
  { part: 'apis', label: 'through Chat Completions, ×', figure: 'chatTimes', digits: 2, inProcess: atMost(1.4) },
  { part: 'apis', label: 'through Bedrock’s frames, ×', figure: 'bedrockTimes', digits: 2, inProcess: atMost(1.4) },
  {
    part: 'prompt',
    label: 'a prompt on a terminal that takes keys, ms',
    figure: 'promptMs',
    digits: 0,
    spawned: times(1.5),
  },
  {
    part: 'sessions',
    label: '200 sessions of 5 turns at once: peak PSS MB',
    figure: 'peak',
    digits: 0,
    inProcess: atMost(400),
  },
  {
    part: 'sessions',
    label: '200 sessions at once: p95 loop delay, ms',
    figure: 'p95Ms',
    digits: 0,
    inProcess: atMost(50),
  },
  {
    part: 'thousand',
    label: '1,000 sessions of 5 turns at once: peak PSS MB',
    figure: 'peak',
    digits: 0,
    inProcess: atMost(600),
  },
  { part: 'thousand', label: 'the same, idle: PSS MB', figure: 'idle', digits: 0, inProcess: atMost(250) },
  { part: 'thousand', label: 'the same: p95 loop delay, ms', figure: 'p95Ms', digits: 0, inProcess: atMost(50) },
  { part: 'readers', label: '20,000 deltas to one reader of a hub, events/s', figure: 'oneReader', digits: 0 },
  {
    part: 'readers',
    label: 'the same to each of 10 readers, ×',
    figure: 'readersShare',
    digits: 2,
    inProcess: { limit: 0.7, isLeast: true },
  },
  { part: 'readers', label: 'the same, CPU ×', figure: 'readersCpu', digits: 2 },
  {
    part: 'endless',
    label: '5,000 turns with compaction: CPU of turns 4,501–5,000 against 501–1,000, ×',
    figure: 'endlessGrowth',
    digits: 2,
    inProcess: atMost(1.2),
  },
  { part: 'endless', label: 'the same, memory, ×', figure: 'endlessMemory', digits: 2, inProcess: atMost(1.2) },
  { part: 'disk', label: 'calls of a slow disk in sequence, per Read turn', figure: 'slowTurn', digits: 0 },
  { part: 'disk', label: 'the same up to the first request', figure: 'slowStart', digits: 0 },
  { part: 'disk', label: 'Read turn on it, × of a fast disk', figure: 'slowTimes', digits: 0 },
  { part: 'late', label: '20,000 deltas to a late reader: CPU against a fast one, ×', figure: 'lateCpu', digits: 2 },
  { part: 'late', label: 'the same: the most of the heap, MB', figure: 'lateHeap', digits: 1 },
  {
    part: 'late',
    label: 'the same for 40,000 deltas, ×',
    figure: 'lateGrowth',
    digits: 2,
    inProcess: atMost(1.2),
  },
  { part: 'install', label: 'install, MB without optional parts', figure: 'megabytes', digits: 1, spawned: atMost(10) },
]

/** `undefined` where there is nothing to judge. */
export function judge(aim, value, floor) {
  if (!aim || value === undefined) return undefined
  if (aim.factor !== undefined && floor === undefined) return undefined
  const bound = aim.factor === undefined ? aim.limit : aim.factor * floor
  const share = aim.factor === undefined ? value / bound : value / floor
  const isMet = aim.isLeast ? value >= bound : value <= bound
  const sign = aim.isLeast ? '≥' : '≤'
  const text = aim.factor === undefined ? `${sign} ${aim.limit}` : `${sign} ${aim.factor} × floor`
  const by = aim.factor === undefined ? `${share.toFixed(2)} of it` : `${share.toFixed(2)} ×`
  return { isMet, text: isMet ? `${text}: met, ${by}` : `${text}: **missed**, ${by}` }
}
