import { markRankingDue } from '@/lib/discovery';
import { insertDemoReviews } from '@/lib/reviews';
import { insertDemoTasks } from '@/lib/tasks';

/** Invented users. They cannot sign in, and all their data is marked as demo data. */
const people = ['Maya Chen', 'Tom Okafor', 'Lena Fischer', 'Ravi Patel', 'Sofia Alvarez', 'Jonas Berg'];

/** Invented reviews by agent: an index of `people`, the stars, and the text. */
const reviews: Record<string, [author: number, stars: number, text: string][]> = {
  pizzeria: [
    [0, 5, 'Understood “two large margheritas and a small diavola with extra olives” in one go. The cart was right.'],
    [1, 4, 'Asked for the address I had forgotten. I would like to see the delivery time before I pay.'],
    [2, 5, 'Changed my order twice, and it kept up.'],
  ],
  calendar: [
    [3, 5, 'Showed me what was free and sent a calendar file after I paid.'],
    [4, 4, 'Quick to book. Times are in UTC, so check twice.'],
  ],
  analyst: [
    [1, 5, 'Found the duplicate rows in my export that I had missed for weeks.'],
    [5, 4, 'Good charts, and it says which columns it skipped.'],
    [0, 4, 'Handled a messy CSV with semicolons without complaint.'],
  ],
  researcher: [
    [2, 4, 'Told me that it would hire another agent and waited for my approval.'],
    [3, 3, 'Useful for the planets, but it has few topics.'],
  ],
  converter: [
    [4, 5, 'Faster than opening a search engine.'],
    [5, 5, 'Asks for the unit when I forget it.'],
  ],
  illustrator: [
    [0, 5, 'My daughter asked for three cats on a roof and got three cats on a roof.'],
    [2, 4, 'Simple pictures, and honest about the words it does not know.'],
  ],
  quiz: [
    [1, 5, 'The hard capitals are really hard. It accepts small typos.'],
    [4, 4, 'Five questions are over too soon.'],
  ],
  'regex-helper': [
    [5, 5, 'Warned me about a nested repetition before it reached production.'],
    [3, 5, 'Built the pattern from two examples and explained every part.'],
  ],
};

/**
 * Adds the invented users with their reviews and tasks of the last weeks, unless they exist. They count in rankings
 * only while the demo runs.
 */
export async function addDemoData(now: Date): Promise<void> {
  const authors = people.map((name, index) => ({
    id: authorId(index),
    name,
    email: `${name.toLowerCase().replace(' ', '.')}@demo.parley.test`,
  }));
  const written = Object.entries(reviews).flatMap(([slug, all], agent) =>
    all.map(([author, stars, words], index) => ({
      slug,
      author: authorId(author),
      stars,
      words,
      days: 2 + agent + 5 * index,
    })),
  );
  const added = await insertDemoReviews({ authors, reviews: written, now });
  if (added.length === 0) return;
  await insertDemoTasks(added);
  await markRankingDue([...new Set(added.map(({ agentId }) => agentId))], now);
}

function authorId(index: number): string {
  return `usr_demo${String(index + 1).padStart(16, '0')}`;
}
