/** readable-stream is Node's own stream module as a package. Its types are Node's, so users need no others. */
declare module 'readable-stream' {
  export { Transform } from 'node:stream'
}
