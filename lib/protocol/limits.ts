/** The longest UTF-8 string or binary data, in bytes: its length prefix has two. MQTT 5.0 section 1.5.4. */
export const MAX_STRING_LENGTH = 0xffff

/** The largest variable byte integer, so the largest Remaining Length, in bytes. MQTT 5.0 section 1.5.5. */
export const MAX_VARIABLE_BYTE_INTEGER = 268_435_455

/** How many bytes a variable byte integer can take. MQTT 5.0 section 1.5.5. */
export const MAX_VARIABLE_BYTE_INTEGER_LENGTH = 4

/** The largest whole packet that a decoder or `readConnect` takes by default, in bytes. */
export const DEFAULT_MAXIMUM_PACKET_SIZE = 65_536

/** How long `readConnect` waits by default for the complete packet, in milliseconds. */
export const DEFAULT_TIMEOUT = 10_000

/** The longest delay that a timer takes, in milliseconds. */
export const LONGEST_DELAY = 2_147_483_647
