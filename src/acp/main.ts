/** `kedge acp`: an agent for editors that speak the Agent Client Protocol, on stdin and stdout. */
export async function main(_args: string[]): Promise<void> {}
