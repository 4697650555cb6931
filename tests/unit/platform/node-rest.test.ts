import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetPeers, onOwnHeartbeat, onPeerHeartbeat } from '@/lib/platform/bus/state';
import { ACTIVE_MS, LATE_PEER_HEARTBEATS } from '@/lib/platform/limits';
import { allowRest, createRest, isNodeActive, markActive, onNodeWake, wakeWork } from '@/lib/platform/runtime/activity';

const atRest = { receivesNats: false, readsEvents: false, isAtRest: true };
const active = { receivesNats: false, readsEvents: false, isAtRest: false };
const nextDue = async (): Promise<Date | null> => null;

let isRunning = false;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  isRunning = false;
  allowRest(() => isRunning);
  // Earlier tests may have set later times.
  markActive();
  onPeerHeartbeat('earlier', active);
  forgetPeers();
  vi.advanceTimersByTime(60_000);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work at rest, without a round that is still due. */
async function restingWork(name?: string): Promise<() => Promise<boolean>> {
  const rest = createRest({ name, nextDue });
  expect(await rest.isRoundDue()).toBe(true);
  expect(await rest.isRoundDue()).toBe(false);
  return rest.isRoundDue;
}

test('an action makes work due for several seconds, and a run makes it due until the run ends', async () => {
  const isRoundDue = await restingWork();
  markActive();
  vi.advanceTimersByTime(1);
  expect(await isRoundDue()).toBe(true);
  vi.advanceTimersByTime(ACTIVE_MS);
  expect(isNodeActive()).toBe(false);
  expect(await isRoundDue()).toBe(false);
  isRunning = true;
  expect(await isRoundDue()).toBe(true);
});

test('the first action after an idle period is announced to peers, but later ones are not', () => {
  let announced = 0;
  onNodeWake(() => {
    announced += 1;
  });
  for (let action = 0; action < 3; action++) markActive();
  expect(announced).toBe(1);
  vi.advanceTimersByTime(ACTIVE_MS);
  markActive();
  expect(announced).toBe(2);
});

test('an active peer, or one whose release reports no idle state, makes work due, unlike an idle peer', async () => {
  onPeerHeartbeat('peer', atRest);
  vi.advanceTimersByTime(ACTIVE_MS);
  const isRoundDue = await restingWork();
  onPeerHeartbeat('peer', atRest);
  expect(await isRoundDue()).toBe(false);
  onPeerHeartbeat('peer', active);
  expect(await isRoundDue()).toBe(true);
});

test('a peer that joins or stops sending heartbeats makes work due', async () => {
  const isRoundDue = await restingWork();
  onPeerHeartbeat('peer', atRest);
  vi.advanceTimersByTime(1);
  expect(await isRoundDue()).toBe(true);
  vi.advanceTimersByTime(ACTIVE_MS);
  for (let beat = 1; beat < LATE_PEER_HEARTBEATS; beat++) onOwnHeartbeat();
  expect(await isRoundDue()).toBe(false);
  onOwnHeartbeat();
  expect(await isRoundDue()).toBe(true);
});

test('a writer starts only the work that it names', async () => {
  const rankings = await restingWork('rankings');
  const probes = await restingWork('probes');
  wakeWork('rankings');
  expect(await rankings()).toBe(true);
  expect(await probes()).toBe(false);
});
