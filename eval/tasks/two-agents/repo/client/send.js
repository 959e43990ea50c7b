import { receive } from '../server/receive.js'

export function send(text) {
  return receive(text)
}
