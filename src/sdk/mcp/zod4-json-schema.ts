/**
 * What turns schemas of zod 4 into JSON Schema that can't do it themselves. Built in, because a bundler warns about an
 * import of zod in every program that does not have it.
 */
export { toJSONSchema } from 'zod/v4/core'
