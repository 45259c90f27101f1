/** The longest UTF-8 string or binary data in bytes, because the length prefix has two. MQTT 5.0 section 1.5.4. */
export const MAX_STRING_LENGTH = 0xffff

/** The largest variable byte integer, and therefore the largest Remaining Length in bytes. MQTT 5.0 section 1.5.5. */
export const MAX_VARIABLE_BYTE_INTEGER = 268_435_455

/** The longest variable byte integer, in bytes. MQTT 5.0 section 1.5.5. */
export const MAX_VARIABLE_BYTE_INTEGER_LENGTH = 4

/** The default of `maximumPacketSize` for streams and parsers, in bytes. */
export const DEFAULT_MAXIMUM_PACKET_SIZE = 65_536

/** The default of `timeout`, in milliseconds: the time in which the packet must be complete. */
export const DEFAULT_TIMEOUT = 10_000

/** The longest delay that a timer accepts, in milliseconds. */
export const LONGEST_DELAY = 2_147_483_647
