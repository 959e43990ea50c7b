/** A step of the model that a test holds back: it knows when it was asked for, and says when and how it is answered. */
import type { Wire } from './acp-schema.js'

export function held() {
  let tell = () => {}
  let release = (_: Wire | string) => {}
  const asked = new Promise<void>((resolve) => (tell = resolve))
  const answer = new Promise<Wire>((resolve) => (release = resolve))
  const step = () => {
    tell()
    return answer
  }
  return { asked, release, step }
}
