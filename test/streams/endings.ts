import type * as nodeStream from 'node:stream'
import { PassThrough, type Transform, Writable } from 'node:stream'
import type { pipeline as pipelinePromise } from 'node:stream/promises'
import { settle } from './support.ts'

/*
 * The ways in which a Transform can end, as programs that log what happens. Two Transforms behave alike if they give the same
 * log. docs/streams.md is compared with the logs.
 */

/** A Transform under test, and chunks to write to it. */
export interface Subject {
  readonly make: (options?: { signal?: AbortSignal }) => Transform
  /** Causes one `data` event. */
  readonly good: unknown
  /** Ends the stream with an error. */
  readonly bad: unknown
  /** Ends the stream with an error unless more bytes follow. */
  readonly half?: unknown
}

/** The functions on streams of node:stream or readable-stream. */
export interface StreamLibrary {
  readonly pipeline: typeof nodeStream.pipeline
  readonly finished: typeof nodeStream.finished
  /** Missing from the types of node:stream. */
  compose(...streams: Transform[]): Transform
  readonly promises: { readonly pipeline: typeof pipelinePromise }
}

export type Ending = (subject: Subject, log: (line: string) => void, library: StreamLibrary) => Promise<void>

/** Runs an ending, and returns its log. */
export async function linesOf(ending: Ending, subject: Subject, library: StreamLibrary): Promise<string[]> {
  const lines: string[] = []
  // Starts every run in the same phase of the event loop, which decides whether ticks or microtasks come first.
  await settle()
  await ending(subject, (line) => lines.push(line), library)
  await settle()
  return lines
}

/** Names an error by its code, and the cause of an abort by its message. */
export function codeOf(error: unknown): string {
  if (error === undefined || error === null) return 'no error'
  const { code, name, cause } = error as Error & { code?: string; cause?: Error }
  return `${code ?? name}${cause ? ` (${cause.message})` : ''}`
}

export const cableCut = (): Error => Object.assign(new Error('cable cut'), { code: 'CABLE_CUT' })

/** Logs a stream's events. Listens to `data` only if the stream is meant to flow. */
export function watch(
  log: (line: string) => void,
  stream: NodeJS.EventEmitter,
  name = '',
  data = false,
): void {
  const prefix = name === '' ? '' : `${name} `
  for (const event of ['end', 'finish', 'close', 'unpipe']) stream.on(event, () => log(prefix + event))
  stream.on('error', (error) => log(`${prefix}error ${codeOf(error)}`))
  if (data) stream.on('data', () => log(`${prefix}data`))
}

/** An ending of a Transform in flowing mode, after one packet. */
function flowing(
  act: (stream: Transform, subject: Subject, abort: () => void, log: (line: string) => void) => void,
): Ending {
  return async (subject, log) => {
    const controller = new AbortController()
    const stream = subject.make({ signal: controller.signal })
    watch(log, stream, '', true)
    const abort = () => controller.abort(new Error('shutting down'))
    stream.write(subject.good)
    await settle()
    act(stream, subject, abort, log)
    await settle()
  }
}

export const flowingEndings: Record<string, Ending> = {
  'end()': flowing((stream) => stream.end()),
  'end() with a last packet': flowing((stream, { good }) => stream.end(good)),
  'a malformed packet': flowing((stream, { good, bad }) => {
    stream.write(bad)
    stream.write(good)
    stream.end()
  }),
  'end() with a malformed packet': flowing((stream, { bad }) => stream.end(bad)),
  'destroy()': flowing((stream) => stream.destroy()),
  'destroy(error)': flowing((stream) => stream.destroy(cableCut())),
  'the signal is aborted': flowing((_stream, _subject, abort) => abort()),
}

export const halfWayEndings: Record<string, Ending> = {
  'end() in the middle of a packet': flowing((stream, { half }) => stream.end(half)),
  'end() in the middle of a packet, later': flowing((stream, { half }, _abort, log) => {
    stream.write(half, (error) => log(`written: ${codeOf(error)}`))
    setImmediate(() => stream.end((error: unknown) => log(`ended: ${codeOf(error)}`)))
  }),
  'a source that ends in the middle of a packet, piped': piped((source, { half }) => source.end(half)),
  'a source that ends in the middle of a packet, in a pipeline': inPipeline(({ source, subject }) =>
    source.end(subject.half),
  ),
}

/** Further endings whose order is tested, but which readers don't need to know about. */
export const otherEndings: Record<string, Ending> = {
  'destroy() after end()': flowing((stream) => stream.end().destroy()),
  'destroy(error) after a write': flowing((stream, { good }) => {
    stream.write(good)
    stream.destroy(cableCut())
  }),
  'an abort after end()': flowing((stream, _subject, abort) => {
    stream.end()
    abort()
  }),
  'destroy() in a data listener': flowing((stream, { good }) => {
    stream.on('data', () => stream.destroy())
    for (let i = 0; i < 3; i++) stream.write(good)
  }),
  'write after end': flowing((stream, { good }) => {
    stream.end()
    stream.write(good)
  }),
  'callbacks of writes and of end': flowing((stream, { good, bad }, _abort, log) => {
    stream.write(good, (error) => log(`written: ${codeOf(error)}`))
    stream.write(bad, (error) => log(`bad written: ${codeOf(error)}`))
    stream.write(good, (error) => log(`written after bad: ${codeOf(error)}`))
    stream.end((error: unknown) => log(`ended: ${codeOf(error)}`))
  }),
  'callbacks of writes and of end of a destroyed stream': flowing((stream, { good }, _abort, log) => {
    stream.destroy()
    stream.write(good, (error) => log(`written: ${codeOf(error)}`))
    stream.end((error: unknown) => log(`ended: ${codeOf(error)}`))
  }),
  'a source that ends, piped': piped((source) => source.end()),
  'a source that is destroyed, piped': piped((source) => source.destroy(cableCut())),
  'a malformed packet, piped': piped((source, { bad }) => source.write(bad)),
}

function piped(act: (source: PassThrough, subject: Subject) => void): Ending {
  return async (subject, log) => {
    const source = new PassThrough({ objectMode: true })
    const stream = subject.make()
    watch(log, source, 'source')
    watch(log, stream, '', true)
    source.pipe(stream)
    source.write(subject.good)
    await settle()
    act(source, subject)
    await settle()
  }
}

interface Pipeline {
  readonly source: PassThrough
  readonly stream: Transform
  readonly sink: Writable
  readonly subject: Subject
  abort(): void
}

/** An ending of `source → stream → sink`, after one packet. */
function inPipeline(act: (pipeline: Pipeline) => void): Ending {
  return async (subject, log, { promises }) => {
    const controller = new AbortController()
    const source = new PassThrough({ objectMode: true })
    const stream = subject.make()
    const sink = new Writable({
      objectMode: true,
      write(_chunk, _encoding, callback) {
        log('sink write')
        callback()
      },
    })
    watch(log, source, 'source')
    watch(log, stream)
    watch(log, sink, 'sink')
    promises.pipeline(source, stream, sink, { signal: controller.signal }).then(
      () => log('pipeline done'),
      (error) => log(`pipeline ${codeOf(error)}`),
    )
    source.write(subject.good)
    await settle()
    act({ source, stream, sink, subject, abort: () => controller.abort(new Error('shutting down')) })
    await settle()
  }
}

export const pipelineEndings: Record<string, Ending> = {
  'the source ends': inPipeline(({ source }) => source.end()),
  'a malformed packet': inPipeline(({ source, subject }) => source.write(subject.bad)),
  'the source is destroyed': inPipeline(({ source }) => source.destroy()),
  'the source is destroyed with an error': inPipeline(({ source }) => source.destroy(cableCut())),
  'the sink is destroyed': inPipeline(({ sink }) => sink.destroy()),
  'the sink is destroyed with an error': inPipeline(({ sink }) => sink.destroy(cableCut())),
  'the stream itself is destroyed': inPipeline(({ stream }) => stream.destroy()),
  'the signal of the pipeline is aborted': inPipeline(({ abort }) => abort()),
}
