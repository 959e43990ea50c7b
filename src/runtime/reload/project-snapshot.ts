/** What a session has of files at one time, to compare with what it has after a reload. */
import type { Conversation } from '../conversation.js'

/** What of a project people and the model hear of. */
export type ProjectSnapshot = {
  skills: ReadonlyMap<string, string>
  agents: ReadonlyMap<string, string>
  plugins: ReadonlyMap<string, string>
  styles: ReadonlyMap<string, string>
  instructions: ReadonlyMap<string, string>
  listing: string
}

export function takeProjectSnapshot({ shared: { project, agents } }: Conversation): ProjectSnapshot {
  const { commands, outputStyles } = project.lists
  return {
    skills: new Map(commands.map((command) => [command.name, JSON.stringify(command)])),
    agents: new Map([...agents.known].map(([name, definition]) => [name, JSON.stringify(definition)])),
    plugins: new Map(project.plugins.map(({ name, path }) => [name, path])),
    styles: new Map(outputStyles.map((name) => [name, name])),
    instructions: new Map(project.instructions.map(({ path, text }) => [path, text])),
    listing: project.skillListing,
  }
}
