import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { readOutputs, socketsOf } from './process-output.js'

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A pipe of a child whose other end is the test. */
function pipe() {
  const stream = new PassThrough()
  const calls: string[] = []
  const socket = Object.assign(stream, { unref: () => void calls.push('unref') }) as unknown as Socket
  return { socket, calls, write: (text: string) => void stream.write(text), end: () => void stream.end(), stream }
}

describe('outputs of a child', () => {
  test('are taken apart, and settled when all are closed', async () => {
    const [output, errors] = [pipe(), pipe()]
    const got: string[] = []
    const outputs = readOutputs(
      { output: output.socket, errors: errors.socket },
      { output: (chunk) => void got.push(`out ${chunk}`), errors: (chunk) => void got.push(`err ${chunk}`) },
    )
    let isSettled = false
    void outputs.settled.then(() => {
      isSettled = true
    })
    output.write('a')
    errors.write('b')
    output.end()
    await settle()
    await settle()
    assert.deepEqual([got.sort(), isSettled, outputs.isHeld()], [['err b', 'out a'], false, true])
    errors.end()
    await outputs.settled
    assert.equal(outputs.isHeld(), false)
  })

  test('a taker that is busy is waited for, and settled means that it was', async () => {
    const output = pipe()
    const got: string[] = []
    const free: (() => void)[] = []
    const outputs = readOutputs(
      { output: output.socket },
      {
        output(chunk) {
          got.push(String(chunk))
          return new Promise<void>((resolve) => free.push(resolve))
        },
      },
    )
    output.write('a')
    await settle()
    output.write('b')
    await settle()
    assert.deepEqual(got, ['a'])
    free.shift()?.()
    await settle()
    await settle()
    assert.deepEqual(got, ['a', 'b'])
    free.shift()?.()
    output.end()
    await outputs.settled
  })

  test('what was taken last is waited for, also when the pipe is gone', async () => {
    const output = pipe()
    let finish = () => {}
    const busy = new Promise<void>((resolve) => {
      finish = resolve
    })
    const outputs = readOutputs({ output: output.socket }, { output: () => busy })
    let isSettled = false
    void outputs.settled.then(() => {
      isSettled = true
    })
    output.write('a')
    await settle()
    output.stream.destroy()
    await settle()
    await settle()
    assert.deepEqual([isSettled, outputs.isHeld()], [false, false])
    finish()
    await outputs.settled
  })

  test('a pipe that breaks is an end like any other', async () => {
    const output = pipe()
    const outputs = readOutputs({ output: output.socket }, {})
    output.stream.destroy(new Error('EPIPE'))
    await outputs.settled
    assert.equal(outputs.isHeld(), false)
  })

  test('what a child has written is read, also by a process that was too busy to look', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("x".repeat(100_000))'])
    let length = 0
    const take = (chunk: Uint8Array) => {
      length += chunk.length
    }
    const outputs = readOutputs(socketsOf(child), { output: take })
    // Nothing of Node's own runs meanwhile; the child has written all of it, as much as fits, when it is over.
    while (
      spawnSync('ps', ['-o', 'stat=', '-p', String(child.pid)])
        .stdout.toString()
        .startsWith('Z') === false
    );
    assert.equal(length, 0)
    await outputs.caughtUp()
    assert.equal(length, 100_000)
    outputs.release()
  })

  test('who goes on writing is not waited for', async () => {
    const child = spawn('yes')
    const outputs = readOutputs(socketsOf(child), {})
    await outputs.caughtUp()
    assert.equal(outputs.isHeld(), true)
    child.kill('SIGKILL')
    await outputs.settled
  })

  test('nothing to read is settled at once', async () => {
    const outputs = readOutputs({}, {})
    await outputs.settled
    assert.deepEqual([outputs.isHeld(), outputs.report()], [false, ''])
  })
})

describe('the report of a child', () => {
  test('is there with its line, whoever still holds the pipe', async () => {
    const report = pipe()
    const outputs = readOutputs({ report: report.socket }, {})
    report.write('4711 ')
    report.write('done\n')
    await outputs.settled
    assert.equal(outputs.report(), '4711 done\n')
    assert.equal(outputs.isHeld(), true)
  })

  test('or with its end', async () => {
    const report = pipe()
    const outputs = readOutputs({ report: report.socket }, {})
    report.write('half')
    report.end()
    await outputs.settled
    assert.equal(outputs.report(), 'half')
  })

  test('is bounded', async () => {
    const report = pipe()
    const outputs = readOutputs({ report: report.socket }, {})
    report.write('x'.repeat(200_000))
    report.write('end\n')
    await outputs.settled
    assert.ok(outputs.report().length < 70_000)
    assert.match(outputs.report(), /end\n$/)
  })
})

describe('letting go of them', () => {
  test('detached: nobody takes what is written, and nothing waits', async () => {
    const [output, report] = [pipe(), pipe()]
    const got: string[] = []
    const outputs = readOutputs(
      { output: output.socket, report: report.socket },
      { output: (chunk) => void got.push(String(chunk)) },
    )
    outputs.detach()
    output.write('late')
    await settle()
    assert.deepEqual(got, [])
    assert.deepEqual(output.calls, ['unref'])
    assert.equal(report.stream.destroyed, true)
    assert.equal(output.stream.destroyed, false)
  })

  test('unref: read on, but nothing is kept alive', async () => {
    const [output, errors] = [pipe(), pipe()]
    const got: string[] = []
    const outputs = readOutputs(
      { output: output.socket, errors: errors.socket },
      { output: (chunk) => void got.push(String(chunk)) },
    )
    outputs.unref()
    output.write('more')
    await settle()
    assert.deepEqual([got, output.calls, errors.calls], [['more'], ['unref'], ['unref']])
  })

  test('released: all handles are free', async () => {
    const [output, errors] = [pipe(), pipe()]
    const outputs = readOutputs({ output: output.socket, errors: errors.socket }, {})
    outputs.release()
    await outputs.settled
    assert.deepEqual([output.stream.destroyed, errors.stream.destroyed, outputs.isHeld()], [true, true, false])
  })
})

test('a child has a socket for each pipe, and none for what is none', () => {
  const { socket } = pipe()
  const child = { stdio: [null, socket, null, undefined] } as never
  assert.deepEqual(
    Object.entries(socketsOf(child)).map(([name, one]) => [name, one === socket]),
    [
      ['output', true],
      ['errors', false],
      ['report', false],
    ],
  )
})
