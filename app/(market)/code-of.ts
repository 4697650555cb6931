/** The code of one of Parley's own errors, or undefined; what a page makes of it is the page's business. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
