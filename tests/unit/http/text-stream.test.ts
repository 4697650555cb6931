import { expect, test } from 'vitest';
import { textStream } from '@/lib/endpoints/download';

/** Counts the chunks produced, and whether the producer was cleaned up. */
function counted(pieces: number): { made: () => number; over: () => boolean; source: AsyncGenerator<string> } {
  let made = 0;
  let isFinished = false;
  async function* make(): AsyncGenerator<string> {
    try {
      while (made < pieces) yield `piece ${++made}\n`;
    } finally {
      isFinished = true;
    }
  }
  return { made: () => made, over: () => isFinished, source: make() };
}

test('all chunks arrive in order', async () => {
  const { source, over } = counted(3);
  expect(await new Response(textStream(source)).text()).toBe('piece 1\npiece 2\npiece 3\n');
  expect(over()).toBe(true);
});

test('a chunk is produced only when its reader has consumed the previous one', async () => {
  const { source, made } = counted(1_000);
  const reader = textStream(source).getReader();
  for (let taken = 1; taken <= 5; taken++) {
    await reader.read();
    expect(made()).toBeLessThanOrEqual(taken + 1);
  }
  await reader.cancel();
});

test('a reader that leaves ends the producer', async () => {
  const { source, made, over } = counted(1_000);
  const reader = textStream(source).getReader();
  await reader.read();
  await reader.cancel();
  expect(over()).toBe(true);
  expect(made()).toBeLessThanOrEqual(2);
});

test('a failure reaches the reader', async () => {
  async function* failing(): AsyncGenerator<string> {
    yield 'begun';
    throw new Error('the database is away');
  }
  await expect(new Response(textStream(failing())).text()).rejects.toThrow('the database is away');
});
