// What a stream costs on its way through Parley, every event on disk before it is seen, beside a bare pipe.
// Goals: an event at most 3 times the pipe's CPU and 15 µs for the disk; the first byte at most 2 ms after the pipe's;
// an idle stream at most 60 KB.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { compare } from './lib/compare.mjs';
import { startParley } from './lib/parley.mjs';
import { cpuMicros, startPeer } from './lib/peer.mjs';

const people = 25;
const events = 200;
const streams = 50;
const idle = 500;
const diskMicros = 15;

const agent = await startPeer('streaming-agent');
const pipe = await startPeer('bare-pipe', [String(agent.info.port)]);
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}` });
const sockets = new Agent({ keepAlive: false });

/** Opens one stream; resolves with the milliseconds to its first byte and the way to read it to its end. */
function open(target, text, at) {
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text }] };
  const body = JSON.stringify({ jsonrpc: '2.0', id: at, method: 'message/stream', params: { message } });
  const token = target.tokens?.[at % target.tokens.length];
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(`${target.origin}${target.path}`, { method: 'POST', agent: sockets, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${target.origin} answered ${response.statusCode}`));
      // A stream that we close ourselves ends in an error that means nothing.
      response.on('error', () => undefined);
      let text = '';
      const whole = new Promise((end) => response.on('end', () => end(text)));
      response.once('data', () =>
        resolve({ firstByte: performance.now() - startedAt, whole, close: () => sent.destroy() }),
      );
      response.on('data', (chunk) => {
        text += chunk;
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function burst(target) {
  const before = cpuMicros(target.pid);
  const startedAt = performance.now();
  const opened = await Promise.all(Array.from({ length: streams }, (_, at) => open(target, `burst ${events}`, at)));
  for (const { whole } of opened) {
    const seen = (await whole).match(/artifact-update/g)?.length;
    if (seen !== events) throw new Error(`${target.origin} sent ${seen} of ${events} events`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (cpuMicros(target.pid) - before) / (streams * events) - (target.allowance ?? 0);
  return { cpu, rate: (streams * events) / seconds, firstByte: median(opened.map(({ firstByte }) => firstByte)) };
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Proportional memory of a process, bytes. */
function memoryOf(pid) {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) * 1024;
}

async function idleStreams(target) {
  const before = memoryOf(target.pid);
  const opened = await Promise.all(Array.from({ length: idle }, (_, at) => open(target, 'idle', at)));
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const each = (memoryOf(target.pid) - before) / idle / 1024;
  for (const { close } of opened) close();
  return each;
}

try {
  const path = `/agents/${parley.slug}/a2a/jsonrpc`;
  const bare = { pid: pipe.pid, origin: `http://127.0.0.1:${pipe.info.port}`, path: '/' };
  const ours = { pid: parley.pid, origin: parley.origin, path, tokens: await parley.tokens(), allowance: diskMicros };
  const firstBytes = [];
  const met = await compare({
    name: 'stream events',
    rounds: 5,
    targets: [
      { name: 'bare pipe', measure: () => burst(bare) },
      { name: `Parley, less ${diskMicros} µs for the disk`, measure: () => burst(ours), goal: 3 },
    ],
  });
  for (let round = 0; round < 10; round++) {
    const [first, second] = round % 2 ? [ours, bare] : [bare, ours];
    const one = (await open(first, 'burst 1', round)).firstByte;
    const two = (await open(second, 'burst 1', round)).firstByte;
    firstBytes.push(first === ours ? one - two : two - one);
  }
  const added = median(firstBytes);
  console.log(`first byte: ${added.toFixed(1)} ms after the bare pipe's (median of 10); goal <= 2`);
  const [pipeKb, parleyKb] = [await idleStreams(bare), await idleStreams(ours)];
  console.log(`idle stream: ${parleyKb.toFixed(0)} KB, bare pipe ${pipeKb.toFixed(0)} KB (${idle} held); goal <= 60`);
  process.exitCode = met && added <= 2 && parleyKb <= 60 ? 0 : 1;
} finally {
  for (const { stop } of [parley, pipe, agent]) await stop();
}
