/** The code of a ParleyError, or undefined. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The reason in the error of an agent that is gone. */
export function whyGone(error: unknown): 'withdrawn' | 'removed' {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  const why = typeof data === 'object' && data !== null && 'why' in data ? data.why : undefined;
  return why === 'removed' ? 'removed' : 'withdrawn';
}
