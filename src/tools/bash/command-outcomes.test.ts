/** The words in which the end of a command is told, to the model and to hosts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OutputFile } from '../../platform/files/output-file.js'
import {
  backgroundOutcome,
  createErrorOutcome,
  failedCommandOutcome,
  imageOutcome,
  interruptedOutcome,
  isTooLongForErrorText,
  leftoverProcessesText,
  succeededOutcome,
  timedOutOutcome,
} from './command-outcomes.js'
import type { CommandOutput } from './command-output.js'

/** All of it, or its beginning where that is not wanted whole. */
function printed(text: string, file?: Pick<OutputFile, 'path' | 'size'>): CommandOutput {
  const never = async () => assert.fail('nothing is written here')
  const opened: OutputFile | undefined = file && {
    ...file,
    incomplete: undefined,
    write: () => {},
    written: never,
    close: never,
    remove: never,
  }
  return {
    take: () => {},
    remark: () => {},
    openFile: never,
    finish: never,
    text: (limit) => text.slice(0, limit),
    length: text.length,
    file: opened,
  }
}

const plain = { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false }
const input = { command: 'make' }
const none = { remark: '' }

describe('a command that succeeded', () => {
  it('is what it printed, without blank edges but with the indentation of its first line', () => {
    assert.deepEqual(succeededOutcome(input, printed('\n \t\n  a\n b \n\n'), 100, none), {
      ok: true,
      content: '  a\n b',
      output: { ...plain, stdout: '  a\n b' },
    })
  })

  it('has remarks below what it printed, and beside it for hosts', () => {
    assert.deepEqual(succeededOutcome(input, printed('a\n'), 100, { remark: 'Shell cwd was reset to /w' }), {
      ok: true,
      content: 'a\nShell cwd was reset to /w',
      output: { ...plain, stdout: 'a', stderr: '\nShell cwd was reset to /w' },
    })
    const nothing = succeededOutcome(input, printed(''), 100, none)
    assert.deepEqual(nothing, { ok: true, content: '(no output, exit code 0)', output: plain })
    const answer = succeededOutcome(input, printed(''), 100, { remark: '', meaning: 'Files differ' })
    assert.equal(answer.ok && answer.content, '(no output, exit code 1: files differ)')
    const silent = succeededOutcome(input, printed(''), 100, { remark: 'r' })
    assert.equal(silent.ok && silent.content, 'r')
  })

  it('says where the rest is, what its code means, and that it was asked to leave the sandbox', () => {
    const output = printed('abcdef', { path: '/o/b1.output', size: 6 })
    const outcome = succeededOutcome({ command: 'rm x', dangerouslyDisableSandbox: true }, output, 3, {
      remark: '',
      meaning: 'No matches found',
    })
    assert.deepEqual(outcome, {
      ok: true,
      content: 'abc',
      output: {
        ...plain,
        stdout: 'abc',
        noOutputExpected: true,
        dangerouslyDisableSandbox: true,
        returnCodeInterpretation: 'No matches found',
        persistedOutputPath: '/o/b1.output',
        persistedOutputSize: 6,
      },
    })
  })
})

describe('a command that failed', () => {
  const error = (outcome: ReturnType<typeof failedCommandOutcome>) => (outcome.ok ? assert.fail() : outcome.error)

  it('says its exit code, or 128 and the number of the signal that ended it', () => {
    const cases: [number | null, string | null, string][] = [
      [2, null, 'Exit code 2'],
      [255, null, 'Exit code 255'],
      [null, 'SIGKILL', 'Exit code 137'],
      [null, 'SIGTERM', 'Exit code 143'],
      [null, 'SIGSEGV', 'Exit code 139'],
      [null, 'SIGHUP', 'Exit code 129'],
      [null, 'SIGPIPE', 'Exit code 141'],
      [null, 'SIGUSR1', 'Exit code 128'],
      [null, null, 'Exit code 128'],
    ]
    for (const [exitCode, signal, expected] of cases) {
      assert.equal(error(failedCommandOutcome({ exitCode, signal }, printed(''), '')), expected)
    }
  })

  it('shows its output once', () => {
    assert.equal(
      error(failedCommandOutcome({ exitCode: 1, signal: null }, printed('half'), 'r')),
      'Exit code 1\nhalf\nr',
    )
    assert.equal(error(failedCommandOutcome({ exitCode: 1, signal: null }, printed('half'), '')), 'Exit code 1\nhalf')
  })

  it('shows no more than ten thousand characters, and says when that is not all', () => {
    const most = printed('x'.repeat(10_000))
    const more = printed('x'.repeat(10_001))
    assert.deepEqual([isTooLongForErrorText(most), isTooLongForErrorText(more)], [false, true])
    assert.equal(
      error(failedCommandOutcome({ exitCode: 1, signal: null }, more, '')).length,
      'Exit code 1\n'.length + 10_000,
    )
  })

  it('says what ended it: a person, or its time', () => {
    assert.deepEqual(interruptedOutcome(printed('half\n')), {
      ok: false,
      error: 'Exit code 137\nhalf\n[Request interrupted by user for tool use]',
    })
    assert.deepEqual(interruptedOutcome(printed('')), {
      ok: false,
      error: 'Exit code 137\n[Request interrupted by user for tool use]',
    })
    assert.deepEqual(timedOutOutcome(1.5, printed('half\n'), 'why'), {
      ok: false,
      error: 'Exit code 143\nCommand timed out after 1.5s\nhalf\nwhy',
    })
  })

  it('leaves no empty lines for what is not there', () => {
    assert.deepEqual(createErrorOutcome('', 'a', '', 'b', ''), { ok: false, error: 'a\nb' })
  })
})

describe('an image', () => {
  const block = {
    type: 'image' as const,
    source: { type: 'base64' as const, data: 'AA', media_type: 'image/png' as const },
  }
  const image = { url: 'data:image/png;base64,AA', block }

  it('is shown as one, for hosts as its address', () => {
    assert.deepEqual(imageOutcome(input, image, ''), {
      ok: true,
      content: [block],
      output: { ...plain, stdout: image.url, isImage: true },
    })
    assert.deepEqual(imageOutcome(input, image, 'r'), {
      ok: true,
      content: [block, { type: 'text', text: 'r' }],
      output: { ...plain, stdout: image.url, stderr: '\nr', isImage: true },
    })
  })

  it('that is too large is a failure, with the remark', () => {
    const outcome = imageOutcome(input, 'too large', 'r')
    assert.match(outcome.ok ? '' : outcome.error, /^The command printed an image that is too large.*\nr$/)
  })
})

describe('a command that goes on', () => {
  const place = { id: 'b1', outputFile: '/o/b1.output' }
  const text = 'Command running in background with ID: b1. Output is being written to: /o/b1.output'

  it('says under which id, where its output goes, and who moved it', () => {
    assert.deepEqual(backgroundOutcome(input, { ...place, byUser: false, remark: '', offers: () => true }), {
      ok: true,
      content: `${text}\nLook at it with TaskOutput; end it with TaskStop.`,
      output: { ...plain, backgroundTaskId: 'b1' },
    })
    assert.deepEqual(
      backgroundOutcome(input, { ...place, byUser: true, remark: 'why', soFar: 'half', offers: () => false }),
      {
        ok: true,
        content: `${text}\nwhy\nRead that file to look at it.\nOutput so far:\nhalf`,
        output: { ...plain, backgroundTaskId: 'b1', backgroundedByUser: true },
      },
    )
  })

  it('counts what had to be ended of it', () => {
    const remark = leftoverProcessesText({ exitCode: 0, signal: null, report: '', endedLeftovers: 40 })
    assert.equal(remark, '40 processes that the command left running were ended: they were too many.')
  })
})
