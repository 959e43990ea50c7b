/** The filter, decided by an interpreter of its instructions, for both architectures. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { syscallFilter } from './syscall-filter.js'

const ARCHITECTURES = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    clone: 56,
    unshare: 272,
    keyctl: 250,
    bpf: 321,
    read: 0,
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    clone: 220,
    unshare: 97,
    keyctl: 219,
    bpf: 280,
    read: 63,
  },
}

function decide(program: Uint8Array, audit: number, number: number, ...args: number[]): string {
  const view = new DataView(program.buffer)
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, number, true)
  data.setUint32(4, audit, true)
  args.forEach((value, i) => {
    data.setUint32(16 + 8 * i, value, true)
    // The kernel takes the lower half of these arguments; what is above must not matter.
    data.setUint32(20 + 8 * i, 0xdeadbeef, true)
  })
  let accumulator = 0
  for (let at = 0; at < program.length / 8; at++) {
    const code = view.getUint16(at * 8, true)
    const [ifTrue, ifFalse] = [view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3)]
    const value = view.getUint32(at * 8 + 4, true)
    const jump = (condition: boolean) => {
      at += condition ? ifTrue : ifFalse
    }
    if (code === 0x20) accumulator = data.getUint32(value, true)
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0
    else if (code === 0x15) jump(accumulator === value)
    else if (code === 0x35) jump(accumulator >= value)
    else if (code === 0x45) jump((accumulator & value) !== 0)
    else if (code === 0x06)
      return { 2147418112: 'allow', 2147483648: 'kill', 327681: 'EPERM', 327718: 'ENOSYS' }[value] ?? `${value}`
    else assert.fail(`unknown instruction ${code}`)
  }
  return assert.fail('it ran over its end')
}

describe('syscallFilter', () => {
  for (const [architecture, calls] of Object.entries(ARCHITECTURES)) {
    const filter = (unixSockets: boolean) => {
      const program = syscallFilter(architecture, { unixSockets }) ?? new Uint8Array()
      return (number: number, ...args: number[]) => decide(program, calls.audit, number, ...args)
    }
    const strict = filter(false)
    const open = filter(true)

    it(`${architecture}: sockets of the own network only`, () => {
      const families = [2, 10, 16, 1, 17, 38, 40, 0, 45]
      const decisions = families.map((family) => strict(calls.socket, family, 1))
      assert.deepEqual(decisions, ['allow', 'allow', 'allow', ...Array(6).fill('EPERM')])
      assert.equal(open(calls.socket, 1, 1), 'allow')
      assert.equal(open(calls.socket, 40, 1), 'EPERM')
    })

    it(`${architecture}: pairs only of sockets that stay connected`, () => {
      const STREAM = 1 | 0o2000000
      const decisions = [1, STREAM, 5, 2, 3, 2 | 0o4000].map((type) => strict(calls.socketpair, 1, type))
      assert.deepEqual(decisions, ['allow', 'allow', 'allow', 'EPERM', 'EPERM', 'EPERM'])
      assert.equal(strict(calls.socketpair, 30, 1), 'EPERM')
      assert.equal(open(calls.socketpair, 1, 2), 'allow')
    })

    it(`${architecture}: processes, but no user namespaces`, () => {
      assert.equal(strict(calls.clone, 17), 'allow')
      assert.equal(strict(calls.clone, 0x10000000 | 17), 'EPERM')
      assert.equal(strict(calls.unshare, 0x20000), 'allow')
      assert.equal(strict(calls.unshare, 0x7e020000), 'EPERM')
      assert.equal(strict(435), 'ENOSYS')
    })

    it(`${architecture}: the rest`, () => {
      assert.equal(strict(calls.ioctl, 0, 0x5401), 'allow')
      assert.equal(strict(calls.ioctl, 0, 0x5412), 'EPERM')
      assert.equal(strict(calls.ioctl, 0, 0x541c), 'EPERM')
      for (const number of [calls.keyctl, calls.bpf, 425, 426, 427]) assert.equal(open(number), 'EPERM')
      assert.equal(strict(calls.read, 0), 'allow')
      assert.equal(
        decide(syscallFilter(architecture, { unixSockets: false }) ?? new Uint8Array(), 0x40000003, 1),
        'kill',
      )
    })
  }

  it('x64: no calls of the second ABI', () => {
    const program = syscallFilter('x64', { unixSockets: true }) ?? new Uint8Array()
    assert.equal(decide(program, 0xc000003e, 0x40000000 + 41, 1), 'ENOSYS')
  })

  it('knows no other architecture', () => assert.equal(syscallFilter('riscv64', { unixSockets: false }), undefined))
})
