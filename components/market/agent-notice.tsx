import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Notice } from '@/lib/catalog/schema';
import { agentPath } from '../shell/routes';
import { Alert } from '../ui/alert';

const titles: Record<Notice['kind'], string> = {
  note: 'A note from its team',
  maintenance: 'Under maintenance',
  deprecated: 'Its team no longer looks after it',
};

/** What an agent's team tells people about it. */
export function AgentNotice({ notice: { kind, text, replacement } }: { notice: Notice }): ReactNode {
  return (
    <Alert title={titles[kind]} tone={kind === 'note' ? 'info' : 'warn'}>
      {text ? <p dir="auto">{text}</p> : null}
      {replacement ? (
        <p>
          Use{' '}
          <Link className="text-link" href={agentPath(replacement)} prefetch={false}>
            {replacement}
          </Link>{' '}
          in its place.
        </p>
      ) : null}
    </Alert>
  );
}
