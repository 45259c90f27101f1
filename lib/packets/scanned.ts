/**
 * What a constructor is told with contents that have been scanned, and need no check. Nobody outside can have it, so
 * nothing else passes for them.
 */
export const scanned: unique symbol = Symbol('scanned')
