/** Editors allow comments and last commas in their JSON. */
const PART = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g

/** Returns the JSON without them; texts stay as they are. */
export function withoutJsonComments(text: string): string {
  return text.replace(PART, (part) => (part.startsWith('"') ? part : ''))
}
