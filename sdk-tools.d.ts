// Where programs that know the original by its files look for the types of tools.
export * from './dist/sdk-tools.js'
