// Preloaded into a Parley whose memory a test measures: on SIGUSR2 it collects garbage and prints memory in use.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

process.on('SIGUSR2', () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ event: 'memory', bytes: heapUsed + external })}\n`);
});
