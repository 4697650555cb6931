/** The code of one of Parley's own errors, or undefined; what a page makes of it is the page's business. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Why an agent is gone, as its error says. */
export function whyGone(error: unknown): 'withdrawn' | 'removed' {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  const why = typeof data === 'object' && data !== null && 'why' in data ? data.why : undefined;
  return why === 'removed' ? 'removed' : 'withdrawn';
}
