export function receive(text) {
  return text.length
}
