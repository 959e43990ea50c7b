/** The flags of `kedge eval`. */
import { parseArgs } from 'node:util'

const one = { type: 'string' } as const
const many = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

/** Reads the command line of `kedge eval`. Throws what is wrong with a command line. */
export function readEvalFlags(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      model: many,
      variant: many,
      only: many,
      interface: one,
      repeat: one,
      jobs: one,
      out: one,
      wait: one,
      'max-cost': one,
      'max-tokens': one,
      'max-minutes': one,
      'fail-under': one,
      'hand-folder': one,
      json: one,
      junit: one,
      html: one,
      'by-hand': flag,
      keep: flag,
      fail: flag,
      help: { ...flag, short: 'h' },
    },
  })
}

export type EvalFlags = ReturnType<typeof readEvalFlags>['values']
