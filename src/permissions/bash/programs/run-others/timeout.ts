/** Wrappers that change how long, how fast or how watched a program runs, and nothing else: rules look through the documented ones. */
import type { KnownPrograms } from '../program-knowledge.js'

export const TIMING_WRAPPER_PROGRAMS: KnownPrograms = {
  timeout: {
    runs: {
      transparent: {
        values: 'ks',
        flags: 'v',
        longs: ['--kill-after', '--signal', '--foreground', '--preserve-status', '--verbose'],
        operands: 1,
      },
    },
  },
  time: {
    runs: {
      transparent: { flags: 'p' },
      opaque: { values: 'fo', flags: 'apqvV', longs: ['--format', '--output'] },
    },
  },
  nice: { runs: { transparent: { values: 'n', longs: ['--adjustment'] } } },
  nohup: { runs: { transparent: {} } },
  stdbuf: { runs: { transparent: { values: 'ioe', longs: ['--input', '--output', '--error'] } } },
}
