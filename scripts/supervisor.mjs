import { passBuiltConfig } from './built-config.mjs';
import { CliError, step } from './cli-output.mjs';
import { bundleOf } from './program.mjs';
import { onShutdown } from './shutdown.mjs';
import { planWorkers, startWorkers } from './workers.mjs';

/**
 * Runs the demo (if DEMO=1) in this process, and the server in this process or in WORKERS others; in development, in
 * one process that is replaced when its sources change. The environment must be complete and the database migrated.
 * Both stop at an orderly shutdown.
 *
 * @returns {Promise<{ url: string, signIn: { email: string, password: string | null } | null }>}
 */
export async function startServices() {
  let demo = null;
  if (process.env.DEMO === '1') {
    await step(async () => {
      const { startDemo } = await import(bundleOf('demo'));
      demo = await startDemo();
      onShutdown(demo.stop);
      // For servers in other processes; a server in this process shares the demo's state.
      const allowed = [process.env.AGENT_URL_ALLOW, ...demo.origins].filter(Boolean);
      process.env.AGENT_URL_ALLOW = allowed.join(',');
      return 'demo agents running';
    });
  }
  let url;
  const { count, warning } = planWorkers();
  if (warning) console.error(`parley: ${warning}`);
  await step(async () => {
    const server = await startServing(count).catch(explainTakenPort);
    onShutdown(server.stop);
    if (demo) {
      await demo.connect();
      onShutdown(demo.disconnect);
    }
    url = server.url;
    return count > 1 ? `${count} workers started` : 'server started';
  });
  return { url, signIn: demo && { email: demo.email, password: demo.password } };
}

async function startServing(count) {
  if (process.env.NODE_ENV === 'production') return count > 1 ? startWorkers(count) : serveHere();
  const { startDevServer } = await import('./dev-server.mjs');
  return startDevServer();
}

async function serveHere() {
  passBuiltConfig();
  const { startServer } = await import(bundleOf('server'));
  return startServer();
}

/** Another program may have bound the port since the check. */
function explainTakenPort(error) {
  if (error.code !== 'EADDRINUSE') throw error;
  throw new CliError(`port ${process.env.PORT} on ${process.env.HOST} is in use by another program`);
}
