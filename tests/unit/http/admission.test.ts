import { expect, test } from 'vitest';
import { AdmissionController, type Priority } from '@/lib/http/admission/admission';
import { ADMISSION_SAMPLE_MS, MAX_REQUESTS_IN_PROGRESS, MIN_REQUESTS_TO_SHED } from '@/lib/http/limits';

const busy = MIN_REQUESTS_TO_SHED;

function controllerWith(inProgress: number, streams = 0): AdmissionController {
  const controller = new AdmissionController(() => streams);
  for (let count = 0; count < inProgress; count++) controller.begin('calls');
  return controller;
}

/** Returns the number of accepted requests among this many. */
function acceptedOf(controller: AdmissionController, priority: Priority, count = 1_000): number {
  let accepted = 0;
  for (let sent = 0; sent < count; sent++) if (controller.admits(priority)) accepted++;
  return accepted;
}

function sampleFor(controller: AdmissionController, ms: number, delayMs: number): void {
  for (let at = 0; at < ms; at += ADMISSION_SAMPLE_MS) controller.sample(delayMs);
}

test('the admission controller accepts every request while delays are short', () => {
  const controller = controllerWith(busy);
  sampleFor(controller, 10_000, 20);
  for (const priority of ['critical', 'calls', 'background'] as const)
    expect(acceptedOf(controller, priority)).toBe(1_000);
});

test('the admission controller rejects background requests first, then most calls, never critical requests', () => {
  const controller = controllerWith(busy);
  const accepted: [number, number, number][] = [];
  for (let step = 0; step < 200; step++) {
    controller.sample(150);
    const [background, calls, critical] = (['background', 'calls', 'critical'] as const).map((priority) =>
      acceptedOf(controller, priority, 100),
    );
    accepted.push([background ?? 0, calls ?? 0, critical ?? 0]);
  }
  expect(accepted.every(([, , critical]) => critical === 100)).toBe(true);
  for (const [background, calls] of accepted) if (background > 1) expect(calls).toBe(100);
  expect(accepted.some(([background, calls]) => background > 10 && background < 90 && calls === 100)).toBe(true);
  expect(accepted.at(-1)?.[0]).toBe(0);
  expect(accepted.at(-1)?.[1]).toBeLessThanOrEqual(3);
});

test('a short pause, such as a garbage collection, causes no rejected request', () => {
  const controller = controllerWith(busy);
  for (let pause = 0; pause < 20; pause++) {
    sampleFor(controller, 250, 2_000);
    controller.sample(0);
    expect(acceptedOf(controller, 'background')).toBe(1_000);
  }
});

test('a few requests are never an overload, whatever delays the process has', () => {
  const controller = controllerWith(busy - 1);
  sampleFor(controller, 60_000, 5_000);
  expect(acceptedOf(controller, 'background')).toBe(1_000);
});

test('open streams do not count as requests in progress', () => {
  const controller = controllerWith(10_000, 10_000);
  sampleFor(controller, 60_000, 5_000);
  expect(acceptedOf(controller, 'calls')).toBe(1_000);
});

test('requests in progress are limited, separately for calls and background requests', () => {
  const controller = controllerWith(0);
  for (let count = 0; count < MAX_REQUESTS_IN_PROGRESS.background; count++) controller.begin('background');
  expect(acceptedOf(controller, 'background')).toBe(0);
  expect(acceptedOf(controller, 'calls')).toBe(1_000);
  controller.end('background');
  expect(acceptedOf(controller, 'background')).toBe(1_000);
});

/** Simulates a server of `capacity` calls per second. Returns the calls served and the queue delay for each second. */
function simulate(capacity: number, offered: number[]): { served: number; delayMs: number }[] {
  const controller = controllerWith(busy);
  const perSample = ADMISSION_SAMPLE_MS / 1_000;
  let queue = 0;
  return offered.map((rate) => {
    let served = 0;
    let delayMs = 0;
    for (let at = 0; at < 1; at += perSample) {
      queue += acceptedOf(controller, 'calls', Math.round(rate * perSample));
      const done = Math.min(queue, capacity * perSample);
      queue -= done;
      served += done;
      delayMs = Math.max(delayMs, (queue / capacity) * 1_000);
      controller.sample((queue / capacity) * 1_000);
    }
    return { served, delayMs };
  });
}

test.each([1.2, 2, 5, 10])(
  'a node at %d times its capacity stays busy with short delays, and does not oscillate',
  (factor) => {
    const seconds = simulate(1_000, [...Array(40).fill(1_000 * factor), ...Array(10).fill(500)]);
    const settled = seconds.slice(15, 40);
    const served = settled.map((second) => second.served);
    expect(Math.min(...served)).toBeGreaterThan(900);
    expect(Math.max(...settled.map(({ delayMs }) => delayMs))).toBeLessThan(250);
    // Half the capacity: everything is accepted again within three seconds.
    expect(seconds.slice(43).every((second) => second.served >= 490)).toBe(true);
  },
);
