/** Says whether a value is what the API document describes. */
import { Validator } from '@cfworker/json-schema'
import { openApiDocument } from '../../src/server/api/open-api.js'
import { OPERATIONS } from '../../src/server/api/operation-table.js'

const { components } = openApiDocument(OPERATIONS)
const judges = new Map<string, Validator>()

/** One for each schema: to make one, the whole document is walked, which takes longer than what it then judges. */
export function judgeOf(schema: object): Validator {
  const key = JSON.stringify(schema)
  const judge = judges.get(key) ?? new Validator({ ...schema, components }, '2020-12', false)
  judges.set(key, judge)
  return judge
}
