/** The longest that a caller may wait for something to happen, milliseconds: for the end of a send, or on a stream. */
export const MAX_WAIT_MS = 1_800_000;
