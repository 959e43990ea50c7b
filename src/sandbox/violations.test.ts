/** What the output of a command says about the sandbox, and what the user does not want to hear of. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findViolations } from './violations.js'

const lines = {
  file: [
    "touch: cannot touch '/etc/x': Read-only file system",
    'bash: /etc/x: Permission denied',
    "Error: EROFS: read-only file system, open '/etc/x'",
    'mount: Operation not permitted',
  ],
  network: [
    'curl: (6) Could not resolve host: x.example',
    "fatal: unable to access 'https://x.example/': Could not resolve host: x.example",
    'ssh: Could not resolve hostname x.example: Temporary failure in name resolution',
    'Error: getaddrinfo EAI_AGAIN registry.npmjs.org',
    'connect: Network is unreachable',
    'error: failed to lookup address information: Temporary failure in name resolution',
  ],
}

it('knows the words for it', () => {
  for (const [kind, texts] of Object.entries(lines)) {
    for (const text of texts) assert.deepEqual(findViolations('x', `first\n${text}\nlast`, {}), [kind], text)
  }
  assert.deepEqual(findViolations('x', 'assertion failed\n1 test failed', {}), [])
  assert.deepEqual(findViolations('x', [...lines.file, ...lines.network].join('\n'), {}), ['file', 'network'])
})

it('passes over what it is told to: by kind, by command, everywhere', () => {
  const text = "touch: cannot touch '/etc/x': Read-only file system"
  const found = (ignoreViolations: Record<string, string[]>, command = 'npm run build --x') =>
    findViolations(command, text, { ignoreViolations }).length > 0
  assert.deepEqual(
    [
      found({ file: ['/etc/x'] }),
      found({ file: ['/etc/*'] }),
      found({ '*': ['/*/x'] }),
      found({ npm: ['/etc'] }),
      found({ 'npm run': ['/etc'] }),
      found({ network: ['/etc'] }),
      found({ file: ['/usr'] }),
      found({ file: ['x*/etc'] }),
      found({ 'npm install': ['/etc'] }),
      found({ 'npm run build --x more': ['/etc'] }),
      found({ file: [] }),
    ],
    [false, false, false, false, false, true, true, true, true, true, true],
  )
  // What is left over still counts.
  assert.deepEqual(
    findViolations('x', `${text}\nrm: /usr/y: Permission denied`, { ignoreViolations: { file: ['/etc'] } }),
    ['file'],
  )
})
