// Where programs that know the original by its files look for its library.
export * from './dist/index.js'
