import Link from 'next/link';
import type { ReactNode } from 'react';
import type { PublishChecklist as Checklist, ChecklistItem } from '@/lib/console/schema';
import { agentCardPath, agentTestPath } from '../shell/routes';
import { Alert } from '../ui/alert';
import { Card } from '../ui/card';
import { CheckIcon, InfoIcon } from '../ui/icons';

const reasons: Record<NonNullable<Checklist['notInSearch']>, string> = {
  withdrawn: 'it is withdrawn. Bring it back, and it is found again.',
  suspended: 'the moderators suspended it.',
  unlisted: 'it is unlisted: only people who know its name find it. Choose “Public” under Listing.',
  private: 'it is private to its team. Choose “Public” under Listing.',
};

interface Words {
  done: string;
  open: (detail: string | null) => ReactNode;
}

function wordsOf(slug: string): Record<ChecklistItem['id'], Words> {
  return {
    card: { done: 'The card is served and has no fault', open: (why) => `The card cannot be read: ${why ?? ''}` },
    description: {
      done: 'The description says enough',
      open: (length) => `The description has ${length} characters; with 60 and more people know what to expect`,
    },
    skills: { done: 'Skills are named', open: () => 'The card names no skill: people find agents by their skills' },
    examples: {
      done: 'Every skill has an example',
      open: (names) => (names ? `Without an example: ${names}` : 'Give each skill an example of what people write'),
    },
    icon: { done: 'It has an icon', open: () => 'The card names no iconUrl' },
    documentation: { done: 'It has documentation', open: () => 'The card names no documentationUrl' },
    owner: {
      done: 'Its owner is verified',
      open: () => (
        <a className="text-link" href="#ownership">
          Prove that the host is yours
        </a>
      ),
    },
    app: {
      done: 'A developer app is linked',
      open: () => (
        <a className="text-link" href="#listing">
          Link a developer app, so that it can ask who calls
        </a>
      ),
    },
    test: {
      done: 'A test call was answered',
      open: () => (
        <Link className="text-link" href={agentTestPath(slug)}>
          Make a test call
        </Link>
      ),
    },
    introspection: {
      done: 'It asked who calls',
      open: () => 'During a test, it has not asked Parley who called',
    },
  };
}

/** What makes the listing complete; each part turns done by itself. And whether search shows it. */
export function PublishChecklist({ slug, checklist }: { slug: string; checklist: Checklist }): ReactNode {
  const words = wordsOf(slug);
  const done = checklist.items.filter((item) => item.done).length;
  return (
    <div className="space-y-4">
      <Alert tone={checklist.notInSearch ? 'warn' : 'good'}>
        {checklist.notInSearch
          ? `Not in search because ${reasons[checklist.notInSearch]}`
          : 'In search: everybody finds it by its name, its skills and its tags.'}
      </Alert>
      <Card className="p-5">
        <p className="mb-3 text-sm text-muted">
          {done} of {checklist.items.length} done. What the card lacks is changed where it is served:{' '}
          <Link className="text-link" href={agentCardPath(slug)}>
            read it again
          </Link>{' '}
          afterwards.
        </p>
        <ul className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
          {checklist.items.map((item) => (
            <li className="flex gap-2.5" key={item.id}>
              {item.done ? (
                <CheckIcon className="mt-0.5 shrink-0 text-good" size={16} />
              ) : (
                <InfoIcon className="mt-0.5 shrink-0 text-warn" size={16} />
              )}
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="sr-only">{item.done ? 'Done: ' : 'To do: '}</span>
                {item.done ? words[item.id].done : words[item.id].open(item.detail)}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
