/** Commands that do not want to end, and ways to put them together. */

/** Each runs on for longer than any test (but not for ever, in case one fails), beside whatever is joined to it. */
export const SPECIES: Record<string, string> = {
  sleeper: 'sleep 90 &',
  'another session': 'setsid sleep 90 &',
  'double fork': "(setsid bash -c '(sleep 90 &); exec sleep 90' &)",
  'silent daemon': "(setsid bash -c '(sleep 90 &)' < /dev/null > /dev/null 2>&1 &)",
  'deaf shell': 'bash -c \'trap "" TERM HUP INT QUIT; while :; do sleep 0.05; done\' &',
  'deaf daemon': '(setsid bash -c \'trap "" TERM HUP INT; while :; do sleep 0.05; done\' > /dev/null 2>&1 &)',
  'pipe holder': '(exec 5>&1; exec sleep 90 > /dev/null 2>&1) &',
  talker: '(while :; do echo talk; echo more >&2; sleep 0.02; done) &',
  'own group': "bash -c 'set -m; sleep 90 & sleep 90 & wait' &",
  nested: `bash -c "bash -c \\"sh -c 'sleep 90; :'; :\\"; :" &`,
  loop: 'while :; do (sleep 0.02); done &',
  'moving target': 'next() { sleep 0.01; [ $1 -gt 500 ] || (next $(($1 + 1)) &); }; next 0 &',
  'restless daemon':
    'hop() { sleep 0.02; [ $1 -gt 500 ] || setsid bash -c "hop $(($1 + 1))" > /dev/null 2>&1 & }; export -f hop; hop 0 &',
  'no environment': 'env -i sleep 90 &',
  stopped: "bash -c 'kill -STOP $$; sleep 90' &",
  'reader of nothing': 'sleep 90 | cat &',
}

/** Those who can start their successor before we see them, on a machine that does not let us run: only a cgroup ends them for sure. */
export const FASTER_THAN_WE: readonly string[] = ['restless daemon']

/** What keeps the command itself busy. */
export const ENDINGS = [
  'wait; sleep 90',
  'exec sleep 90',
  'while :; do sleep 0.05; done',
  'trap "" TERM; cat <(sleep 90)',
]

/** Numbers from 0 up to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(random: () => number, from: readonly T[]): T {
  const chosen = from[Math.floor(random() * from.length)]
  if (chosen === undefined) throw new Error('nothing to pick from')
  return chosen
}
