import type { Turn } from '@parley/agent/serve';

export const card = {
  name: 'Word counter',
  description: 'Counts the words of a text, and how often each occurs.',
  version: '1.0.0',
  skills: [
    {
      id: 'count',
      name: 'Count words',
      description: 'Counts the words of a text.',
      tags: ['text'],
      examples: ['to be or not to be'],
    },
  ],
};

export async function* handle(turn: Turn) {
  const words = turn.text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < 2) {
    yield turn.ask('Which text should I count? Send a sentence or more.');
    return;
  }
  yield turn.status('Counting');
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  yield `Your text has ${words.length} words.`;
  const rows = [...counts].sort(([, a], [, b]) => b - a);
  yield turn.artifact({ name: 'Words', data: { kind: 'table', columns: ['word', 'count'], rows } });
}
