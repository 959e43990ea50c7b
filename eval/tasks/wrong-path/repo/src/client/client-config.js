export const config = { timeout: 10, retries: 2 }
