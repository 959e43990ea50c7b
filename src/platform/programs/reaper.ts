/** A program, started by a watchdog: ends everything that a process which is no more has started. */
import { endFamily } from '../processes/process-family.js'
import { readEntry } from '../processes/process-table.js'

const LIMIT_MS = 4_000

const [, , mark = '', pipes = '', grace = '0', since = '', children = '', known = ''] = process.argv
const words = (text: string) => text.split(' ').filter((word) => word !== '')

void endFamily(
  {
    mark,
    pipes: pipes === '' ? [] : [pipes],
    // A process with one of these ids is still the child: it ran when the watchdog's input ended, a moment ago.
    roots: words(children).map((pid) => ({ pid: Number(pid), isOver: () => false })),
    known: new Set(words(known).map((name) => name.replace(':', ' '))),
    // The first watchdog is older than everyone it watches over.
    since: since === '' ? (readEntry(process.ppid)?.started ?? 0) : Number(since),
  },
  { limitMs: LIMIT_MS, graceMs: Number(grace) * 1000 },
)
