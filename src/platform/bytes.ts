/** Node's own arithmetic with bytes and encodings, for the layers that may not import `node:buffer`; nothing is read or written. */
export { Buffer } from 'node:buffer'
