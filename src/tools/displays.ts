/** Finds the display of a tool by its name. */
import { TOOL_DISPLAYS } from './displays.generated.js'
import { defaultDisplay, type ToolDisplay } from './tool-display.js'

/** The names of the tools that have a display. A tool of Kedge without one does not compile. */
export type DisplayedToolName = (typeof TOOL_DISPLAYS)[number]['name']

const DISPLAYS: ReadonlyMap<string, ToolDisplay> = new Map(
  TOOL_DISPLAYS.flatMap((display: ToolDisplay) => [display.name, ...display.aliases].map((name) => [name, display])),
)

/** Returns a decent default for tools of MCP servers and unknown tools. */
export function displayOf(name: string): ToolDisplay {
  return DISPLAYS.get(name) ?? defaultDisplay(name)
}
