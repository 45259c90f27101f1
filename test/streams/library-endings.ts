import { Duplex, PassThrough, Readable, type Transform } from 'node:stream'
import { cableCut, codeOf, type Ending, type Subject, watch } from './endings.ts'
import { settle } from './support.ts'

/* Further endings in the manner of endings.ts: async iteration, and functions that take streams. */

/** Reads by async iteration, and calls `each` for every packet. */
function iterated(
  start: (stream: Transform, subject: Subject) => void,
  each: (count: number, stream: Transform, subject: Subject) => boolean = () => true,
): Ending {
  return async (subject, log) => {
    const stream = subject.make()
    watch(log, stream)
    start(stream, subject)
    let count = 0
    try {
      for await (const _ of stream) {
        log('packet')
        if (!each(++count, stream, subject)) break
      }
      log('loop left')
    } catch (error) {
      log(`loop threw ${codeOf(error)}`)
    }
  }
}

const threeAndEnd = (stream: Transform, { good }: Subject): void => {
  stream.write(good)
  stream.write(good)
  stream.end(good)
}

export const iterationEndings: Record<string, Ending> = {
  'the stream ends': iterated(threeAndEnd),
  'the loop is left with break': iterated(threeAndEnd, (count) => count < 2),
  'the loop throws': iterated(threeAndEnd, () => {
    throw cableCut()
  }),
  'a malformed packet': iterated(
    (stream, { good }) => stream.write(good),
    (_count, stream, { bad }) => stream.write(bad) !== undefined,
  ),
  'destroy()': iterated(threeAndEnd, (_count, stream) => stream.destroy() !== undefined),
  'destroy(error)': iterated(threeAndEnd, (_count, stream) => stream.destroy(cableCut()) !== undefined),
}

/** Pipes through `compose` with a stream on either side. */
function composed(act: (outer: Transform, inner: Transform, subject: Subject) => void): Ending {
  return async (subject, log, { compose }) => {
    const inner = subject.make()
    const outer = compose(new PassThrough({ objectMode: true }), inner, new PassThrough({ objectMode: true }))
    watch(log, inner, 'inner')
    watch(log, outer, '', true)
    outer.write(subject.good)
    await settle(5)
    act(outer, inner, subject)
    await settle(5)
  }
}

export const libraryEndings: Record<string, Ending> = {
  'compose: end()': composed((outer) => outer.end()),
  'compose: a malformed packet': composed((outer, _inner, subject) => outer.write(subject.bad)),
  'compose: destroy()': composed((outer) => outer.destroy()),
  'compose: destroy(error)': composed((outer) => outer.destroy(cableCut())),
  'compose: the stream itself is destroyed': composed((_outer, inner) => inner.destroy()),
  'readable.compose(stream)': async (subject, log) => {
    const source = Readable.from([subject.good, subject.good])
    const all = source.compose(subject.make() as never) as unknown as Readable
    for await (const _ of all) log('packet')
    log('loop left')
  },
}
for (const [name, write] of Object.entries({
  'the stream ends': (subject: Subject) => [subject.good],
  'a malformed packet': (subject: Subject) => [subject.bad],
})) {
  libraryEndings[`Duplex.toWeb: ${name}`] = async (subject, log) => {
    const stream = subject.make()
    watch(log, stream)
    const { readable, writable } = Duplex.toWeb(stream)
    const writer = writable.getWriter()
    // Ignored, because the version of Node and `writableHighWaterMark` decide whether the write is rejected too.
    for (const chunk of write(subject)) writer.write(chunk).catch(() => undefined)
    writer.close().catch((error) => log(`close ${codeOf(error)}`))
    try {
      for await (const _ of readable as unknown as AsyncIterable<unknown>) log('packet')
      log('loop left')
    } catch (error) {
      log(`loop threw ${codeOf(error)}`)
    }
  }
}
for (const [name, finish] of Object.entries({
  'end()': (stream: Transform) => stream.end(),
  'a malformed packet': (stream: Transform, subject: Subject) => stream.write(subject.bad),
  'destroy()': (stream: Transform) => stream.destroy(),
  'destroy(error)': (stream: Transform) => stream.destroy(cableCut()),
})) {
  libraryEndings[`finished: ${name}`] = async (subject, log, { finished }) => {
    const stream = subject.make()
    watch(log, stream, '', true)
    finished(stream, (error) => log(`finished: ${codeOf(error)}`))
    finish(stream, subject)
    await settle()
    finished(stream, (error) => log(`finished, asked afterwards: ${codeOf(error)}`))
    await settle()
  }
  libraryEndings[`pipeline with a callback: ${name}`] = async (subject, log, { pipeline }) => {
    const stream = subject.make()
    watch(log, stream)
    pipeline(stream, new PassThrough({ objectMode: true }).resume(), (error) =>
      log(`called: ${codeOf(error)}`),
    )
    finish(stream, subject)
    await settle()
  }
}
