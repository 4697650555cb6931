/** Runs once when Next starts: hosts that only run Next become a node here; under `server.ts` it is one already. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { startNode } = await import('./lib/endpoints/lifecycle');
  await startNode();
}
