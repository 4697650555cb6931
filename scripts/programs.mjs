import { atEnd } from './ending.mjs';
import { Refusal, step } from './report.mjs';
import { bundleOf } from './setup.mjs';

/**
 * Runs the demo (when DEMO=1) and the server in this process, whose environment is complete and whose database is
 * migrated. Both stop when the process ends in order.
 *
 * @returns {Promise<{ url: string, signIn: { email: string, password: string | null } | null }>}
 */
export async function runPrograms() {
  let signIn = null;
  if (process.env.DEMO === '1') {
    await step(async () => {
      const { startDemo } = await import(bundleOf('demo'));
      const demo = await startDemo();
      atEnd(demo.stop);
      signIn = { email: demo.email, password: demo.password };
      return 'demo agents running';
    });
  }
  let url;
  await step(async () => {
    const { startServer } = await import(bundleOf('server'));
    const server = await startServer().catch(explainTakenPort);
    atEnd(server.stop);
    url = server.url;
    return 'server started';
  });
  return { url, signIn };
}

/** Somebody else may have taken the port since we looked. */
function explainTakenPort(error) {
  if (error.code !== 'EADDRINUSE') throw error;
  throw new Refusal(`port ${process.env.PORT} on ${process.env.HOST} is taken by another program`);
}
