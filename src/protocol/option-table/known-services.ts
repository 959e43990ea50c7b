/** Services whose models can be named without any settings: `name/model`. Where they are is in `model/openai/service.ts`. */
// biome-ignore format: one look
export const KNOWN_SERVICES = [
  'openai', 'openrouter', 'gemini', 'deepseek', 'litellm', 'ollama', 'llamacpp', 'vllm', 'lmstudio',
] as const

/** The service a model is named of; undefined: none that is known. */
export function knownServiceOfModel(model: string): (typeof KNOWN_SERVICES)[number] | undefined {
  const name = model.slice(0, Math.max(0, model.indexOf('/')))
  return KNOWN_SERVICES.find((service) => service === name)
}
