import type { Transform as NodeTransform, TransformOptions } from 'node:stream'
import { Transform } from 'readable-stream'
import { copyOwn, wrongValue } from '../errors/misuse.ts'
import { abortError, checkSignal, onAbort } from './abort.ts'

/** @throws TypeError `ERR_INVALID_ARG_VALUE` if the value is present, but not an integer from 0 */
export function checkHighWaterMark(what: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return
  throw wrongValue(what, 'a non-negative integer')
}

/**
 * The Transform of readable-stream with an additional check of each chunk, and any number of streams per signal. Without the check,
 * bytes from another realm (as in jest) would be refused, and writing a function or a symbol would throw an unrelated error.
 */
class AcceptingTransform extends Transform {
  readonly #stopWaiting: (() => void) | undefined

  /** The signal isn't passed on to readable-stream, which would add a listener for each stream. */
  constructor({ signal, ...options }: TransformOptions) {
    checkSignal(signal)
    super(copyOwn(options))
    if (signal?.aborted) this.destroy(abortError(signal))
    else this.#stopWaiting = signal && onAbort(signal, () => this.destroy(abortError(signal)))
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#stopWaiting?.()
    super._destroy(error, callback)
  }

  override write(chunk: unknown, ...more: never[]): boolean {
    return super.write(this._accept(chunk), ...more)
  }

  override end(...args: [chunk?: unknown, ...more: never[]]): this {
    const [chunk, ...more] = args
    return typeof chunk === 'function'
      ? super.end(chunk as () => void)
      : super.end(this._accept(chunk), ...more)
  }

  /** @internal The chunk to write. Throws if the type is wrong. */
  _accept(chunk: unknown): unknown {
    return chunk
  }
}

/** `AcceptingTransform` with the type of Node's Transform. */
const Base: typeof NodeTransform = AcceptingTransform as never

/**
 * The events of a Transform and the arguments of their listeners.
 */
export interface TransformEvents<Out> {
  /** The stream is closed. No events follow. */
  close: []
  /** A packet or, from a `ConnectEncoder`, a packet's bytes. */
  data: [chunk: Out]
  /** After `write` has returned false, the stream is ready for more. */
  drain: []
  /** All data has been read. */
  end: []
  /** The stream is destroyed. Only `close` follows. */
  error: [error: Error]
  /** Everything that was written has been processed. */
  finish: []
  /** Reading has been paused. */
  pause: []
  /** A source is piped into the stream. */
  pipe: [source: NodeJS.ReadableStream]
  /** There is data to `read()`. */
  readable: []
  /** Reading has been resumed. */
  resume: []
  /** A source is no longer piped into the stream. */
  unpipe: [source: NodeJS.ReadableStream]
}

/**
 * Called when a chunk has been used up, or with the error that ends the stream.
 */
export type WriteCallback = (error?: Error | null) => void

/**
 * Stands in for a promise in types only. It can be used like any promise, and adds nothing to the awaited type.
 */
export interface NoPromise {
  then(this: never): never
  catch(this: never): never
  finally(this: never): never
  readonly [Symbol.toStringTag]: never
}

/**
 * Stands in for an iterator in types only. It can be used like any iterator, and adds nothing to the iterated type.
 */
export interface NoIterator {
  next(): NoPromise
  [Symbol.asyncIterator](): never
}

/**
 * A listener of any other event.
 */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would accept only listeners that take anything.
export type AnyListener = (...args: any[]) => void

/**
 * A Transform of `readable-stream` that knows the types of its input and its output.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the methods exist; the interface gives them types.
// biome-ignore lint/correctness/noUnusedVariables: the interface uses the type parameters.
export class TypedTransform<In, Out> extends Base {}

export interface TypedTransform<In, Out> {
  /** Writes a chunk. Returns false until the stream accepts more (`drain`). */
  write(chunk: In, callback?: WriteCallback): boolean
  /** Writes a chunk. The encoding is ignored. */
  write(chunk: In, encoding: BufferEncoding, callback?: WriteCallback): boolean
  // The types of `pipe` and `pipeline` require the next overload, because they expect that every stream takes strings.
  /** Accepts nothing. */
  write(chunk: never, encoding?: BufferEncoding | WriteCallback, callback?: WriteCallback): boolean
  /** Ends the stream. */
  end(callback?: () => void): this
  /** Ends the stream after a last chunk. */
  end(chunk: In, callback?: () => void): this
  /** Ends the stream after a last chunk. The encoding is ignored. */
  end(chunk: In, encoding: BufferEncoding, callback?: () => void): this
  /** Accepts nothing. */
  end(chunk: never, encoding?: BufferEncoding | (() => void), callback?: () => void): this
  /** Adds an item to be read. Only for the stream itself. */
  push(chunk: Out | null, encoding?: BufferEncoding): boolean
  // The types of `pipeline` require the next overload, because they expect strings from any stream in the middle.
  /** Accepts nothing. */
  read(size: never): never
  /** The next item, or `null` if there is none. */
  read(size?: number): Out | null
  /** Reads the stream with `for await`. */
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  /** Yields nothing: see `read`. */
  [Symbol.asyncIterator](): NoIterator
  /** Calls the listener for one of the stream's events. */
  addListener<E extends keyof TransformEvents<Out>>(event: E, listener: Listener<Out, E>): this
  /** Calls the listener for any other event. */
  addListener(event: string | symbol, listener: AnyListener): this
  /** Calls the listener for one of the stream's events. */
  on<E extends keyof TransformEvents<Out>>(event: E, listener: Listener<Out, E>): this
  /** Calls the listener for any other event. */
  on(event: string | symbol, listener: AnyListener): this
  /** Calls the listener for one of the stream's events. */
  once<E extends keyof TransformEvents<Out>>(event: E, listener: Listener<Out, E>): this
  /** Calls the listener for any other event. */
  once(event: string | symbol, listener: AnyListener): this
  /** Calls the listener for one of the stream's events. */
  prependListener<E extends keyof TransformEvents<Out>>(event: E, listener: Listener<Out, E>): this
  /** Calls the listener for any other event. */
  prependListener(event: string | symbol, listener: AnyListener): this
  /** Calls the listener for one of the stream's events. */
  prependOnceListener<E extends keyof TransformEvents<Out>>(event: E, listener: Listener<Out, E>): this
  /** Calls the listener for any other event. */
  prependOnceListener(event: string | symbol, listener: AnyListener): this
}

/**
 * A listener of one event.
 */
export type Listener<Out, Event extends keyof TransformEvents<Out>> = (
  ...args: TransformEvents<Out>[Event]
) => void
