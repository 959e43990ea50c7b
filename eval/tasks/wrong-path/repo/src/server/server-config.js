export const config = { timeout: 60 }
