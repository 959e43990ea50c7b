/** Node's native check of UTF-8, for the layers that may not import `node:buffer`. */
export { isUtf8 } from 'node:buffer'
