/** Runs once when Next starts and makes the process a node; under `server.ts` it already is one. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { startNode } = await import('./lib/endpoints/lifecycle');
  await startNode();
}
