import { expect, test } from 'vitest';
import { textStream } from '@/lib/http/text-stream';

/** Counts the pieces that were made, and whether their maker could let go at the end. */
function counted(pieces: number): { made: () => number; over: () => boolean; source: AsyncGenerator<string> } {
  let made = 0;
  let over = false;
  async function* make(): AsyncGenerator<string> {
    try {
      while (made < pieces) yield `piece ${++made}\n`;
    } finally {
      over = true;
    }
  }
  return { made: () => made, over: () => over, source: make() };
}

test('all pieces arrive in order', async () => {
  const { source, over } = counted(3);
  expect(await new Response(textStream(source)).text()).toBe('piece 1\npiece 2\npiece 3\n');
  expect(over()).toBe(true);
});

test('a piece is made only when its reader has taken the one before', async () => {
  const { source, made } = counted(1_000);
  const reader = textStream(source).getReader();
  for (let taken = 1; taken <= 5; taken++) {
    await reader.read();
    expect(made()).toBeLessThanOrEqual(taken + 1);
  }
  await reader.cancel();
});

test('a reader who leaves ends the making', async () => {
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
