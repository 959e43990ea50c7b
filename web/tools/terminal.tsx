/** A command and what it printed, with the colors of a terminal and nothing else of its powers. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { parseTerminalOutput } from '../safe/ansi.js'
import { toDisplaySafeText } from '../safe/clean-text.js'
import { T } from '../texts.js'

const MOST = 100_000

type Props = { command: string; output: string; isRunning: boolean; isError: boolean }

export function CommandOutputView({ command, output, isRunning, isError }: Props) {
  const root = useRef<HTMLPreElement>(null)
  useLayoutEffect(() => {
    if (isRunning && root.current) root.current.scrollTop = root.current.scrollHeight
  }, [output, isRunning])
  return (
    <pre class={isError ? 'terminal bad' : 'terminal'} ref={root} tabIndex={0} role="group" aria-label={T.outputOf}>
      <span class="ask-sign" aria-hidden="true">
        ${' '}
      </span>
      <span class="command">{toDisplaySafeText(command)}</span>
      {'\n'}
      {parseTerminalOutput(output.slice(-MOST)).map(({ text, style }, at) => (
        <span key={at} class={style}>
          {text}
        </span>
      ))}
      {isRunning && (
        <span class="cursor" aria-hidden="true">
          ▍
        </span>
      )}
    </pre>
  )
}
