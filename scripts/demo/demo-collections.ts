import { addAgentToCollection, createCollection } from '@/lib/discovery';
import type { Ctx } from '@/lib/platform/context';

/** The public collections of the demo user: title, description, and agents. */
const collections: [title: string, description: string, slugs: string[]][] = [
  ['Everyday helpers', 'Small jobs, done in one message.', ['converter', 'quiz', 'illustrator']],
  ['Work with data', 'From a CSV file or a pattern to an answer.', ['analyst', 'regex-helper', 'researcher']],
  ['Order and book', 'They send a cart, and you approve it in the chat.', ['pizzeria', 'calendar']],
];

/** Adds the collections of the demo. The agents must be listed. */
export async function addDemoCollections(ctx: Ctx): Promise<void> {
  for (const [title, description, slugs] of collections) {
    const { id } = await createCollection({ ctx, input: { title, description, visibility: 'public' } });
    for (const slug of slugs) await addAgentToCollection({ ctx, input: { id, slug } });
  }
}
