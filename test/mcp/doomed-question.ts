/** A program for the tests of questions that wait: one query, killed with SIGKILL by the first question of a server. */
import { type Options, query } from 'kedge'

// Written by the test that starts this.
const options = JSON.parse(process.argv[2] ?? '{}') as Options
const onElicitation: Options['onElicitation'] = async () => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
for await (const _ of query({ prompt: 'Go.', options: { ...options, onElicitation } }));
