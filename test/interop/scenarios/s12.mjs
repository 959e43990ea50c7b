// The session API of 0.2.50: create, send, stream, close, resume, one-shot prompt.

export const s12 = {
  title: 'create, send twice, close, resume, prompt',
  // After close() the end of stdin and SIGTERM reach the CLI together: either may win.
  racyExit: true,
  // The session API is gone there.
  not: ['0.3.325'],
  async run({ sdk, options, script, consume, call, record, sleep, inProcess }) {
    script(['V2 A.', 'V2 B.', 'V2 resumed.', 'V2 one-shot.'].map((text) => ({ text })))
    const { cwd: _, ...chosen } = options()
    const session = sdk.unstable_v2_createSession(chosen)
    try {
      record('note', { sessionId: session.sessionId })
    } catch (error) {
      record('note', { sessionIdEarlyError: error.message })
    }
    await call('send', () => session.send('v2 first'))
    await consume(session.stream())
    const id = session.sessionId
    record('note', { sessionId: id })
    await call('send2', () => session.send('v2 second'))
    await consume(session.stream())
    session.close()
    record('note', 'closed')
    await sleep(inProcess ? 200 : 1500)
    await call('send-after-close', () => session.send('v2 too late'))
    const resumed = sdk.unstable_v2_resumeSession(id, chosen)
    record('note', { sessionId: resumed.sessionId })
    await call('send', () => resumed.send('v2 third'))
    await consume(resumed.stream())
    resumed.close()
    await sleep(inProcess ? 200 : 1000)
    await call('prompt', () => sdk.unstable_v2_prompt('v2 one-shot', chosen))
  },
}
