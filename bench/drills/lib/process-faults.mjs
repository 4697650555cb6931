// Preloaded into a node (`--import`): GET /block?ms=… on FAULTS_PORT blocks its event loop for that time, /hold?bytes=…
// allocates memory, /release frees it, /memory returns the memory used after a garbage collection, and /snapshot writes
// a heap snapshot into the current directory.
import { createServer } from 'node:http';
import { getHeapSpaceStatistics, writeHeapSnapshot } from 'node:v8';

let held = [];
const chunkBytes = 64 * 1_048_576;

function codeBytes() {
  const code = getHeapSpaceStatistics().filter(({ space_name: name }) => name.startsWith('code_'));
  return code.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
}

const faults = {
  '/block': (ms) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  },
  '/hold': (bytes) => {
    for (let at = 0; at < bytes; at += chunkBytes) held.push(Buffer.alloc(chunkBytes, 1));
  },
  '/release': () => {
    held = [];
    globalThis.gc();
  },
  '/memory': () => {
    globalThis.gc();
    return { ...process.memoryUsage(), code: codeBytes() };
  },
  '/snapshot': () => writeHeapSnapshot(),
};

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  response.end(JSON.stringify(faults[pathname]?.(Number([...searchParams.values()][0])) ?? null));
})
  .listen(Number(process.env.FAULTS_PORT), '127.0.0.1')
  .unref();
