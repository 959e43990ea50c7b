/** A command that continues as a task of the session. */
import type { BackgroundEnd, BackgroundWork } from '../../engine/background-port.js'
import type { ProcessEnd } from '../../platform/processes/processes.js'
import type { CallContext } from '../tool.js'
import type { BashInput } from './bash-shapes.js'
import { leftoverProcessesText } from './command-outcomes.js'
import type { StartedCommand, TaskOutputFile } from './start-command.js'

export function moveCommandToBackground(
  prepared: TaskOutputFile,
  input: BashInput,
  context: CallContext,
  { running, output, listen, undone, explain }: StartedCommand,
  how: Pick<BackgroundWork, 'overtime'> = {},
): void {
  let stopped = false
  const end = async (): Promise<BackgroundEnd> => {
    const how = await running.ended
    const remarks = [...(await undone), ...(how.endedLeftovers > 0 ? [leftoverProcessesText(how)] : [])]
    if (how.exitCode !== 0 && !stopped) remarks.push(...explain())
    for (const remark of remarks) output.remark(remark)
    await output.finish()
    return stopped ? { status: 'stopped', exitCode: null } : taskEnd(how)
  }
  const work: BackgroundWork = {
    type: 'local_bash',
    description: input.description || input.command,
    toolUseId: context.toolUseId,
    command: input.command,
    ...how,
    output: async (limit) => output.text(limit),
    listen,
    ended: end(),
    stop() {
      stopped = true
      running.end('politely')
    },
  }
  context.tasks.adopt(prepared, work)
}

function taskEnd({ exitCode, signal }: ProcessEnd): BackgroundEnd {
  if (exitCode === null) return { status: 'failed', exitCode, reason: `signal ${signal}` }
  return { status: exitCode === 0 ? 'completed' : 'failed', exitCode }
}
