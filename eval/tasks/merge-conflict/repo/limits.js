export const RETRIES = 3
export const TIMEOUT = 1000
