// A process that serves under a supervisor (scripts/workers.mjs): with WORKERS greater than 1, and in development.
import { passBuiltConfig } from './built-config.mjs';
import { bundleOf } from './program.mjs';
import { onShutdown, shutDown } from './shutdown.mjs';

let isReplaced = false;

// A terminal sends its signals to all processes; the supervisor determines which of them exit.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
process.on('SIGTERM', () => shutDown(0));
process.on('message', (message) => {
  if (message !== 'retire') return;
  isReplaced = true;
  void shutDown(0);
});

try {
  if (process.env.NODE_ENV === 'production') passBuiltConfig();
  const { startServer } = await import(bundleOf('server'));
  const server = await startServer();
  onShutdown(() => server.stop({ isReplaced }));
  process.send({ url: server.url });
} catch ({ name, message, code, syscall }) {
  process.send({ failure: { name, message, code, syscall } }, () => process.exit(1));
}
